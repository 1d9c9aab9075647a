/*
 * probs.c - the probabilities of rows, from their digest
 */
#include "scorers/probs.h"

double ood_rows_log_prob(const struct ood_rows *rows, size_t i, double T,
			 size_t j)
{
	const struct ood_digest *d = rows->digest;
	double z = rows->z[i * rows->c + j];

	return rows->is_probs ? log(z) : (z - d->max[i]) / T - d->nlog[i];
}

void ood_rows_probs(const struct ood_rows *rows, size_t i, double T, double *p)
{
	const double *z = rows->z + i * rows->c;

	if (rows->is_probs) {
		memcpy(p, z, rows->c * sizeof(*p));
		return;
	}
	for (size_t j = 0; j < rows->c; j++)
		p[j] = (z[j] - rows->digest->max[i]) / T;
	ood_exps(p, rows->c);
	for (size_t j = 0; j < rows->c; j++)
		p[j] *= rows->digest->top[i];
}

void ood_softmax(double *z, size_t c)
{
	double most = -INFINITY, sum = 0;

	for (size_t j = 0; j < c; j++)
		most = OOD_MAX(most, z[j]);
	for (size_t j = 0; j < c; j++)
		z[j] -= most;
	ood_exps(z, c);
	for (size_t j = 0; j < c; j++)
		sum += z[j];
	for (size_t j = 0; j < c; j++)
		z[j] /= sum;
}
