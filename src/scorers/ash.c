/*
 * ash.c - activation shaping: only the largest features are kept
 *
 * The `kept` largest entries of x, kept = D - round(D percentile / 100),
 * become, with s1 the sum of the row and s2 that of the kept ones,
 *
 *	ash-p	themselves
 *	ash-b	s1 / kept
 *	ash-s	themselves times exp(s1 / s2)
 *
 * and all others 0. Then z = W x + b, and a scorer of logits (score=energy):
 * larger = more OoD by that scorer. s2 = 0: s1 / s2 is 1; the exponent is
 * limited to +-700.
 *
 * Djurisic, Bozanic, Ashok, Liu: Extremely Simple Activation Shaping for
 * Out-of-Distribution Detection, ICLR 2023.
 */
#include "scorers/shaped.h"

enum { PERCENTILE };

static const struct ood_param params[] = {
	[PERCENTILE] = OOD_SHAPED_PERCENTILE(90),
	{ .kind = OOD_PARAM_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)c;
	return ood_top_check("ash", args->num[PERCENTILE], d, err);
}

enum shape { PRUNE, BINARY, SCALED };

struct how {
	enum shape shape;
	size_t kept;
};

static void change(const double *x, size_t d, const void *state, double *to)
{
	const struct how *how = state;
	struct ood_top_entries top = ood_top_of(x, d, how->kept);
	double ratio = OOD_MAX(OOD_MIN(ood_top_ratio(&top), 700), -700);
	double factor = how->shape == SCALED ? exp(ratio) : 1;
	size_t ties = 0;

	for (size_t j = 0; j < d; j++) {
		if (!ood_top_has(&top, x[j], &ties))
			to[j] = 0;
		else if (how->shape == BINARY)
			to[j] = top.all / (double)how->kept;
		else
			to[j] = x[j] * factor;
	}
}

static void reshape(const struct ood_rows *rows, const struct ood_args *args,
		    enum shape shape, double *z)
{
	const struct how how = { shape, ood_top_count(rows->d,
						      args->num[PERCENTILE]) };

	ood_shaped_logits(rows, change, &how, z);
}

static void prune(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *z)
{
	(void)state;
	reshape(rows, args, PRUNE, z);
}

static void binary(const struct ood_rows *rows, const struct ood_args *args,
		   const void *state, double *z)
{
	(void)state;
	ood_shaped_count_odd(rows);
	reshape(rows, args, BINARY, z);
}

static void scaled(const struct ood_rows *rows, const struct ood_args *args,
		   const void *state, double *z)
{
	(void)state;
	ood_shaped_count_odd(rows);
	reshape(rows, args, SCALED, z);
}

#define CITE                                                                   \
	"Djurisic, Bozanic, Ashok, Liu: Extremely Simple Activation Shaping "  \
	"for Out-of-Distribution Detection, ICLR 2023"

const struct ood_scorer ood_scorer_ash_s = {
	.name = "ash-s",
	.brief = "largest features scaled, the others 0, then a logit scorer",
	.formula = "energy of W x' + b; x' = x exp(s1/s2) where x is large",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.params = params,
	.presets = "pytorch-ood=percentile=65",
	.odd = OOD_SHAPED_ODD,
	.check = check,
	.reshape = scaled,
};

const struct ood_scorer ood_scorer_ash_p = {
	.name = "ash-p",
	.brief = "largest features alone, then a logit scorer",
	.formula = "energy of W x' + b; x' = x where x is large, else 0",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.params = params,
	.check = check,
	.reshape = prune,
};

const struct ood_scorer ood_scorer_ash_b = {
	.name = "ash-b",
	.brief = "largest features made equal, then a logit scorer",
	.formula = "energy of W x' + b; x' = s1/kept where x is large, else 0",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.params = params,
	.odd = OOD_SHAPED_ODD,
	.check = check,
	.reshape = binary,
};
