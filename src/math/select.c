/*
 * select.c - the k largest entries of a row, without sorting or memory
 *
 * Bisection over the doubles themselves, in their order as integers: one count
 * a step, some 15 steps until a cut has exactly k entries above it, 64 at most.
 */
#include "math/select.h"

#include "math/digest.h"

/* Integers in the order of doubles. */
static int64_t to_order(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double from_order(int64_t bits)
{
	double x;

	bits = bits < 0 ? bits ^ INT64_MAX : bits;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

double ood_nth_largest(const double *x, size_t n, size_t k, double max,
		       size_t *ties)
{
	/* More than k entries above lo, fewer above hi. */
	int64_t lo = to_order(-INFINITY), hi = to_order(max);
	size_t above_hi = 0;

	*ties = 0;
	if (ood_count_above(x, n, -INFINITY) <= k)
		return -INFINITY;
	while (lo < hi - 1) {
		int64_t mid = (lo & hi) + ((lo ^ hi) >> 1);
		size_t above = ood_count_above(x, n, from_order(mid));

		if (above == k)
			return from_order(mid);
		if (above > k) {
			lo = mid;
		} else {
			hi = mid;
			above_hi = above;
		}
	}
	*ties = k - above_hi;
	return from_order(hi);
}
