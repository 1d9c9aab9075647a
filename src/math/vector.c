/*
 * vector.c - norms and inner products of rows, in a fixed order
 */
#include "math/vector.h"

enum { LANES = 8 };

/* A fixed tree, whatever the compiler makes of the lanes. */
static double tree(const double *s)
{
	return ((s[0] + s[4]) + (s[2] + s[6])) +
	       ((s[1] + s[5]) + (s[3] + s[7]));
}

double ood_norm_l1(const double *x, size_t n)
{
	double sum = 0;

	for (size_t j = 0; j < n; j++)
		sum += fabs(x[j]);
	return sum;
}

double ood_dot(const double *x, const double *y, size_t n)
{
	double s[LANES] = { 0 };
	size_t j = 0;

	for (; j + LANES <= n; j += LANES)
		for (size_t k = 0; k < LANES; k++)
			s[k] += x[j + k] * y[j + k];
	for (size_t k = 0; j < n; j++, k++)
		s[k] += x[j] * y[j];
	return tree(s);
}

double ood_distance2(const double *x, const double *y, size_t n)
{
	double s[LANES] = { 0 };
	size_t j = 0;

	for (; j + LANES <= n; j += LANES) {
		for (size_t k = 0; k < LANES; k++) {
			double d = x[j + k] - y[j + k];

			s[k] += d * d;
		}
	}
	for (size_t k = 0; j < n; j++, k++)
		s[k] += (x[j] - y[j]) * (x[j] - y[j]);
	return tree(s);
}

/* Sums of squares outside of these lose digits or overflow. */
static const double LEAST = 0x1p-900, MOST = 0x1p900;

double ood_norm(const double *x, size_t n)
{
	double most = 0, sum = ood_dot(x, x, n);

	if (sum > LEAST && sum < MOST)
		return sqrt(sum);
	for (size_t j = 0; j < n; j++)
		most = OOD_MAX(most, fabs(x[j]));
	if (most == 0 || isinf(most))
		return most;
	/* A power of two: the division is exact. */
	double scale = ldexp(1, ilogb(most));

	sum = 0;
	for (size_t j = 0; j < n; j++)
		sum += x[j] / scale * (x[j] / scale);
	return scale * sqrt(sum);
}

void ood_unit(const double *x, size_t n, double *u)
{
	double norm = ood_norm(x, n);

	for (size_t j = 0; j < n; j++)
		u[j] = norm > 0 ? x[j] / norm : x[j];
}

bool ood_all_finite(const double *x, size_t n)
{
	for (size_t j = 0; j < n; j++)
		if (!isfinite(x[j]))
			return false;
	return true;
}
