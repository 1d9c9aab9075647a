/*
 * msp.c - one minus the largest softmax probability
 *
 *	1 - max p = s/(1 + s)		log=1: -ln max p = log1p(s)
 *
 * In [0, 1), exact however confident the row: s is the sum over the other
 * classes. Larger = more OoD.
 *
 * Hendrycks, Gimpel: A Baseline for Detecting Misclassified and
 * Out-of-Distribution Examples in Neural Networks, ICLR 2017.
 * odin0: Liang, Li, Srikant: Enhancing the Reliability of Out-of-distribution
 * Image Detection in Neural Networks, ICLR 2018, without the perturbation.
 * mcm: Ming et al.: Delving into Out-of-Distribution Detection with
 * Vision-Language Representations, NeurIPS 2022, msp of similarities / T.
 */
#include "scorers/scorer.h"

enum { T, LOG };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	[LOG] = { .kind = OOD_PARAM_SWITCH,
		  .name = "log",
		  .help = "-ln of the probability" },
	{ .kind = OOD_PARAM_END },
};

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ood_digest *d = rows->digest;

	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = args->num[LOG] != 0 ? d->nlog[i] : d->top[i] * d->s[i];
}

const struct ood_scorer ood_scorer_msp = {
	.name = "msp",
	.aliases = "odin0=msp:T=1000 mcm",
	.brief = "one minus the largest probability",
	.formula = "1 - max p",
	.cite = "Hendrycks, Gimpel: A Baseline for Detecting Misclassified and "
		"Out-of-Distribution Examples in Neural Networks, ICLR 2017",
	.needs = OOD_NEEDS_CLASSES,
	.params = params,
	.score = score,
};
