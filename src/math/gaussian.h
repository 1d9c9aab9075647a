/*
 * gaussian.h - squared distances to the means of Gaussians of one covariance
 */
#ifndef OOD_MATH_GAUSSIAN_H
#define OOD_MATH_GAUSSIAN_H

#include "core/state.h"
#include "math/linalg.h"

/* d_k(x)^2 = ||A (x - m_k)||^2; read-only once made. */
struct ood_gaussians {
	const struct ood_mat *mean; /* K x D; borrowed */
	struct ood_mat centre;	    /* 1 x D: amid the means */
	bool plain;		    /* A = I */
	struct ood_factor whiten;   /* A: R x D */
	struct ood_mat near;	    /* K x R: A (m_k - centre) */
	struct ood_mat norm2;	    /* K x 1: ||A (m_k - centre)||^2 */
	struct ood_factor dots;	    /* near, to be multiplied by */
};

/* whiten: A (R x D), copied; NULL: the identity. centre is copied; mean must
 * stay. Both finite. */
int ood_gaussians_make(struct ood_gaussians *g, const struct ood_mat *whiten,
		       const struct ood_mat *mean, const struct ood_mat *centre,
		       struct ood_err *err);
void ood_gaussians_free(struct ood_gaussians *g);

/*
 * d2 (n x K) of n rows of D numbers: the distances that are at most `slack`
 * above the least of their row (the least alone: 0), +inf for the others. By
 * the calling thread alone; a row's bits do not depend on the others.
 */
int ood_gaussians_apply(const struct ood_gaussians *g, const double *x,
			size_t n, double slack, double *d2,
			struct ood_err *err);
/* The first of the k least. */
size_t ood_least(const double *d2, size_t k);

#endif
