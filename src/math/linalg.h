/*
 * linalg.h - products of matrices, eigenvalues, singular values
 *
 * The only user of BLAS and LAPACK. BLAS is set to one thread on first use;
 * threads are OpenMP's, over tiles of the result. Matrices are in C order,
 * rows one after another. A result's bits do not depend on threads, nor a
 * row's on the rows beside it: tiles of 128 rows, columns padded with zeros to
 * a multiple of 16 (OpenBLAS 0.3 takes other kernels at the edges).
 */
#ifndef OOD_MATH_LINALG_H
#define OOD_MATH_LINALG_H

#include "core/base.h"

/* BLAS on one thread from now on; every function here sees to it. */
void ood_blas_begin(void);

/* n vectors of d numbers, laid out to be multiplied by many rows. */
struct ood_factor {
	double *data;
	size_t n, d;	 /* as given */
	size_t n16, d16; /* as laid out */
};
/* Copies the vectors (n x d). */
int ood_factor_make(struct ood_factor *f, const double *vectors, size_t n,
		    size_t d, struct ood_err *err);
void ood_factor_free(struct ood_factor *f);

/* out (rows x f->n) = x (rows x f->d) times the vectors: out[i][j] is the
 * inner product of row i and vector j. By the calling thread alone. */
int ood_factor_apply(const struct ood_factor *f, const double *x, size_t rows,
		     double *out, struct ood_err *err);

/*
 * out (m x n) = a (m x d) b' of b (n x d), all in float, by the calling thread
 * alone. Bits may depend on m and n: for those who know to bound the error of
 * a sum of products in any order.
 */
struct ood_float_product {
	const float *a, *b;
	size_t m, n, d;
	float *out;
};
void ood_products_float(const struct ood_float_product *p);

/* sum (d x d, both halves) += X' X of X (rows x d); rows in order, by
 * OpenMP's team. */
int ood_moment_add(double *sum, const double *x, size_t rows, size_t d,
		   struct ood_err *err);
/* The same of the lower half (j <= i), with rubbish above: half the work where
 * many are added. */
int ood_moment_lower(double *sum, const double *x, size_t rows, size_t d,
		     struct ood_err *err);
/* The upper half from the lower. */
void ood_moment_mirror(double *sum, size_t d);

/* c (m x n) = a (m x k) b (k x n), by OpenMP's team. */
int ood_multiply(const double *a, const double *b, double *c, size_t m,
		 size_t k, size_t n, struct ood_err *err);

/* Eigenvalues of a symmetric matrix, descending, and the unit eigenvectors as
 * rows; the largest entry by size of each (the first of equals) is positive. */
struct ood_eigen {
	double *value;	/* d */
	double *vector; /* d x d */
	size_t d;
};
/* a: d x d, read only. what names it in messages ("covariance of class 3");
 * not finite or not converged: OOD_NUMERIC. */
int ood_eigen_make(struct ood_eigen *e, const double *a, size_t d,
		   const char *what, struct ood_err *err);
void ood_eigen_free(struct ood_eigen *e);

/* How many eigenvalues are > rtol times the largest (0 if that is <= 0). */
size_t ood_eigen_rank(const struct ood_eigen *e, double rtol);

/*
 * The pseudo-inverse (n x m) of a (m x n); singular values <= rtol of the
 * largest are dropped. *rank of a. Free inverse->data with ood_mat_free().
 */
int ood_pinv(const double *a, size_t m, size_t n, double rtol,
	     struct ood_mat *inverse, size_t *rank, struct ood_err *err);

/* Solves a x = b in place of b (d), a symmetric positive definite (its lower
 * half is overwritten). False if a is not. For small systems (Newton steps). */
bool ood_solve_definite(double *a, double *b, size_t d);

#endif
