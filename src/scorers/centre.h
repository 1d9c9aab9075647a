/*
 * centre.h - the mean of the fit features, for scorers that learn that alone
 *
 * A scorer whose state begins with a struct ood_centre takes the functions as
 * its .add, .merge and .end, and calls ood_centre_check() in .ready.
 */
#ifndef OOD_SCORERS_CENTRE_H
#define OOD_SCORERS_CENTRE_H

#include "math/mean.h"
#include "scorers/scorer.h"

struct ood_centre {
	struct ood_means sums;
	struct ood_mat mean; /* 1 x D */
};

/* The lines of a kept table for the first member `name` of a state. */
/* clang-format off */
#define OOD_KEPT_CENTRE(type, name)                                  \
	OOD_KEPT_MEANS(type, name.sums),                             \
	{ OOD_KEPT_MAT, "mean", offsetof(type, name.mean), "1D",     \
	  OOD_KEPT_FITTED, false }
/* clang-format on */

int ood_centre_add(void *state, const struct ood_fit *fit,
		   const struct ood_rows *rows, struct ood_err *err);
int ood_centre_merge(void *state, const void *from, const struct ood_fit *fit,
		     struct ood_err *err);
int ood_centre_end(void *state, const struct ood_fit *fit, struct ood_err *err);
/* OOD_INPUT: the mean of a file is not finite. One that is not there (a
 * scorer of fixed parameters) passes. */
int ood_centre_check(const struct ood_centre *centre, struct ood_err *err);

#endif
