/*
 * special.h - distribution functions
 *
 * Relative error below 1e-14 (normal) and 1e-12 (beta, gamma).
 */
#ifndef OOD_MATH_SPECIAL_H
#define OOD_MATH_SPECIAL_H

#include "core/base.h"

double ood_normal_quantile(double p);		   /* Phi^-1, 0 < p < 1 */
double ood_beta_cdf(double x, double a, double b); /* I_x(a, b) */
double ood_beta_quantile(double p, double a, double b);

#endif
