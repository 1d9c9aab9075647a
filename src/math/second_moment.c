/*
 * second_moment.c - mean and second moments of rows, in one pass
 */
#include "math/second_moment.h"

#include "core/err.h"
#include "core/mem.h"

static int make(struct ood_second_moment *m, size_t d, struct ood_err *err)
{
	int code = ood_mat_make(&m->count, 1, 1, err);

	if (!code)
		code = ood_mat_make(&m->centre, 1, d, err);
	if (!code)
		code = ood_mat_make(&m->sum, 1, d, err);
	if (!code)
		code = ood_mat_make(&m->square, d, d, err);
	return code;
}

int ood_second_moment_about(struct ood_second_moment *m, const double *centre,
			    size_t d, struct ood_err *err)
{
	int code = make(m, d, err);

	if (!code)
		memcpy(m->centre.data, centre, d * sizeof(*centre));
	return code;
}

/* The mean of the rows, as the first plus what the others differ by: a
 * feature that is constant has no rounding and stays so. */
static int choose(struct ood_second_moment *m, const double *x, size_t n,
		  size_t d, struct ood_err *err)
{
	int code = make(m, d, err);

	for (size_t i = 0; !code && i < n; i++)
		for (size_t j = 0; j < d; j++)
			m->centre.data[j] += x[i * d + j] - x[j];
	for (size_t j = 0; !code && j < d; j++)
		m->centre.data[j] = x[j] + m->centre.data[j] / (double)n;
	return code;
}

int ood_second_moment_add(struct ood_second_moment *m, const double *x,
			  size_t n, size_t d, struct ood_err *err)
{
	int code = m->centre.data ? OOD_OK : choose(m, x, n, d, err);
	double *y = ood_malloc(n * d, sizeof(*y));

	if (!code && !y)
		code = ood_fail_memory(err, n * d * sizeof(*y));
	for (size_t i = 0; !code && i < n; i++) {
		for (size_t j = 0; j < d; j++) {
			double shifted = x[i * d + j] - m->centre.data[j];

			y[i * d + j] = shifted;
			m->sum.data[j] += shifted;
		}
	}
	if (!code)
		code = ood_moment_add(m->square.data, y, n, d, err);
	if (!code)
		m->count.data[0] += (double)n;
	ood_free(y);
	return code;
}

/*
 * With x - c = (x - c') + e, e = c' - c, s' the sum about c' of n' rows:
 *	sum (x - c)(x - c)' = sum (x - c')(x - c')' + s'e' + es'' + n'ee'
 */
int ood_second_moment_join(struct ood_second_moment *m,
			   const struct ood_second_moment *from,
			   struct ood_err *err)
{
	const double *s = from->sum.data;
	size_t d = from->sum.cols;
	double n = ood_second_moment_rows(from);

	if (n == 0)
		return OOD_OK;
	if (!m->centre.data) {
		int code =
			ood_second_moment_about(m, from->centre.data, d, err);
		if (code)
			return code;
	}
	if (m->sum.cols != d)
		return ood_fail(err, OOD_INPUT,
				"moments of %zu features do not join those of "
				"%zu",
				d, m->sum.cols);
	double *e = ood_malloc(d, sizeof(*e));
	if (!e)
		return ood_fail_memory(err, d * sizeof(*e));
	for (size_t j = 0; j < d; j++)
		e[j] = from->centre.data[j] - m->centre.data[j];
	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			m->square.data[i * d + j] +=
				from->square.data[i * d + j] +
				((s[i] * e[j] + e[i] * s[j]) + n * e[i] * e[j]);
	for (size_t j = 0; j < d; j++)
		m->sum.data[j] += s[j] + n * e[j];
	m->count.data[0] += n;
	ood_free(e);
	return OOD_OK;
}

double ood_second_moment_rows(const struct ood_second_moment *m)
{
	return m->count.data ? m->count.data[0] : 0;
}

int ood_second_moment_mean(const struct ood_second_moment *m,
			   struct ood_mat *mean, struct ood_err *err)
{
	double n = ood_second_moment_rows(m);
	int code = ood_mat_make(mean, 1, m->sum.cols, err);

	for (size_t j = 0; !code && j < mean->cols; j++)
		mean->data[j] = m->centre.data[j] + m->sum.data[j] / n;
	return code;
}

int ood_second_moment_matrix(const struct ood_second_moment *m, bool about_mean,
			     struct ood_mat *M, struct ood_err *err)
{
	const double *s = m->sum.data;
	size_t d = m->sum.cols;
	double n = ood_second_moment_rows(m);
	int code = ood_mat_make(M, d, d, err);

	for (size_t i = 0; !code && i < d; i++)
		for (size_t j = 0; j < d; j++)
			M->data[i * d + j] =
				m->square.data[i * d + j] / n -
				(about_mean ? (s[i] / n) * (s[j] / n) : 0);
	return code;
}

/* Rounding can make eigenvalues of 0 negative. */
size_t ood_eigen_share(const struct ood_eigen *e, double share)
{
	double all = 0, some = 0;
	size_t dim = 0;

	for (size_t i = 0; i < e->d; i++)
		all += OOD_MAX(e->value[i], 0);
	for (; dim < e->d && some < share * all; dim++)
		some += OOD_MAX(e->value[dim], 0);
	return OOD_MAX(dim, 1);
}

void ood_second_moment_free(struct ood_second_moment *m)
{
	ood_mat_free(&m->count);
	ood_mat_free(&m->centre);
	ood_mat_free(&m->sum);
	ood_mat_free(&m->square);
}
