/*
 * test_special.c - distribution functions, intervals of shares, sums
 *
 * Sources: "exact" is a sum or series in 50-digit decimal arithmetic
 * (Python's decimal) for the argument as a double; else closed forms, or
 * worked examples with 15 digits.
 */
#include <check.h>
#include <float.h>

#include "math/binomial.h"
#include "math/reduce.h"
#include "math/special.h"

static void check_near(double got, double want, double relative)
{
	ck_assert_msg(fabs(got - want) <= relative * fabs(want),
		      "%.17g, not %.17g", got, want);
}

START_TEST(normal_quantiles_are_right_to_the_last_digits)
{
	/* exact */
	static const double known[][2] = {
		{ 0.025, -1.9599639845400543 },
		{ 0.005, -2.5758293035489008 },
		{ 0.05, -1.6448536269514726 },
		{ 0.25, -0.67448975019608171 },
		{ 0.4, -0.25334710313579972 },
		{ 0.499, -0.0025066308995717662 },
		{ 0.001, -3.0902323061678136 },
		{ 1e-10, -6.3613409024040566 },
		{ 1e-20, -9.262340089798407 },
		{ 1e-100, -21.273453560965326 },
		{ 1e-300, -37.047096299361201 },
		{ 0.074, -1.4466320671589785 },
		{ 0.076, -1.4325027208258116 },
	};

	for (size_t i = 0; i < OOD_COUNT(known); i++)
		check_near(ood_normal_quantile(known[i][0]), known[i][1],
			   1e-15);
	ck_assert_double_eq(ood_normal_quantile(0.5), 0);
	ck_assert_double_eq(ood_normal_quantile(0.75),
			    -ood_normal_quantile(0.25));
	ck_assert(ood_normal_quantile(0) == -INFINITY);
	ck_assert(ood_normal_quantile(1) == INFINITY);
	ck_assert(isnan(ood_normal_quantile(1.5)));
	ck_assert(isnan(ood_normal_quantile(NAN)));
}
END_TEST

START_TEST(the_normal_quantile_inverts_erfc)
{
	for (int e = 1; e < 1000; e++) {
		double p = ldexp(0.75, -e), z = ood_normal_quantile(p);

		/* Phi(z) has the relative slope -z there. */
		check_near(0.5 * erfc(-z * sqrt(0.5)), p, 1e-15 * (4 + z * z));
	}
}
END_TEST

START_TEST(beta_has_its_closed_forms)
{
	for (double x = 1e-9; x < 1; x = x < 0.01 ? x * 10 : x + 0.0625) {
		for (double a = 0.25; a < 3000; a *= 4) {
			check_near(ood_beta_cdf(x, a, 1), pow(x, a), 1e-12);
			check_near(ood_beta_cdf(x, 1, a), -expm1(a * log1p(-x)),
				   1e-12);
			/* By symmetry. */
			check_near(ood_beta_cdf(0.5, a, a), 0.5, 1e-12);
		}
		/* The arcsine law. */
		check_near(ood_beta_cdf(x, 0.5, 0.5), asin(sqrt(x)) * M_2_PI,
			   1e-12);
	}
	ck_assert_double_eq(ood_beta_cdf(0, 2, 3), 0);
	ck_assert_double_eq(ood_beta_cdf(1, 2, 3), 1);
	ck_assert(isnan(ood_beta_cdf(0.5, 0, 3)));
	ck_assert(isnan(ood_beta_cdf(NAN, 2, 3)));
}
END_TEST

START_TEST(beta_quantiles_invert_their_distribution)
{
	static const double shape[] = { 0.1, 0.5, 1, 2, 7, 93, 5000, 1e6 };
	static const double p[] = {
		1e-300, 1e-12, 0.025, 0.5, 0.975, 1 - 1e-9
	};
	size_t n = OOD_COUNT(shape);

	for (size_t i = 0; i < n * n * OOD_COUNT(p); i++) {
		double a = shape[i % n], b = shape[i / n % n];
		double want = p[i / n / n], h = 4 * DBL_EPSILON;
		double x = ood_beta_quantile(want, a, b);

		/* Below DBL_MIN or within 1e-12 of 1 a double cannot say. */
		if (x < 1e-300 || x > 1 - 1e-12)
			continue;
		/* p lies between the values at both sides of x. */
		double y = 1 - x, d = h * x + 1e-12 * x;

		ck_assert_msg(ood_beta_cdf(x - d, a, b) <= want * (1 + 1e-12) &&
				      ood_beta_cdf(x + d, a, b) >=
					      want * (1 - 1e-12),
			      "p %g a %g b %g: x %.17g y %g", want, a, b, x, y);
	}
	check_near(ood_beta_quantile(0.3, 1, 1), 0.3, 1e-15);
	check_near(ood_beta_quantile(1e-30, 2, 1), 1e-15, 1e-14);
	check_near(ood_beta_quantile(0.5, 0.5, 0.5), 0.5, 1e-14);
	ck_assert_double_eq(ood_beta_quantile(0, 2, 3), 0);
	ck_assert_double_eq(ood_beta_quantile(1, 2, 3), 1);
	ck_assert(isnan(ood_beta_quantile(-0.1, 2, 3)));
	ck_assert(isnan(ood_beta_quantile(0.5, 2, -1)));
}
END_TEST

START_TEST(binomial_sums_are_exact_for_small_n)
{
	static const double share[] = { 1e-4, 0.05, 0.3, 0.5, 0.9 };

	for (uint64_t n = 1; n <= 1000; n = n * 3 + 1) {
		for (size_t i = 0; i < OOD_COUNT(share); i++) {
			double q = share[i];
			long double pmf =
				powl(1 - (long double)q, (long double)n);
			long double sum = 0;

			for (uint64_t k = 0; k < n; k++) {
				sum += pmf;
				pmf *= (long double)(n - k) /
				       (long double)(k + 1) * q / (1 - q);
				if (sum > 1e-300L)
					check_near(ood_binomial_cdf(k, n, q),
						   (double)sum, 1e-12);
			}
			ck_assert_double_eq(ood_binomial_cdf(n, n, q), 1);
		}
	}
}
END_TEST

START_TEST(binomial_tails_are_right_for_large_n)
{
	/* exact */
	static const struct {
		uint64_t k, n;
		double q, p;
	} known[] = {
		{ 351, 38746, 0.01237335556845278, 3.5720262963874624e-10 },
		{ 0, 82310, 2.897020030238079e-05, 0.0921284271742355 },
		{ 50357, 84319, 0.6051044183878488, 1.4701865715861989e-06 },
		{ 3, 82889, 8.905359465399834e-05, 0.063910153571430386 },
		{ 990000, 1000000, 0.99, 0.50134987256370267 },
		{ 0, 1000000, 1e-06, 0.36787925723164511 },
		{ 500000, 1000000, 0.5, 0.50039894218066583 },
	};

	for (size_t i = 0; i < OOD_COUNT(known); i++)
		check_near(ood_binomial_cdf(known[i].k, known[i].n, known[i].q),
			   known[i].p, 1e-12);
}
END_TEST

START_TEST(intervals_of_shares_are_those_of_the_worked_examples)
{
	static const struct {
		uint64_t k, n;
		double wilson[2], exact[2];
	} known[] = {
		{ 7,
		  8,
		  { 0.529111817787147, 0.977582508549943 },
		  { 0.473490329124793, 0.996840276468748 } },
		{ 0, 8, { 0, 0.32440756488388 }, { 0, 0.369416647552819 } },
		{ 8, 8, { 0.67559243511612, 1 }, { 0.630583352447181, 1 } },
		{ 1,
		  4,
		  { 0.0455872608097006, 0.699358157417598 },
		  { 0.00630946320970982, 0.805879550316757 } },
		{ 95,
		  100,
		  { 0.888249530768082, 0.978456320845631 },
		  { 0.887165088894537, 0.983568120817948 } },
	};
	double lo, hi;

	for (size_t i = 0; i < OOD_COUNT(known); i++) {
		ood_wilson(known[i].k, known[i].n, 0.95, &lo, &hi);
		check_near(lo, known[i].wilson[0], 2e-14);
		check_near(hi, known[i].wilson[1], 2e-14);
		ood_clopper_pearson(known[i].k, known[i].n, 0.95, &lo, &hi);
		check_near(lo, known[i].exact[0], 2e-14);
		check_near(hi, known[i].exact[1], 2e-14);
	}
	ood_wilson(0, 0, 0.95, &lo, &hi);
	ck_assert(isnan(lo) && isnan(hi));
	ood_clopper_pearson(0, 0, 0.95, &lo, &hi);
	ck_assert(isnan(lo) && isnan(hi));
}
END_TEST

START_TEST(upper_bounds_are_those_of_the_worked_examples)
{
	/* b with P(Bin(m, b) <= k) = d */
	static const double known[][4] = {
		{ 0, 50, .05, 0.0581550791169723 },
		{ 2, 100, .05, 0.0616192003960407 },
		{ 2, 100, .001, 0.107240132868423 },
		{ 5, 64, .05, 0.157270127507122 },
	};

	for (size_t i = 0; i < OOD_COUNT(known); i++) {
		double k = known[i][0], m = known[i][1], d = known[i][2];

		check_near(ood_beta_quantile(1 - d, k + 1, m - k), known[i][3],
			   2e-14);
	}
}
END_TEST

START_TEST(compensated_sums_keep_what_plain_ones_lose)
{
	struct ood_sum s = { 0, 0 }, big = { 0, 0 };
	static const double terms[] = { 1, 1e100, 1, -1e100 };

	/* Neumaier's own example: 2 */
	for (size_t i = 0; i < OOD_COUNT(terms); i++)
		ood_sum_add(&s, terms[i]);
	ck_assert_double_eq(ood_sum_value(&s), 2);
	s = (struct ood_sum){ 0, 0 };
	for (int i = 0; i < 1000000; i++)
		ood_sum_add(&s, 0.1);
	/* 10^6 times the double 0.1 is 100000 + 5.55e-12 */
	ck_assert_double_eq(ood_sum_value(&s), 100000);
	ood_sum_add(&big, 1);
	ood_sum_add(&big, INFINITY);
	ood_sum_add(&big, 1);
	ck_assert(ood_sum_value(&big) == INFINITY);
	ood_sum_add(&big, -INFINITY);
	ck_assert(isnan(ood_sum_value(&big)));
}
END_TEST

Suite *suite_special(void);
Suite *suite_special(void)
{
	Suite *s = suite_create("special");
	TCase *c = tcase_create("special");

	tcase_set_timeout(c, 60);
	tcase_add_test(c, normal_quantiles_are_right_to_the_last_digits);
	tcase_add_test(c, the_normal_quantile_inverts_erfc);
	tcase_add_test(c, beta_has_its_closed_forms);
	tcase_add_test(c, beta_quantiles_invert_their_distribution);
	tcase_add_test(c, binomial_sums_are_exact_for_small_n);
	tcase_add_test(c, binomial_tails_are_right_for_large_n);
	tcase_add_test(c, intervals_of_shares_are_those_of_the_worked_examples);
	tcase_add_test(c, upper_bounds_are_those_of_the_worked_examples);
	tcase_add_test(c, compensated_sums_keep_what_plain_ones_lose);
	suite_add_tcase(s, c);
	return s;
}
