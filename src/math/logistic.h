/*
 * logistic.h - maximum-likelihood logistic regression in memory
 *
 * min over (w, b) of sum_i ln(1 + exp(-t_i (w x_i + b))) + l2/2 ||w||^2, t =
 * +-1; Newton with step halving to a gradient of 1e-10 of its first size.
 */
#ifndef OOD_MATH_LOGISTIC_H
#define OOD_MATH_LOGISTIC_H

#include "core/base.h"

/*
 * x: n x p, y: n of 0 or 1. coef: p weights, then the intercept. Columns
 * should be standardised by the caller. Separable data without l2, or no rows
 * of a side: OOD_NUMERIC, with the remedy.
 */
struct ood_logistic {
	const double *x;
	const uint8_t *y;
	size_t n, p;
	double l2;
};
int ood_logistic_fit(const struct ood_logistic *data, double *coef,
		     struct ood_err *err);

#endif
