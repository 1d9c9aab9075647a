/*
 * kmeans.h - clusters of rows
 *
 * Starting centres: Arthur, Vassilvitskii: k-means++: The Advantages of
 * Careful Seeding, SODA 2007. Rounds: Lloyd: Least Squares Quantization in
 * PCM, IEEE Transactions on Information Theory 28 (1982) 129-137.
 */
#ifndef OOD_MATH_KMEANS_H
#define OOD_MATH_KMEANS_H

#include "core/bank.h"

enum { OOD_KMEANS_ROUNDS = 300 };

/*
 * cluster[i] (0 .. k - 1) of each row, until none moves, which *rounds counts
 * (one more than OOD_KMEANS_ROUNDS: they still moved). A cluster that loses
 * all rows keeps its centre. By OpenMP's team; equal for equal seeds. Fewer
 * distinct rows than k: OOD_INPUT.
 */
int ood_kmeans(const struct ood_bank *rows, size_t k, uint64_t seed,
	       int64_t *cluster, size_t *rounds, struct ood_err *err);

#endif
