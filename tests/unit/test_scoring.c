/*
 * test_scoring.c - specs of scorers, what they refuse, and runs over many rows
 */
#include "core/mem.h"
#include "core/thread.h"
#include "figures.h"
#include "onescore.h"

static int parse_code(const char *text)
{
	struct ood_scoring scoring;
	struct ood_spec *specs;
	size_t n;

	ck_assert_int_eq(ood_specs_parse(text, &specs, &n, &one_err), OOD_OK);
	int rc = ood_scoring_parse(&scoring, specs, &one_err);
	ood_free(specs);
	if (!rc)
		ood_scoring_free(&scoring);
	return rc;
}

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
		struct ood_scoring s = parse_one(cases[i].typed);

		ck_assert_str_eq(s.spec, cases[i].spec);
		ck_assert_str_eq(s.column, cases[i].typed);
		ood_scoring_free(&s);
	}
	struct ood_scoring s = parse_one("e2=energy:T=2");
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
		{ "zzz", "no scorer \"zzz\" (\"ood list scorers\" shows all)" },
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
		{ "msp:T=2:map=softmax", "scorer msp: T has no effect behind "
					 "a map (map.T is the map's own)" },
		{ "energy-w", "scorer energy-w needs weights=... (a number for "
			      "each class)" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		ck_assert_int_eq(parse_code(cases[i].typed), OOD_USAGE);
		ck_assert_str_eq(one_err.what, cases[i].sentence);
	}
}
END_TEST

START_TEST(what_a_set_lacks_is_said)
{
	static const double p[] = { 0.5, 0.5 };
	double out;

	ck_assert_int_eq(run_one("energy", view_of(p, 1, 2), true, &out),
			 OOD_USAGE);
	ck_assert_str_eq(one_err.what,
			 "scorer energy needs logits; the set has "
			 "probabilities (their logarithms can be given as "
			 "logprobs)");
	ck_assert_int_eq(run_one("odin0", view_of(p, 1, 2), true, &out),
			 OOD_USAGE);
	ck_assert_int_eq(
		run_one("msp:map=softmax", view_of(p, 1, 2), true, &out),
		OOD_USAGE);
	ck_assert_int_eq(
		run_one("energy-w:weights=[1]", view_of(p, 1, 2), false, &out),
		OOD_INPUT);
	ck_assert_str_eq(one_err.what, "energy-w has 1 weights for 2 classes");
	ck_assert_int_eq(run_one("energy-w:weights=[0,-1]", view_of(p, 1, 2),
				 false, &out),
			 OOD_USAGE);
}
END_TEST

START_TEST(infinite_logits_are_refused_where_differences_are_taken)
{
	enum { N = 600, C = 100 };
	static double z[N * C], out[N];

	z[577 * C + 3] = z[401 * C + 99] = z[401 * C + 98] = -INFINITY;
	ck_assert_int_eq(run_one("msp", view_of(z, N, C), false, out), OOD_OK);
	ck_assert_int_eq(run_one("logitgap", view_of(z, N, C), false, out),
			 OOD_INPUT);
	ck_assert_str_eq(one_err.what,
			 "scorer logitgap needs finite logits, found -inf");
	ck_assert_int_eq(one_err.place, OOD_PLACE_ROW);
	ck_assert_uint_eq(one_err.line, 402);
	ck_assert_uint_eq(one_err.column, 99);
	ck_assert_int_eq(run_one("margin-logit", view_of(z, N, C), false, out),
			 OOD_INPUT);
	ck_assert_int_eq(
		run_one("msp:logit-norm=1", view_of(z, N, C), false, out),
		OOD_INPUT);
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

	logit_state = 10;
	for (size_t i = 0; i < N * C; i++)
		z[i] = logit();
	for (size_t i = 0; i < OOD_COUNT(specs); i++)
		s[i] = parse_one(specs[i]);
	all[0][8] = 77;
	ck_assert_int_eq(
		run_some(s, OOD_COUNT(specs), batch_of(view_of(z, N, C), false),
			 (struct ood_scores_out){
				 .scores = all[0], .stride = 9, .top = &top }),
		OOD_OK);
	ck_assert_double_eq(all[0][8], 77);
	for (size_t i = 0; i < OOD_COUNT(specs); i++) {
		run_one(specs[i], view_of(z, N, C), false, one);
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
	struct ood_scoring s = parse_one("msp:T=1000");
	double out, confidence, other;
	int64_t pred;
	struct ood_top top = { &pred, &confidence, &other };

	ck_assert_int_eq(run_some(&s, 1, batch_of(view_of(z, 1, 3), false),
				  (struct ood_scores_out){ .scores = &out,
							   .stride = 1,
							   .top = &top }),
			 OOD_OK);
	ck_assert_int_eq(pred, 1);
	NEAR(confidence, 1 / (2 + exp(-2)), 1e-16);
	ood_scoring_free(&s);
}
END_TEST

START_TEST(no_rows_are_no_error)
{
	struct ood_scoring s = parse_one("msp");

	ck_assert_int_eq(run_some(&s, 1, batch_of(view_of(NULL, 0, 10), false),
				  (struct ood_scores_out){ .stride = 1 }),
			 OOD_OK);
	ood_scoring_free(&s);
}
END_TEST

/* Chunks, threads, stride, float or double: the same bytes. */
START_TEST(scores_do_not_depend_on_company_threads_or_type)
{
	enum { N = 1000, C = 70, PAD = 3 };
	static double z[N * (C + PAD)], all[N], one[1];
	static float f[N * (C + PAD)];
	static double again[N];

	logit_state = 9;
	for (size_t i = 0; i < OOD_COUNT(z); i++)
		z[i] = (double)(f[i] = (float)logit());
	for (size_t i = 0; ood_scorers[i]; i++) {
		const char *spec = ood_scorers[i]->name;
		struct ood_view view = { z, OOD_F8, N, C, C + PAD };

		if (!strcmp(spec, "energy-w") ||
		    !takes_classes_alone(ood_scorers[i]))
			continue;
		ood_threads_set(2);
		ck_assert_int_eq(run_one(spec, view, false, all), OOD_OK);
		ood_threads_set(1);
		view.data = f;
		view.dtype = OOD_F4;
		ck_assert_int_eq(run_one(spec, view, false, again), OOD_OK);
		ck_assert_mem_eq(all, again, sizeof(all));
		for (size_t r = 0; r < N; r += 37) {
			run_one(spec, view_of(z + r * (C + PAD), 1, C), false,
				one);
			ck_assert_mem_eq(one, all + r, sizeof(one));
		}
	}
	ood_threads_set(0);
}
END_TEST

Suite *suite_scoring(void);

Suite *suite_scoring(void)
{
	Suite *suite = suite_create("scoring");
	TCase *t = tcase_create("scoring");

	tcase_add_test(t, aliases_stand_for_scorers_and_parameters);
	tcase_add_test(t, wrong_specs_are_refused_in_words);
	tcase_add_test(t, what_a_set_lacks_is_said);
	tcase_add_test(t,
		       infinite_logits_are_refused_where_differences_are_taken);
	tcase_add_test(t, several_scorings_share_rows_and_keep_their_columns);
	tcase_add_test(t,
		       pred_and_confidence_are_of_the_raw_row_at_temperature_1);
	tcase_add_test(t, no_rows_are_no_error);
	tcase_add_test(t, scores_do_not_depend_on_company_threads_or_type);
	suite_add_tcase(suite, t);
	return suite;
}
