/*
 * test_patterns.c - she, caref, cadref: what follows from their definitions,
 * and the edges
 */
#include "core/mem.h"
#include "fitrows.h"

enum { N = 300, D = 5, C = 4 };

static double x[N * D], z[N * C], W[C * D], out[N], again[N];
static int64_t label[N];
static struct ood_layer head;

static void make_rows(void)
{
	logit_state = 30;
	for (size_t i = 0; i < N * D; i++)
		x[i] = logit();
	for (size_t i = 0; i < N * C; i++)
		z[i] = logit() + 4;
	for (size_t i = 0; i < C * D; i++)
		W[i] = logit();
	for (size_t i = 0; i < N; i++)
		label[i] = (int64_t)(i * 7 % C);
	head = head_of(W, NULL, C, D);
}

static void free_rows(void)
{
	ood_layer_free(&head);
}

static struct fitrows rows(void)
{
	return (struct fitrows){ .x = x,
				 .z = z,
				 .label = label,
				 .n = N,
				 .d = D,
				 .c = C,
				 .head = &head };
}

static const char *const all[] = { "she", "she:metric=cosine",
				   "she:metric=euclidean", "caref", "cadref" };

/* ----------------------------------------------------------------- she --- */

/* Two features, three classes; class 0: rows 0, 1 right, 2 wrong; class 1:
 * row 3 wrong; class 2: no row. */
static const double she_x[4 * 2] = { 1, 0, 3, 0, 50, 50, 0, 2 };
static const double she_z[4 * 3] = { 9, 0, 0, 9, 0, 0, 0, 9, 0, 9, 0, 0 };
static const int64_t she_label[4] = { 0, 0, 0, 1 };
static const struct fitrows she_fit = {
	she_x, she_z, she_label, 4, 2, 3, NULL
};

/* (3, 4), predicted as each class, and 0. */
static const double she_test_x[4 * 2] = { 3, 4, 3, 4, 3, 4, 0, 0 };
static const double she_test_z[4 * 3] = { 5, 0, 0, 0, 5, 0, 0, 0, 5, 5, 0, 0 };
static const struct fitrows she_test = { she_test_x, she_test_z, NULL, 4,
					 2,	     3,		 NULL };

START_TEST(patterns_are_of_right_rows_else_of_all_else_the_best)
{
	/* S_0 = (2, 0), S_1 = (0, 2), none for class 2. */
	static const struct {
		const char *spec;
		double want[4];
	} cases[] = {
		{ "she", { -6, -8, -8, 0 } },
		{ "she:metric=cosine", { -0.6, -0.8, -0.8, 0 } },
		{ "she:metric=euclidean",
		  { 4.1231056256176606, 3.6055512754639891, 3.6055512754639891,
		    2 } },
	};
	struct ood_notes notes = { 0 };

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		struct ood_scoring s;
		uint64_t odd = 0;

		ck_assert_int_eq(fit_try(&s, cases[i].spec, she_fit, &notes),
				 OOD_OK);
		ck_assert_int_eq(score_try(&s, she_test, out, &odd), OOD_OK);
		for (size_t k = 0; k < 4; k++)
			CLOSE(out[k], cases[i].want[k], 1e-15 * 5);
		ck_assert_uint_eq(odd, 1);
		ood_scoring_free(&s);
	}
	ck_assert_str_eq(notes.at[0].text,
			 "she: patterns of 2 classes from 2 rows that are "
			 "predicted right, of 4");
	ck_assert(has_warning(&notes, "no-right-row"));
	ck_assert(has_warning(&notes, "no-row"));
	ood_notes_free(&notes);
}
END_TEST

START_TEST(she_works_without_any_right_row)
{
	static const int64_t wrong[4] = { 1, 1, 0, 1 };
	struct fitrows fit = she_fit;

	fit.label = wrong;
	/* S_0 = (50, 50), S_1 = (4, 2)/3 */
	fit_and_score("she", fit, she_test, out);
	CLOSE(out[0], -350, 1e-12);
	CLOSE(out[1], -20.0 / 3, 1e-14);
	struct ood_scoring s = fit_merged("she", fit, 2);
	score_rows(&s, she_test, again);
	for (size_t i = 0; i < 4; i++)
		CLOSE(again[i], out[i], 1e-12);
	ood_scoring_free(&s);
}
END_TEST

/* ------------------------------------------------------- caref, cadref --- */

/* Predicted 0: rows 0 and 1, mean (2, 1); 1: row 2, (0, 0); never 2: the mean
 * of all, (4/3, 2/3). */
static const double ref_x[3 * 2] = { 1, 2, 3, 0, 0, 0 };
static const double ref_z[3 * 3] = { 2, 0, 0, 2, 0, 0, 0, 2, 0 };
static const double ref_W[3 * 2] = { 1, -1, 0, 2, -1, 1 };
static const double ref_test_x[5 * 2] = { 3, 3, 4, 4, 2, 2, 0, 0, 0, 0 };
static const double ref_test_z[5 * 3] = { 1, 0, 0, 0, 1, 0, 0, 0,
					  1, 1, 0, 0, 0, 1, 0 };

static void ref_rows(struct fitrows *fit, struct fitrows *test)
{
	*fit = (struct fitrows){ ref_x, ref_z, NULL, 3, 2, 3, NULL };
	*test = (struct fitrows){ ref_test_x, ref_test_z, NULL, 5, 2, 3, NULL };
}

START_TEST(caref_is_the_relative_error_to_the_predicted_mean)
{
	struct fitrows fit, test;
	struct ood_notes notes = { 0 };
	struct ood_scoring s;

	ref_rows(&fit, &test);
	ck_assert_int_eq(fit_try(&s, "caref", fit, &notes), OOD_OK);
	score_rows(&s, test, out);
	CLOSE(out[0], 3.0 / 6, 1e-15);
	CLOSE(out[1], 1, 1e-15);
	CLOSE(out[2], (2.0 / 3 + 4.0 / 3) / 4, 1e-15);
	ck_assert_double_eq(out[3], INFINITY);
	ck_assert_double_eq(out[4], 0);
	ck_assert(has_warning(&notes, "never-predicted"));
	ood_notes_free(&notes);
	ood_scoring_free(&s);
}
END_TEST

START_TEST(cadref_splits_the_error_by_the_signs_of_w)
{
	const double lse = log(exp(1) + 2), mean = log(exp(2) + 2);
	struct ood_layer layer = head_of(ref_W, NULL, 3, 2);
	struct fitrows fit, test;
	uint64_t odd = 0;

	ref_rows(&fit, &test);
	fit.head = test.head = &layer;
	struct ood_scoring s = fit_one("cadref", fit);
	ck_assert_int_eq(score_try(&s, test, out, &odd), OOD_OK);
	/* d = (1, 2), s = (1, -1): Ep = 1/6, En = 2/6 */
	CLOSE(out[0], 1.0 / 6 / lse + 2.0 / 6 / mean, 1e-15);
	/* d = (4, 4), s = (0, 1): Ep = 4/8 */
	CLOSE(out[1], 0.5 / lse, 1e-15);
	/* d = (2/3, 4/3), s = (-1, 1): Ep = 1/3, En = 1/6 */
	CLOSE(out[2], 1.0 / 3 / lse + 1.0 / 6 / mean, 1e-15);
	ck_assert_double_eq(out[3], INFINITY);
	ck_assert_double_eq(out[4], 0);
	ck_assert_uint_eq(odd, 0);
	ood_scoring_free(&s);
	ood_layer_free(&layer);
}
END_TEST

START_TEST(cadref_counts_and_tells_logsumexp_below_0)
{
	static const double low[3 * 3] = { -5, -6, -7, -5, -6, -7, -8, -6, -7 };
	struct ood_layer layer = head_of(ref_W, NULL, 3, 2);
	struct ood_notes notes = { 0 };
	struct ood_scoring s;
	struct fitrows fit, test;
	uint64_t odd = 0;

	ref_rows(&fit, &test);
	fit.head = test.head = &layer;
	fit.z = low;
	ck_assert_int_eq(fit_try(&s, "cadref", fit, &notes), OOD_OK);
	ck_assert(has_warning(&notes, "logsumexp"));
	ood_notes_free(&notes);
	ck_assert_int_eq(score_try(&s, fit, out, &odd), OOD_OK);
	ck_assert_uint_eq(odd, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert(!isnan(out[i]));
	ood_scoring_free(&s);
	ood_layer_free(&layer);
}
END_TEST

START_TEST(cadref_refuses_a_mean_logsumexp_of_0)
{
	static const double none[3] = { 0 };
	struct ood_layer layer = head_of(ref_W, NULL, 1, 2);
	struct fitrows fit = { ref_x, none, NULL, 3, 2, 1, &layer };
	struct ood_scoring s;

	ck_assert_int_eq(fit_try(&s, "cadref", fit, NULL), OOD_NUMERIC);
	ck_assert_ptr_nonnull(strstr(one_err.what, "which is 0"));
	ood_scoring_free(&s);
	ood_layer_free(&layer);
}
END_TEST

START_TEST(cadref_refuses_the_head_of_another_layer)
{
	struct ood_layer other = head_of(W, NULL, C, D - 1);
	struct ood_scoring s = fit_one("cadref", rows());
	struct fitrows test = rows();

	test.head = &other;
	ck_assert_int_eq(score_try(&s, test, out, NULL), OOD_INPUT);
	ood_scoring_free(&s);
	ood_layer_free(&other);
}
END_TEST

/* ----------------------------------------------------------------- all --- */

START_TEST(classes_may_be_numbered_in_any_order)
{
	static const size_t to[C] = { 2, 0, 3, 1 };
	double other_z[N * C], other_W[C * D];
	int64_t other_label[N];
	struct fitrows other = rows();

	for (size_t i = 0; i < N * C; i++)
		other_z[i / C * C + to[i % C]] = z[i];
	for (size_t k = 0; k < C; k++)
		memcpy(other_W + to[k] * D, W + k * D, D * sizeof(double));
	for (size_t i = 0; i < N; i++)
		other_label[i] = (int64_t)to[label[i]];
	struct ood_layer layer = head_of(other_W, NULL, C, D);
	other.z = other_z;
	other.label = other_label;
	other.head = &layer;
	fit_and_score(all[_i], rows(), rows(), out);
	fit_and_score(all[_i], other, other, again);
	for (size_t i = 0; i < N; i++)
		CLOSE(again[i], out[i], 1e-13 * (1 + fabs(out[i])));
	ood_layer_free(&layer);
}
END_TEST

START_TEST(merged_parts_score_as_the_whole)
{
	struct ood_scoring s = fit_merged(all[_i], rows(), 101);

	fit_and_score(all[_i], rows(), rows(), out);
	score_rows(&s, rows(), again);
	for (size_t i = 0; i < N; i++)
		CLOSE(again[i], out[i], 1e-12 * (1 + fabs(out[i])));
	ood_scoring_free(&s);
}
END_TEST

START_TEST(a_row_has_the_same_bits_alone)
{
	struct ood_scoring s = fit_one(all[_i], rows());

	score_rows(&s, rows(), out);
	for (size_t i = 0; i < N; i += 41) {
		score_rows(&s, rows_part(rows(), i, 1), again);
		ck_assert_mem_eq(again, out + i, sizeof(*out));
	}
	ood_scoring_free(&s);
}
END_TEST

/* Infinities in every array; labels that are no ascending integers. */
START_TEST(a_damaged_model_is_refused)
{
	static const double bad_labels[] = { 0.5, -1, 1e300, 3 };
	struct ood_scoring s = fit_one(all[_i], rows());

	for (const struct ood_kept *k = s.scorer->kept; k->kind; k++) {
		struct ood_mat *mat = (void *)((char *)s.state + k->at);
		const bool labels = !strcmp(k->name, "label");

		if (k->when == OOD_KEPT_PARTIAL)
			continue;
		double was = mat->data[0];
		for (size_t i = 0; i < (labels ? OOD_COUNT(bad_labels) : 1);
		     i++) {
			mat->data[0] = labels ? bad_labels[i] : INFINITY;
			ck_assert_msg(ood_scoring_ready(&s, &head, C,
							&one_err) != OOD_OK,
				      "%s: %s", all[_i], k->name);
		}
		mat->data[0] = was;
	}
	ood_scoring_free(&s);
}
END_TEST

START_TEST(half_of_the_sums_of_right_rows_is_no_partial_fit)
{
	struct ood_scoring s = fit_one("she", rows());
	struct ood_scoring half = fit_one("she", rows());
	const struct ood_fit fit = { .args = &s.args };

	for (const struct ood_kept *k = half.scorer->kept; k->kind; k++)
		if (!strcmp(k->name, "right-counts"))
			ood_mat_free((void *)((char *)half.state + k->at));
	ck_assert_int_eq(s.scorer->merge(s.state, half.state, &fit, &one_err),
			 OOD_INPUT);
	ood_scoring_free(&s);
	ood_scoring_free(&half);
}
END_TEST

Suite *suite_patterns(void);

Suite *suite_patterns(void)
{
	Suite *suite = suite_create("patterns");
	TCase *tests = tcase_create("patterns");
	const int n = (int)OOD_COUNT(all);

	tcase_add_checked_fixture(tests, make_rows, free_rows);
	tcase_add_test(tests,
		       patterns_are_of_right_rows_else_of_all_else_the_best);
	tcase_add_test(tests, she_works_without_any_right_row);
	tcase_add_test(tests,
		       caref_is_the_relative_error_to_the_predicted_mean);
	tcase_add_test(tests, cadref_splits_the_error_by_the_signs_of_w);
	tcase_add_test(tests, cadref_counts_and_tells_logsumexp_below_0);
	tcase_add_test(tests, cadref_refuses_a_mean_logsumexp_of_0);
	tcase_add_test(tests, cadref_refuses_the_head_of_another_layer);
	tcase_add_test(tests, half_of_the_sums_of_right_rows_is_no_partial_fit);
	tcase_add_loop_test(tests, classes_may_be_numbered_in_any_order, 0, n);
	tcase_add_loop_test(tests, merged_parts_score_as_the_whole, 0, n);
	tcase_add_loop_test(tests, a_row_has_the_same_bits_alone, 0, n);
	tcase_add_loop_test(tests, a_damaged_model_is_refused, 0, n);
	suite_add_tcase(suite, tests);
	return suite;
}
