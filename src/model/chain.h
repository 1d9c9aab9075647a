/*
 * chain.h - a model is an ordered list of stages
 *
 * The only code that runs one stage after another. `-s msp,energy` is a chain
 * of two scorers; a fitted model is a chain read from its file.
 */
#ifndef OOD_MODEL_CHAIN_H
#define OOD_MODEL_CHAIN_H

#include "core/base.h"
#include "io/set.h"
#include "scorers/scorer.h"

struct ood_model {
	struct ood_scoring *scorings;
	size_t n;
	char **columns; /* names of all columns, in order */
	size_t n_columns;
};

/* Scores of one block; arrays grow and are reused. All zero at first. */
struct ood_scored {
	size_t n, columns;
	double *scores; /* n x columns; rows of block->bad are +inf or NaN */
	bool has_top;	/* the set has class scores */
	int64_t *pred;
	double *confidence;
	double *other; /* 1 - confidence, without cancellation */
	size_t room;
};
void ood_scored_free(struct ood_scored *scored);

/* Does the set have what every stage needs? (Before the first block, and
 * again by the first ood_model_block() for sizes.) */
int ood_model_check(const struct ood_model *model, const struct ood_set *set,
		    struct ood_err *err);

/*
 * Runs the chain over a block; nan tells what scores of bad rows become. What
 * a scorer refuses (OOD_INPUT) has its place in the file.
 */
int ood_model_block(const struct ood_model *model, const struct ood_set *set,
		    const struct ood_block *block, enum ood_nan nan,
		    struct ood_scored *scored, struct ood_err *err);

#endif
