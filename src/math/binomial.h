/*
 * binomial.h - intervals of a share: k of n
 */
#ifndef OOD_MATH_BINOMIAL_H
#define OOD_MATH_BINOMIAL_H

#include "core/base.h"

/* P(Bin(n, q) <= k) */
double ood_binomial_cdf(uint64_t k, uint64_t n, double q);

/* Two-sided intervals at `level` (0.95). n = 0: both ends NaN.
 * Wilson, JASA 22 (1927) 209-212; Clopper, Pearson, Biometrika 26 (1934)
 * 404-413. */
void ood_wilson(uint64_t k, uint64_t n, double level, double *lo, double *hi);
void ood_clopper_pearson(uint64_t k, uint64_t n, double level, double *lo,
			 double *hi);

#endif
