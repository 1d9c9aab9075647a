/*
 * vector.h - norms and inner products of rows, in a fixed order
 */
#ifndef OOD_MATH_VECTOR_H
#define OOD_MATH_VECTOR_H

#include "core/base.h"

/* ||x||_2; neither overflows nor underflows where the norm does not. */
double ood_norm(const double *x, size_t n);
/* sum |x_j| */
double ood_norm_l1(const double *x, size_t n);
/* sum x_j y_j, in 8 lanes. */
double ood_dot(const double *x, const double *y, size_t n);
/* sum (x_j - y_j)^2, in 8 lanes. */
double ood_distance2(const double *x, const double *y, size_t n);
/* u = x / ||x||_2; the zero vector stays. May be in place. */
void ood_unit(const double *x, size_t n, double *u);
/* No NaN, no infinity. */
bool ood_all_finite(const double *x, size_t n);

#endif
