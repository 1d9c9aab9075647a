/*
 * test_percentile.c - percentiles of streams, as numpy has them
 */
#include <check.h>

#include "core/mem.h"
#include "core/rng.h"
#include "math/percentile.h"

static struct ood_err err;

/* All percentiles q of x, added in parts; *passes is how often. */
static void stream(const double *x, size_t n, const double *q, size_t nq,
		   double *value, unsigned *passes)
{
	struct ood_percentiles *p;

	*passes = 0;
	ck_assert_int_eq(ood_percentiles_make(&p, q, nq, &err), OOD_OK);
	do {
		for (size_t i = 0; i < n; i += 1000)
			ck_assert_int_eq(
				ood_percentiles_add(p, x + i,
						    OOD_MIN(n - i, 1000), &err),
				OOD_OK);
		++*passes;
	} while (ood_percentiles_next(p));
	for (size_t i = 0; i < nq; i++)
		value[i] = ood_percentiles_value(p, i);
	ood_percentiles_free(p);
}

START_TEST(a_percentile_is_linear_between_two_values)
{
	/* numpy.percentile([1, 2, 4, 8, 16], q), by hand. */
	const double x[] = { 8, 1, 16, 2, 4 };
	const double q[] = { 0, 10, 25, 50, 60, 87.5, 90, 100 };
	const double want[] = { 1, 1.4, 2, 4, 5.6, 12, 12.8, 16 };
	double got[8], copy[5];
	unsigned passes;

	stream(x, 5, q, 8, got, &passes);
	ck_assert_uint_eq(passes, 1);
	for (size_t i = 0; i < 8; i++) {
		ck_assert_double_eq_tol(got[i], want[i], 1e-14);
		memcpy(copy, x, sizeof(x));
		ck_assert_double_eq(ood_percentile(copy, 5, q[i]), got[i]);
	}
}
END_TEST

START_TEST(one_value_is_every_percentile_and_none_is_nan)
{
	const double x[] = { -0.25 }, q[] = { 0, 33, 100 };
	double got[3];
	unsigned passes;

	stream(x, 1, q, 3, got, &passes);
	for (size_t i = 0; i < 3; i++)
		ck_assert_double_eq(got[i], -0.25);
	stream(x, 0, q, 3, got, &passes);
	ck_assert(isnan(got[0]) && isnan(got[2]));
}
END_TEST

START_TEST(signs_zeros_and_extremes_are_in_order)
{
	const double x[] = { 1e308, -0.0, -1e308, 0.0, -4.9e-324, 4.9e-324, 1 };
	const double want[] = { -1e308, -4.9e-324, 0, 0, 4.9e-324, 1, 1e308 };
	double q[7], got[7];
	unsigned passes;

	for (size_t i = 0; i < 7; i++)
		q[i] = 100.0 * (double)i / 6;
	stream(x, 7, q, 7, got, &passes);
	for (size_t i = 0; i < 7; i += 3)
		ck_assert_double_eq(got[i], want[i]);
}
END_TEST

static double uniform(size_t i)
{
	return ood_rng_uniform(7, OOD_RNG_TEST, i, 0);
}

/* Kept in memory that grows on the way. */
START_TEST(a_kept_stream_is_exact)
{
	enum { N = 100000 };
	const size_t n[] = { 4095, 4096, 4097, 8193, N };
	const double q[] = { 0, 10, 50, 90, 99.99 };
	double *x = ood_malloc(N, sizeof(*x)), got[5];
	unsigned passes;

	for (size_t i = 0; i < n[_i]; i++)
		x[i] = uniform(i) - 0.25;
	stream(x, n[_i], q, 5, got, &passes);
	ck_assert_uint_eq(passes, 1);
	for (size_t i = 0; i < 5; i++)
		ck_assert_double_eq(got[i], ood_percentile(x, n[_i], q[i]));
	ood_free(x);
}
END_TEST

/* More values than are kept: counted first. Against all of them sorted. */
START_TEST(a_long_stream_is_exact)
{
	enum { N = 2500000 };
	double *x = ood_malloc(N, sizeof(*x)), got[4];
	const double q[] = { 0, 10, 90, 99.99 };
	unsigned passes;

	for (size_t i = 0; i < N; i++) {
		double u = uniform(i);

		x[i] = _i == 0	 ? u * u - 0.2
		       : _i == 1 ? floor(u * 3) /* ties beyond what is kept */
				 : exp(40 * u - 20);
	}
	stream(x, N, q, 4, got, &passes);
	ck_assert_uint_le(passes, _i == 1 ? 4 : 2);
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq(got[i], ood_percentile(x, N, q[i]));
	ood_free(x);
}
END_TEST

START_TEST(rows_that_change_between_passes_are_noticed)
{
	enum { N = 1100000 };
	const double q = 50;
	double *x = ood_calloc(N, sizeof(*x)), all[] = { 1, 1, 1 };
	struct ood_percentiles *p;

	for (size_t i = 0; i < N; i++)
		x[i] = i < 10 ? 1 : (double)i * 1e9;
	ck_assert_int_eq(ood_percentiles_make(&p, &q, 1, &err), OOD_OK);
	ck_assert_int_eq(ood_percentiles_add(p, x, N, &err), OOD_OK);
	ck_assert(ood_percentiles_next(p));
	for (size_t i = 0; i < N; i++)
		x[i] = x[N / 2];
	ck_assert_int_eq(ood_percentiles_add(p, x, N, &err), OOD_INPUT);
	ck_assert_double_eq(all[0], 1);
	ood_percentiles_free(p);
	ood_free(x);
}
END_TEST

Suite *suite_percentile(void);

Suite *suite_percentile(void)
{
	Suite *suite = suite_create("percentile");
	TCase *tests = tcase_create("percentile");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, a_percentile_is_linear_between_two_values);
	tcase_add_test(tests, one_value_is_every_percentile_and_none_is_nan);
	tcase_add_test(tests, signs_zeros_and_extremes_are_in_order);
	tcase_add_loop_test(tests, a_kept_stream_is_exact, 0, 5);
	tcase_add_loop_test(tests, a_long_stream_is_exact, 0, 3);
	tcase_add_test(tests, rows_that_change_between_passes_are_noticed);
	suite_add_tcase(suite, tests);
	return suite;
}
