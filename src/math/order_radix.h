/*
 * order_radix.h - stable radix sort of items that begin with a double
 */
#ifndef OOD_MATH_ORDER_RADIX_H
#define OOD_MATH_ORDER_RADIX_H

#include "core/base.h"

/* A number with its place before sorting. */
struct ood_indexed {
	double x;
	size_t index;
};

/*
 * Sorts n items in ascending order of the double they begin with, equal ones
 * in the order they have. size: sizeof(double) or sizeof(struct ood_indexed).
 * spare has room for n items. No -0, no NaN. False if memory is missing.
 */
bool ood_radix_sort(void *items, void *spare, size_t n, size_t size);

#endif
