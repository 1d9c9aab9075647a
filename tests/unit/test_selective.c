/*
 * test_selective.c - failure prediction and risk-coverage
 *
 * Worked examples X11-X13 of the evaluation spec (1e-9, here 1e-12).
 */
#include <stdio.h>

#include "core/mem.h"
#include "figures.h"

#define TOL 1e-12

/* S8 with score = -confidence: right, then wrong rows. */
static const double s8_right[] = { -.95, -.9, -.8, -.7, -.5 };
static const double s8_wrong[] = { -.9, -.7, -.6 };
static const struct ood_curve s8 = { s8_right, s8_wrong, 5, 3 };

START_TEST(areas_of_the_worked_example)
{
	NEAR(figure("aurc", &s8), 0.283779761904762, TOL);
	NEAR(figure("aurc:method=trapezoid", &s8), 0.248883928571429, TOL);
	NEAR(figure("eaurc", &s8), 0.180357142857143, TOL);
	NEAR(figure("naurc", &s8), 0.664109589041096, TOL);
	NEAR(figure("auroc_failure", &s8), 0.6, TOL);
	NEAR(figure("augrc", &s8), 0.1640625, TOL);
	NEAR(figure("accuracy", &s8), 0.625, TOL);
}
END_TEST

/* Wilson 7/8, example X9. */
START_TEST(accuracy_has_a_wilson_interval)
{
	static const double right[7] = { 0 }, wrong[1] = { 0 };
	struct ood_curve c = { right, wrong, 7, 1 };
	struct ood_value v = figure_value("accuracy", &c);

	NEAR(v.lo, 0.529111817787147, TOL);
	NEAR(v.hi, 0.977582508549943, TOL);
	ck_assert_str_eq(v.method, "wilson");
}
END_TEST

START_TEST(operating_points_are_vertices)
{
	NEAR(figure("risk:coverage=0.5", &s8), .25, TOL);
	NEAR(figure("risk:coverage=0.75", &s8), 0.333333333333333, TOL);
	NEAR(figure("risk:coverage=0.8", &s8), 0.428571428571429, TOL);
	NEAR(figure("risk:coverage=0.9", &s8), .375, TOL);
	NEAR(figure("coverage:risk=0", &s8), .125, TOL);
	NEAR(figure("coverage:risk=0.2", &s8), .125, TOL);
	NEAR(figure("coverage:risk=0.25", &s8), .5, TOL);
	NEAR(figure("coverage:risk=0.3", &s8), .5, TOL);
	NEAR(figure("coverage:risk=0.35", &s8), .75, TOL);
}
END_TEST

START_TEST(perfect_order_with_ties_has_no_excess)
{
	static const double right[] = { -1, -1 }, wrong[] = { 0, 0 };
	struct ood_curve c = { right, wrong, 2, 2 };

	NEAR(figure("aurc", &c), 0.208333333333333, TOL);
	NEAR(figure("aurc:method=trapezoid", &c), 0.125, TOL);
	ck_assert(figure("eaurc", &c) == 0);
}
END_TEST

START_TEST(all_right_and_all_wrong)
{
	static const double x[] = { 1, 2, 3 };
	struct ood_curve right = { x, NULL, 3, 0 }, wrong = { NULL, x, 0, 3 };
	struct ood_value v = figure_value("auroc_failure", &right);

	ck_assert(figure("aurc", &right) == 0);
	ck_assert(figure("aurc", &wrong) == 1);
	ck_assert(figure("eaurc", &right) == 0);
	ck_assert(figure("eaurc", &wrong) == 0);
	ck_assert(figure("augrc", &right) == 0);
	ck_assert(figure("augrc", &wrong) == 0.5);
	ck_assert(figure("accuracy", &right) == 1);
	ck_assert(isnan(figure("naurc", &wrong)));
	ck_assert_int_eq(v.status, OOD_STATUS_UNDEFINED);
	ck_assert_str_eq(v.reason, "every prediction is right");
	v = figure_value("coverage:risk=0.5", &wrong);
	ck_assert_int_eq(v.status, OOD_STATUS_UNDEFINED);
}
END_TEST

/* One vertex: risk is the error rate at every coverage. */
START_TEST(equal_scores_have_the_error_rate_as_area)
{
	static const double x[5] = { 0 };
	struct ood_curve c = { x, x, 5, 3 };

	NEAR(figure("aurc", &c), .375, TOL);
	NEAR(figure("auroc_failure", &c), .5, TOL);
}
END_TEST

/* Trapezoid of wrong/n over coverage from (0, 0), vertex by vertex. */
static double augrc_area(const struct ood_curve *c)
{
	double n = (double)(c->n_id + c->n_ood), area = 0;
	struct ood_vertex v = ood_curve_start();

	while (ood_curve_next(c, &v)) {
		double after = (double)(c->n_ood - v.tp + v.dtp) / n;
		double before = (double)(c->n_ood - v.tp) / n;

		area += (after + before) / 2 * (double)(v.dfp + v.dtp) / n;
	}
	return area;
}

START_TEST(closed_form_equals_the_area_and_excess_is_not_negative)
{
	double right[150], wrong[60];
	uint64_t seed = 13;

	for (unsigned values = 1; values < 400; values = values * 2 + 1) {
		random_scores(right, 150, values, &seed);
		random_scores(wrong, 60, values + 2, &seed);
		struct ood_curve c = curve_of(right, 150, wrong, 60);

		NEAR(figure("augrc", &c), augrc_area(&c), TOL);
		ck_assert(figure("eaurc", &c) >= 0);
		curve_free(&c);
	}
}
END_TEST

/* Variant A, row by row, averaged over all places of two tied rows. */
START_TEST(ties_are_the_mean_over_their_orders)
{
	static const double right[] = { 1, 2, 4 }, wrong[] = { 2, 3 };
	struct ood_curve c = { right, wrong, 3, 2 };
	double first = (0 + 1. / 2 + 1. / 3 + 2. / 4 + 2. / 5) / 5;
	double last = (0 + 0. / 2 + 1. / 3 + 2. / 4 + 2. / 5) / 5;

	NEAR(figure("aurc", &c), (first + last) / 2, TOL);
}
END_TEST

START_TEST(doubled_rows_keep_what_does_not_depend_on_n)
{
	static const char *const names[] = { "augrc", "auroc_failure",
					     "aurc:method=trapezoid",
					     "risk:coverage=0.8" };
	double right[160], wrong[80];
	uint64_t seed = 17;

	random_scores(right, 80, 20, &seed);
	random_scores(wrong, 40, 25, &seed);
	memcpy(right + 80, right, 80 * sizeof(*right));
	memcpy(wrong + 40, wrong, 40 * sizeof(*wrong));
	struct ood_curve c = curve_of(right, 80, wrong, 40);
	struct ood_curve twice = curve_of(right, 160, wrong, 80);

	for (size_t i = 0; i < OOD_COUNT(names); i++)
		NEAR(figure(names[i], &c), figure(names[i], &twice), 1e-14);
	curve_free(&c);
	curve_free(&twice);
}
END_TEST

Suite *suite_selective(void);
Suite *suite_selective(void)
{
	Suite *s = suite_create("selective");
	TCase *t = tcase_create("selective");

	tcase_add_test(t, areas_of_the_worked_example);
	tcase_add_test(t, accuracy_has_a_wilson_interval);
	tcase_add_test(t, operating_points_are_vertices);
	tcase_add_test(t, perfect_order_with_ties_has_no_excess);
	tcase_add_test(t, all_right_and_all_wrong);
	tcase_add_test(t, equal_scores_have_the_error_rate_as_area);
	tcase_add_test(t,
		       closed_form_equals_the_area_and_excess_is_not_negative);
	tcase_add_test(t, ties_are_the_mean_over_their_orders);
	tcase_add_test(t, doubled_rows_keep_what_does_not_depend_on_n);
	suite_add_tcase(s, t);
	return s;
}
