/*
 * test_roc.c - detection figures
 *
 * Worked examples X1-X6 of the evaluation spec (1e-9, here 1e-12), the worked
 * example of the scorers spec, scikit-learn's figures, and properties.
 */
#include <stdio.h>

#include "core/mem.h"
#include "core/thread.h"
#include "figures.h"
#include "math/quota.h"
#include "metrics/walk.h"

#define TOL 1e-12

START_TEST(auroc_of_the_worked_example)
{
	static const double s2_id[] = { .4, .6, .2, .3 };
	static const double s2_ood[] = { .7, .9, .4, .5 };
	static const double equal[] = { 1, 1, 1 };
	struct ood_curve s2 = curve_of(s2_id, 4, s2_ood, 4);
	struct ood_curve all = curve_of(equal, 3, equal, 3);
	struct ood_tally t;

	ood_tally(&b8, &t);
	ck_assert_uint_eq((uint64_t)t.u2, 26);
	ck_assert(figure("auroc", &b8) == 0.8125);
	ck_assert(figure("auroc", &s2) == 0.84375);
	ck_assert(figure("auroc", &all) == 0.5);
	curve_free(&s2);
	curve_free(&all);
}
END_TEST

START_TEST(partial_areas_of_the_worked_example)
{
	NEAR(figure("pauroc:to=0.1", &b8), 0.03, TOL);
	NEAR(figure("pauroc:to=0.25", &b8), 0.09375, TOL);
	NEAR(figure("pauroc:to=0.3", &b8), 0.1325, TOL);
	NEAR(figure("pauroc:to=0.5", &b8), 0.3125, TOL);
	NEAR(figure("pauroc:to=0.1:corrected=1", &b8), 0.631578947368421, TOL);
	NEAR(figure("pauroc:to=0.3:corrected=1", &b8), 0.67156862745098, TOL);
	NEAR(figure("pauroc:to=0.5:corrected=1", &b8), 0.75, TOL);
	NEAR(figure("pauroc:to=1", &b8), 0.8125, TOL);
	NEAR(figure("pauroc:to=1:axis=tpr", &b8), 0.8125, TOL);
}
END_TEST

START_TEST(precision_recall_of_the_worked_example)
{
	NEAR(figure("aupr_ood", &b8), 0.770833333333333, TOL);
	NEAR(figure("aupr_id", &b8), 0.830357142857143, TOL);
	NEAR(figure("aupr_trapz", &b8), 0.8125, TOL);
	NEAR(figure("aupr_trapz:positive=id", &b8), 0.865178571428571, TOL);
}
END_TEST

START_TEST(fpr_at_recall_by_every_method)
{
	static const struct {
		const char *method;
		double at[4]; /* .5 .75 .8 .95 */
	} rows[] = {
		{ "", { .25, .25, .5, .5 } },
		{ ":method=nearest", { .25, .25, .25, .5 } },
		{ ":method=hendrycks", { .25, .25, .25, .5 } },
		{ ":positive=id", { 0, .25, .75, .75 } },
		{ ":method=openood-v1", { 0, 0, 0, 0 } },
	};
	static const char *const recall[] = { ".5", ".75", ".8", ".95" };
	char typed[64];

	for (size_t i = 0; i < OOD_COUNT(rows); i++) {
		for (size_t k = 0; k < 4; k++) {
			snprintf(typed, sizeof(typed), "fpr:tpr=%s%s",
				 recall[k], rows[i].method);
			ck_assert_msg(figure(typed, &b8) == rows[i].at[k],
				      "%s: %g", typed, figure(typed, &b8));
		}
	}
	ck_assert(figure("fpr:method=slack", &b8) == 0.5);
	ck_assert(figure("fpr95_ood", &b8) == 0.5);
	ck_assert(figure("fpr95_id", &b8) == 0.75);
}
END_TEST

START_TEST(recall_at_a_false_positive_rate)
{
	ck_assert(figure("tpr:fpr=0", &b8) == 0.25);
	ck_assert(figure("tpr:fpr=0.1", &b8) == 0.25);
	ck_assert(figure("tpr:fpr=0.25", &b8) == 0.75);
	ck_assert(figure("tpr:fpr=0.5", &b8) == 1);
	ck_assert(figure("tpr:fpr=1", &b8) == 1);
}
END_TEST

START_TEST(optima_of_the_worked_example)
{
	ck_assert(figure("detection_error", &b8) == 0.25);
	ck_assert(figure("youden", &b8) == 0.5);
	ck_assert(figure("error_rate", &b8) == 0.25);
	NEAR(figure("fbeta", &b8), 0.8, TOL);
	NEAR(figure("fbeta:beta=0.5", &b8), 0.75, TOL);
	NEAR(figure("fbeta:beta=2", &b8), 0.909090909090909, TOL);
}
END_TEST

START_TEST(equal_error_rate_lies_on_the_polyline)
{
	static const double id[] = { .8, .5, .4 };
	static const double ood[] = { .9, .7, .6, .3 };
	struct ood_curve c = curve_of(id, 3, ood, 4);

	NEAR(figure("eer", &b8), 0.25, TOL);
	NEAR(figure("eer", &c), 0.333333333333333, TOL);
	NEAR(figure("eer:method=nearest", &c), 0.291666666666667, TOL);
	curve_free(&c);
}
END_TEST

/* Section 11 of the scorers spec; 1e-9. */
START_TEST(worked_example_of_the_scorers)
{
	static const double id[] = { .1, .2, .2, .3, .35, .4, .5, .6, .7, .9 };
	static const double ood[] = { .3,  .5,	.55, .6,  .8,  .85, .9,
				      .95, 1.0, 1.2, 1.3, 1.4, 1.5, 1.6,
				      1.7, 1.8, 1.9, 2.0, 2.1, 2.2 };
	struct ood_curve c = { .id = id, .ood = ood, .n_id = 10, .n_ood = 20 };
	struct ood_curve few = {
		.id = id, .ood = ood, .n_id = 10, .n_ood = 13
	};

	NEAR(figure("auroc", &c), 0.91, 1e-15);
	ck_assert(figure("fpr95_ood", &c) == 0.4);
	ck_assert(figure("fpr95_id", &c) == 0.35);
	ck_assert(figure("fpr:method=hendrycks", &c) == 0.6);
	ck_assert(figure("fpr:method=nearest", &c) == 0.4);
	ck_assert(figure("fpr:method=openood-v1", &c) == 0.2);
	NEAR(figure("aupr_trapz", &c), 0.9578211359422996, 1e-12);
	NEAR(figure("aupr_ood", &c), 0.9542990179163454, 1e-12);
	NEAR(figure("aupr_trapz:positive=id", &c), 0.8336303239244415, 1e-12);
	NEAR(figure("aupr_id", &c), 0.8215463621345974, 1e-12);
	NEAR(figure("detection_error", &c), 0.15, 1e-15);
	NEAR(figure("error_rate", &c), 0.16666666666666666, 1e-15);
	ck_assert(figure("fpr95_ood", &few) == 0.7);
	ck_assert(figure("fpr:method=hendrycks", &few) == 0.6);
}
END_TEST

static size_t numbers(char *list, double *x)
{
	size_t n = 0;

	for (char *at = list; at;) {
		char *next = strchr(at, ',');

		if (next)
			*next++ = '\0';
		x[n++] = number(at);
		at = next;
	}
	return n;
}

START_TEST(figures_equal_those_of_scikit_learn)
{
	static const char *const names[] = { "auroc",	       "aupr_ood",
					     "aupr_id",	       "aupr_trapz",
					     "fpr95_ood",      "fpr95_id",
					     "detection_error" };
	static const size_t column[] = { 2, 3, 4, 5, 7, 8, 9 };
	static char line[8192];
	static double id[128], ood[128];
	char *field[10];
	size_t cases = 0;
	FILE *f = fopen("tests/ref/detection.tsv", "r");

	ck_assert_ptr_nonnull(f);
	table_line(f, line, sizeof(line), field, 10);
	while (table_line(f, line, sizeof(line), field, 10)) {
		size_t n_id = numbers(field[0], id);
		size_t n_ood = numbers(field[1], ood);
		struct ood_curve c = curve_of(id, n_id, ood, n_ood);

		for (size_t i = 0; i < OOD_COUNT(names); i++)
			NEAR(figure(names[i], &c), number(field[column[i]]),
			     1e-12);
		NEAR(figure("aupr_trapz:positive=id", &c), number(field[6]),
		     1e-12);
		curve_free(&c);
		cases++;
	}
	ck_assert_uint_eq(cases, 8);
	fclose(f);
}
END_TEST

/* Case h49, whose scores point to ID; 1e-10. */
START_TEST(mixed_scores_of_a_handed_case)
{
	static const double id[] = { -.42,  -.331, -.904, -.47,	 -.188, -.003,
				     -.948, -.275, -.871, -.631, -.073, -.77,
				     -.333, -.823, -.313, -.157, -.929, -.735 };
	static const double ood[] = {
		-.897, -.093, -.688, -.648, -.045, -.042,
		-.83,  -.433, -.209, -.479, -.891, -.094
	};
	struct ood_curve c = curve_of(id, 18, ood, 12);

	NEAR(figure("auroc", &c), 0.5601851851851852, 1e-14);
	NEAR(figure("fpr95_ood", &c), 0.8333333333333334, 1e-14);
	NEAR(figure("fpr95_id", &c), 1, 1e-14);
	NEAR(figure("aupr_ood", &c), 0.49632452171151864, 1e-14);
	NEAR(figure("aupr_id", &c), 0.6983211209623094, 1e-14);
	curve_free(&c);
}
END_TEST

/* Case h50: every score tied across the classes. scikit-learn's default
 * roc_curve drops vertices and gives FPR95 = 1. */
START_TEST(scores_tied_across_the_sides_keep_all_vertices)
{
	double x[20];

	for (int i = 0; i < 20; i++)
		x[i] = (double)i / 20;
	struct ood_curve c = curve_of(x, 20, x, 20);

	ck_assert(figure("auroc", &c) == 0.5);
	ck_assert(figure("fpr95_ood", &c) == 0.95);
	ck_assert(figure("fpr95_id", &c) == 0.95);
	NEAR(figure("aupr_ood", &c), 0.5, TOL);
	NEAR(figure("aupr_id", &c), 0.5, TOL);
	curve_free(&c);
}
END_TEST

START_TEST(one_side_alone_is_undefined_but_for_average_precision)
{
	struct ood_curve ood = { .ood = b8.ood, .n_ood = 4 };
	struct ood_curve id = { .id = b8.id, .n_id = 4 };
	struct ood_curve none = { .id = NULL };

	for (size_t i = 0; ood_metrics[i]; i++) {
		const char *name = ood_metrics[i]->name;

		if (ood_metrics[i]->kind != OOD_METRIC_DETECTION)
			continue;
		struct ood_value v = figure_value(name, &none);

		ck_assert_int_eq(v.status, OOD_STATUS_UNDEFINED);
		ck_assert(isnan(v.x) && v.reason);
		if (strncmp(name, "aupr", 4) && strcmp(name, "fbeta")) {
			ck_assert(isnan(figure(name, &ood)));
			ck_assert(isnan(figure(name, &id)));
		}
	}
	ck_assert(figure("aupr_ood", &ood) == 1);
	ck_assert(isnan(figure("aupr_ood", &id)));
	ck_assert(figure("aupr_id", &id) == 1);
	ck_assert(isnan(figure("aupr_id", &ood)));
}
END_TEST

/* Infinite scores have a rank like others. */
START_TEST(infinite_scores_are_ranked)
{
	static const double id[] = { -INFINITY, 0, INFINITY };
	static const double ood[] = { 1, INFINITY };
	struct ood_curve c = { .id = id, .ood = ood, .n_id = 3, .n_ood = 2 };

	/* Pairs won: 1 beats 2; +inf beats 2 and ties 1. */
	NEAR(figure("auroc", &c), 4.5 / 6, TOL);
	NEAR(figure("aupr_ood", &c), .5 * .5 + .5 * 2 / 3, TOL);
}
END_TEST

START_TEST(exchanged_sides_mirror_the_figures)
{
	double id[300], ood[200];
	uint64_t seed = 7;

	for (unsigned values = 1; values < 60; values += 7) {
		random_scores(id, 300, values, &seed);
		random_scores(ood, 200, values + 3, &seed);
		struct ood_curve c = curve_of(id, 300, ood, 200);

		for (int i = 0; i < 300; i++)
			id[i] = -id[i];
		for (int i = 0; i < 200; i++)
			ood[i] = -ood[i];
		struct ood_curve back = curve_of(ood, 200, id, 300);
		struct ood_curve down = curve_of(id, 300, ood, 200);
		struct ood_tally t, d;

		ck_assert(figure("auroc", &c) == figure("auroc", &back));
		ck_assert(figure("aupr_ood", &c) == figure("aupr_id", &back));
		ck_assert(figure("aupr_id", &c) == figure("aupr_ood", &back));
		ck_assert(figure("fpr95_id", &c) == figure("fpr95_ood", &back));
		ood_tally(&c, &t);
		ood_tally(&down, &d);
		ck_assert_uint_eq((uint64_t)(t.u2 + d.u2), 2 * 300 * 200);
		curve_free(&c);
		curve_free(&back);
		curve_free(&down);
	}
}
END_TEST

static const char *const rank_figures[] = {
	"auroc",    "aupr_ood", "aupr_id",	   "aupr_trapz", "fpr95_ood",
	"fpr95_id", "youden",	"detection_error", "fbeta",	 "eer"
};

START_TEST(doubled_scores_and_doubled_rows_change_nothing)
{
	double id[240], ood[180];
	uint64_t seed = 11;

	random_scores(id, 120, 30, &seed);
	random_scores(ood, 90, 40, &seed);
	memcpy(id + 120, id, 120 * sizeof(*id));
	memcpy(ood + 90, ood, 90 * sizeof(*ood));
	struct ood_curve c = curve_of(id, 120, ood, 90);
	struct ood_curve twice = curve_of(id, 240, ood, 180);

	for (int i = 0; i < 120; i++)
		id[i] *= 2;
	for (int i = 0; i < 90; i++)
		ood[i] *= 2;
	struct ood_curve scaled = curve_of(id, 120, ood, 90);

	for (size_t i = 0; i < OOD_COUNT(rank_figures); i++) {
		const char *name = rank_figures[i];

		ck_assert(figure(name, &c) == figure(name, &scaled));
		NEAR(figure(name, &c), figure(name, &twice), 1e-14);
	}
	curve_free(&c);
	curve_free(&twice);
	curve_free(&scaled);
}
END_TEST

/* Long sides are walked in stretches; pairs are counted here by merging. */
START_TEST(long_curves_are_counted_exactly)
{
	size_t n = 200000, m = 70000;
	double *id = ood_malloc(n, sizeof(*id));
	double *ood = ood_malloc(m, sizeof(*ood));
	uint64_t seed = 3, u2 = 0;

	random_scores(id, n, 5000, &seed);
	random_scores(ood, m, 5500, &seed);
	for (size_t i = 0; i < 90000; i++)
		id[i] = 17; /* a tie longer than a stretch */
	struct ood_curve c = curve_of(id, n, ood, m);
	struct ood_tally t;
	size_t below = 0, upto = 0;
	double aurc = figure("aurc", &c);

	for (size_t i = 0; i < m; i++) {
		while (below < n && c.id[below] < c.ood[i])
			below++;
		while (upto < n && c.id[upto] <= c.ood[i])
			upto++;
		u2 += below + upto;
	}
	ood_tally(&c, &t);
	ck_assert_uint_eq((uint64_t)t.u2, u2);
	for (int threads = 1; threads <= 3; threads++) {
		struct ood_tally again;

		ood_threads_set(threads);
		ood_tally(&c, &again);
		ck_assert(again.precision_ood == t.precision_ood);
		ck_assert(again.precision_id == t.precision_id);
		ck_assert(again.youden == t.youden);
		ck_assert(figure("aurc", &c) == aurc);
	}
	ood_threads_set(0);
	curve_free(&c);
	ood_free(id);
	ood_free(ood);
}
END_TEST

START_TEST(shares_become_counts_without_rounding_faults)
{
	ck_assert_uint_eq(ood_quota_least(0.95, 20), 19);
	ck_assert_uint_eq(ood_quota_least(0.95, 21), 20);
	ck_assert_uint_eq(ood_quota_least(1 - 0.3, 10), 7);
	ck_assert_uint_eq(ood_quota_least(0.1, 30), 3);
	ck_assert_uint_eq(ood_quota_most(0.1, 30), 3);
	ck_assert_uint_eq(ood_quota_most(0.3, 10), 3);
	ck_assert_uint_eq(ood_quota_most(1 - 0.7, 10), 3);
	ck_assert_uint_eq(ood_quota_least(0, 5), 0);
	ck_assert_uint_eq(ood_quota_least(1, 5), 5);
	/* Every thousandth of many sizes, against integers. */
	for (uint64_t q = 1; q <= 1000; q++) {
		for (uint64_t n = 1; n < 3000000000u; n = n * 3 + 1) {
			double share = (double)q / 1000;

			ck_assert_uint_eq(ood_quota_least(share, n),
					  (q * n + 999) / 1000);
			ck_assert_uint_eq(ood_quota_most(share, n),
					  q * n / 1000);
		}
	}
}
END_TEST

START_TEST(the_public_call_fills_every_figure)
{
	static const double id[] = { .8, .5, .3, .1 };
	static const double ood[] = { .9, .8, .6, .5 };
	static const double nan[] = { .9, NAN };
	struct ood_detection d;
	struct ood_err err;

	ck_assert_int_eq(ood_detect(id, 4, ood, 4, &d, &err), OOD_OK);
	ck_assert(d.auroc == 0.8125 && d.fpr95_ood == .5 && d.fpr95_id == .75);
	NEAR(d.auroc_lo, 0.329346337876975, TOL);
	NEAR(d.auroc_hi, 0.974514186031925, TOL);
	NEAR(d.aupr_ood, 0.770833333333333, TOL);
	NEAR(d.aupr_id, 0.830357142857143, TOL);
	ck_assert(d.detection_error == 0.25 && d.n_id == 4 && d.n_ood == 4);
	ck_assert_int_eq(ood_detect(id, 4, NULL, 0, &d, &err), OOD_OK);
	ck_assert(isnan(d.auroc) && d.aupr_id == 1 && isnan(d.aupr_ood));
	ck_assert_int_eq(ood_detect(NULL, 0, NULL, 0, &d, &err), OOD_INPUT);
	ck_assert_int_eq(ood_detect(id, 4, nan, 2, &d, &err), OOD_INPUT);
	ck_assert_uint_eq(err.line, 2);
}
END_TEST

static int parse(const char *typed, struct ood_measure *measure,
		 struct ood_err *err)
{
	struct ood_spec *specs;
	size_t n;
	int rc = ood_specs_parse(typed, &specs, &n, err);

	ck_assert_int_eq(rc, OOD_OK);
	rc = ood_measure_parse(measure, specs, err);
	ood_free(specs);
	return rc;
}

START_TEST(measures_are_named_as_typed_and_unknown_ones_refused)
{
	struct ood_measure measure;
	struct ood_err err;

	ck_assert_int_eq(parse("f=fbeta:beta=2", &measure, &err), OOD_OK);
	ck_assert_str_eq(measure.column, "f");
	ood_measure_free(&measure);
	ck_assert_int_eq(parse("fpr:tpr=0.9", &measure, &err), OOD_OK);
	ck_assert_str_eq(measure.column, "fpr:tpr=0.9");
	ood_measure_free(&measure);
	ck_assert_int_eq(parse("aurock", &measure, &err), OOD_USAGE);
	ck_assert_ptr_nonnull(strstr(err.what, "auroc"));
	ck_assert_int_eq(parse("fpr:tpr=2", &measure, &err), OOD_USAGE);
	ck_assert_int_eq(parse("auroc:tpr=1", &measure, &err), OOD_USAGE);
}
END_TEST

START_TEST(metrics_have_names_and_tables)
{
	for (size_t i = 0; ood_metrics[i]; i++) {
		const struct ood_metric *m = ood_metrics[i];

		ck_assert(m->name && m->brief && m->formula);
		ck_assert(m->value != NULL);
		ck_assert_uint_le(ood_param_count(m->params), OOD_PARAMS_MAX);
		ck_assert(ood_metric_find(m->name, strlen(m->name)) == m);
	}
}
END_TEST

Suite *suite_roc(void);
Suite *suite_roc(void)
{
	Suite *s = suite_create("roc");
	TCase *t = tcase_create("roc");

	tcase_add_test(t, auroc_of_the_worked_example);
	tcase_add_test(t, partial_areas_of_the_worked_example);
	tcase_add_test(t, precision_recall_of_the_worked_example);
	tcase_add_test(t, fpr_at_recall_by_every_method);
	tcase_add_test(t, recall_at_a_false_positive_rate);
	tcase_add_test(t, optima_of_the_worked_example);
	tcase_add_test(t, equal_error_rate_lies_on_the_polyline);
	tcase_add_test(t, worked_example_of_the_scorers);
	tcase_add_test(t, figures_equal_those_of_scikit_learn);
	tcase_add_test(t, mixed_scores_of_a_handed_case);
	tcase_add_test(t, scores_tied_across_the_sides_keep_all_vertices);
	tcase_add_test(t,
		       one_side_alone_is_undefined_but_for_average_precision);
	tcase_add_test(t, infinite_scores_are_ranked);
	tcase_add_test(t, exchanged_sides_mirror_the_figures);
	tcase_add_test(t, doubled_scores_and_doubled_rows_change_nothing);
	tcase_add_test(t, long_curves_are_counted_exactly);
	tcase_add_test(t, shares_become_counts_without_rounding_faults);
	tcase_add_test(t, the_public_call_fills_every_figure);
	tcase_add_test(t, measures_are_named_as_typed_and_unknown_ones_refused);
	tcase_add_test(t, metrics_have_names_and_tables);
	suite_add_tcase(s, t);
	return s;
}
