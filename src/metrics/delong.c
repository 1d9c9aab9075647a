/*
 * delong.c - AUROC with its interval
 *
 * m OoD rows, n ID rows; a_i = 2 #{ID < s_i} + #{ID = s_i} for OoD row i and
 * b_j = 2 #{OoD > s_j} + #{OoD = s_j} for ID row j (walk.h):
 *
 *	AUROC = A = sum a / (2 m n)
 *	var = S10 / m + S01 / n
 *	S10 = sum (a - mean a)^2 / (4 n^2 (m - 1)),  S01 likewise from b
 *
 * DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more
 * correlated receiver operating characteristic curves, Biometrics 44 (1988)
 * 837-845. Mid-ranks as in Sun, Xu: Fast implementation of DeLong's
 * algorithm, IEEE Signal Processing Letters 21 (2014) 1389-1393.
 *
 * The interval is on the logit scale, ln(A/(1 - A)) -+ z se / (A (1 - A)):
 * it stays within 0..1 and covers better in small samples.
 */
#include "metrics/delong.h"

#include "math/special.h"

/*
 * sum (x - mean)^2 of n integers from their sum and sum of squares. With
 * sum = q n + r: sum (x - q)^2 = squares - q^2 n - 2 q r = d, and
 * sum (x - mean)^2 = d - r^2/n = (d - r) + r (n - r)/n, where d >= r because
 * y^2 >= y for integers: nothing cancels.
 */
static double spread(ood_u128 squares, ood_u128 sum, size_t n)
{
	ood_u128 q = sum / n, r = sum % n;
	ood_u128 d = squares - q * q * n - 2 * q * r;

	return (double)(d - r) + (double)(r * (n - r)) / (double)n;
}

double ood_delong_variance(const struct ood_curve *curve,
			   const struct ood_tally *tally)
{
	double m = (double)curve->n_ood, n = (double)curve->n_id;

	if (curve->n_ood < 2 || curve->n_id < 2)
		return NAN;
	double s10 = spread(tally->squares_ood, tally->u2, curve->n_ood);
	double s01 = spread(tally->squares_id, tally->u2, curve->n_id);

	return s10 / (4 * n * n * (m - 1) * m) +
	       s01 / (4 * m * m * (n - 1) * n);
}

/*
 * Score interval on the Hanley-McNeil variance: theta with
 *	(A - theta)^2 m n = z^2 theta (1 - theta) g(theta)
 *	g = 1 + q ((1 - theta)/(2 - theta) + theta/(1 + theta)),
 *	q = (m + n)/2 - 1
 * Newcombe: Confidence intervals for an effect size measure based on the
 * Mann-Whitney statistic, part 2, Statistics in Medicine 25 (2006) 559-573,
 * method 5.
 */
struct newcombe {
	double a, mn, q, z2;
};

static double factor(const struct newcombe *c, double theta)
{
	return 1 + c->q * ((1 - theta) / (2 - theta) + theta / (1 + theta));
}

/* Left minus right side; divided by 1 - theta for A = 1, whose root 1 is the
 * upper end of the interval. */
static double excess(const struct newcombe *c, double theta)
{
	double right = c->z2 * theta * factor(c, theta);

	if (c->a == 1)
		return (1 - theta) * c->mn - right;
	return (c->a - theta) * (c->a - theta) * c->mn - right * (1 - theta);
}

/* The root between `outer`, where the excess is positive, and `inner`. */
static double root(const struct newcombe *c, double outer, double inner)
{
	for (;;) {
		double mid = outer + (inner - outer) / 2;

		if (mid == outer || mid == inner)
			return mid;
		if (excess(c, mid) > 0)
			outer = mid;
		else
			inner = mid;
	}
}

static void newcombe5(const struct ood_curve *curve, double z,
		      struct ood_value *v)
{
	double m = (double)curve->n_ood, n = (double)curve->n_id;
	struct newcombe c = {
		.a = v->x, .mn = m * n, .q = (m + n) / 2 - 1, .z2 = z * z
	};

	v->method = "newcombe5";
	if (v->x == 0) {
		/* The mirror image of A = 1. */
		c.a = 1;
		v->lo = 0;
		v->hi = 1 - root(&c, 0, 1);
		return;
	}
	v->lo = root(&c, 0, c.a);
	v->hi = c.a == 1 ? 1 : root(&c, 1, c.a);
}

static double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

struct ood_value ood_auroc(const struct ood_curve *curve,
			   const struct ood_tally *tally, double level,
			   enum ood_delong_scale scale)
{
	ood_u128 all = 2 * (ood_u128)curve->n_id * curve->n_ood;
	double won = (double)tally->u2, lost = (double)(all - tally->u2);
	struct ood_value v = ood_value_ok(won / (double)all);
	double var = ood_delong_variance(curve, tally);
	double z = ood_normal_quantile(0.5 + level / 2);

	if (isnan(var))
		return v;
	if (var == 0) {
		newcombe5(curve, z, &v);
		return v;
	}
	double half = z * sqrt(var);

	if (scale == OOD_DELONG_RAW) {
		v.method = "delong";
		v.lo = OOD_MAX(v.x - half, 0);
		v.hi = OOD_MIN(v.x + half, 1);
		return v;
	}
	double centre = log(won / lost);

	half /= v.x * (lost / (double)all);
	v.method = "delong-logit";
	v.lo = logistic(centre - half);
	v.hi = logistic(centre + half);
	return v;
}
