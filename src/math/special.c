/*
 * special.c - distribution functions
 *
 * Normal quantile: Wichura, Algorithm AS 241, Applied Statistics 37 (1988)
 * 477-484, PPND16. Beta: continued fraction of DiDonato, Morris, Algorithm
 * 708, ACM TOMS 18 (1992) 360-373, under a factor after Loader, Fast and
 * Accurate Computation of Binomial Probabilities, 2000.
 */
#include "math/special.h"

#include <float.h>

/* Coefficients of AS 241, the constant first. */
static const double central_num[8] = {
	3.3871328727963666080e+0, 1.3314166789178437745e+2,
	1.9715909503065514427e+3, 1.3731693765509461125e+4,
	4.5921953931549871457e+4, 6.7265770927008700853e+4,
	3.3430575583588128105e+4, 2.5090809287301226727e+3,
};
static const double central_den[8] = {
	1.0,
	4.2313330701600911252e+1,
	6.8718700749205790830e+2,
	5.3941960214247511077e+3,
	2.1213794301586595867e+4,
	3.9307895800092710610e+4,
	2.8729085735721942674e+4,
	5.2264952788528545610e+3,
};
static const double tail_num[8] = {
	1.42343711074968357734e+0, 4.63033784615654529590e+0,
	5.76949722146069140550e+0, 3.64784832476320460504e+0,
	1.27045825245236838258e+0, 2.41780725177450611770e-1,
	2.27238449892691845833e-2, 7.74545014278341407640e-4,
};
static const double tail_den[8] = {
	1.0,
	2.05319162663775882187e+0,
	1.67638483018380384940e+0,
	6.89767334985100004550e-1,
	1.48103976427480074590e-1,
	1.51986665636164571966e-2,
	5.47593808499534494600e-4,
	1.05075007164441684324e-9,
};
static const double far_num[8] = {
	6.65790464350110377720e+0, 5.46378491116411436990e+0,
	1.78482653991729133580e+0, 2.96560571828504891230e-1,
	2.65321895265761230930e-2, 1.24266094738807843860e-3,
	2.71155556874348757815e-5, 2.01033439929228813265e-7,
};
static const double far_den[8] = {
	1.0,
	5.99832206555887937690e-1,
	1.36929880922735805310e-1,
	1.48753612908506148525e-2,
	7.86869131145613259100e-4,
	1.84631831751005468180e-5,
	1.42151175831644588870e-7,
	2.04426310338993978564e-15,
};

/* c[0] + c[1] x + ... + c[7] x^7 */
static double polynomial(const double c[8], double x)
{
	double y = c[7];

	for (int i = 7; i-- > 0;)
		y = y * x + c[i];
	return y;
}

static double ratio(const double num[8], const double den[8], double x)
{
	return polynomial(num, x) / polynomial(den, x);
}

double ood_normal_quantile(double p)
{
	double q = p - 0.5;

	if (!(p > 0 && p < 1))
		return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
	if (fabs(q) <= 0.425)
		return q * ratio(central_num, central_den, 0.180625 - q * q);
	double r = sqrt(-log(q < 0 ? p : 1 - p));
	double z = r <= 5 ? ratio(tail_num, tail_den, r - 1.6)
			  : ratio(far_num, far_den, r - 5);

	return q < 0 ? -z : z;
}

/*
 * Error of Stirling's formula: ln G(z + 1) - (z + 1/2) ln z + z - ln(2 pi)/2.
 * From 16 on the series sum B_2k / (2k (2k - 1) z^(2k - 1)), DLMF 5.11.1, is
 * right to 1e-19 with seven terms; below, delta(z) - delta(z + 1) =
 * (z + 1/2) ln(1 + 1/z) - 1.
 */
static double stirling_error(double z)
{
	double d = 0;

	for (; z < 16; z++)
		d += (z + 0.5) * log1p(1 / z) - 1;
	double s = 1 / (z * z);

	s = 1.0 / 12 -
	    s * (1.0 / 360 -
		 s * (1.0 / 1260 -
		      s * (1.0 / 1680 -
			   s * (1.0 / 1188 -
				s * (691.0 / 360360 - s * (1.0 / 156))))));
	return d + s / z;
}

/*
 * Deviance x ln(x / m) + m - x. Near x = m by Loader's series in
 * v = (x - m) / (x + m): (x - m) v + 2 x sum_(j>=1) v^(2j + 1) / (2j + 1).
 */
static double deviance(double x, double m)
{
	double v = (x - m) / (x + m), v2 = v * v;

	if (fabs(v) > 0.1)
		return x * log(x / m) + m - x;
	double sum = (x - m) * v, term = 2 * x * v;

	for (int j = 1; j < 20; j++) {
		term *= v2;
		sum += term / (2 * j + 1);
	}
	return sum;
}

/* x^a y^b / B(a, b), y = 1 - x: Loader's binomial probability. */
static double beta_factor(double x, double y, double a, double b)
{
	double n = a + b;
	double log_p = stirling_error(n) - stirling_error(a) -
		       stirling_error(b) - deviance(a, n * x) -
		       deviance(b, n * y);

	return exp(log_p) * sqrt(a / n * b / (2 * M_PI));
}

/*
 * b_0 + a_1/(b_1 + a_2/(b_2 + ...)), which divides the factor, with
 *
 *	a_m = (a + m - 1)(a + b + m - 1) m (b - m) x^2 / (a + 2m - 1)^2
 *	b_m = m + m (b - m) x / (a + 2m - 1)
 *		+ (a + m)(a y - b x + 1 + m (1 + y)) / (a + 2m + 1)
 *
 * in x and y, so that 1 - x is nowhere formed where it would cancel. By
 * Lentz's method; takes some sqrt(max(a, b)) steps for
 * x < (a + 1)/(a + b + 2).
 */
static double beta_fraction(double x, double y, double a, double b)
{
	enum { STEPS_MAX = 1000000 };
	double f = a * (a * y - b * x + 1) / (a + 1);
	double c = f, d = 0;

	for (int m = 1; m < STEPS_MAX; m++) {
		double k = a + 2.0 * m;
		double num = (a + m - 1) / (k - 1) * (a + b + m - 1) * m *
			     (b - m) / (k - 1) * x * x;
		double den =
			m + m * (b - m) * x / (k - 1) +
			(a + m) * (a * y - b * x + 1 + m * (1 + y)) / (k + 1);

		d = 1 / (den + num * d);
		c = den + num / c;
		f *= c * d;
		if (fabs(c * d - 1) < DBL_EPSILON)
			break;
	}
	return f;
}

double ood_beta_cdf_xy(double x, double y, double a, double b)
{
	if (!(a > 0 && b > 0) || isnan(x) || isnan(y))
		return NAN;
	if (x <= 0 || y <= 0)
		return x <= 0 ? 0 : 1;
	if (x <= (a + 1) / (a + b + 2))
		return beta_factor(x, y, a, b) / beta_fraction(x, y, a, b);
	return 1 - beta_factor(y, x, b, a) / beta_fraction(y, x, b, a);
}

double ood_beta_cdf(double x, double a, double b)
{
	return ood_beta_cdf_xy(x, 1 - x, a, b);
}

/*
 * Newton's method for ln I_x = ln p in ln x: I is log-concave there, so that
 * steps come from below without overshooting; bracketed for what is rounded.
 */
double ood_beta_quantile(double p, double a, double b)
{
	enum { STEPS_MAX = 2000 };
	double lo = 0, hi = 1, x = a / (a + b);

	if (!(p > 0 && p < 1 && a > 0 && b > 0))
		return p == 0 ? 0 : p == 1 ? 1 : NAN;
	for (int i = 0; i < STEPS_MAX && x > DBL_MIN && x < 1; i++) {
		double cdf = ood_beta_cdf(x, a, b);
		double slope = beta_factor(x, 1 - x, a, b) / (1 - x);
		double step = log(p / cdf) * cdf / slope;
		double next = x * exp(step);

		if (cdf < p)
			lo = x;
		else
			hi = x;
		if (!(next > lo && next < hi))
			next = hi > 16 * lo && lo > 0 ? sqrt(lo * hi)
						      : lo + (hi - lo) / 2;
		bool done = fabs(next - x) <= 4 * DBL_EPSILON * x;

		x = next;
		if (done)
			break;
	}
	return x;
}
