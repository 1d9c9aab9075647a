/*
 * maxlogit.c - minus the largest logit
 *
 *	-max z
 *
 * Larger = more OoD.
 *
 * Hendrycks, Basart, Mazeika, Zou, Kwon, Mostajabi, Steinhardt, Song: Scaling
 * Out-of-Distribution Detection for Real-World Settings, ICML 2022.
 */
#include "scorers/scorer.h"

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = -rows->digest->max[i];
}

const struct ood_scorer ood_scorer_maxlogit = {
	.name = "maxlogit",
	.aliases = "mls",
	.brief = "minus the largest logit",
	.formula = "-max z",
	.cite = "Hendrycks et al.: Scaling Out-of-Distribution Detection for "
		"Real-World Settings, ICML 2022",
	.needs = OOD_NEEDS_LOGITS,
	.score = score,
};
