/*
 * test_vim.c - vim and residual, and the moments they are made of: what follows
 * from their definitions, and the edges
 */
#include "core/mem.h"
#include "fitrows.h"
#include "math/second_moment.h"

enum { N = 600, D = 6, C = 3 };

static double x[N * D], W[C * D], out[N], again[N];
static const double b[C] = { 0.5, -1, 0.25 };
static struct ood_layer head, no_bias;

static void make_rows(void)
{
	static const double scale[D] = { 4, 3, 2, 1, 0.5, 0.25 };

	logit_state = 20;
	for (size_t i = 0; i < N * D; i++)
		x[i] = scale[i % D] * logit() + (double)(i % D);
	for (size_t i = 0; i < C * D; i++)
		W[i] = logit();
	head = head_of(W, b, C, D);
	no_bias = head_of(W, NULL, C, D);
}

static void free_rows(void)
{
	ood_layer_free(&head);
	ood_layer_free(&no_bias);
}

static struct fitrows rows_of(const double *features, size_t n,
			      const struct ood_layer *layer)
{
	return (struct fitrows){ .x = features, .n = n, .d = D, .head = layer };
}

/* ------------------------------------------------------------- moments --- */

START_TEST(moments_of_parts_join_to_those_of_the_whole)
{
	struct ood_second_moment whole = { 0 }, a = { 0 }, c = { 0 };
	struct ood_mat M = { 0 }, joined = { 0 };

	ood_second_moment_add(&whole, x, N, D, &one_err);
	ood_second_moment_add(&a, x, 100, D, &one_err);
	ood_second_moment_add(&c, x + 100 * D, N - 100, D, &one_err);
	ck_assert_int_eq(ood_second_moment_join(&a, &c, &one_err), OOD_OK);
	ck_assert_double_eq(ood_second_moment_rows(&a), N);
	ood_second_moment_matrix(&whole, true, &M, &one_err);
	ood_second_moment_matrix(&a, true, &joined, &one_err);
	for (size_t i = 0; i < D * D; i++)
		CLOSE(joined.data[i], M.data[i], 1e-12 * 50);
	/* By definition. */
	double mean = 0, var = 0;
	for (size_t i = 0; i < N; i++)
		mean += x[i * D] / N;
	for (size_t i = 0; i < N; i++)
		var += (x[i * D] - mean) * (x[i * D] - mean) / N;
	CLOSE(M.data[0], var, 1e-11);
	ood_mat_free(&M);
	ood_mat_free(&joined);
	ood_second_moment_free(&whole);
	ood_second_moment_free(&a);
	ood_second_moment_free(&c);
}
END_TEST

START_TEST(a_constant_feature_has_no_variance_however_far)
{
	double far[300 * 2];
	struct ood_second_moment m = { 0 };
	struct ood_mat M = { 0 };

	for (size_t i = 0; i < 300; i++) {
		far[2 * i] = 0.1;
		far[2 * i + 1] = 1e8 + (double)(i % 2);
	}
	ood_second_moment_add(&m, far, 256, 2, &one_err);
	ood_second_moment_add(&m, far + 512, 44, 2, &one_err);
	ood_second_moment_matrix(&m, true, &M, &one_err);
	ck_assert_double_eq(M.data[0], 0);
	CLOSE(M.data[3], 0.25, 1e-15);
	ood_mat_free(&M);
	ood_second_moment_free(&m);
}
END_TEST

/* ------------------------------------------------------- vim, residual --- */

START_TEST(residual_is_the_height_above_the_plane)
{
	double fit[50 * 4], test[4 * 4] = { 7, 2, 3, 1,	 0, 0, 2.5, 0,
					    1, 1, 2, -4, 9, 9, 2,   0 };
	static const double want[] = { M_SQRT2, 0.5, 4, 0 };

	logit_state = 21;
	/* In the plane x2 = 2, x3 = 0. */
	for (size_t i = 0; i < 50; i++) {
		fit[4 * i] = logit();
		fit[4 * i + 1] = logit();
		fit[4 * i + 2] = 2;
		fit[4 * i + 3] = 0;
	}
	fit_and_score("residual:dim=2:origin=mean",
		      (struct fitrows){ .x = fit, .n = 50, .d = 4 },
		      (struct fitrows){ .x = test, .n = 4, .d = 4 }, out);
	for (size_t i = 0; i < 4; i++)
		CLOSE(out[i], want[i], 1e-13);
}
END_TEST

START_TEST(alpha_puts_the_residual_on_the_scale_of_the_logits)
{
	struct ood_scoring vim = fit_one("vim:dim=3", rows_of(x, N, &head));
	struct ood_scoring energy = parse_one("energy");
	struct ood_scoring maxlogit = parse_one("maxlogit");
	double residual = 0, max = 0;

	score_rows(&vim, rows_of(x, N, &head), out);
	score_rows(&energy, rows_of(x, N, &head), again);
	for (size_t i = 0; i < N; i++)
		residual += out[i] - again[i];
	score_rows(&maxlogit, rows_of(x, N, &head), again);
	for (size_t i = 0; i < N; i++)
		max -= again[i];
	/* mean alpha r = mean max z */
	CLOSE(residual / N, max / N, 1e-11 * max / N);
	ood_scoring_free(&vim);
	ood_scoring_free(&energy);
	ood_scoring_free(&maxlogit);
}
END_TEST

START_TEST(without_biases_the_origin_is_zero)
{
	static const double zero[C] = { 0 };
	struct ood_layer zeros = head_of(W, zero, C, D);

	fit_and_score("vim", rows_of(x, N, &no_bias), rows_of(x, N, &no_bias),
		      out);
	fit_and_score("vim", rows_of(x, N, &zeros), rows_of(x, N, &zeros),
		      again);
	ck_assert_mem_eq(out, again, sizeof(out));
	ood_layer_free(&zeros);
}
END_TEST

START_TEST(dim_follows_the_rule_or_the_share)
{
	/* Variances 8, 4, 2, 1 along the axes. */
	static const double axes[8 * 4] = {
		4,  0,
		0,  0,
		-4, 0,
		0,  0,
		0,  2.8284271247461903,
		0,  0,
		0,  -2.8284271247461903,
		0,  0,
		0,  0,
		2,  0,
		0,  0,
		-2, 0,
		0,  0,
		0,  1.4142135623730951,
		0,  0,
		0,  -1.4142135623730951,
	};
	const struct fitrows four = { .x = axes, .n = 8, .d = 4 };

	ck_assert_uint_eq(kept_rows("residual:origin=mean", four, "basis"), 2);
	ck_assert_uint_eq(
		kept_rows("residual:origin=mean:dim=3", four, "basis"), 1);
	ck_assert_uint_eq(
		kept_rows("residual:origin=mean:dim-var=0.5", four, "basis"),
		3);
	ck_assert_uint_eq(
		kept_rows("residual:origin=mean:dim-var=0.79", four, "basis"),
		2);
	ck_assert_uint_eq(
		kept_rows("residual:origin=mean:dim-var=0.81", four, "basis"),
		1);
	fit_refuse("residual:origin=mean:dim-var=0.99", four, OOD_USAGE,
		   "leaves no residual");

	static double wide[4 * 768];
	logit_state = 22;
	for (size_t i = 0; i < OOD_COUNT(wide); i++)
		wide[i] = logit();
	ck_assert_uint_eq(
		kept_rows("residual:origin=mean",
			  (struct fitrows){ .x = wide, .n = 4, .d = 768 },
			  "basis"),
		768 - 512);
	ck_assert_uint_eq(
		kept_rows("residual:origin=mean",
			  (struct fitrows){ .x = wide, .n = 4, .d = 767 },
			  "basis"),
		767 - 383);
}
END_TEST

START_TEST(a_principal_space_without_rest_is_refused)
{
	static double same[3 * D] = { 1, 2, 3, 4, 5, 6, 1, 2, 3,
				      4, 5, 6, 1, 2, 3, 4, 5, 6 };

	fit_refuse("vim:dim=6", rows_of(x, N, &head), OOD_USAGE,
		   "dim=6 leaves no residual of 6 features (dim=5 is the "
		   "largest)");
	fit_refuse("residual:preset=openood", rows_of(x, N, &head), OOD_USAGE,
		   "dim=512 leaves no residual");
	fit_refuse("vim:dim=2:dim-var=0.5", rows_of(x, N, &head), OOD_USAGE,
		   "exclude each other");
	fit_refuse("vim:dim-var=1", rows_of(x, N, &head), OOD_USAGE, "below 1");
	fit_refuse("residual:origin=mean",
		   (struct fitrows){ .x = x, .n = 9, .d = 1 }, OOD_INPUT,
		   "single feature");
	fit_refuse("residual", (struct fitrows){ .x = x, .n = N, .d = D },
		   OOD_USAGE, "origin=mean");
	fit_refuse("vim:origin=mean", rows_of(same, 3, &head), OOD_NUMERIC,
		   "no residual");
	/* 3 rows span 3 dimensions, 2 about their mean. */
	fit_refuse("vim:dim=3", rows_of(x, 3, &head), OOD_NUMERIC,
		   "span 3 dimensions");
	fit_refuse("vim:dim=2:origin=mean", rows_of(x, 3, &head), OOD_NUMERIC,
		   "span 2 dimensions");
}
END_TEST

START_TEST(what_a_fit_should_worry_about_is_told)
{
	static const double negative[C] = { -1e4, -1e4, -1e4 };
	struct ood_layer low = head_of(W, negative, C, D);
	struct ood_notes notes = { 0 };
	struct ood_scoring s;

	ck_assert_int_eq(
		fit_try(&s, "vim:origin=mean", rows_of(x, N, &low), &notes),
		OOD_OK);
	ck_assert(has_warning(&notes, "alpha"));
	ck_assert_ptr_nonnull(strstr(notes.at[0].text, "vim: 600 rows of 6 "
						       "features, dim = 3"));
	ood_scoring_free(&s);
	ck_assert_int_eq(
		fit_try(&s, "residual:dim=5", rows_of(x, 3, &head), &notes),
		OOD_OK);
	ck_assert(has_warning(&notes, "rank"));
	ood_scoring_free(&s);
	ood_notes_free(&notes);
	ood_layer_free(&low);
}
END_TEST

Suite *suite_vim(void);

Suite *suite_vim(void)
{
	Suite *suite = suite_create("vim");
	TCase *tests = tcase_create("vim");

	tcase_add_checked_fixture(tests, make_rows, free_rows);
	tcase_add_test(tests, moments_of_parts_join_to_those_of_the_whole);
	tcase_add_test(tests, a_constant_feature_has_no_variance_however_far);
	tcase_add_test(tests, residual_is_the_height_above_the_plane);
	tcase_add_test(tests,
		       alpha_puts_the_residual_on_the_scale_of_the_logits);
	tcase_add_test(tests, without_biases_the_origin_is_zero);
	tcase_add_test(tests, dim_follows_the_rule_or_the_share);
	tcase_add_test(tests, a_principal_space_without_rest_is_refused);
	tcase_add_test(tests, what_a_fit_should_worry_about_is_told);
	suite_add_tcase(suite, tests);
	return suite;
}
