/*
 * whiten.h - covariances: their inverses, shrinkage, features without variance
 */
#ifndef OOD_MATH_WHITEN_H
#define OOD_MATH_WHITEN_H

#include "core/mem.h"
#include "core/notes.h"
#include "core/state.h"

/* How a covariance S (D x D) is inverted. */
struct ood_whitening {
	double rtol;	  /* eigenvalues <= rtol of the largest are dropped */
	double ridge;	  /* added to the diagonal first */
	bool exact;	  /* refuse what is singular */
	const char *who;  /* in messages: "mahalanobis" */
	const char *what; /* "covariance of class 3" */
	const char *help; /* what makes it regular: "ridge=R"; NULL: nothing */
};

/* A (R x D) with A'A the (pseudo-)inverse of S + ridge I, R its rank; *lndet
 * (may be NULL) the sum of the logarithms of the eigenvalues that are kept. */
int ood_whiten(const struct ood_mat *S, const struct ood_whitening *how,
	       struct ood_mat *A, double *lndet, struct ood_err *err);

/* Says what a rank below D means: a warning, or OOD_NUMERIC where it is 0 or
 * the inverse must be exact. S as it was estimated: its dead features are
 * named. */
int ood_whiten_look(const struct ood_mat *S, const struct ood_whitening *how,
		    size_t rank, struct ood_notes *notes, struct ood_err *err);

/*
 * S becomes (1 - a) S + a m I, m = tr(S)/D; returns a. fourth: the sum of
 * ||x - mean||^4 over the n rows that S is the covariance of.
 *
 * Ledoit, Wolf: A well-conditioned estimator for large-dimensional covariance
 * matrices, Journal of Multivariate Analysis 88 (2004) 365-411.
 */
double ood_ledoit_wolf(struct ood_mat *S, double fourth, double n);

/* The features of variance 0, from 1, the first few by number ("3, 17, 20 and
 * 4 others"), into text; returns how many. */
size_t ood_dead_features(const struct ood_mat *S, struct ood_buf *text);

#endif
