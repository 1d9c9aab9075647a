/*
 * quota.c - how many of n rows make up a share
 */
#include "math/quota.h"

#include <float.h>

/* The product and q itself are each off by half a unit in the last place: 4
 * eps covers both; 1e-9 covers shares that were computed (1 - 0.3). */
static double slack(double product)
{
	return OOD_MAX(1e-9, 4 * DBL_EPSILON * product);
}

static size_t within(double k, size_t n)
{
	if (!(k > 0))
		return 0;
	return k < (double)n ? (size_t)k : n;
}

size_t ood_quota_least(double q, size_t n)
{
	double product = q * (double)n;

	return within(ceil(product - slack(product)), n);
}

size_t ood_quota_most(double q, size_t n)
{
	double product = q * (double)n;

	return within(floor(product + slack(product)), n);
}
