/*
 * mean.h - the mean of rows, in one pass
 */
#ifndef OOD_MATH_MEAN_H
#define OOD_MATH_MEAN_H

#include "core/state.h"

struct ood_means {	      /* all zero: empty */
	struct ood_mat count; /* 1 x 1: rows */
	struct ood_mat sum;   /* 1 x D */
};

/* Adds n rows of d numbers: their sum is taken first, so that the error does
 * not grow with the number of blocks. */
int ood_means_add(struct ood_means *m, const double *x, size_t n, size_t d,
		  struct ood_err *err);
/* Adds the sums of another part (OOD_INPUT where they are damaged). */
int ood_means_join(struct ood_means *m, const struct ood_means *from,
		   struct ood_err *err);
/* mean (1 x D). */
int ood_means_of(const struct ood_means *m, struct ood_mat *mean,
		 struct ood_err *err);

/* The lines of a kept table for a member `name` of a state: sums of partial
 * fits. */
/* clang-format off */
#define OOD_KEPT_MEANS(type, name)                                      \
	{ OOD_KEPT_MAT, "mean-count", offsetof(type, name.count), "11", \
	  OOD_KEPT_PARTIAL, false },                                    \
	{ OOD_KEPT_MAT, "mean-sum", offsetof(type, name.sum), "1D",     \
	  OOD_KEPT_PARTIAL, false }
/* clang-format on */

#endif
