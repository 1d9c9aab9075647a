/*
 * percentile.h - exact percentiles of a stream too long to keep
 *
 * Read again and again: each pass narrows the range of each wanted order
 * statistic by 16 bits of its key, until the values left can be kept and
 * sorted; two passes nearly always. Percentile q of n sorted values is linear
 * interpolation at position (n - 1) q / 100, as numpy has it.
 */
#ifndef OOD_MATH_PERCENTILE_H
#define OOD_MATH_PERCENTILE_H

#include "core/base.h"

struct ood_percentiles; /* opaque */

/* q: n percentiles in 0..100, copied. */
int ood_percentiles_make(struct ood_percentiles **p, const double *q, size_t n,
			 struct ood_err *err);
void ood_percentiles_free(struct ood_percentiles *p);
/* Values of this pass, finite, in any order. By the calling thread. */
int ood_percentiles_add(struct ood_percentiles *p, const double *x, size_t n,
			struct ood_err *err);
/* Ends a pass. True: all must be added once more; false: done. */
bool ood_percentiles_next(struct ood_percentiles *p);
/* Percentile i; NaN where nothing was added. */
double ood_percentiles_value(const struct ood_percentiles *p, size_t i);

/* The same for n values in memory; x is reordered. */
double ood_percentile(double *x, size_t n, double q);

#endif
