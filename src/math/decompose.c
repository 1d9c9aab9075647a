/*
 * decompose.c - eigenvalues, singular values and solutions through LAPACK
 */
#include <lapacke.h>

#include "core/err.h"
#include "core/mem.h"
#include "math/linalg.h"

static int check(const double *a, size_t m, size_t n, const char *what,
		 struct ood_err *err)
{
	if (m > INT32_MAX / 2 || n > INT32_MAX / 2)
		return ood_fail(err, OOD_INPUT,
				"%s: a side of %zu is too large", what,
				OOD_MAX(m, n));
	for (size_t i = 0; i < m * n; i++)
		if (!isfinite(a[i]))
			return ood_fail(err, OOD_NUMERIC,
					"%s: not finite at row %zu, column "
					"%zu (features too large?)",
					what, i / n + 1, i % n + 1);
	return OOD_OK;
}

/* The largest entry by size, the first of equals, becomes positive. */
static void fix_sign(double *v, size_t d)
{
	size_t k = 0;

	for (size_t j = 1; j < d; j++)
		if (fabs(v[j]) > fabs(v[k]))
			k = j;
	bool turned = v[k] < 0;
	for (size_t j = 0; turned && j < d; j++)
		v[j] = v[j] == 0 ? 0 : -v[j];
}

/* Ascending columns (as rows of the transposed) become descending rows. */
static void turn(struct ood_eigen *e)
{
	size_t d = e->d;

	for (size_t i = 0; i < d / 2; i++) {
		double *a = e->vector + i * d, *b = e->vector + (d - 1 - i) * d;
		double value = e->value[i];

		e->value[i] = e->value[d - 1 - i];
		e->value[d - 1 - i] = value;
		for (size_t j = 0; j < d; j++) {
			value = a[j];
			a[j] = b[j];
			b[j] = value;
		}
	}
	for (size_t i = 0; i < d; i++)
		fix_sign(e->vector + i * d, d);
}

int ood_eigen_make(struct ood_eigen *e, const double *a, size_t d,
		   const char *what, struct ood_err *err)
{
	int code = check(a, d, d, what, err);

	*e = (struct ood_eigen){ .d = d };
	if (code)
		return code;
	e->value = ood_malloc(d, sizeof(*e->value));
	e->vector = ood_malloc(d * d, sizeof(*e->vector));
	if (!e->value || !e->vector)
		return ood_fail_memory(err, d * d * sizeof(*e->vector));
	memcpy(e->vector, a, d * d * sizeof(*a));
	ood_blas_begin();
	/* Column-major: the eigenvectors come as columns, which are rows here;
	 * a symmetric matrix is its own transpose. */
	int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', (int)d, e->vector,
				  (int)d, e->value);
	if (info)
		return ood_fail(err, OOD_NUMERIC,
				"%s: its eigenvalues did not converge", what);
	turn(e);
	return OOD_OK;
}

void ood_eigen_free(struct ood_eigen *e)
{
	ood_free(e->value);
	ood_free(e->vector);
	*e = (struct ood_eigen){ 0 };
}

size_t ood_eigen_rank(const struct ood_eigen *e, double rtol)
{
	size_t rank = 0;

	if (!e->d || e->value[0] <= 0)
		return 0;
	while (rank < e->d && e->value[rank] > rtol * e->value[0])
		rank++;
	return rank;
}

/* inverse (n x m) = V S^-1 U' of the parts that are kept. */
static void invert(const double *u, const double *s, const double *vt,
		   struct ood_mat *inverse, size_t rank)
{
	size_t n = inverse->rows, m = inverse->cols, k = OOD_MIN(m, n);

	for (size_t r = 0; r < rank; r++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < m; j++)
				inverse->data[i * m + j] +=
					vt[r * n + i] / s[r] * u[j * k + r];
}

int ood_pinv(const double *a, size_t m, size_t n, double rtol,
	     struct ood_mat *inverse, size_t *rank, struct ood_err *err)
{
	size_t k = OOD_MIN(m, n);
	double *copy = ood_malloc(m * n, sizeof(double));
	double *u = ood_malloc(m * k, sizeof(double));
	double *s = ood_malloc(k, sizeof(double));
	double *vt = ood_malloc(k * n, sizeof(double));
	int code = check(a, m, n, "matrix", err);

	*inverse = (struct ood_mat){ 0 };
	*rank = 0;
	if (!code && (!copy || !u || !s || !vt))
		code = ood_fail_memory(err, m * n * sizeof(double));
	if (!code) {
		memcpy(copy, a, m * n * sizeof(double));
		ood_blas_begin();
		if (LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'S', (int)m, (int)n, copy,
				   (int)n, s, u, (int)k, vt, (int)n))
			code = ood_fail(err, OOD_NUMERIC,
					"singular values did not converge");
	}
	if (!code) {
		inverse->data = ood_calloc(n * m, sizeof(double));
		inverse->rows = n;
		inverse->cols = m;
		if (!inverse->data)
			code = ood_fail_memory(err, n * m * sizeof(double));
	}
	while (!code && *rank < k && s[*rank] > rtol * s[0])
		++*rank;
	if (!code)
		invert(u, s, vt, inverse, *rank);
	ood_free(copy);
	ood_free(u);
	ood_free(s);
	ood_free(vt);
	return code;
}

bool ood_solve_definite(double *a, double *b, size_t d)
{
	ood_blas_begin();
	return LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', (int)d, a, (int)d) == 0 &&
	       LAPACKE_dpotrs(LAPACK_ROW_MAJOR, 'L', (int)d, 1, a, (int)d, b,
			      1) == 0;
}
