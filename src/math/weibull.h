/*
 * weibull.h - Weibull distribution by maximum likelihood
 *
 * shape s solves sum t^s ln t / sum t^s - 1/s - mean ln t = 0; scale L =
 * (mean t^s)^(1/s). Powers are of t over its largest, so that shapes of 1e5
 * do not overflow.
 */
#ifndef OOD_MATH_WEIBULL_H
#define OOD_MATH_WEIBULL_H

#include "core/base.h"

struct ood_weibull {
	double shape, scale; /* shape inf: all t equal, scale is that value */
};

/* t: n > 0 values > 0. */
struct ood_weibull ood_weibull_fit(const double *t, size_t n);
/* 1 - exp(-(t/scale)^shape); 0 for t <= 0; with shape inf 1 above scale, else
 * 0. */
double ood_weibull_cdf(const struct ood_weibull *w, double t);

#endif
