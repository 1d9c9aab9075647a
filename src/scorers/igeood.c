/*
 * igeood.c - Fisher-Rao distance to the mean logits of the classes
 *
 *	-mean_k 2 acos(sum_c sqrt(p_c q_kc)),  p = softmax(z/T), q_k =
 *	softmax(m_k/T), m_k the mean logits of the fit rows of class k
 *
 * Confident rows are far from most classes. The sum is kept within +-(1 -
 * 1e-12). Larger = more OoD.
 *
 * Gomes, Alberge, Duhamel, Piantanida: Igeood: An Information Geometry
 * Approach to Out-of-Distribution Detection, ICLR 2022.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/class_sums.h"
#include "math/vector.h"
#include "scorers/probs.h"

enum { T };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

struct igeood {
	struct ood_class_sums sums; /* of logits */
	struct ood_mat mean;	    /* K x C */
	double *root;		    /* K x C: sqrt(q) */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CLASS_SUMS_OF(struct igeood, sums, "KC"),
	{ OOD_KEPT_MAT, "mean", offsetof(struct igeood, mean), "KC",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	(void)fit;
	return ood_class_sums_add(&((struct igeood *)state)->sums, rows->label,
				  rows->z, rows->n, rows->c, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	(void)fit;
	return ood_class_sums_join(&((struct igeood *)state)->sums,
				   &((const struct igeood *)from)->sums, err);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct igeood *s = state;
	int code = ood_class_sums_means(&s->sums, NULL, &s->mean, err);

	if (!code && s->mean.rows < fit->c)
		ood_notes_warn(fit->notes, "no-row", fit->c - s->mean.rows,
			       "igeood: %zu of %zu classes have no row: they "
			       "are left out of the mean",
			       fit->c - s->mean.rows, fit->c);
	return code;
}

static void roots(double *p, size_t c)
{
	for (size_t j = 0; j < c; j++)
		p[j] = sqrt(p[j]);
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct igeood *s = state;
	const size_t k = s->mean.rows, c = s->mean.cols;

	if (!ood_all_finite(s->mean.data, k * c))
		return ood_fail(err, OOD_INPUT, "a mean is not finite");
	s->root = ood_malloc(k * c, sizeof(*s->root));
	if (!s->root)
		return ood_fail_memory(err, k * c * sizeof(*s->root));
	memcpy(s->root, s->mean.data, k * c * sizeof(*s->root));
	ood_softmax(s->root, k, c, fit->args->num[T]);
	roots(s->root, k * c);
	return OOD_OK;
}

static void release(void *state)
{
	struct igeood *s = state;

	ood_class_sums_free(&s->sums);
	ood_free(s->root);
}

/* ------------------------------------------------------------- scoring --- */

static double distance(const struct igeood *s, const double *root)
{
	const double most = 1 - 1e-12;
	const size_t c = s->mean.cols;
	double sum = 0;

	for (size_t k = 0; k < s->mean.rows; k++) {
		double dot = ood_dot(s->root + k * c, root, c);

		sum += 2 * acos(OOD_MIN(OOD_MAX(dot, -most), most));
	}
	return sum / (double)s->mean.rows;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	double *p = ood_malloc(rows->c, sizeof(*p));

	if (!p) {
		ood_fail_memory(rows->err, rows->c * sizeof(*p));
		return;
	}
	for (size_t i = 0; i < rows->n; i++) {
		ood_rows_probs(rows, i, args->num[T], p);
		roots(p, rows->c);
		out[i] = -distance(state, p);
	}
	ood_free(p);
}

const struct ood_scorer ood_scorer_igeood = {
	.name = "igeood",
	.brief = "Fisher-Rao distance to the mean logits of the classes",
	.formula = "-mean_k 2 acos(sum_c sqrt(p_c q_kc))",
	.cite = "Gomes, Alberge, Duhamel, Piantanida: Igeood: An Information "
		"Geometry Approach to Out-of-Distribution Detection, ICLR 2022",
	.needs = OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS | OOD_TAKE_FINITE,
	.fit = OOD_NEEDS_LOGITS | OOD_NEEDS_LABELS,
	.params = params,
	.score = score,
	.state = sizeof(struct igeood),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
