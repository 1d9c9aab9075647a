/*
 * maxcos.c - the best cosine between the features and a class mean
 *
 *	-max_k <x, mu_k> / (||x|| ||mu_k||)
 *
 * A zero vector has cosine 0. Larger = more OoD.
 *
 * Techapanurak, Suganuma, Okatani: Hyperparameter-Free Out-of-Distribution
 * Detection Using Cosine Similarity, ACCV 2020.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/class_sums.h"
#include "math/vector.h"
#include "scorers/scorer.h"

struct maxcos {
	struct ood_class_sums sums;
	struct ood_mat mean;	  /* K x D */
	struct ood_factor factor; /* the means, of unit length */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CLASS_SUMS(struct maxcos, sums),
	{ OOD_KEPT_MAT, "mean", offsetof(struct maxcos, mean), "KD",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct maxcos *s = state;

	(void)fit;
	return ood_class_sums_add(&s->sums, rows->label, rows->x, rows->n,
				  rows->d, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct maxcos *s = state;

	(void)fit;
	return ood_class_sums_join(&s->sums,
				   &((const struct maxcos *)from)->sums, err);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct maxcos *s = state;

	(void)fit;
	return ood_class_sums_means(&s->sums, NULL, &s->mean, err);
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct maxcos *s = state;
	struct ood_mat unit = { 0 };
	size_t d = s->mean.cols;
	int code = ood_mat_make(&unit, s->mean.rows, d, err);

	(void)fit;
	for (size_t k = 0; !code && k < unit.rows; k++)
		ood_unit(s->mean.data + k * d, d, unit.data + k * d);
	if (!code)
		code = ood_factor_make(&s->factor, unit.data, unit.rows, d,
				       err);
	ood_mat_free(&unit);
	return code;
}

static void release(void *state)
{
	struct maxcos *s = state;

	ood_class_sums_free(&s->sums);
	ood_factor_free(&s->factor);
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct maxcos *s = state;
	size_t k = s->factor.n;
	double *dot = ood_malloc(rows->n * k, sizeof(*dot));

	(void)args;
	if (!dot)
		ood_fail_memory(rows->err, rows->n * k * sizeof(*dot));
	else
		ood_factor_apply(&s->factor, rows->x, rows->n, dot, rows->err);
	for (size_t i = 0; i < rows->n && !rows->err->code; i++) {
		double norm = ood_norm(rows->x + i * rows->d, rows->d);
		double best = dot[i * k];

		for (size_t c = 1; c < k; c++)
			best = OOD_MAX(best, dot[i * k + c]);
		out[i] = norm > 0 ? -best / norm : 0;
	}
	ood_free(dot);
}

const struct ood_scorer ood_scorer_maxcos = {
	.name = "maxcos",
	.brief = "minus the best cosine to a class mean",
	.formula = "-max_k cos(x, mu_k)",
	.cite = "Techapanurak, Suganuma, Okatani: Hyperparameter-Free "
		"Out-of-Distribution Detection Using Cosine Similarity, ACCV "
		"2020",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LABELS,
	.score = score,
	.state = sizeof(struct maxcos),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
