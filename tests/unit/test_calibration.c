/*
 * test_calibration.c - figures of class probabilities
 *
 * Worked examples X24 and X25 of the evaluation spec (1e-9, here 1e-12) and
 * case h54.
 */
#include <stdio.h>

#include "core/mem.h"
#include "core/thread.h"
#include "figures.h"
#include "metrics/calibration.h"

#define TOL 1e-12

static const double m6[] = { 2, .5,  -1,  .2, 1.5, .1, -.5, .3, 2.2,
			     1, 1.2, -.3, 3,  0,   0,  .4,  .3, .2 };
static const int64_t m6_labels[] = { 0, 1, 2, 0, 1, 2 };

static struct ood_view view_of(const double *x, size_t rows, size_t cols)
{
	return (struct ood_view){ .data = x,
				  .dtype = OOD_F8,
				  .rows = rows,
				  .cols = cols,
				  .stride = cols };
}

static struct ood_calibration *fresh(size_t m, bool left)
{
	struct ood_calibration *c;
	struct ood_err err;

	ck_assert_int_eq(ood_calibration_new(&c, &err), OOD_OK);
	ck_assert_int_eq(ood_calibration_bin(c, m, left, &err), OOD_OK);
	return c;
}

static double figure_in(const char *typed, const struct ood_calibration *c)
{
	return figure_of(typed, &(struct ood_evidence){ .calibration = c,
							.level = 0.95 })
		.x;
}

static void add(struct ood_calibration *c, struct ood_view view, bool is_probs,
		const int64_t *labels)
{
	struct ood_labelled block = { view, is_probs, labels };
	struct ood_err err;

	ck_assert_int_eq(ood_calibration_add(c, &block, &err), OOD_OK);
}

START_TEST(figures_of_the_worked_logits)
{
	struct ood_calibration *c = fresh(5, false);

	add(c, view_of(m6, 6, 3), false, m6_labels);
	ood_calibration_close(c);
	NEAR(figure_in("ece:bins=5", c), 0.357388975891803, TOL);
	NEAR(figure_in("mce:bins=5", c), 0.489749323042708, TOL);
	NEAR(figure_in("brier", c), 0.564837958751564, TOL);
	NEAR(figure_in("nll", c), 1.0110631487844, TOL);
	ck_assert_uint_eq(ood_calibration_rows(c), 6);
	ood_calibration_free(c);
}
END_TEST

/* The softmax of the same rows, given as probabilities. */
START_TEST(probabilities_give_the_figures_of_their_logits)
{
	struct ood_calibration *c = fresh(5, false);
	double p[18];

	for (size_t i = 0; i < 6; i++) {
		double sum = 0;

		for (size_t j = 0; j < 3; j++)
			sum += p[3 * i + j] = exp(m6[3 * i + j]);
		for (size_t j = 0; j < 3; j++)
			p[3 * i + j] /= sum;
	}
	add(c, view_of(p, 6, 3), true, m6_labels);
	ood_calibration_close(c);
	NEAR(figure_in("ece:bins=5", c), 0.357388975891803, TOL);
	NEAR(figure_in("mce:bins=5", c), 0.489749323042708, TOL);
	NEAR(figure_in("brier", c), 0.564837958751564, TOL);
	NEAR(figure_in("nll", c), 1.0110631487844, TOL);
	ood_calibration_free(c);
}
END_TEST

/* C8: P(event) and the event. */
START_TEST(bin_edges_belong_to_the_stated_side)
{
	static const double p[] = { .05, .2, .2, .4, .6, .8, .95, 1 };
	static const bool y[] = { 0, 0, 1, 0, 1, 1, 1, 1 };
	static const uint64_t right[] = { 3, 1, 1, 1, 2 };
	static const uint64_t left[] = { 1, 2, 1, 1, 3 };
	struct ood_calibration *c = fresh(5, false);
	struct ood_err err;

	ck_assert_int_eq(ood_calibration_bin(c, 5, true, &err), OOD_OK);
	ck_assert_int_eq(ood_calibration_bin(c, 10, true, &err), OOD_OK);
	ck_assert_int_eq(ood_calibration_bin(c, 10, false, &err), OOD_OK);
	ood_calibration_add_top(c, p, y, 8);
	ood_calibration_close(c);
	NEAR(figure_in("ece:bins=5", c), .2, TOL);
	NEAR(figure_in("mce:bins=5", c), .4, TOL);
	NEAR(figure_in("ece:bins=5:left=1", c), .2125, TOL);
	NEAR(figure_in("ece:bins=10", c), .2125, TOL);
	NEAR(figure_in("ece:bins=10:left=1", c), .2125, TOL);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(ood_calibration_bins(c, 5, 0)->bin[i].n,
				  right[i]);
		ck_assert_uint_eq(ood_calibration_bins(c, 5, 1)->bin[i].n,
				  left[i]);
	}
	ck_assert(isnan(figure_in("nll", c)));
	ood_calibration_free(c);
}
END_TEST

/* Case h54: confidence exactly 1, twice right and once wrong; the label then
 * has probability 0 and costs -ln 2^-52, as in scikit-learn. */
START_TEST(confidence_one_is_in_the_last_bin)
{
	static const double p[] = { 1,	    0,	    1,	    0,
				    0,	    1,	    .96875, .03125,
				    .40625, .59375, .53125, .46875 };
	static const int64_t y[] = { 1, 0, 1, 0, 0, 0 };
	struct ood_calibration *c = fresh(15, false);
	struct ood_bin_row row;

	add(c, view_of(p, 6, 2), true, y);
	ood_calibration_close(c);
	NEAR(figure_in("ece", c), 0.3385416666666667, TOL);
	NEAR(figure_in("mce", c), 0.59375, TOL);
	NEAR(figure_in("nll", c),
	     (52 * log(2) - log(.96875) - log(.40625) - log(.53125)) / 6, TOL);
	ck_assert_uint_eq(ood_calibration_clipped(c), 1);
	row = ood_bins_row(ood_calibration_bins(c, 15, false), 14);
	ck_assert_uint_eq(row.n, 4);
	NEAR(row.accuracy, .75, TOL);
	row = ood_bins_row(ood_calibration_bins(c, 15, false), 0);
	ck_assert(row.n == 0 && isnan(row.accuracy) && isnan(row.gap));
	ood_calibration_free(c);
}
END_TEST

/* Every edge i/m, and its neighbours, for all m up to 200. */
START_TEST(every_edge_closes_its_bin)
{
	for (size_t m = 1; m <= 200; m++) {
		struct ood_calibration *c = fresh(m, false);
		struct ood_err err;

		ck_assert_int_eq(ood_calibration_bin(c, m, true, &err), 0);
		for (size_t i = 0; i <= m; i++) {
			double edge = (double)i / (double)m;

			ood_calibration_add_top(c, &edge, &(bool){ 1 }, 1);
		}
		ood_calibration_close(c);
		for (size_t i = 0; i < m; i++) {
			bool first = i == 0, last = i == m - 1;

			ck_assert_uint_eq(
				ood_calibration_bins(c, m, false)->bin[i].n,
				1u + first);
			ck_assert_uint_eq(
				ood_calibration_bins(c, m, true)->bin[i].n,
				1u + last);
		}
		ood_calibration_free(c);
	}
}
END_TEST

/* 1 - p of a far-ahead class would round to 0: s = 2 exp(-50). */
START_TEST(sure_predictions_keep_their_digits)
{
	static const double z[] = { 50, 0, 0, 50, 0, 0 };
	static const int64_t right[] = { 0 }, wrong[] = { 1 };
	struct ood_calibration *c = fresh(15, false);
	double e = exp(-50);

	add(c, view_of(z, 1, 3), false, right);
	ood_calibration_close(c);
	NEAR(figure_in("nll", c), 2 * e, 1e-14 * 2 * e);
	NEAR(figure_in("brier", c), 6 * e * e, 1e-14 * 6 * e * e);
	ood_calibration_free(c);
	c = fresh(15, false);
	add(c, view_of(z, 1, 3), false, wrong);
	ood_calibration_close(c);
	NEAR(figure_in("nll", c), 50, 1e-14);
	NEAR(figure_in("brier", c), 2, 1e-14);
	ood_calibration_free(c);
}
END_TEST

START_TEST(a_masked_class_that_was_true_costs_infinitely)
{
	static const double z[] = { 1, -INFINITY, 0, 1, 0, 0 };
	static const int64_t y[] = { 1, 0 };
	struct ood_calibration *c = fresh(15, false);

	add(c, view_of(z, 2, 3), false, y);
	ood_calibration_close(c);
	ck_assert(figure_in("nll", c) == INFINITY);
	ck_assert(isfinite(figure_in("brier", c)));
	ood_calibration_free(c);
}
END_TEST

#define MANY 40000

static struct ood_calibration *in_blocks(const double *z, const int64_t *y,
					 size_t block, int threads)
{
	struct ood_calibration *c = fresh(15, false);

	ood_threads_set(threads);
	for (size_t at = 0; at < MANY; at += block)
		add(c, view_of(z + 4 * at, OOD_MIN(block, MANY - at), 4), false,
		    y + at);
	ood_calibration_close(c);
	ood_threads_set(0);
	return c;
}

START_TEST(blocks_and_threads_leave_every_bit)
{
	static const size_t blocks[] = { MANY, 1, 255, 256, 257, 17000, 39999 };
	static const char *const names[] = { "nll", "brier", "ece", "mce" };
	double *z = ood_malloc(4 * MANY, sizeof(*z));
	int64_t *y = ood_malloc(MANY, sizeof(*y));
	double want[4];
	uint64_t seed = 23, n = 0;

	random_scores(z, 4 * MANY, 97, &seed);
	for (size_t i = 0; i < MANY; i++)
		y[i] = (int64_t)(i * i % 7 % 4);
	for (size_t i = 0; i < 2 * OOD_COUNT(blocks); i++) {
		struct ood_calibration *c =
			in_blocks(z, y, blocks[i / 2], i % 2 ? 3 : 1);

		for (size_t k = 0; k < 4; k++) {
			double got = figure_in(names[k], c);

			if (i == 0)
				want[k] = got;
			ck_assert_msg(got == want[k], "%s, block %zu", names[k],
				      blocks[i / 2]);
		}
		n = 0;
		for (size_t b = 0; b < 15; b++)
			n += ood_calibration_bins(c, 15, false)->bin[b].n;
		ck_assert_uint_eq(n, MANY);
		ood_calibration_free(c);
	}
	ood_free(z);
	ood_free(y);
}
END_TEST

START_TEST(a_label_that_is_no_class_is_refused_with_its_row)
{
	static const int64_t y[] = { 0, 1, 2, 0, 3, 2 };
	struct ood_calibration *c = fresh(15, false);
	struct ood_labelled block = { view_of(m6, 6, 3), false, y };
	struct ood_err err;

	add(c, view_of(m6, 6, 3), false, m6_labels);
	ck_assert_int_eq(ood_calibration_add(c, &block, &err), OOD_INPUT);
	ck_assert_uint_eq(err.line, 11);
	ck_assert_ptr_nonnull(strstr(err.what, "label 3"));
	ood_calibration_free(c);
}
END_TEST

START_TEST(no_rows_are_undefined)
{
	struct ood_calibration *c = fresh(15, false);
	struct ood_evidence evidence = { .calibration = c, .level = 0.95 };

	ood_calibration_close(c);
	ck_assert_int_eq(figure_of("nll", &evidence).status,
			 OOD_STATUS_UNDEFINED);
	ck_assert_int_eq(figure_of("ece", &evidence).status,
			 OOD_STATUS_UNDEFINED);
	ood_calibration_free(c);
}
END_TEST

START_TEST(float_rows_and_strides_are_read_as_they_are)
{
	static const float z[] = { 2, .5f, -1, 99, 0, 1.5f, .25f, 99 };
	static const double same[] = { 2, .5, -1, 0, 1.5, .25 };
	static const int64_t y[] = { 1, 1 };
	struct ood_calibration *a = fresh(15, false), *b = fresh(15, false);
	struct ood_view view = { z, OOD_F4, 2, 3, 4 };

	add(a, view, false, y);
	add(b, view_of(same, 2, 3), false, y);
	ood_calibration_close(a);
	ood_calibration_close(b);
	NEAR(figure_in("nll", a), figure_in("nll", b), 1e-15);
	NEAR(figure_in("brier", a), figure_in("brier", b), 1e-15);
	ood_calibration_free(a);
	ood_calibration_free(b);
}
END_TEST

Suite *suite_calibration(void);
Suite *suite_calibration(void)
{
	Suite *s = suite_create("calibration");
	TCase *t = tcase_create("calibration");

	tcase_add_test(t, figures_of_the_worked_logits);
	tcase_add_test(t, probabilities_give_the_figures_of_their_logits);
	tcase_add_test(t, bin_edges_belong_to_the_stated_side);
	tcase_add_test(t, confidence_one_is_in_the_last_bin);
	tcase_add_test(t, every_edge_closes_its_bin);
	tcase_add_test(t, sure_predictions_keep_their_digits);
	tcase_add_test(t, a_masked_class_that_was_true_costs_infinitely);
	tcase_add_test(t, blocks_and_threads_leave_every_bit);
	tcase_add_test(t, a_label_that_is_no_class_is_refused_with_its_row);
	tcase_add_test(t, no_rows_are_undefined);
	tcase_add_test(t, float_rows_and_strides_are_read_as_they_are);
	suite_add_tcase(s, t);
	return s;
}
