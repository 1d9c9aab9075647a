/*
 * scoring_check.c - does a set have what a scorer needs?
 */
#include "core/err.h"
#include "scorers/scoring.h"

/* Probabilities alone: what needs logits is refused. */
static int check_probs(const struct ood_scoring *scoring, struct ood_err *err)
{
	const char *what = NULL;

	if (ood_scoring_last(scoring)->needs & OOD_NEEDS_LOGITS)
		what = "";
	else if (scoring->map)
		what = " with a map";
	else if (scoring->logit_norm > 0)
		what = " with logit-norm";
	else if (scoring->T != 1)
		what = " with a temperature";
	if (!what)
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"scorer %s%s needs logits; the set has probabilities "
			"(their logarithms can be given as logprobs)",
			scoring->scorer->name, what);
}

static int check_features(const struct ood_scoring *scoring,
			  const struct ood_given *given, struct ood_err *err)
{
	const char *name = scoring->scorer->name;

	if (given->features[scoring->layer])
		return OOD_OK;
	if (scoring->layer)
		return ood_fail(err, OOD_USAGE, "scorer %s needs features.%u",
				name, scoring->layer + 1);
	return ood_fail(err, OOD_USAGE,
			"scorer %s needs features (PREFIX_features.npy beside "
			"the logits, or features=FILE)",
			name);
}

int ood_scoring_check(const struct ood_scoring *scoring,
		      const struct ood_given *given, bool fitting,
		      struct ood_err *err)
{
	const struct ood_scorer *scorer = scoring->scorer;
	const unsigned needs =
		scorer->needs |
		(fitting && ood_scoring_learns(scoring) ? scorer->fit : 0);
	const bool made = given->head && given->features[0];
	int code = OOD_OK;

	if (needs & OOD_NEEDS_FEATURES)
		code = check_features(scoring, given, err);
	if (!code && needs & OOD_NEEDS_HEAD && !given->head)
		code = ood_fail(err, OOD_USAGE,
				"scorer %s needs the last layer "
				"(--head-weights FILE --head-bias FILE)",
				scorer->name);
	if (!code && needs & OOD_NEEDS_TABLE && !given->table)
		code = ood_fail(err, OOD_USAGE,
				"scorer %s needs a table of named columns",
				scorer->name);
	if (!code && needs & OOD_NEEDS_LABELS && fitting && !given->labels)
		code = ood_fail(err, OOD_USAGE,
				"scorer %s is fitted with labels (labels=FILE,"
				" or a column label)",
				scorer->name);
	if (code)
		return code;
	if (needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS) && !given->logits &&
	    !given->probs && !made)
		return ood_fail(
			err, OOD_USAGE, "scorer %s needs %s", scorer->name,
			ood_scoring_last(scoring)->needs & OOD_NEEDS_LOGITS
				? "logits"
				: "logits or probs");
	if (needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS) && !given->logits &&
	    given->probs) {
		code = check_probs(scoring, err);
		if (code)
			return code;
	}
	size_t d = given->d[scoring->layer];
	if (scorer->check && (given->c || d))
		code = scorer->check(&scoring->args, given->c, d, err);
	if (!code && scoring->tail && scoring->tail->check && given->c)
		code = scoring->tail->check(&scoring->tail_args, given->c, 0,
					    err);
	return code;
}
