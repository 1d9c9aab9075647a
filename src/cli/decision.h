/*
 * decision.h - --threshold FILE|NUMBER: scores to the rule's two words
 */
#ifndef OOD_CLI_DECISION_H
#define OOD_CLI_DECISION_H

#include "cli/opt.h"
#include "core/base.h"
#include "scorers/scoring.h"

struct ood_decision {
	bool on;
	size_t column; /* of the scores that it judges */
	double threshold;
	char accept[32], reject[32]; /* score < threshold, >= threshold */
};

/* The columns of scores that there are: a scorer's, or of a set of scores. */
struct ood_judged {
	const struct ood_scoring *scorings; /* NULL: a set of scores ... */
	size_t n;
	char *const *columns; /* ... with these columns */
	size_t n_columns;
	bool higher_id; /* --higher id: they were negated when read */
	const struct ood_texts *models; /* files of -m */
};

/*
 * word is a number (then there must be one column) or the JSON report of
 * `ood threshold`. Its scorer must be there by its full spec, as a column by
 * its name or by the spec that it is the name of; and what it was made from
 * must have been negated as these are.
 */
int ood_decision_read(struct ood_decision *decision, const char *word,
		      const struct ood_judged *judged, struct ood_err *err);

/* The word for one score; NaN gets an empty one. */
struct ood_span ood_decision_word(const struct ood_decision *decision,
				  double score);

#endif
