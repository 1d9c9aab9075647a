/*
 * select.h - the k largest entries of a row, without sorting or memory
 */
#ifndef OOD_MATH_SELECT_H
#define OOD_MATH_SELECT_H

#include "core/base.h"

/*
 * A cut so that the k largest of n entries (finite or -inf; 1 <= k < n) are
 * those > cut and *ties of those equal to it. *ties is 0 if the cut is no
 * entry, or -inf. max: the largest entry.
 */
double ood_nth_largest(const double *x, size_t n, size_t k, double max,
		       size_t *ties);

#endif
