/*
 * margin.c - how near the second class is, in probability and in logit
 *
 *	margin		1 - p1 + p2 = (s + e2)/(1 + s), in [0, 1]
 *	margin-logit	-(z1 - z2)
 *
 * p1, p2 (z1, z2): the two largest; equal ones count twice. Larger = more OoD.
 *
 * Scheffer, Decomain, Wrobel: Active Hidden Markov Models for Information
 * Extraction, IDA 2001.
 */
#include "core/err.h"
#include "scorers/scorer.h"

enum { T };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)d;
	(void)args;
	if (c < 2)
		return ood_fail(err, OOD_INPUT,
				"a margin needs two classes, found %zu", c);
	return OOD_OK;
}

static void margin(const struct ood_rows *rows, const struct ood_args *args,
		   const void *state, double *out)
{
	const struct ood_digest *d = rows->digest;

	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = d->top[i] * (d->s[i] + d->e2[i]);
}

static void margin_logit(const struct ood_rows *rows,
			 const struct ood_args *args, const void *state,
			 double *out)
{
	const struct ood_digest *d = rows->digest;

	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = d->second[i] - d->max[i];
}

const struct ood_scorer ood_scorer_margin = {
	.name = "margin",
	.brief = "one minus the gap of the two largest probabilities",
	.formula = "1 - p1 + p2",
	.cite = "Scheffer, Decomain, Wrobel: Active Hidden Markov Models for "
		"Information Extraction, IDA 2001",
	.needs = OOD_NEEDS_CLASSES,
	.params = params,
	.check = check,
	.score = margin,
};

const struct ood_scorer ood_scorer_margin_logit = {
	.name = "margin-logit",
	.brief = "minus the gap of the two largest logits",
	.formula = "-(z1 - z2)",
	.cite = "Scheffer, Decomain, Wrobel: Active Hidden Markov Models for "
		"Information Extraction, IDA 2001 (there of probabilities)",
	.needs = OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_FINITE,
	.check = check,
	.score = margin_logit,
};
