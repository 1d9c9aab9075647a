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
	memcpy(p, rows->z + i * rows->c, rows->c * sizeof(*p));
	if (!rows->is_probs)
		ood_digest_softmax(rows->digest, i, T, p, rows->c);
}
