/*
 * scale.c - features scaled by the weight of their largest
 *
 * x' = x exp(s1 / s2), s1 the sum of the row and s2 that of its largest
 * entries (D - round(D percentile / 100) of them); then z = W x' + b and a
 * scorer of logits (score=energy): larger = more OoD by that scorer. s2 = 0:
 * s1 / s2 is 1; the exponent is limited to +-700.
 *
 * Xu, Chen, Franchi, Yao: Scaling for Training Time and Post-hoc
 * Out-of-distribution Detection Enhancement, ICLR 2024.
 */
#include "scorers/shaped.h"

enum { PERCENTILE };

static const struct ood_param params[] = {
	[PERCENTILE] = OOD_SHAPED_PERCENTILE(85),
	{ .kind = OOD_PARAM_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)c;
	return ood_top_check("scale", args->num[PERCENTILE], d, err);
}

static void change(const double *x, size_t d, const void *kept, double *to)
{
	struct ood_top_entries top = ood_top_of(x, d, *(const size_t *)kept);
	double ratio = OOD_MAX(OOD_MIN(ood_top_ratio(&top), 700), -700);
	double factor = exp(ratio);

	for (size_t j = 0; j < d; j++)
		to[j] = x[j] * factor;
}

static void reshape(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *z)
{
	const size_t kept = ood_top_count(rows->d, args->num[PERCENTILE]);

	(void)state;
	ood_shaped_count_odd(rows);
	ood_shaped_logits(rows, change, &kept, z);
}

const struct ood_scorer ood_scorer_scale = {
	.name = "scale",
	.brief = "features scaled by their largest, then a logit scorer",
	.formula = "energy of W x exp(s1/s2) + b",
	.cite = "Xu, Chen, Franchi, Yao: Scaling for Training Time and "
		"Post-hoc Out-of-distribution Detection Enhancement, ICLR 2024",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.params = params,
	.odd = OOD_SHAPED_ODD,
	.check = check,
	.reshape = reshape,
};
