/*
 * weibull.c - Weibull distribution by maximum likelihood
 */
#include "math/weibull.h"

/* ln(t / top), from their difference: t is near top where shapes are 1e5. */
static double log_ratio(double t, double top)
{
	return log1p((t - top) / top);
}

/* The equation for the shape s, which ascends in s; l = ln(t / largest t). */
static double slope(const double *t, size_t n, double top, double s)
{
	double sum = 0, weighted = 0, mean = 0;

	for (size_t i = 0; i < n; i++) {
		double l = log_ratio(t[i], top), e = exp(s * l);

		sum += e;
		weighted += e * l;
		mean += l / (double)n;
	}
	return weighted / sum - 1 / s - mean;
}

static double find_shape(const double *t, size_t n, double top)
{
	double lo = 0, hi = 1;

	while (slope(t, n, top, hi) < 0) {
		lo = hi;
		hi *= 2;
		if (isinf(hi))
			return hi;
	}
	while (hi - lo > 1e-13 * hi) {
		double mid = lo + (hi - lo) / 2;

		if (mid <= lo || mid >= hi)
			break;
		*(slope(t, n, top, mid) < 0 ? &lo : &hi) = mid;
	}
	return hi;
}

struct ood_weibull ood_weibull_fit(const double *t, size_t n)
{
	double least = t[0], top = t[0], sum = 0;

	for (size_t i = 1; i < n; i++) {
		least = OOD_MIN(least, t[i]);
		top = OOD_MAX(top, t[i]);
	}
	struct ood_weibull w = { INFINITY, top };
	if (least < top)
		w.shape = find_shape(t, n, top);
	if (isinf(w.shape))
		return w;
	for (size_t i = 0; i < n; i++)
		sum += exp(w.shape * log_ratio(t[i], top));
	w.scale = top * exp(log(sum / (double)n) / w.shape);
	return w;
}

double ood_weibull_cdf(const struct ood_weibull *w, double t)
{
	if (!(t > 0))
		return 0;
	if (isinf(w->shape))
		return t > w->scale;
	return -expm1(-exp(w->shape * log_ratio(t, w->scale)));
}
