/*
 * vra.c - features cut at both ends
 *
 * x' = 0 below lo (below=clip: lo), min(x, hi) else; lo and hi percentiles of
 * all entries of the fit features. Then z = W x' + b and a scorer of logits
 * (score=energy): larger = more OoD by that scorer.
 *
 * Xu, Lian, Liu, Tao: VRA: Variational Rectified Activation for
 * Out-of-distribution Detection, NeurIPS 2023.
 */
#include "core/err.h"
#include "core/num.h"
#include "math/percentile.h"
#include "math/vector.h"
#include "scorers/shaped.h"

enum { LOW, HIGH, BELOW };
enum { ZERO, CLIP };

static const struct ood_param params[] = {
	[LOW] = { .kind = OOD_PARAM_REAL,
		  .name = "low",
		  .help = "percentile of the lower cut",
		  .def = 10,
		  .lo = 0,
		  .hi = 100 },
	[HIGH] = { .kind = OOD_PARAM_REAL,
		   .name = "high",
		   .help = "percentile of the upper cut",
		   .def = 90,
		   .lo = 0,
		   .hi = 100 },
	[BELOW] = { .kind = OOD_PARAM_WORD,
		    .name = "below",
		    .help = "what entries below the lower cut become",
		    .choices = "zero clip" },
	{ .kind = OOD_PARAM_END },
};

struct vra {
	struct ood_percentiles *percentiles; /* while fitting */
	struct ood_mat cuts;		     /* 1 x 2: lo, hi */
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "cuts", offsetof(struct vra, cuts), "1T",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)c;
	(void)d;
	return args->num[LOW] <= args->num[HIGH]
		       ? OOD_OK
		       : ood_fail(err, OOD_USAGE,
				  "vra: low is above high (low=10:high=90)");
}

static int begin(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct vra *s = state;
	const double q[] = { fit->args->num[LOW], fit->args->num[HIGH] };

	return ood_percentiles_make(&s->percentiles, q, 2, err);
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct vra *s = state;

	(void)fit;
	return ood_percentiles_add(s->percentiles, rows->x, rows->n * rows->d,
				   err);
}

static int next(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		struct ood_err *err)
{
	struct vra *s = state;
	bool more = !fit->pass || ood_percentiles_next(s->percentiles);

	(void)err;
	*pass = more ? OOD_PASS_TRAIN : OOD_PASS_NONE;
	return OOD_OK;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct vra *s = state;
	char lo[OOD_NUM_MAX], hi[OOD_NUM_MAX];
	int code = ood_mat_make(&s->cuts, 1, 2, err);

	if (code)
		return code;
	for (size_t i = 0; i < 2; i++)
		s->cuts.data[i] = ood_percentiles_value(s->percentiles, i);
	ood_num_format(lo, s->cuts.data[0]);
	ood_num_format(hi, s->cuts.data[1]);
	ood_notes_say(fit->notes, "vra: features cut at %s and %s", lo, hi);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct vra *s = state;

	(void)fit;
	if (s->cuts.cols == 2 && ood_all_finite(s->cuts.data, 2) &&
	    s->cuts.data[0] <= s->cuts.data[1])
		return OOD_OK;
	return ood_fail(err, OOD_INPUT, "cuts are not two ascending numbers");
}

static void release(void *state)
{
	struct vra *s = state;

	ood_percentiles_free(s->percentiles);
}

struct how {
	double lo, hi, below;
};

static void change(const double *x, size_t d, const void *state, double *to)
{
	const struct how *how = state;

	for (size_t j = 0; j < d; j++)
		to[j] = x[j] < how->lo ? how->below : OOD_MIN(x[j], how->hi);
}

static void reshape(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *z)
{
	const struct vra *s = state;
	const double lo = s->cuts.data[0];
	const struct how how = { lo, s->cuts.data[1],
				 args->num[BELOW] == CLIP ? lo : 0 };

	ood_shaped_logits(rows, change, &how, z);
}

const struct ood_scorer ood_scorer_vra = {
	.name = "vra",
	.brief = "features cut at both ends, then a logit scorer",
	.formula = "energy of W x' + b; x' = 0 below lo, else min(x, hi)",
	.cite = "Xu, Lian, Liu, Tao: VRA: Variational Rectified Activation for "
		"Out-of-distribution Detection, NeurIPS 2023",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.presets = "openood=below=clip",
	.check = check,
	.reshape = reshape,
	.state = sizeof(struct vra),
	.kept = kept,
	.begin = begin,
	.add = add,
	.next = next,
	.end = end,
	.ready = ready,
	.release = release,
};
