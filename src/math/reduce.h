/*
 * reduce.h - sums in a fixed order, compensated
 *
 * Neumaier, ZAMM 54 (1974) 39-51: the error does not grow with n.
 */
#ifndef OOD_MATH_REDUCE_H
#define OOD_MATH_REDUCE_H

#include "core/base.h"

struct ood_sum {
	double sum, rest;
};
void ood_sum_add(struct ood_sum *s, double x);
double ood_sum_value(const struct ood_sum *s);

#endif
