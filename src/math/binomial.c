/*
 * binomial.c - intervals of a share: k of n
 */
#include "math/binomial.h"
#include "math/special.h"

double ood_binomial_cdf(uint64_t k, uint64_t n, double q)
{
	if (k >= n)
		return 1;
	/* P(X <= k) = I_(1-q)(n - k, k + 1) */
	return ood_beta_cdf_xy(1 - q, q, (double)(n - k), (double)k + 1);
}

void ood_wilson(uint64_t k, uint64_t n, double level, double *lo, double *hi)
{
	double N = (double)n, p = (double)k / N;
	double z = -ood_normal_quantile((1 - level) / 2), z2 = z * z;
	double scale = 1 + z2 / N;
	double centre = (p + z2 / (2 * N)) / scale;
	double half = z / scale * sqrt(p * (1 - p) / N + z2 / (4 * N * N));

	*lo = k == 0 && n ? 0 : centre - half;
	*hi = k == n && n ? 1 : centre + half;
}

void ood_clopper_pearson(uint64_t k, uint64_t n, double level, double *lo,
			 double *hi)
{
	double tail = (1 - level) / 2, K = (double)k, N = (double)n;

	*lo = *hi = NAN;
	if (n == 0)
		return;
	/* With k = n the tail is lo^n, with k = 0 it is (1 - hi)^n. */
	if (k == 0)
		*lo = 0;
	else if (k == n)
		*lo = exp(log(tail) / N);
	else
		*lo = ood_beta_quantile(tail, K, N - K + 1);
	if (k == n)
		*hi = 1;
	else if (k == 0)
		*hi = -expm1(log(tail) / N);
	else
		*hi = ood_beta_quantile(1 - tail, K + 1, N - K);
}
