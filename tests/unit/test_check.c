/*
 * test_check.c - values at the door
 */
#include <check.h>
#include <omp.h>

#include "core/mem.h"
#include "io/check.h"

Suite *suite_check(void);

static struct ood_check run(enum ood_check_kind kind, struct ood_view view,
			    uint8_t *bad)
{
	struct ood_check c = { .kind = kind, .tol = 1e-3 };

	memset(bad, 0, view.rows);
	ood_check_view(&c, view, bad);
	return c;
}

static struct ood_view view8(const double *at, size_t rows, size_t cols)
{
	return (struct ood_view){ at, OOD_F8, rows, cols, cols };
}

/* Every place of a vector, so that no lane, tail or step is left out. */
START_TEST(a_single_value_that_is_not_finite_is_found_wherever_it_stands)
{
	enum { N = 4096 * 2 + 37 };
	const double odd[] = { NAN, -NAN, INFINITY, -INFINITY };
	float *f = ood_calloc(N, sizeof(*f));
	double *d = ood_calloc(N, sizeof(*d));

	ck_assert(!ood_check_any_f4(f, N) && !ood_check_any_f8(d, N));
	for (size_t i = 0; i < N; i++) {
		f[i] = (float)odd[i % 4];
		d[i] = odd[i % 4];
		ck_assert(ood_check_any_f4(f, N) && ood_check_any_f8(d, N));
		f[i] = i % 2 ? 3.4028234e38f : -1e-45f;
		d[i] = i % 2 ? 1.7976931348623157e308 : -5e-324;
	}
	ck_assert(!ood_check_any_f4(f, N) && !ood_check_any_f8(d, N));
	ck_assert(!ood_check_any_f4(f, 0) && !ood_check_any_f8(d, 0));
	ood_free(f);
	ood_free(d);
}
END_TEST

START_TEST(masked_classes_are_legal_but_not_all_of_a_row)
{
	const double z[] = { 1, -INFINITY, 2, -INFINITY, -INFINITY, -INFINITY };
	uint8_t bad[2];
	struct ood_check c = run(OOD_CHECK_LOGITS, view8(z, 2, 3), bad);

	ck_assert_int_eq(c.missing.kind, OOD_FAULT_ALL_MINUS_INF);
	ck_assert_uint_eq(c.missing.row, 1);
	ck_assert_uint_eq(c.missing.col, SIZE_MAX);
	ck_assert_uint_eq(c.n_missing, 1);
	ck_assert(!bad[0] && bad[1]);
}
END_TEST

START_TEST(the_first_bad_row_is_told_with_its_column)
{
	const double z[] = { 1, 2, 3, 4, 5, INFINITY, NAN, 0, 0 };
	uint8_t bad[3];
	struct ood_check c = run(OOD_CHECK_LOGITS, view8(z, 3, 3), bad);

	ck_assert_int_eq(c.missing.kind, OOD_FAULT_PLUS_INF);
	ck_assert_uint_eq(c.missing.row, 1);
	ck_assert_uint_eq(c.missing.col, 2);
	ck_assert_uint_eq(c.n_missing, 2);
}
END_TEST

START_TEST(features_are_finite_and_scores_have_a_rank)
{
	const double x[] = { 1, -INFINITY, INFINITY, 4, NAN, 0 };
	uint8_t bad[3];
	struct ood_check c = run(OOD_CHECK_FINITE, view8(x, 3, 2), bad);

	ck_assert_int_eq(c.missing.kind, OOD_FAULT_MINUS_INF);
	ck_assert_uint_eq(c.n_missing, 3);
	c = run(OOD_CHECK_RANKS, view8(x, 3, 2), bad);
	ck_assert_int_eq(c.missing.kind, OOD_FAULT_NAN);
	ck_assert_uint_eq(c.missing.row, 2);
	ck_assert_uint_eq(c.n_missing, 1);
}
END_TEST

/* Columns that are not part of the view may hold anything. */
START_TEST(what_stands_between_the_rows_of_a_view_does_not_matter)
{
	const double z[] = { 1, 2, NAN, 3, 4, INFINITY };
	const struct ood_view v = { z, OOD_F8, 2, 2, 3 };
	uint8_t bad[2];
	struct ood_check c = run(OOD_CHECK_LOGITS, v, bad);

	ck_assert_int_eq(c.missing.kind, OOD_FAULT_NONE);
	ck_assert(!bad[0] && !bad[1]);
}
END_TEST

START_TEST(probabilities_are_in_range_and_sum_to_one)
{
	const double ok[] = { 0.5, 0.5005, 1 + 1e-7, -1e-7, 0.25, 0.75 };
	const double range[] = { 0.5, 0.5, 1.1, -0.1 };
	const double sum[] = { 0.5, 0.5, 0.5, 0.5011 };
	const double percent[] = { 70, 30 };
	uint8_t bad[3];
	struct ood_check c = run(OOD_CHECK_PROBS, view8(ok, 3, 2), bad);

	ck_assert_int_eq(c.refused.kind, OOD_FAULT_NONE);
	ck_assert_double_eq_tol(c.deviation, 5e-4, 1e-15);
	ck_assert_uint_eq(c.deviation_row, 0);
	c = run(OOD_CHECK_PROBS, view8(range, 2, 2), bad);
	ck_assert_int_eq(c.refused.kind, OOD_FAULT_RANGE);
	ck_assert_uint_eq(c.refused.row, 1);
	ck_assert_uint_eq(c.refused.col, 0);
	c = run(OOD_CHECK_PROBS, view8(sum, 2, 2), bad);
	ck_assert_int_eq(c.refused.kind, OOD_FAULT_SUM);
	ck_assert_uint_eq(c.refused.row, 1);
	ck_assert_double_eq_tol(c.refused.x, 1.0011, 1e-15);
	c = run(OOD_CHECK_PROBS, view8(percent, 1, 2), bad);
	ck_assert_int_eq(c.refused.kind, OOD_FAULT_RANGE);
}
END_TEST

/* Widths that are no multiple of the lanes, values by log(). */
static struct ood_check check_logprobs(size_t cols, double sum, double tol)
{
	struct ood_check c = { .kind = OOD_CHECK_LOGPROBS, .tol = tol };
	double row[64];
	uint8_t bad = 0;

	for (size_t j = 0; j < cols; j++)
		row[j] = log(sum * (double)(2 * j + 1) / (double)(cols * cols));
	ood_check_view(&c, (struct ood_view){ row, OOD_F8, 1, cols, cols },
		       &bad);
	ck_assert_uint_eq(bad, 0);
	return c;
}

START_TEST(log_probabilities_are_complete)
{
	const double low[] = { -700, -INFINITY, -1e300, 0 };
	struct ood_check c = { .kind = OOD_CHECK_LOGPROBS, .tol = 1e-3 };
	uint8_t bad = 0;

	ood_check_view(&c, (struct ood_view){ low, OOD_F8, 1, 4, 4 }, &bad);
	ck_assert_int_eq(c.refused.kind, OOD_FAULT_NONE);
	for (size_t cols = 1; cols < 40; cols++) {
		c = check_logprobs(cols, 1, 1e-3);
		ck_assert_int_eq(c.refused.kind, OOD_FAULT_NONE);
		c = check_logprobs(cols, 0.9989, 1e-3);
		ck_assert_int_eq(c.refused.kind, OOD_FAULT_INCOMPLETE);
		ck_assert_double_eq_tol(c.refused.x, 0.9989, 1e-14);
		/* Closer than the fast exp() is right. */
		c = check_logprobs(cols, 1 - 1e-9, 2e-9);
		ck_assert_int_eq(c.refused.kind, OOD_FAULT_NONE);
		c = check_logprobs(cols, 1 - 1e-9, 0.5e-9);
		ck_assert_int_eq(c.refused.kind, OOD_FAULT_INCOMPLETE);
	}
	c = check_logprobs(1, 2, 1e-3);
	ck_assert_int_eq(c.refused.kind, OOD_FAULT_POSITIVE);
	ck_assert_double_eq(c.refused.x, log(2));
}
END_TEST

START_TEST(findings_do_not_depend_on_the_threads)
{
	enum { ROWS = 5000, COLS = 33 };
	float *z = ood_calloc(ROWS * COLS, sizeof(*z));
	uint8_t *bad = ood_calloc(ROWS, 1);
	const struct ood_view v = { z, OOD_F4, ROWS, COLS, COLS };
	struct ood_check first = { 0 };
	const int team = omp_get_max_threads();

	for (size_t i = 0; i < ROWS; i++)
		z[i * COLS] = 1 + (float)(i * 7919 % 1000) * 1e-7f;
	z[4321 * COLS + 5] = NAN;
	z[1234 * COLS + 7] = NAN;
	for (int t = 1; t <= 8; t++) {
		omp_set_num_threads(t);
		struct ood_check c = run(OOD_CHECK_PROBS, v, bad);
		first = t == 1 ? c : first;
		ck_assert_uint_eq(c.missing.row, 1234);
		ck_assert_uint_eq(c.missing.col, 7);
		ck_assert_uint_eq(c.n_missing, 2);
		ck_assert_double_eq(c.deviation, first.deviation);
		ck_assert_uint_eq(c.deviation_row, first.deviation_row);
	}
	omp_set_num_threads(team);
	ood_free(z);
	ood_free(bad);
}
END_TEST

Suite *suite_check(void)
{
	Suite *s = suite_create("check");
	TCase *t = tcase_create("check");

	tcase_add_test(
		t,
		a_single_value_that_is_not_finite_is_found_wherever_it_stands);
	tcase_add_test(t, masked_classes_are_legal_but_not_all_of_a_row);
	tcase_add_test(t, the_first_bad_row_is_told_with_its_column);
	tcase_add_test(t, features_are_finite_and_scores_have_a_rank);
	tcase_add_test(t,
		       what_stands_between_the_rows_of_a_view_does_not_matter);
	tcase_add_test(t, probabilities_are_in_range_and_sum_to_one);
	tcase_add_test(t, log_probabilities_are_complete);
	tcase_add_test(t, findings_do_not_depend_on_the_threads);
	suite_add_tcase(s, t);
	return s;
}
