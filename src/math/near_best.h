/*
 * near_best.h - the k least (cost, row) pairs of many, and costs in double
 */
#ifndef OOD_MATH_NEAR_BEST_H
#define OOD_MATH_NEAR_BEST_H

#include "math/neighbours.h"

/* A heap with the worst pair on top; what is kept does not depend on the
 * order in which pairs come. */
struct ood_near_best {
	double *cost; /* k */
	size_t *row;  /* k */
	size_t n, k;
};
void ood_near_best_add(struct ood_near_best *best, double cost, size_t row);
/* In ascending order. */
void ood_near_best_sort(struct ood_near_best *best);

/* A row of the bank as the options take it; norm: of the row as it is. */
void ood_near_row(const struct ood_bank *bank,
		  const struct ood_near_options *options, size_t i, double norm,
		  double *x);

/* What is to be least: a distance, or minus an inner product. q and x as the
 * options take them. */
double ood_near_cost(const struct ood_near_options *options, const double *q,
		     const double *x, size_t d);

#endif
