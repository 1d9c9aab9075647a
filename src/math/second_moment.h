/*
 * second_moment.h - mean and second moments of rows, in one pass
 *
 * Sums are of x - centre, with a centre near the rows, so that their mean
 * costs no digits. Sums of parts can be joined, whatever their centres.
 */
#ifndef OOD_MATH_SECOND_MOMENT_H
#define OOD_MATH_SECOND_MOMENT_H

#include "core/state.h"
#include "math/linalg.h"

struct ood_second_moment {     /* all zero: empty */
	struct ood_mat count;  /* 1 x 1: rows */
	struct ood_mat centre; /* 1 x D */
	struct ood_mat sum;    /* 1 x D: sum (x - centre) */
	struct ood_mat square; /* D x D: sum (x - centre)(x - centre)' */
};

/* Fixes the centre (d numbers, copied); else it is the mean of the first rows
 * that come, exact where a feature is constant. */
int ood_second_moment_about(struct ood_second_moment *m, const double *centre,
			    size_t d, struct ood_err *err);
/* Adds n > 0 rows of d numbers; by OpenMP's team, in a fixed order. */
int ood_second_moment_add(struct ood_second_moment *m, const double *x,
			  size_t n, size_t d, struct ood_err *err);
/* Adds the sums of another part. */
int ood_second_moment_join(struct ood_second_moment *m,
			   const struct ood_second_moment *from,
			   struct ood_err *err);
double ood_second_moment_rows(const struct ood_second_moment *m);
/* mean (1 x D) of the rows. */
int ood_second_moment_mean(const struct ood_second_moment *m,
			   struct ood_mat *mean, struct ood_err *err);
/* M (D x D) = (1/N) sum (x - o)(x - o)', o the centre, or the mean of the rows:
 * their covariance. */
int ood_second_moment_matrix(const struct ood_second_moment *m, bool about_mean,
			     struct ood_mat *M, struct ood_err *err);
/* The least number of leading eigenvalues of M, at least 1, that have this
 * share of their sum (the variance). */
size_t ood_eigen_share(const struct ood_eigen *e, double share);
void ood_second_moment_free(struct ood_second_moment *m);

/* The lines of a kept table for a member `name` of a state: sums of partial
 * fits. */
#define OOD_KEPT_SECOND_MOMENT(type, name)                                     \
	{ OOD_KEPT_MAT, "moment-count",	  offsetof(type, name.count),          \
	  "11",		OOD_KEPT_PARTIAL, false },                             \
		{ OOD_KEPT_MAT, "moment-centre",  offsetof(type, name.centre), \
		  "1D",		OOD_KEPT_PARTIAL, false },                     \
		{ OOD_KEPT_MAT, "moment-sum",	  offsetof(type, name.sum),    \
		  "1D",		OOD_KEPT_PARTIAL, false },                     \
	{                                                                      \
		OOD_KEPT_MAT, "moment-square", offsetof(type, name.square),    \
			"DD", OOD_KEPT_PARTIAL, false                          \
	}

#endif
