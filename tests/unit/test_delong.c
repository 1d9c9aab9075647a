/*
 * test_delong.c - the AUROC's variance and intervals
 *
 * Worked example X8 of the evaluation spec; pROC's figures.
 */
#include <stdio.h>

#include "core/mem.h"
#include "figures.h"
#include "metrics/delong.h"

static double variance(const struct ood_curve *c)
{
	struct ood_tally t;

	ood_tally(c, &t);
	return ood_delong_variance(c, &t);
}

START_TEST(variance_and_intervals_of_the_worked_example)
{
	struct ood_value v = figure_value("auroc", &b8);

	NEAR(variance(&b8), 0.0286458333333333, 1e-15);
	NEAR(v.lo, 0.329346337876975, 1e-12);
	NEAR(v.hi, 0.974514186031925, 1e-12);
	ck_assert_str_eq(v.method, "delong-logit");
	ck_assert(figure("auroc_lo", &b8) == v.lo);
	ck_assert(figure("auroc_hi", &b8) == v.hi);
	v = figure_value("auroc:ci=raw", &b8);
	NEAR(v.lo, 0.48077452745611, 1e-12);
	ck_assert(v.hi == 1); /* 1.144 before clipping */
	ck_assert_str_eq(v.method, "delong");
}
END_TEST

START_TEST(variance_zero_takes_the_score_interval)
{
	static const double low[] = { 1, 2, 3, 4 }, high[] = { 5, 6, 7, 8 };
	static const double equal[] = { 1, 1, 1, 1 };
	struct ood_curve one = { .id = low, .ood = high, 4, 4 };
	struct ood_curve zero = { .id = high, .ood = low, 4, 4 };
	struct ood_curve half = { .id = equal, .ood = equal, 4, 4 };
	struct ood_value v = figure_value("auroc", &one);

	ck_assert_str_eq(v.method, "newcombe5");
	ck_assert(v.x == 1 && v.hi == 1);
	NEAR(v.lo, 0.582284045583458, 1e-12);
	v = figure_value("auroc", &zero);
	ck_assert(v.x == 0 && v.lo == 0);
	NEAR(v.hi, 1 - 0.582284045583458, 1e-12);
	v = figure_value("auroc:ci=raw", &half);
	ck_assert(v.x == 0.5);
	ck_assert_str_eq(v.method, "newcombe5");
	NEAR(v.lo, 0.182559925101471, 1e-12);
	NEAR(v.hi, 0.817440074898529, 1e-12);
}
END_TEST

START_TEST(one_row_on_a_side_has_no_interval)
{
	struct ood_curve c = { .id = b8.id, .ood = b8.ood, .n_id = 4, 1 };
	struct ood_value v = figure_value("auroc", &c);

	ck_assert_int_eq(v.status, OOD_STATUS_OK);
	ck_assert(v.x == 0.625 && isnan(v.lo) && isnan(v.hi));
	ck_assert(isnan(variance(&c)));
	v = figure_value("auroc_lo", &c);
	ck_assert_int_eq(v.status, OOD_STATUS_UNDEFINED);
	ck_assert_ptr_nonnull(v.reason);
}
END_TEST

/* "io[ii]o": ranks from the lowest up, equal ones in brackets. */
static void ranks(const char *order, struct ood_curve *c, double *id,
		  double *ood)
{
	double rank = 0;
	bool tie = false;

	*c = (struct ood_curve){ .id = id, .ood = ood };
	for (; *order; order++) {
		if (*order == '[' || *order == ']') {
			tie = *order == '[';
			rank++;
			continue;
		}
		if (*order == 'i')
			id[c->n_id++] = rank;
		else
			ood[c->n_ood++] = rank;
		rank += !tie;
	}
}

START_TEST(variance_equals_that_of_proc)
{
	static char line[16384];
	static double id[4096], ood[4096];
	char *field[6];
	size_t cases = 0;
	FILE *f = fopen("tests/ref/delong.tsv", "r");

	ck_assert_ptr_nonnull(f);
	table_line(f, line, sizeof(line), field, 6);
	while (table_line(f, line, sizeof(line), field, 6)) {
		struct ood_curve c;

		ranks(field[1], &c, id, ood);
		struct ood_value v = figure_value("auroc:ci=raw", &c);
		double want = number(field[3]);

		NEAR(v.x, number(field[2]), 1e-15);
		NEAR(variance(&c), want, 1e-10 * want);
		NEAR(v.lo, number(field[4]), 1e-10);
		NEAR(v.hi, number(field[5]), 1e-10);
		cases++;
	}
	ck_assert_uint_eq(cases, 3);
	fclose(f);
}
END_TEST

/* From the definition: pairs counted one by one. */
static double naive(const struct ood_curve *c)
{
	double m = (double)c->n_ood, n = (double)c->n_id, s[2] = { 0 };
	double area = figure("auroc", c);

	for (size_t i = 0; i < c->n_ood; i++) {
		double v = 0;

		for (size_t j = 0; j < c->n_id; j++)
			v += (c->ood[i] > c->id[j]) +
			     0.5 * (c->ood[i] == c->id[j]);
		s[0] += (v / n - area) * (v / n - area) / (m - 1);
	}
	for (size_t j = 0; j < c->n_id; j++) {
		double v = 0;

		for (size_t i = 0; i < c->n_ood; i++)
			v += (c->ood[i] > c->id[j]) +
			     0.5 * (c->ood[i] == c->id[j]);
		s[1] += (v / m - area) * (v / m - area) / (n - 1);
	}
	return s[0] / m + s[1] / n;
}

START_TEST(variance_equals_the_count_of_pairs)
{
	double id[90], ood[70];
	uint64_t seed = 5;

	for (unsigned values = 2; values < 200; values += 13) {
		random_scores(id, 90, values, &seed);
		random_scores(ood, 70, values + 1, &seed);
		struct ood_curve c = curve_of(id, 90, ood, 70);
		double want = naive(&c);

		NEAR(variance(&c), want, 1e-12 * want);
		curve_free(&c);
	}
}
END_TEST

Suite *suite_delong(void);
Suite *suite_delong(void)
{
	Suite *s = suite_create("delong");
	TCase *t = tcase_create("delong");

	tcase_add_test(t, variance_and_intervals_of_the_worked_example);
	tcase_add_test(t, variance_zero_takes_the_score_interval);
	tcase_add_test(t, one_row_on_a_side_has_no_interval);
	tcase_add_test(t, variance_equals_that_of_proc);
	tcase_add_test(t, variance_equals_the_count_of_pairs);
	suite_add_tcase(s, t);
	return s;
}
