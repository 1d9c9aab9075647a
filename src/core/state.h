/*
 * state.h - what a fit leaves: a struct whose arrays a table describes
 *
 * A fitted thing keeps its numbers in struct ood_mat and struct ood_bank
 * members of one state struct. The table names them; writing a model file,
 * reading it back with its sizes checked, joining and freeing all go by the
 * table, so that no fitted thing has code of its own for files.
 */
#ifndef OOD_CORE_STATE_H
#define OOD_CORE_STATE_H

#include "core/bank.h"
#include "core/base.h"

enum ood_kept_kind {
	OOD_KEPT_END,
	OOD_KEPT_MAT,  /* struct ood_mat */
	OOD_KEPT_BANK, /* struct ood_bank */
};

enum ood_kept_when {
	OOD_KEPT_FITTED,  /* there once the fit has ended */
	OOD_KEPT_PARTIAL, /* sums, there before: of partial fits alone */
	OOD_KEPT_BOTH,
};

struct ood_kept {
	enum ood_kept_kind kind;
	const char *name; /* of the array in the model file */
	size_t at;	  /* offsetof() in the state */
	/*
	 * Rows and columns, one character each: 'D' features, 'C' classes of
	 * the logits, '1', or any other capital letter for a size that is the
	 * same wherever it occurs in the table.
	 */
	const char *shape;
	enum ood_kept_when when;
	bool optional; /* may be absent (data NULL, no rows) */
};

/* Sizes that letters stand for; 0: not known yet. */
struct ood_sizes {
	size_t of[26];
};

/* The matrix or bank of a field, as a view; rows 0: absent. */
struct ood_view ood_kept_view(const struct ood_kept *field, const void *state);

/* Does an array of this size fit? Binds letters that are free. OOD_INPUT with
 * both sizes. */
int ood_kept_check(const struct ood_kept *field, size_t rows, size_t cols,
		   struct ood_sizes *sizes, struct ood_err *err);

/* Frees and zeroes all arrays of a state. */
void ood_kept_free(const struct ood_kept *kept, void *state);

/* A matrix of zeros in place of *mat. */
int ood_mat_make(struct ood_mat *mat, size_t rows, size_t cols,
		 struct ood_err *err);
/* *mat gets at least `rows` rows of cols; new ones are zero. */
int ood_mat_grow(struct ood_mat *mat, size_t rows, size_t cols,
		 struct ood_err *err);

#endif
