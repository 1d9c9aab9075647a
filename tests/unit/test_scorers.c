/*
 * test_scorers.c - every scorer of class scores: worked values, limits,
 * symmetries, orientation, sentences
 */
#include <stdio.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "figures.h"
#include "scorers/scorer.h"

static struct ood_err err;

static struct ood_scoring parse(const char *text)
{
	struct ood_scoring scoring;
	struct ood_spec *specs;
	size_t n;

	ck_assert_int_eq(ood_specs_parse(text, &specs, &n, &err), OOD_OK);
	int rc = ood_scoring_parse(&scoring, specs, &err);
	ck_assert_msg(!rc, "%s: %s", text, err.what);
	ood_free(specs);
	return scoring;
}

static int parse_code(const char *text)
{
	struct ood_scoring scoring;
	struct ood_spec *specs;
	size_t n;

	ck_assert_int_eq(ood_specs_parse(text, &specs, &n, &err), OOD_OK);
	int rc = ood_scoring_parse(&scoring, specs, &err);
	ood_free(specs);
	if (!rc)
		ood_scoring_free(&scoring);
	return rc;
}

static struct ood_view view_of(const double *z, size_t n, size_t c)
{
	return (struct ood_view){ z, OOD_F8, n, c, c };
}

static int run(const char *text, struct ood_view view, bool is_probs,
	       double *out)
{
	struct ood_scoring s = parse(text);
	int rc = ood_scorings_run(&s, 1, view, is_probs, out, 1, NULL, &err);

	ood_scoring_free(&s);
	return rc;
}

/* The score of one row. */
static double score(const char *text, const double *z, size_t c)
{
	double out = NAN;

	ck_assert_msg(!run(text, view_of(z, 1, c), false, &out), "%s: %s", text,
		      err.what);
	return out;
}

static double probs_score(const char *text, const double *p, size_t c)
{
	double out = NAN;

	ck_assert_msg(!run(text, view_of(p, 1, c), true, &out), "%s: %s", text,
		      err.what);
	return out;
}

static uint64_t state;

static double logit(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)(state >> 40) * 0x1p-21 - 4;
}

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
	ck_assert_int_eq(run("margin", view_of(z, 1, 1), false, &out),
			 OOD_INPUT);
	ck_assert_int_eq(run("margin-logit", view_of(z, 1, 1), false, &out),
			 OOD_INPUT);
	ck_assert_int_eq(run("logitgap", view_of(z, 1, 1), false, &out),
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

	state = 7;
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
	state = 8;
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
		ck_assert(s->score != NULL);
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
		bool moves = !strncmp(spec, "energy", 6) ||
			     !strcmp(spec, "maxlogit");

		NEAR(score(spec, b, 4), score(spec, a, 4) - (moves ? 16 : 0),
		     1e-14);
	}
}
END_TEST

/* Chunks, threads, stride, float or double: the same bytes. */
START_TEST(scores_do_not_depend_on_company_threads_or_type)
{
	enum { N = 1000, C = 70, PAD = 3 };
	static double z[N * (C + PAD)], all[N], one[1];
	static float f[N * (C + PAD)];
	static double again[N];

	state = 9;
	for (size_t i = 0; i < OOD_COUNT(z); i++)
		z[i] = (double)(f[i] = (float)logit());
	for (size_t i = 0; ood_scorers[i]; i++) {
		const char *spec = ood_scorers[i]->name;
		struct ood_view view = { z, OOD_F8, N, C, C + PAD };

		if (!strcmp(spec, "energy-w"))
			continue;
		ood_threads_set(2);
		ck_assert_int_eq(run(spec, view, false, all), OOD_OK);
		ood_threads_set(1);
		view.data = f;
		view.dtype = OOD_F4;
		ck_assert_int_eq(run(spec, view, false, again), OOD_OK);
		ck_assert_mem_eq(all, again, sizeof(all));
		for (size_t r = 0; r < N; r += 37) {
			run(spec, view_of(z + r * (C + PAD), 1, C), false, one);
			ck_assert_mem_eq(one, all + r, sizeof(one));
		}
	}
	ood_threads_set(0);
}
END_TEST

START_TEST(aliases_stand_for_scorers_and_parameters)
{
	static const struct {
		const char *typed, *spec;
	} cases[] = {
		{ "ebo", "energy:T=1" },
		{ "mls", "maxlogit" },
		{ "odin0", "msp:T=1000:log=0" },
		{ "odin0:T=10", "msp:T=10:log=0" },
		{ "odin0:log=1", "msp:T=1000:log=1" },
		{ "mcm:T=0.5", "msp:T=0.5:log=0" },
		{ "msp:map=softmax:map.T=2:logit-norm=0.04",
		  "msp:T=1:log=0:logit-norm=0.04:map=softmax:map.T=2" },
		{ "gen", "gen:gamma=0.1:top=100" },
		{ "energy-w:weights=[0.5,2]", "energy-w:weights=[0.5,2]" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		struct ood_scoring s = parse(cases[i].typed);

		ck_assert_str_eq(s.spec, cases[i].spec);
		ck_assert_str_eq(s.column, cases[i].typed);
		ood_scoring_free(&s);
	}
	struct ood_scoring s = parse("e2=energy:T=2");
	ck_assert_str_eq(s.column, "e2");
	ck_assert_double_eq(s.T, 2);
	ck_assert_uint_eq(ood_scoring_width(&s), 1);
	ood_scoring_free(&s);
}
END_TEST

START_TEST(wrong_specs_are_refused_in_words)
{
	static const struct {
		const char *typed, *sentence;
	} cases[] = {
		{ "mps", "no scorer \"mps\" (did you mean msp?)" },
		{ "knn", "no scorer \"knn\" (\"ood list scorers\" shows all)" },
		{ "msp:T=0",
		  "scorer msp: T: expected a number > 0, found \"0\"" },
		{ "msp:t=1",
		  "scorer msp has no parameter \"t\" (it has T, log)" },
		{ "maxlogit:T=1",
		  "scorer maxlogit has no parameter \"T\" (it has none)" },
		{ "msp:map=entmix",
		  "scorer msp: no map \"entmix\" (there are softmax)" },
		{ "msp:map=softmax:map.k=2",
		  "map softmax has no parameter \"k\" (it has T)" },
		{ "msp:map.T=2", "scorer msp: map.T=2 without map=NAME" },
		{ "energy:map=softmax", "scorer energy takes no map: it needs "
					"the logits themselves" },
		{ "msp:logit-norm=0", "scorer msp: logit-norm: expected a "
				      "number > 0, found \"0\"" },
		{ "msp:logit-norm=1:logit-norm=2",
		  "scorer msp: logit-norm is given twice" },
		{ "msp:map=", "scorer msp: map needs a value" },
		{ "energy-w", "scorer energy-w needs weights=... (a number for "
			      "each class)" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		ck_assert_int_eq(parse_code(cases[i].typed), OOD_USAGE);
		ck_assert_str_eq(err.what, cases[i].sentence);
	}
}
END_TEST

START_TEST(what_a_set_lacks_is_said)
{
	static const double p[] = { 0.5, 0.5 };
	double out;

	ck_assert_int_eq(run("energy", view_of(p, 1, 2), true, &out),
			 OOD_USAGE);
	ck_assert_str_eq(err.what,
			 "scorer energy needs logits; the set has "
			 "probabilities (their logarithms can be given as "
			 "logprobs)");
	ck_assert_int_eq(run("odin0", view_of(p, 1, 2), true, &out), OOD_USAGE);
	ck_assert_int_eq(run("msp:map=softmax", view_of(p, 1, 2), true, &out),
			 OOD_USAGE);
	ck_assert_int_eq(
		run("energy-w:weights=[1]", view_of(p, 1, 2), false, &out),
		OOD_INPUT);
	ck_assert_str_eq(err.what, "energy-w has 1 weights for 2 classes");
	ck_assert_int_eq(
		run("energy-w:weights=[0,-1]", view_of(p, 1, 2), false, &out),
		OOD_USAGE);
}
END_TEST

START_TEST(infinite_logits_are_refused_where_differences_are_taken)
{
	enum { N = 600, C = 100 };
	static double z[N * C], out[N];

	z[577 * C + 3] = z[401 * C + 99] = z[401 * C + 98] = -INFINITY;
	ck_assert_int_eq(run("msp", view_of(z, N, C), false, out), OOD_OK);
	ck_assert_int_eq(run("logitgap", view_of(z, N, C), false, out),
			 OOD_INPUT);
	ck_assert_str_eq(err.what,
			 "scorer logitgap needs finite logits, found -inf");
	ck_assert_int_eq(err.place, OOD_PLACE_ROW);
	ck_assert_uint_eq(err.line, 402);
	ck_assert_uint_eq(err.column, 99);
	ck_assert_int_eq(run("margin-logit", view_of(z, N, C), false, out),
			 OOD_INPUT);
	ck_assert_int_eq(run("msp:logit-norm=1", view_of(z, N, C), false, out),
			 OOD_INPUT);
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

START_TEST(several_scorings_share_rows_and_keep_their_columns)
{
	enum { N = 300, C = 10 };
	static const char *const specs[] = { "energy:T=2",
					     "msp",
					     "gen:top=3",
					     "entropy",
					     "msp:map=softmax:map.T=2",
					     "msp:logit-norm=0.04",
					     "msp:T=2" };
	struct ood_scoring s[OOD_COUNT(specs)];
	static double z[N * C], all[N][9], one[N], confidence[N], other[N];
	static int64_t pred[N];
	struct ood_top top = { pred, confidence, other };

	state = 10;
	for (size_t i = 0; i < N * C; i++)
		z[i] = logit();
	for (size_t i = 0; i < OOD_COUNT(specs); i++)
		s[i] = parse(specs[i]);
	all[0][8] = 77;
	ck_assert_int_eq(ood_scorings_run(s, OOD_COUNT(specs), view_of(z, N, C),
					  false, all[0], 9, &top, &err),
			 OOD_OK);
	ck_assert_double_eq(all[0][8], 77);
	for (size_t i = 0; i < OOD_COUNT(specs); i++) {
		run(specs[i], view_of(z, N, C), false, one);
		for (size_t r = 0; r < N; r++)
			ck_assert_double_eq(one[r], all[r][i]);
		ood_scoring_free(&s[i]);
	}
	for (size_t r = 0; r < N; r++) {
		ck_assert_double_eq(other[r], all[r][1]);
		NEAR(confidence[r], 1 - other[r], 3e-16);
		ck_assert(z[r * C + (size_t)pred[r]] >= z[r * C]);
	}
}
END_TEST

START_TEST(pred_and_confidence_are_of_the_raw_row_at_temperature_1)
{
	static const double z[] = { 1, 3, 3 };
	struct ood_scoring s = parse("msp:T=1000");
	double out, confidence, other;
	int64_t pred;
	struct ood_top top = { &pred, &confidence, &other };

	ck_assert_int_eq(ood_scorings_run(&s, 1, view_of(z, 1, 3), false, &out,
					  1, &top, &err),
			 OOD_OK);
	ck_assert_int_eq(pred, 1);
	NEAR(confidence, 1 / (2 + exp(-2)), 1e-16);
	ood_scoring_free(&s);
}
END_TEST

START_TEST(no_rows_are_no_error)
{
	struct ood_scoring s = parse("msp");

	ck_assert_int_eq(ood_scorings_run(&s, 1, view_of(NULL, 0, 10), false,
					  NULL, 1, NULL, &err),
			 OOD_OK);
	ood_scoring_free(&s);
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
	tcase_add_test(t, scores_do_not_depend_on_company_threads_or_type);
	tcase_add_test(t, aliases_stand_for_scorers_and_parameters);
	tcase_add_test(t, wrong_specs_are_refused_in_words);
	tcase_add_test(t, what_a_set_lacks_is_said);
	tcase_add_test(t,
		       infinite_logits_are_refused_where_differences_are_taken);
	tcase_add_test(t, a_map_goes_before_the_scorer);
	tcase_add_test(t, logit_norm_divides_by_the_norm);
	tcase_add_test(t, several_scorings_share_rows_and_keep_their_columns);
	tcase_add_test(t,
		       pred_and_confidence_are_of_the_raw_row_at_temperature_1);
	tcase_add_test(t, no_rows_are_no_error);
	suite_add_tcase(suite, t);
	return suite;
}
