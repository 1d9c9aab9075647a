/*
 * test_threshold.c - thresholds by a stated rule
 *
 * Worked examples X4, X5, X6, X9, X14 of the evaluation spec.
 */
#include <stdio.h>

#include "core/mem.h"
#include "decide/threshold.h"
#include "figures.h"

static struct ood_cut cut_by(const char *rule, const struct ood_curve *c)
{
	struct ood_ruling ruling;
	struct ood_err err;
	int rc = ood_ruling_parse(&ruling, rule, &err);

	ck_assert_msg(rc == OOD_OK, "%s: %s", rule, rc ? err.what : "");
	struct ood_cut cut = ood_ruling_cut(&ruling, c);

	ood_ruling_free(&ruling);
	return cut;
}

static const double x14_id[] = { .1, .2, .2, .3, .4, .5, .5, .6 };
static const struct ood_curve x14 = { .id = x14_id, .n_id = 8 };

START_TEST(keep_takes_an_observed_score_not_a_quantile)
{
	static const struct {
		const char *rule;
		double last, kept;
	} rows[] = {
		{ "keep=.95", .6, 1 },	  { "keep=.875", .5, .875 },
		{ "keep=.75", .5, .875 }, { "keep=.5", .3, .5 },
		{ "keep=1", .6, 1 },
	};

	for (size_t i = 0; i < OOD_COUNT(rows); i++) {
		struct ood_cut cut = cut_by(rows[i].rule, &x14);
		struct ood_achieved a = ood_achieve(&x14, cut.threshold, .95);

		ck_assert(cut.threshold == nextafter(rows[i].last, INFINITY));
		ck_assert(a.id_kept.x == rows[i].kept);
		ck_assert_int_eq(a.ood_detected.status, OOD_STATUS_UNDEFINED);
	}
}
END_TEST

START_TEST(a_share_that_few_rows_cannot_tell_is_said)
{
	struct ood_cut cut = cut_by("keep=0.95", &x14);

	ck_assert_int_eq(cut.status, OOD_STATUS_NOT_RESOLVABLE);
	ck_assert_ptr_nonnull(cut.reason);
	ck_assert_int_eq(cut_by("keep=0.875", &x14).status, OOD_STATUS_OK);
	ck_assert_int_eq(cut_by("keep=1", &x14).status, OOD_STATUS_OK);
	ck_assert_int_eq(cut_by("fpr=0.1", &x14).status,
			 OOD_STATUS_NOT_RESOLVABLE);
	ck_assert_int_eq(cut_by("fpr=0", &x14).status, OOD_STATUS_OK);
	ck_assert_int_eq(cut_by("tpr=0.9", &b8).status,
			 OOD_STATUS_NOT_RESOLVABLE);
}
END_TEST

START_TEST(rates_are_held_at_vertices)
{
	ck_assert(cut_by("tpr=.5", &b8).threshold == .8);
	ck_assert(cut_by("tpr=.75", &b8).threshold == .6);
	ck_assert(cut_by("tpr=.8", &b8).threshold == .5);
	ck_assert(cut_by("tpr=.95", &b8).threshold == .5);
	ck_assert(cut_by("fpr=0", &b8).threshold == .9);
	ck_assert(cut_by("fpr=0.1", &b8).threshold == .9);
	ck_assert(cut_by("fpr=0.25", &b8).threshold == .6);
	ck_assert(cut_by("fpr=0.5", &b8).threshold == .5);
	ck_assert(cut_by("fpr=1", &b8).threshold == .1);
}
END_TEST

START_TEST(nothing_flagged_is_plus_infinity)
{
	struct ood_achieved a;

	ck_assert(cut_by("fpr=0", &x14).threshold == INFINITY);
	a = ood_achieve(&b8, INFINITY, .95);
	ck_assert(a.id_kept.x == 1 && a.ood_detected.x == 0);
}
END_TEST

START_TEST(optima_take_the_largest_threshold_and_count_ties)
{
	struct ood_cut cut = cut_by("youden", &b8);

	ck_assert(cut.threshold == .6);
	ck_assert_uint_eq(cut.tied_optima, 2);
	ck_assert(cut_by("fbeta=1", &b8).threshold == .5);
	ck_assert(cut_by("fbeta=0.5", &b8).threshold == .6);
	ck_assert(cut_by("fbeta=2", &b8).threshold == .5);
	cut = cut_by("eer", &b8);
	ck_assert(cut.threshold == .6);
	ck_assert_uint_eq(cut.tied_optima, 1);
	ck_assert_uint_eq(cut_by("keep=0.5", &b8).tied_optima, 0);
}
END_TEST

/* Costs of B8 by vertex, fn (4 - tp) + fp fp:
 *	t	inf .9 .8 .6 .5 .3 .1
 *	1:1	4   3  3  2  2  3  4
 *	10:1	40  30 21 11 2  3  4
 *	1:10	4   3  12 11 20 30 40 */
START_TEST(cost_weighs_misses_against_false_alarms)
{
	struct ood_cut cut = cut_by("cost=1:1", &b8);

	ck_assert(cut.threshold == .6);
	ck_assert_uint_eq(cut.tied_optima, 2);
	ck_assert(cut_by("cost=10:1", &b8).threshold == .5);
	ck_assert(cut_by("cost=1:10", &b8).threshold == .9);
	ck_assert(cut_by("cost=1:1:0.5", &b8).threshold == .6);
	/* 1 in 1000 rows: a false alarm must not be worth a find. */
	ck_assert(cut_by("cost=1:1:0.001", &b8).threshold == .9);
	ck_assert(cut_by("cost=1:1:0.999", &b8).threshold == .5);
}
END_TEST

/* 0.1 and 0.3 are no doubles: 3 finds at .1 each weigh one alarm of .3. */
START_TEST(decimal_costs_tie_as_typed)
{
	static const double id[] = { 2 }, ood[] = { 1, 1, 1, 3 };
	struct ood_curve c = { .id = id, .ood = ood, .n_id = 1, .n_ood = 4 };
	struct ood_cut cut = cut_by("cost=0.1:0.3", &c);

	ck_assert(cut.threshold == 3);
	ck_assert_uint_eq(cut.tied_optima, 2);
}
END_TEST

START_TEST(rows_of_score_infinity_cannot_be_accepted)
{
	static const double id[] = { 0, 1, INFINITY, INFINITY };
	struct ood_curve c = { .id = id, .ood = b8.ood, .n_id = 4, .n_ood = 4 };
	struct ood_cut cut = cut_by("keep=0.95", &c);

	ck_assert_int_eq(cut.status, OOD_STATUS_INFEASIBLE);
	ck_assert(isnan(cut.threshold));
	ck_assert_int_eq(cut_by("keep=0.5", &c).status, OOD_STATUS_OK);
	ck_assert_int_eq(cut_by("fpr=0.25", &c).status, OOD_STATUS_INFEASIBLE);
	cut = cut_by("fpr=0.5", &c);
	ck_assert(cut.threshold == INFINITY);
	/* +inf flags two ID rows: it is a vertex, and not the origin. */
	cut = cut_by("youden", &c);
	ck_assert(cut.threshold == .5);
}
END_TEST

START_TEST(rules_name_the_side_they_miss)
{
	struct ood_curve ood = { .ood = b8.ood, .n_ood = 4 };

	ck_assert_int_eq(cut_by("keep=0.9", &ood).status, OOD_STATUS_UNDEFINED);
	ck_assert_int_eq(cut_by("tpr=0.9", &ood).status,
			 OOD_STATUS_NOT_RESOLVABLE);
	ck_assert_int_eq(cut_by("youden", &ood).status, OOD_STATUS_UNDEFINED);
	ck_assert_int_eq(cut_by("youden", &x14).status, OOD_STATUS_UNDEFINED);
	ck_assert_int_eq(cut_by("tpr=1", &x14).status, OOD_STATUS_UNDEFINED);
}
END_TEST

/* Clopper-Pearson of 1/4 and 4/4: example X9, and 1 - hi = (a/2)^(1/4). */
START_TEST(shares_achieved_have_exact_intervals)
{
	struct ood_achieved a = ood_achieve(&b8, .3, .95);

	ck_assert(a.id_kept.x == .25 && a.ood_detected.x == 1);
	NEAR(a.id_kept.lo, 0.00630946320970982, 1e-12);
	NEAR(a.id_kept.hi, 0.805879550316757, 1e-12);
	NEAR(a.ood_detected.lo, pow(.025, .25), 1e-12);
	ck_assert(a.ood_detected.hi == 1);
	ck_assert_str_eq(a.id_kept.method, "clopper-pearson");
}
END_TEST

START_TEST(bad_rules_are_refused_with_the_remedy)
{
	static const struct {
		const char *rule, *says;
	} rows[] = {
		{ "kep=0.9", "keep" },	      { "keep", "keep=Q" },
		{ "keep=", "keep=Q" },	      { "keep=95", "\"95\"" },
		{ "keep=0", "\"0\"" },	      { "keep=0.9x", "0.9x" },
		{ "keep=0.9:0.8", "more" },   { "youden=1", "no number" },
		{ "cost=10", "FN:FP" },	      { "cost=1:1:2", "prior" },
		{ "cost=1:1:0.5:3", "more" }, { "fpr=nan", "nan" },
	};
	struct ood_ruling ruling;
	struct ood_err err;

	for (size_t i = 0; i < OOD_COUNT(rows); i++) {
		ck_assert_int_eq(ood_ruling_parse(&ruling, rows[i].rule, &err),
				 OOD_USAGE);
		ck_assert_msg(strstr(err.what, rows[i].says) != NULL, "%s: %s",
			      rows[i].rule, err.what);
	}
}
END_TEST

static void promises(const char *rule, const char *want)
{
	struct ood_ruling ruling;
	struct ood_buf out = { 0 };
	struct ood_err err;

	ck_assert_int_eq(ood_ruling_parse(&ruling, rule, &err), OOD_OK);
	ruling.rule->promise(&ruling.args, &out);
	ck_assert_str_eq(out.text, want);
	ood_buf_free(&out);
	ood_ruling_free(&ruling);
}

START_TEST(promises_are_sentences_with_the_numbers)
{
	promises("keep=0.95",
		 "accepts at least 95 % of the ID rows of this sample");
	promises("fpr=0.07", "flags at most 7 % of the ID rows of this sample");
	promises("tpr=0.999",
		 "flags at least 99.9 % of the OoD rows of this sample");
	promises("cost=10:1:0.01",
		 "least cost on this sample, an OoD row accepted costing 10, "
		 "an ID row flagged 1, OoD rows being expected with share "
		 "0.01; on other rows expect more");
}
END_TEST

START_TEST(the_public_call_sorts_and_answers)
{
	static const double id[] = { .8, .5, .3, .1 };
	static const double ood[] = { .9, .8, .6, .5 };
	struct ood_err err;
	double t = 0;

	ck_assert_int_eq(ood_threshold("youden", id, 4, ood, 4, &t, &err), 0);
	ck_assert(t == .6);
	ck_assert_int_eq(ood_threshold("keep=.5", id, 4, NULL, 0, &t, &err), 0);
	ck_assert(t == nextafter(.3, 1));
	ck_assert_int_eq(ood_threshold("youden", id, 4, NULL, 0, &t, &err),
			 OOD_INPUT);
	ck_assert_int_eq(ood_threshold("nosuch", id, 4, ood, 4, &t, &err),
			 OOD_USAGE);
	ck_assert_int_eq(ood_threshold("keep=1", (double[]){ NAN }, 1, NULL, 0,
				       &t, &err),
			 OOD_INPUT);
}
END_TEST

Suite *suite_threshold(void);
Suite *suite_threshold(void)
{
	Suite *s = suite_create("threshold");
	TCase *t = tcase_create("threshold");

	tcase_add_test(t, keep_takes_an_observed_score_not_a_quantile);
	tcase_add_test(t, a_share_that_few_rows_cannot_tell_is_said);
	tcase_add_test(t, rates_are_held_at_vertices);
	tcase_add_test(t, nothing_flagged_is_plus_infinity);
	tcase_add_test(t, optima_take_the_largest_threshold_and_count_ties);
	tcase_add_test(t, cost_weighs_misses_against_false_alarms);
	tcase_add_test(t, decimal_costs_tie_as_typed);
	tcase_add_test(t, rows_of_score_infinity_cannot_be_accepted);
	tcase_add_test(t, rules_name_the_side_they_miss);
	tcase_add_test(t, shares_achieved_have_exact_intervals);
	tcase_add_test(t, bad_rules_are_refused_with_the_remedy);
	tcase_add_test(t, promises_are_sentences_with_the_numbers);
	tcase_add_test(t, the_public_call_sorts_and_answers);
	suite_add_tcase(s, t);
	return s;
}
