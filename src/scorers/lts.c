/*
 * lts.c - logits scaled by the weight of the largest features
 *
 * z' = z (s1 / s2)^2, s1 the sum of relu(x) and s2 that of its largest entries
 * (D - round(D percentile / 100) of them); then a scorer of logits
 * (score=energy): larger = more OoD by that scorer. s2 = 0: s1 / s2 is 1.
 *
 * Djurisic, Liu, Nikolic: Logit Scaling for Out-of-Distribution Detection,
 * 2024.
 */
#include "core/err.h"
#include "core/mem.h"
#include "scorers/shaped.h"

enum { PERCENTILE };

static const struct ood_param params[] = {
	[PERCENTILE] = OOD_SHAPED_PERCENTILE(95),
	{ .kind = OOD_PARAM_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)c;
	return ood_top_check("lts", args->num[PERCENTILE], d, err);
}

static void reshape(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *z)
{
	const size_t c = rows->c, d = rows->d;
	const size_t kept = ood_top_count(d, args->num[PERCENTILE]);
	double *x = ood_malloc(d, sizeof(*x));

	(void)state;
	if (!x)
		ood_fail_memory(rows->err, d * sizeof(*x));
	for (size_t i = 0; x && i < rows->n; i++) {
		for (size_t j = 0; j < d; j++)
			x[j] = OOD_MAX(rows->x[i * d + j], 0);
		struct ood_top_entries top = ood_top_of(x, d, kept);
		double ratio = ood_top_ratio(&top);

		*rows->odd += top.sum == 0;
		for (size_t k = 0; k < c; k++)
			z[i * c + k] = rows->z[i * c + k] * (ratio * ratio);
	}
	ood_free(x);
}

const struct ood_scorer ood_scorer_lts = {
	.name = "lts",
	.brief = "logits scaled by the largest features, then a logit scorer",
	.formula = "energy of z (s1/s2)^2",
	.cite = "Djurisic, Liu, Nikolic: Logit Scaling for Out-of-Distribution "
		"Detection, 2024",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS,
	.params = params,
	.odd = "rows have no feature above 0: their logits stay as they are",
	.check = check,
	.reshape = reshape,
};
