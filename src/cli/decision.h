/*
 * decision.h - --threshold FILE|NUMBER: scores to the rule's two words
 */
#ifndef OOD_CLI_DECISION_H
#define OOD_CLI_DECISION_H

#include "core/base.h"
#include "scorers/scorer.h"

struct ood_decision {
	bool on;
	size_t column; /* of the scores that it judges */
	double threshold;
	char accept[32], reject[32]; /* score < threshold, >= threshold */
};

/*
 * word is a number (then there must be one scorer) or the JSON report of
 * `ood threshold`, whose scorer must be one of scorings by its full spec.
 */
int ood_decision_read(struct ood_decision *decision, const char *word,
		      const struct ood_scoring *scorings, size_t n,
		      struct ood_err *err);

/* The word for one score; NaN gets an empty one. */
struct ood_span ood_decision_word(const struct ood_decision *decision,
				  double score);

#endif
