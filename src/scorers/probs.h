/*
 * probs.h - the probabilities of rows, from their digest
 */
#ifndef OOD_SCORERS_PROBS_H
#define OOD_SCORERS_PROBS_H

#include "scorers/scorer.h"

/* p (c numbers) of row i: softmax(z/T) from logits, T that of the digest;
 * probabilities as they are. Needs OOD_TAKE_ROWS. */
void ood_rows_probs(const struct ood_rows *rows, size_t i, double T, double *p);

/* ln p_j of the same row. */
double ood_rows_log_prob(const struct ood_rows *rows, size_t i, double T,
			 size_t j);

#endif
