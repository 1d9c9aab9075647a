/*
 * test_knn.c - knn, nnguide, relation: what follows from their definitions,
 * and the edges
 */
#include <stdio.h>

#include "core/mem.h"
#include "core/rng.h"
#include "fitrows.h"
#include "math/vector.h"

enum { N = 700, D = 6, C = 3 };

static double x[N * D], z[N * C], out[N], again[N];

static void make_rows(void)
{
	logit_state = 50;
	for (size_t i = 0; i < N * D; i++)
		x[i] = logit();
	for (size_t i = 0; i < N * C; i++)
		z[i] = logit() + 5;
}

static struct fitrows rows(void)
{
	return (struct fitrows){ .x = x, .z = z, .n = N, .d = D, .c = C };
}

static struct fitrows features(const double *at, size_t n, size_t d)
{
	return (struct fitrows){ .x = at, .n = n, .d = d };
}

static const char *const all[] = {
	"knn",
	"knn:k=1:unit=0",
	"knn:k=7:metric=squared",
	"knn:k=7:metric=cosine",
	"nnguide",
	"nnguide:k=1",
	"relation",
	"relation:power=2:cut=0",
};
enum { SORTED = 6 }; /* those before have no sums in the order of the rows */

/* ------------------------------------------------------------------ knn --- */

/* On a line: 0 1 3 6 10. */
static const double line[] = { 0, 1, 3, 6, 10 };

START_TEST(the_kth_distance_on_a_line)
{
	static const double at[] = { 0, 2, 11 };
	static const struct {
		const char *spec;
		double want[3];
	} cases[] = {
		{ "knn:k=1:unit=0", { 0, 1, 1 } },
		{ "knn:k=2:unit=0", { 1, 1, 5 } },
		{ "knn:k=5:unit=0", { 10, 8, 11 } },
		{ "knn:k=5:unit=0:metric=squared", { 100, 64, 121 } },
		{ "knn:preset=pytorch-ood", { 0, 1, 1 } },
		/* 0 is 0, the others 1. */
		{ "knn:k=1", { 0, 0, 0 } },
		{ "knn:k=2", { 1, 0, 0 } },
		{ "knn:k=5", { 1, 1, 1 } },
		{ "knn:k=5:preset=openood", { 1, 1, 1 } },
		/* 1 - cos with 0 is 1, and with others 0. */
		{ "knn:k=1:metric=cosine", { 1, 0, 0 } },
		{ "knn:k=4:metric=cosine", { 1, 0, 0 } },
		{ "knn:k=5:metric=cosine:unit=0", { 1, 1, 1 } },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		fit_and_score(cases[i].spec, features(line, 5, 1),
			      features(at, 3, 1), out);
		for (size_t j = 0; j < 3; j++)
			ck_assert_msg(out[j] == cases[i].want[j],
				      "%s: %zu is %.17g, not %g", cases[i].spec,
				      j, out[j], cases[i].want[j]);
	}
}
END_TEST

START_TEST(cosine_counts_opposite_and_zero_rows_in_order)
{
	/* 1 - cos with (1, 0): 0, 1, 1 (zero), 1.6, 2 */
	static const double bank[] = { -3, 0, 0, 0, 2, 0, -3, 4, 0, 7 };
	static const double at[] = { 5, 0 }, want[] = { 0, 1, 1, 1.6, 2 };
	char spec[64];

	for (size_t k = 0; k < 5; k++) {
		snprintf(spec, sizeof(spec), "knn:metric=cosine:k=%zu", k + 1);
		fit_and_score(spec, features(bank, 5, 2), features(at, 1, 2),
			      out);
		CLOSE(out[0], want[k], 1e-15);
	}
}
END_TEST

START_TEST(a_fit_row_is_at_distance_0_and_a_near_one_keeps_its_digits)
{
	double near[D];

	fit_and_score("knn:k=1", rows(), rows(), out);
	for (size_t i = 0; i < N; i++)
		ck_assert_double_eq(out[i], 0);
	/* 2 - 2uv would leave none. */
	memcpy(near, x, sizeof(near));
	near[0] += 0x1p-40;
	fit_and_score("knn:k=1:unit=0", rows(), features(near, 1, D), out);
	CLOSE(out[0], near[0] - x[0], 1e-28);
}
END_TEST

START_TEST(duplicates_are_as_many_neighbours)
{
	double bank[8] = { 4, 4, 4, 9, 9, 9, 9, 4 }, at[] = { 4, 8 };

	fit_and_score("knn:k=4:unit=0", features(bank, 8, 1),
		      features(at, 2, 1), out);
	ck_assert_double_eq(out[0], 0);
	ck_assert_double_eq(out[1], 1);
	fit_and_score("knn:k=5:unit=0", features(bank, 8, 1),
		      features(at, 2, 1), out);
	ck_assert_double_eq(out[0], 5);
	ck_assert_double_eq(out[1], 4);
}
END_TEST

START_TEST(without_self_the_fit_rows_have_their_next_neighbour)
{
	static const double want[] = { 1, 1, 2, 3, 4 };
	/* Rows 2 and 4 are none of the fit; each row keeps its number. */
	static const int64_t label[] = { 0, -1, 0, -1, 0 };
	struct fitrows some = features(line, 5, 1);

	fit_and_score("knn:k=1:unit=0:exclude-self=1", some, some, out);
	for (size_t i = 0; i < 5; i++)
		ck_assert_double_eq(out[i], want[i]);
	some.label = label;
	fit_and_score("knn:k=1:unit=0:exclude-self=1", some,
		      features(line, 5, 1), out);
	ck_assert_double_eq(out[0], 3);
	ck_assert_double_eq(out[1], 1); /* not there: to 0 */
	ck_assert_double_eq(out[2], 3);
	ck_assert_double_eq(out[3], 3);
	ck_assert_double_eq(out[4], 7);
	/* k + 1 with self is k without. */
	fit_and_score("knn:k=4", rows(), rows(), out);
	fit_and_score("knn:k=3:exclude-self=1", rows(), rows(), again);
	ck_assert_mem_eq(out, again, sizeof(out));
}
END_TEST

START_TEST(row_numbers_of_several_sets_are_refused)
{
	struct ood_scoring s = parse_one("knn:k=1:exclude-self=1");
	const struct ood_given given = { .d = { 1 }, .features = { true } };
	static const uint64_t numbers[] = { 1, 2, 3, 1, 2 };
	const struct ood_batch b = { .n = 5,
				     .x = { view_of(line, 5, 1) },
				     .row = numbers };
	struct ood_fitting *f;

	ck_assert_int_eq(
		ood_fitting_begin(
			&f,
			&(struct ood_fitting_options){
				.scorings = &s, .n = 1, .given = &given },
			&one_err),
		OOD_OK);
	ck_assert_int_eq(ood_fitting_add(f, &b, &one_err), OOD_OK);
	ck_assert_int_eq(ood_fitting_pass(f, &one_err), OOD_OK);
	ck_assert_int_eq(ood_fitting_end(f, &one_err), OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(one_err.what, "fit on one set"));
	ck_assert_ptr_nonnull(s.scorer->unmergeable(&s.args));
	ood_fitting_free(f);
	ood_scoring_free(&s);
	s = parse_one("knn");
	ck_assert_ptr_null(s.scorer->unmergeable(&s.args));
	ood_scoring_free(&s);
}
END_TEST

START_TEST(fewer_rows_than_k_are_refused)
{
	struct fitrows few = rows_part(rows(), 0, 49);

	fit_refuse("knn", few, OOD_INPUT,
		   "knn: k=50 where there are 49 neighbours (k=49 is the "
		   "largest");
	fit_refuse("knn:k=49:exclude-self=1", few, OOD_INPUT, "48 neighbours");
	fit_refuse("nnguide:k=50", few, OOD_INPUT, "nnguide: k=50");
	fit_refuse("knn:k=1:exclude-self=1", rows_part(rows(), 0, 1), OOD_INPUT,
		   "no rows are left");
	fit_refuse("knn:k=1:subset=1e-9", few, OOD_INPUT, "larger subset");
	fit_and_score("knn:k=49", few, few, out);
	fit_and_score("nnguide:k=49", few, few, out);
}
END_TEST

/* -------------------------------------------------------------- nnguide --- */

static double lse(const double *at)
{
	return log(exp(at[0]) + exp(at[1]) + exp(at[2]));
}

static double unit_dot(size_t i, size_t j)
{
	return ood_dot(x + i * D, x + j * D, D) / ood_norm(x + i * D, D) /
	       ood_norm(x + j * D, D);
}

START_TEST(nnguide_of_all_rows_is_their_mean)
{
	fit_and_score("nnguide:k=700", rows(), rows_part(rows(), 0, 9), out);
	for (size_t i = 0; i < 9; i++) {
		double mean = 0;

		for (size_t j = 0; j < N; j++)
			mean += unit_dot(i, j) * lse(z + j * C) / N;
		CLOSE(out[i], -mean * lse(z + i * C), 1e-12);
	}
}
END_TEST

START_TEST(nnguide_takes_the_largest_and_tells_negative_logsumexp)
{
	/* lse: 0, -1, 2 */
	static const double bank[] = { 1, 0, 1, 0, 1, 1 },
			    logits[] = { 0, -1, 2 }, at[] = { 0, 5 },
			    mine[] = { -3 };
	struct fitrows fit = { .x = bank, .z = logits, .n = 3, .d = 2, .c = 1 },
		       test = { .x = at, .z = mine, .n = 1, .d = 2, .c = 1 };
	struct ood_notes notes = { 0 };
	struct ood_scoring s;
	uint64_t odd = 0;

	ck_assert_int_eq(fit_try(&s, "nnguide:k=1", fit, &notes), OOD_OK);
	ck_assert_str_eq(notes.at[0].text,
			 "nnguide: 3 rows of 2 features, k = 1");
	ck_assert(has_warning(&notes, "logsumexp"));
	ck_assert_int_eq(score_try(&s, test, out, &odd), OOD_OK);
	CLOSE(out[0], 3 * M_SQRT2, 1e-14);
	ck_assert_uint_eq(odd, 1);
	ood_notes_free(&notes);
	ood_scoring_free(&s);
}
END_TEST

/* ------------------------------------------------------------- relation --- */

START_TEST(relation_is_the_sum_of_its_definition)
{
	const double cut = 0.2, power = 1.5;

	fit_and_score("relation:cut=0.2:power=1.5", rows(),
		      rows_part(rows(), 0, 9), out);
	for (size_t i = 0; i < 9; i++) {
		double sum = 0;

		for (size_t j = 0; j < N; j++) {
			double agree = 0;

			for (size_t c = 0; c < C; c++)
				agree += exp(z[i * C + c] - lse(z + i * C) +
					     z[j * C + c] - lse(z + j * C));
			double r = OOD_MAX(unit_dot(i, j), 0) * agree;
			sum += r > cut ? pow(r, power) : 0;
		}
		CLOSE(out[i], -sum, 1e-12 * sum);
	}
}
END_TEST

START_TEST(relation_knows_impossible_classes)
{
	static const double bank[] = { 1, 2, 3 },
			    logits[] = { 0, -INFINITY, -INFINITY, 0,
					 1, 1,	       -INFINITY, 1e6 };
	struct fitrows fit = { .x = bank, .z = logits, .n = 3, .d = 1, .c = 2 };

	fit_and_score("relation", fit, fit, out);
	/* p: (1, 0), (0, 1), (1/2, 1/2) */
	CLOSE(out[0], -1.5, 1e-15);
	CLOSE(out[1], -1.5, 1e-15);
	CLOSE(out[2], -1.5, 1e-15);
}
END_TEST

/* ------------------------------------------------------------------ all --- */

START_TEST(merged_parts_score_as_the_whole)
{
	static const size_t cuts[] = { 1, 256, 300, 699 };

	fit_and_score(all[_i], rows(), rows(), out);
	for (size_t i = 0; i < OOD_COUNT(cuts); i++) {
		struct ood_scoring s = fit_merged(all[_i], rows(), cuts[i]);

		score_rows(&s, rows(), again);
		ck_assert_mem_eq(again, out, sizeof(out));
		ood_scoring_free(&s);
	}
}
END_TEST

START_TEST(the_order_of_the_fit_rows_does_not_matter)
{
	static double px[N * D], pz[N * C];
	struct fitrows fit = rows();

	for (size_t i = 0; i < N; i++) {
		size_t to = i * 13 % N;

		memcpy(px + to * D, x + i * D, D * sizeof(*x));
		memcpy(pz + to * C, z + i * C, C * sizeof(*z));
	}
	fit.x = px;
	fit.z = pz;
	fit_and_score(all[_i], rows(), rows(), out);
	fit_and_score(all[_i], fit, rows(), again);
	for (size_t i = 0; i < N; i++)
		CLOSE(again[i], out[i], _i < SORTED ? 0 : 1e-13 * fabs(out[i]));
}
END_TEST

START_TEST(a_row_has_the_same_bits_alone)
{
	struct ood_scoring s = fit_one(all[_i], rows());

	score_rows(&s, rows(), out);
	for (size_t i = 0; i < N; i += 111) {
		score_rows(&s, rows_part(rows(), i, 1), again);
		ck_assert_double_eq(again[0], out[i]);
	}
	ood_scoring_free(&s);
}
END_TEST

START_TEST(zero_rows_score_a_number)
{
	struct ood_scoring s;
	double zero[D] = { 0 }, first[D];
	struct fitrows test = rows_part(rows(), 0, 1);

	memcpy(first, x, sizeof(first));
	memset(x, 0, sizeof(first));
	s = fit_one(all[_i], rows());
	test.x = zero;
	score_rows(&s, test, out);
	ck_assert(isfinite(out[0]));
	ood_scoring_free(&s);
	memcpy(x, first, sizeof(first));
}
END_TEST

START_TEST(a_damaged_model_is_refused)
{
	struct ood_scoring s = fit_one(all[_i], rows());
	const struct ood_kept *kept = s.scorer->kept;

	for (const struct ood_kept *k = kept; k->kind; k++) {
		struct ood_bank *bank = (void *)((char *)s.state + k->at);
		double rest[D];

		if (!bank->rows)
			continue;
		/* Without the arrays that ready makes. */
		if (s.scorer->release)
			s.scorer->release(s.state);
		ood_bank_row(bank, 0, rest);
		for (size_t j = 0; j < bank->cols; j++)
			((double *)bank->data)[j] = INFINITY;
		ck_assert_int_eq(ood_scoring_ready(&s, NULL, C, &one_err),
				 OOD_INPUT);
		memcpy(bank->data, rest, bank->cols * sizeof(double));
	}
	ood_scoring_free(&s);
}
END_TEST

START_TEST(a_model_without_rows_or_numbers_is_refused)
{
	struct ood_scoring s = fit_one("nnguide", rows());
	const struct ood_kept *kept = s.scorer->kept;

	s.scorer->release(s.state);
	ood_bank_free((void *)((char *)s.state + kept[1].at));
	ck_assert_int_eq(ood_scoring_ready(&s, NULL, C, &one_err), OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(one_err.what, "0 numbers of 700 rows"));
	ood_bank_free((void *)((char *)s.state + kept[0].at));
	ck_assert_int_eq(ood_scoring_ready(&s, NULL, C, &one_err), OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(one_err.what, "no rows"));
	ood_scoring_free(&s);
}
END_TEST

START_TEST(a_subset_is_drawn_by_seed_and_row)
{
	static double part[N * D];
	struct ood_notes notes = { 0 };
	struct ood_scoring s;
	size_t n = 0;

	for (size_t i = 0; i < N; i++) {
		if (ood_rng_uniform(0, OOD_RNG_SUBSET, i + 1, 0) >= 0.25)
			continue;
		memcpy(part + n++ * D, x + i * D, D * sizeof(*x));
	}
	ck_assert(n > N / 5 && n < N / 3);
	fit_and_score("knn:k=9", features(part, n, D), rows(), out);
	ck_assert_int_eq(fit_try(&s, "knn:k=9:subset=0.25", rows(), &notes),
			 OOD_OK);
	score_rows(&s, rows(), again);
	ck_assert_mem_eq(again, out, sizeof(out));
	ck_assert_ptr_nonnull(strstr(notes.at[0].text, "(subset=0.25), k = 9"));
	ood_notes_free(&notes);
	ood_scoring_free(&s);
	ck_assert_uint_eq(kept_rows("nnguide:subset=0.25", rows(), "logsumexp"),
			  n);
}
END_TEST

Suite *suite_knn(void);

Suite *suite_knn(void)
{
	Suite *suite = suite_create("knn");
	TCase *tests = tcase_create("neighbours");
	const int n = (int)OOD_COUNT(all);

	tcase_add_checked_fixture(tests, make_rows, NULL);
	tcase_add_test(tests, the_kth_distance_on_a_line);
	tcase_add_test(tests, cosine_counts_opposite_and_zero_rows_in_order);
	tcase_add_test(
		tests,
		a_fit_row_is_at_distance_0_and_a_near_one_keeps_its_digits);
	tcase_add_test(tests, duplicates_are_as_many_neighbours);
	tcase_add_test(tests,
		       without_self_the_fit_rows_have_their_next_neighbour);
	tcase_add_test(tests, row_numbers_of_several_sets_are_refused);
	tcase_add_test(tests, fewer_rows_than_k_are_refused);
	tcase_add_test(tests, nnguide_of_all_rows_is_their_mean);
	tcase_add_test(tests,
		       nnguide_takes_the_largest_and_tells_negative_logsumexp);
	tcase_add_test(tests, relation_is_the_sum_of_its_definition);
	tcase_add_test(tests, relation_knows_impossible_classes);
	tcase_add_loop_test(tests, merged_parts_score_as_the_whole, 0, n);
	tcase_add_loop_test(tests, the_order_of_the_fit_rows_does_not_matter, 0,
			    n);
	tcase_add_loop_test(tests, a_row_has_the_same_bits_alone, 0, n);
	tcase_add_loop_test(tests, zero_rows_score_a_number, 0, n);
	tcase_add_loop_test(tests, a_damaged_model_is_refused, 0, n);
	tcase_add_test(tests, a_model_without_rows_or_numbers_is_refused);
	tcase_add_test(tests, a_subset_is_drawn_by_seed_and_row);
	suite_add_tcase(suite, tests);
	return suite;
}
