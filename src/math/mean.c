/*
 * mean.c - the mean of rows, in one pass
 */
#include "math/mean.h"

#include "core/err.h"
#include "core/mem.h"

static int make(struct ood_means *m, size_t d, struct ood_err *err)
{
	int code = m->sum.rows ? OOD_OK : ood_mat_make(&m->sum, 1, d, err);

	if (!code && !m->count.rows)
		code = ood_mat_make(&m->count, 1, 1, err);
	return code;
}

int ood_means_add(struct ood_means *m, const double *x, size_t n, size_t d,
		  struct ood_err *err)
{
	double *block = ood_calloc(d, sizeof(*block));
	int code = block ? make(m, d, err)
			 : ood_fail_memory(err, d * sizeof(*block));

	for (size_t i = 0; !code && i < n; i++)
		for (size_t j = 0; j < d; j++)
			block[j] += x[i * d + j];
	for (size_t j = 0; !code && j < d; j++)
		m->sum.data[j] += block[j];
	if (!code)
		m->count.data[0] += (double)n;
	ood_free(block);
	return code;
}

int ood_means_join(struct ood_means *m, const struct ood_means *from,
		   struct ood_err *err)
{
	if (m->sum.cols != from->sum.cols || !(from->count.data[0] >= 0))
		return ood_fail(err, OOD_INPUT,
				"sums of %zu and %zu features, or a count that "
				"is none (the partial fit is damaged)",
				m->sum.cols, from->sum.cols);
	for (size_t j = 0; j < m->sum.cols; j++)
		m->sum.data[j] += from->sum.data[j];
	m->count.data[0] += from->count.data[0];
	return OOD_OK;
}

int ood_means_of(const struct ood_means *m, struct ood_mat *mean,
		 struct ood_err *err)
{
	int code = ood_mat_make(mean, 1, m->sum.cols, err);

	for (size_t j = 0; !code && j < m->sum.cols; j++)
		mean->data[j] = m->sum.data[j] / m->count.data[0];
	return code;
}
