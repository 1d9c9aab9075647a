/*
 * entropy.c - Shannon entropy of the class probabilities, in nats
 *
 *	-sum p ln p = log1p(s) + w/(1 + s)	normalize=1: divided by ln C
 *
 * Two terms of one sign: nothing cancels, and 0 ln 0 = 0. Larger = more OoD.
 *
 * Shannon: A Mathematical Theory of Communication, Bell System Technical
 * Journal 27, 1948. For OoD, normalised: Chan, Rottmann, Gottschalk: Entropy
 * Maximization and Meta Classification for Out-of-Distribution Detection in
 * Semantic Segmentation, ICCV 2021.
 */
#include "scorers/scorer.h"

enum { T, NORMALIZE };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	[NORMALIZE] = { .kind = OOD_PARAM_SWITCH,
			.name = "normalize",
			.help = "divide by ln C" },
	{ .kind = OOD_PARAM_END },
};

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ood_digest *d = rows->digest;
	/* One class has entropy 0, which no divisor changes. */
	double unit = args->num[NORMALIZE] != 0 && rows->c > 1
			      ? log((double)rows->c)
			      : 1;

	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = d->top[i] * (d->w[i] + (1 + d->s[i]) * d->nlog[i]) /
			 unit;
}

const struct ood_scorer ood_scorer_entropy = {
	.name = "entropy",
	.brief = "entropy of the class probabilities",
	.formula = "-sum p ln p",
	.cite = "Shannon: A Mathematical Theory of Communication, 1948; Chan, "
		"Rottmann, Gottschalk: Entropy Maximization and Meta "
		"Classification, ICCV 2021",
	.needs = OOD_NEEDS_CLASSES,
	.params = params,
	.score = score,
};
