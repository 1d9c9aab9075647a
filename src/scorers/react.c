/*
 * react.c - clipped features
 *
 * x' = min(x, c), c a percentile of all entries of the fit features, or
 * clip=VALUE; then z = W x' + b and a scorer of logits (score=energy): larger
 * = more OoD by that scorer.
 *
 * Sun, Guo, Li: ReAct: Out-of-distribution Detection With Rectified
 * Activations, NeurIPS 2021.
 */
#include "core/err.h"
#include "core/num.h"
#include "math/percentile.h"
#include "math/vector.h"
#include "scorers/shaped.h"

enum { PERCENTILE, CLIP };

static const struct ood_param params[] = {
	[PERCENTILE] = { .kind = OOD_PARAM_REAL,
			 .name = "percentile",
			 .help = "of all entries of the fit features",
			 .def = 90,
			 .lo = 0,
			 .hi = 100 },
	[CLIP] = { .kind = OOD_PARAM_REAL,
		   .name = "clip",
		   .help = "the value itself, which needs no fit",
		   .def = NAN,
		   .lo = -INFINITY,
		   .hi = INFINITY },
	{ .kind = OOD_PARAM_END },
};

struct react {
	struct ood_percentiles *percentiles; /* while fitting */
	struct ood_mat clip;		     /* 1 x 1 */
	bool more;
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "clip", offsetof(struct react, clip), "11",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

static bool is_fixed(const struct ood_args *args)
{
	return !isnan(args->num[CLIP]);
}

static int begin(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct react *s = state;

	return ood_percentiles_make(&s->percentiles,
				    &fit->args->num[PERCENTILE], 1, err);
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct react *s = state;

	(void)fit;
	return ood_percentiles_add(s->percentiles, rows->x, rows->n * rows->d,
				   err);
}

static int next(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		struct ood_err *err)
{
	struct react *s = state;
	bool more = !fit->pass || ood_percentiles_next(s->percentiles);

	(void)err;
	*pass = more ? OOD_PASS_TRAIN : OOD_PASS_NONE;
	return OOD_OK;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct react *s = state;
	char text[OOD_NUM_MAX];
	int code = ood_mat_make(&s->clip, 1, 1, err);

	if (code)
		return code;
	s->clip.data[0] = ood_percentiles_value(s->percentiles, 0);
	ood_num_format(text, s->clip.data[0]);
	ood_notes_say(fit->notes, "react: features clipped at %s", text);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct react *s = state;

	return is_fixed(fit->args) || ood_all_finite(s->clip.data, 1)
		       ? OOD_OK
		       : ood_fail(err, OOD_INPUT, "clip is not finite");
}

static void release(void *state)
{
	struct react *s = state;

	ood_percentiles_free(s->percentiles);
}

static void change(const double *x, size_t d, const void *clip, double *to)
{
	const double c = *(const double *)clip;

	for (size_t j = 0; j < d; j++)
		to[j] = OOD_MIN(x[j], c);
}

static void reshape(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *z)
{
	const struct react *s = state;
	const double clip = is_fixed(args) ? args->num[CLIP] : s->clip.data[0];

	ood_shaped_logits(rows, change, &clip, z);
}

const struct ood_scorer ood_scorer_react = {
	.name = "react",
	.brief = "clipped features, then a logit scorer",
	.formula = "energy of W min(x, c) + b",
	.cite = "Sun, Guo, Li: ReAct: Out-of-distribution Detection With "
		"Rectified Activations, NeurIPS 2021",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.fit = OOD_NEEDS_FEATURES,
	.fixed = is_fixed,
	.params = params,
	.presets = "pytorch-ood=clip=1",
	.reshape = reshape,
	.state = sizeof(struct react),
	.kept = kept,
	.begin = begin,
	.add = add,
	.next = next,
	.end = end,
	.ready = ready,
	.release = release,
};
