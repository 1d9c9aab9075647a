/*
 * order.h - sorting of scores
 */
#ifndef OOD_MATH_ORDER_H
#define OOD_MATH_ORDER_H

#include "core/base.h"

/* Sorts ascending in the total order of doubles (-0 counts as 0; no NaN).
 * Radix sort by all threads; false if memory for a second array is missing.
 */
bool ood_sort(double *x, size_t n);

/* order[i] = index of the i-th smallest, equal values in order of index; x
 * stays. False if memory is missing. */
bool ood_sort_index(const double *x, size_t n, size_t *order);

/* Number of entries of the ascending array x that are < v, and <= v. */
size_t ood_count_below(const double *x, size_t n, double v);
size_t ood_count_upto(const double *x, size_t n, double v);

#endif
