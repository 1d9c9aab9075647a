/*
 * fit.h - fitting the scorers of a model on sets of training rows
 */
#ifndef OOD_MODEL_FIT_H
#define OOD_MODEL_FIT_H

#include "model/chain.h"

/* Sets are opened again for every pass: all of them must be files where a
 * fit needs more than one (OOD_USAGE). */
struct ood_fit_sets {
	const char *const *train, *const *val; /* SETs, joined in order */
	size_t n_train, n_val;
	const struct ood_read *read;
	uint64_t seed;
	bool partial;		 /* sums for ood_model_merge() alone */
	struct ood_notes *notes; /* on the rows that were read; may be NULL */
};

/*
 * Fits all scorers of a model that learn, made by ood_model_add(..., true).
 * Sentences on what was fitted are left in model->made. The last layer is the
 * model's, or that of the training set (roles head-weights, head-bias).
 */
int ood_model_fit(struct ood_model *model, const struct ood_fit_sets *sets,
		  struct ood_err *err);

/*
 * Joins partial fits, in order, and ends the fit: parts[0] takes all and
 * becomes the model, the others are used up. They must be of the same scorers,
 * parameters and sizes (OOD_USAGE).
 */
int ood_model_merge(struct ood_model **parts, size_t n, struct ood_err *err);

/* The last layer from files (weights and bias: WHERE, bias may be NULL; both
 * NULL: from the roles of the set, if there are any). Keeps one that the model
 * has; another one is OOD_USAGE. */
int ood_model_read_head(struct ood_model *model, const char *weights,
			const char *bias, const struct ood_read *read,
			struct ood_err *err);
int ood_model_take_head(struct ood_model *model, struct ood_set *set,
			struct ood_err *err);

#endif
