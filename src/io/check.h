/*
 * check.h - values at the door
 *
 * One fast pass over a block as the file has it; only rows that hold
 * something that is not finite are looked at value by value.
 */
#ifndef OOD_IO_CHECK_H
#define OOD_IO_CHECK_H

#include "core/base.h"

enum ood_check_kind {
	OOD_CHECK_LOGITS,   /* -inf is legal, but not in a whole row */
	OOD_CHECK_LOGPROBS, /* likewise; their exps sum to 1 within tol */
	OOD_CHECK_PROBS,    /* in [-1e-6, 1 + 1e-6], sum 1 within tol */
	OOD_CHECK_FINITE,   /* features */
	OOD_CHECK_RANKS,    /* scores: +-inf have a rank */
};

enum ood_fault_kind {
	OOD_FAULT_NONE,
	OOD_FAULT_NAN,
	OOD_FAULT_PLUS_INF,
	OOD_FAULT_MINUS_INF,
	OOD_FAULT_ALL_MINUS_INF, /* col SIZE_MAX */
	OOD_FAULT_RANGE,	 /* x is no probability */
	OOD_FAULT_SUM,		 /* x is the sum; col SIZE_MAX */
	OOD_FAULT_POSITIVE,	 /* x is no log-probability */
	OOD_FAULT_INCOMPLETE,	 /* x is the sum of the exps; col SIZE_MAX */
};

struct ood_fault {
	enum ood_fault_kind kind;
	size_t row, col; /* from 0; col SIZE_MAX: the whole row */
	double x;
};

struct ood_check {
	enum ood_check_kind kind;
	double tol;	  /* probabilities */
	bool renormalise; /* the sum need not be 1, but positive */
	/* Results of a pass. */
	struct ood_fault missing; /* first row that --nan decides about */
	struct ood_fault refused; /* first row that nothing lets through */
	size_t n_missing;
	double deviation; /* largest |sum - 1| of the rows that pass */
	size_t deviation_row;
};

/*
 * Checks a block by OpenMP's team; bad[row] is set to 1 for rows with
 * something missing. The findings do not depend on the threads.
 */
void ood_check_view(struct ood_check *check, struct ood_view view,
		    uint8_t *bad);

/* True if any of n values of a view's kind is NaN or infinite. */
bool ood_check_any_f4(const float *at, size_t n);
bool ood_check_any_f8(const double *at, size_t n);

/* Fills err with the sentence of a fault (OOD_INPUT); remedy says whether
 * --nan would let such a row through. */
int ood_fault_say(const struct ood_fault *fault, const struct ood_check *check,
		  struct ood_err *err);

#endif
