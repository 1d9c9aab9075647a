/*
 * special.h - distribution functions
 *
 * Relative error below 1e-14 (normal) and 1e-12 (beta).
 */
#ifndef OOD_MATH_SPECIAL_H
#define OOD_MATH_SPECIAL_H

#include "core/base.h"

double ood_normal_quantile(double p);		   /* Phi^-1, 0 < p < 1 */
double ood_beta_cdf(double x, double a, double b); /* I_x(a, b) */
/* The same with y = 1 - x given, for x so near to 1 that it is rounded. */
double ood_beta_cdf_xy(double x, double y, double a, double b);
double ood_beta_quantile(double p, double a, double b); /* in x */

#endif
