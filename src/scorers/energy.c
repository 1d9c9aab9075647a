/*
 * energy.c - free energy of the logits
 *
 *	-T ln sum exp(z/T) = -(m + T log1p(s))
 *
 * Larger = more OoD.
 *
 * Liu, Wang, Owens, Li: Energy-based Out-of-distribution Detection, NeurIPS
 * 2020.
 */
#include "scorers/scorer.h"

enum { T };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ood_digest *d = rows->digest;

	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = -(d->max[i] + args->num[T] * d->nlog[i]);
}

const struct ood_scorer ood_scorer_energy = {
	.name = "energy",
	.aliases = "ebo",
	.brief = "free energy of the logits",
	.formula = "-T ln sum exp(z/T)",
	.cite = "Liu, Wang, Owens, Li: Energy-based Out-of-distribution "
		"Detection, NeurIPS 2020",
	.needs = OOD_NEEDS_LOGITS,
	.params = params,
	.score = score,
};
