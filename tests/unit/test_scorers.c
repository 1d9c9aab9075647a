/*
 * test_scorers.c - every scorer of class scores: worked values, limits,
 * symmetries, orientation
 */
#include <stdio.h>

#include "figures.h"
#include "onescore.h"

static size_t read_list(char *text, double *x)
{
	size_t n = 0;

	for (char *at = text; at; n++) {
		char *comma = strchr(at, ',');

		if (comma)
			*comma++ = '\0';
		x[n] = number(at);
		at = comma;
	}
	return n;
}

START_TEST(scores_are_the_worked_values)
{
	static char line[1024];
	char *field[3];
	size_t lines = 0;
	FILE *f = fopen("tests/ref/scorers.tsv", "r");

	ck_assert_ptr_nonnull(f);
	for (; table_line(f, line, sizeof(line), field, 3); lines++) {
		double z[16], want = number(field[2]);
		size_t c = read_list(field[1], z);
		double got = score(field[0], z, c);

		/* The table's own 1e-9 is for scorers with sums that cancel. */
		ck_assert_msg(fabs(got - want) <= 1e-12 + 1e-12 * fabs(want),
			      "%s is %.17g, not %.17g", field[0], got, want);
	}
	ck_assert_uint_eq(lines, 150);
	fclose(f);
}
END_TEST

/*
 * Rows where the usual forms lose all digits. Values from a reference with 60
 * digits; relative tolerance 1e-12, and 0 means 0.
 */
START_TEST(no_digit_is_lost_on_confident_rows)
{
	static const struct {
		double z[4];
		size_t c;
		double msp, log, entropy, energy, margin, alpha, beta;
	} cases[] = {
		{ { 2, 1, -1, 0.5 },
		  4,
		  0.3905399624011229,
		  0.49518189808585605,
		  1.0144027755025642,
		  -2.495181898085856,
		  0,
		  1.2669343289483,
		  0.6407966696877361 },
		{ { 30, 1, 0, -5 },
		  4,
		  3.485733061019872e-13,
		  3.48573306102048e-13,
		  1.0554558482804133e-11,
		  -30.000000000000348,
		  0,
		  6.971466122042655e-13,
		  3.4857330610210874e-13 },
		{ { 0, 60, -1, 0.5 },
		  4,
		  2.641489660026139e-26,
		  2.641489660026139e-26,
		  1.6073115101261512e-24,
		  -60,
		  0,
		  5.282979320052278e-26,
		  2.641489660026139e-26 },
		{ { 800, 0, -3, 1 }, 4, 0, 0, 0, -800, 0, 0, 0 },
		{ { 1, 3, 3, -2 },
		  4,
		  0.5331625521084695,
		  0.7617741592262746,
		  0.9038609456033971,
		  -3.7617741592262743,
		  1,
		  1.2733681613168626,
		  1.1420732302356982 },
		{ { -INFINITY, 1, 2, -INFINITY },
		  4,
		  0.2689414213699951,
		  0.3132616875182228,
		  0.5822031088882179,
		  -2.313261687518223,
		  0,
		  0.6480542736638853,
		  0.36787944117144233 },
		{ { -INFINITY, 1, -INFINITY }, 3, 0, 0, 0, -1, 0, 0, 0 },
		{ { 1e308, 1e308 },
		  2,
		  0.5,
		  0.6931471805599453,
		  0.6931471805599453,
		  -1e308,
		  1,
		  1,
		  1 },
		{ { 1.00001, 1, -30 },
		  3,
		  0.4999975000000086,
		  0.6931421805724625,
		  0.6931471805479961,
		  -1.6931521805724625,
		  0,
		  0.9999999999500688,
		  0.9999900000500342 },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		const double *z = cases[i].z;
		size_t c = cases[i].c;

#define ALMOST(spec, want) NEAR(score(spec, z, c), (want), 1e-12 * fabs(want))
		ALMOST("msp", cases[i].msp);
		ALMOST("msp:log=1", cases[i].log);
		ALMOST("entropy", cases[i].entropy);
		ALMOST("energy", cases[i].energy);
		ALMOST("doctor-alpha", cases[i].alpha);
		ALMOST("doctor-beta", cases[i].beta);
		if (cases[i].margin > 0)
			ALMOST("margin", cases[i].margin);
	}
}
END_TEST

START_TEST(one_class_is_certain_or_refused)
{
	static const double z[] = { 5 };
	double out;

	ck_assert_double_eq(score("msp", z, 1), 0);
	ck_assert_double_eq(score("entropy", z, 1), 0);
	ck_assert_double_eq(score("entropy:normalize=1", z, 1), 0);
	ck_assert_double_eq(score("energy", z, 1), -5);
	ck_assert_double_eq(score("gen", z, 1), 0);
	ck_assert_double_eq(score("doctor-alpha", z, 1), 0);
	ck_assert_int_eq(run_one("margin", view_of(z, 1, 1), false, &out),
			 OOD_INPUT);
	ck_assert_int_eq(run_one("margin-logit", view_of(z, 1, 1), false, &out),
			 OOD_INPUT);
	ck_assert_int_eq(run_one("logitgap", view_of(z, 1, 1), false, &out),
			 OOD_INPUT);
}
END_TEST

/* p as given: the forms of the header on rows whose sums are easy. */
START_TEST(probabilities_are_used_as_given)
{
	static const double p[] = { 0.7, 0.2, 0.05, 0.05 };
	static const double sure[] = { 1, 1e-20, 0, 0 };
	static const double odd[] = { 0.5, 0.3 }; /* sum 0.8, --prob-tol 0.2 */

	NEAR(probs_score("msp", p, 4), 0.3, 1e-16);
	NEAR(probs_score("msp:log=1", p, 4), -log(0.7), 1e-16);
	NEAR(probs_score("margin", p, 4), 0.5, 2e-16);
	NEAR(probs_score("entropy", p, 4),
	     -0.7 * log(0.7) - 0.2 * log(0.2) - 0.1 * log(0.05), 4e-16);
	NEAR(probs_score("doctor-beta", p, 4), 0.3 / 0.7, 1e-16);
	NEAR(probs_score("msp", sure, 4), 1e-20, 1e-35);
	NEAR(probs_score("entropy", sure, 4), 1e-20 * -log(1e-20), 1e-31);
	NEAR(probs_score("msp", odd, 2), 0.3, 1e-16);
	NEAR(probs_score("entropy", odd, 2), -0.5 * log(0.5) - 0.3 * log(0.3),
	     4e-16);
	NEAR(probs_score("gen:gamma=0.5", p, 4),
	     sqrt(.21) + sqrt(.16) + 2 * sqrt(.05 * .95), 1e-15);
}
END_TEST

START_TEST(logits_and_their_probabilities_score_alike)
{
	static const char *const specs[] = { "msp",	     "msp:log=1",
					     "margin",	     "entropy",
					     "gen",	     "gen:top=3",
					     "doctor-alpha", "doctor-beta" };

	logit_state = 7;
	for (size_t c = 2; c < 200; c += 13) {
		double z[200], p[200], sum = 0;

		for (size_t j = 0; j < c; j++)
			sum += p[j] = exp(z[j] = logit());
		for (size_t j = 0; j < c; j++)
			p[j] /= sum;
		for (size_t i = 0; i < OOD_COUNT(specs); i++) {
			double a = score(specs[i], z, c);

			NEAR(probs_score(specs[i], p, c), a, 1e-13 * fabs(a));
		}
	}
}
END_TEST

/* gen by sorting and libm, for all `top` of rows with ties and -inf. */
static double naive_gen(const double *z, size_t c, size_t top, double gamma)
{
	double p[64], m = -INFINITY, sum = 0, score = 0;

	for (size_t j = 0; j < c; j++)
		m = fmax(m, z[j]);
	for (size_t j = 0; j < c; j++)
		sum += p[j] = exp(z[j] - m);
	for (size_t t = 0; t < top; t++) {
		size_t best = 0;

		for (size_t j = 1; j < c; j++)
			best = p[j] > p[best] ? j : best;
		score += pow(p[best] / sum * (1 - p[best] / sum), gamma);
		p[best] = -1;
	}
	return score;
}

START_TEST(gen_takes_the_largest_whatever_the_ties)
{
	logit_state = 8;
	for (size_t c = 2; c < 64; c += 3)
		for (size_t top = 1; top <= c; top++) {
			double z[64];
			char spec[40];

			for (size_t j = 0; j < c; j++)
				z[j] = floor(logit());
			z[c / 2] = c > 8 ? -INFINITY : z[c / 2];
			snprintf(spec, sizeof(spec), "gen:gamma=0.5:top=%zu",
				 top);
			double want = naive_gen(z, c, top, 0.5);

			NEAR(score(spec, z, c), want, 1e-13 * want);
		}
}
END_TEST

/* All, with the parameters that they must be given. */
static const char *spec_of(const struct ood_scorer *s)
{
	return strcmp(s->name, "energy-w") ? s->name
					   : "energy-w:weights=[1,1,1,1]";
}

START_TEST(every_scorer_tells_what_it_is)
{
	for (size_t i = 0; ood_scorers[i]; i++) {
		const struct ood_scorer *s = ood_scorers[i];
		const char *more;

		ck_assert_ptr_nonnull(s->brief);
		ck_assert_ptr_nonnull(s->formula);
		ck_assert_ptr_nonnull(s->cite);
		ck_assert_ptr_null(strchr(s->brief, '\n'));
		ck_assert(!s->score == (s->reshape != NULL));
		ck_assert(!s->fit == !s->add);
		ck_assert(!s->fit == !s->kept);
		ck_assert_ptr_eq(
			ood_scorer_find(s->name, strlen(s->name), &more), s);
		ck_assert_ptr_null(more);
		ck_assert_uint_le(ood_param_count(s->params), OOD_PARAMS_MAX);
		for (size_t k = 0; k < ood_param_count(s->params); k++)
			ck_assert_ptr_nonnull(s->params[k].help);
	}
}
END_TEST

START_TEST(a_flat_row_scores_higher_than_a_confident_one)
{
	static const double flat[] = { 0.1, 0, 0.05, 0.02 };
	static const double sure[] = { 9, 0, -1, 0.5 };

	for (size_t i = 0; ood_scorers[i]; i++) {
		const char *spec = spec_of(ood_scorers[i]);

		if (!takes_classes_alone(ood_scorers[i]))
			continue;
		ck_assert_msg(score(spec, flat, 4) > score(spec, sure, 4),
			      "%s is the wrong way round", spec);
	}
}
END_TEST

START_TEST(order_of_classes_does_not_matter)
{
	static const double a[] = { 0.3, -1, 2, 0.7 };
	static const double b[] = { 2, 0.7, -1, 0.3 };

	for (size_t i = 0; ood_scorers[i]; i++) {
		const char *spec = spec_of(ood_scorers[i]);

		if (!takes_classes_alone(ood_scorers[i]))
			continue;
		double x = score(spec, a, 4);

		NEAR(score(spec, b, 4), x, 1e-14 * fabs(x));
	}
}
END_TEST

/* By the shift of the logits: 0, or 1 for those in units of logits. */
START_TEST(a_shift_moves_energies_and_nothing_else)
{
	static const double a[] = { 0.25, -1, 2, 0.75 };
	static const double b[] = { 16.25, 15, 18, 16.75 };

	for (size_t i = 0; ood_scorers[i]; i++) {
		const char *spec = spec_of(ood_scorers[i]);

		if (!takes_classes_alone(ood_scorers[i]))
			continue;
		bool moves = !strncmp(spec, "energy", 6) ||
			     !strcmp(spec, "maxlogit");

		NEAR(score(spec, b, 4), score(spec, a, 4) - (moves ? 16 : 0),
		     1e-14);
	}
}
END_TEST

START_TEST(a_map_goes_before_the_scorer)
{
	static const double z[] = { 2, 1, -1, 0.5 };
	static const double huge[] = { 1e308, 1e308, -1e308 };

	NEAR(score("msp:map=softmax:map.T=2", z, 4), score("msp:T=2", z, 4),
	     1e-15);
	NEAR(score("entropy:map=softmax", z, 4), score("entropy", z, 4), 1e-15);
	NEAR(score("gen:map=softmax", z, 4), score("gen", z, 4), 1e-14);
	NEAR(score("msp:map=softmax:map.T=0.5", huge, 3), 0.5, 1e-16);
}
END_TEST

/* z/(0.04 (||z|| + 1e-7)), also where squares leave the doubles. */
START_TEST(logit_norm_divides_by_the_norm)
{
	static const double z[] = { 3, 4, 0 };
	static const double big[] = { 3e200, 4e200, 0 };
	static const double none[] = { 0, 0, 0 };
	double scale = 0.04 * (5 + 1e-7);

	NEAR(score("maxlogit:logit-norm=0.04", z, 3), -4 / scale, 1e-13);
	NEAR(score("maxlogit:logit-norm=1", big, 3), -0.8, 1e-15);
	ck_assert_double_eq(score("maxlogit:logit-norm=1", none, 3), 0);
}
END_TEST

Suite *suite_scorers(void);

Suite *suite_scorers(void)
{
	Suite *suite = suite_create("scorers");
	TCase *t = tcase_create("scorers");

	tcase_add_test(t, scores_are_the_worked_values);
	tcase_add_test(t, no_digit_is_lost_on_confident_rows);
	tcase_add_test(t, one_class_is_certain_or_refused);
	tcase_add_test(t, probabilities_are_used_as_given);
	tcase_add_test(t, logits_and_their_probabilities_score_alike);
	tcase_add_test(t, gen_takes_the_largest_whatever_the_ties);
	tcase_add_test(t, every_scorer_tells_what_it_is);
	tcase_add_test(t, a_flat_row_scores_higher_than_a_confident_one);
	tcase_add_test(t, order_of_classes_does_not_matter);
	tcase_add_test(t, a_shift_moves_energies_and_nothing_else);
	tcase_add_test(t, a_map_goes_before_the_scorer);
	tcase_add_test(t, logit_norm_divides_by_the_norm);
	suite_add_tcase(suite, t);
	return suite;
}
