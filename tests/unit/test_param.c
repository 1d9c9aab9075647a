/*
 * test_param.c - SPEC lists and parameters: grammar, bounds, sentences
 */
#include <check.h>

#include "core/param.h"

static const struct ood_param table[] = {
	OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_INT,
	  .name = "k",
	  .help = "neighbours",
	  .def = 50,
	  .lo = 1,
	  .hi = INFINITY },
	{ .kind = OOD_PARAM_SWITCH,
	  .name = "unit",
	  .help = "unit rows",
	  .def = 1 },
	{ .kind = OOD_PARAM_WORD,
	  .name = "metric",
	  .help = "distance",
	  .choices = "euclidean squared cosine" },
	{ .kind = OOD_PARAM_LIST,
	  .name = "weights",
	  .help = "numbers",
	  .def = NAN,
	  .lo = 0,
	  .hi = INFINITY },
	{ .kind = OOD_PARAM_TEXT, .name = "file", .help = "a file" },
	{ .kind = OOD_PARAM_REAL,
	  .name = "share",
	  .help = "a share",
	  .def = 0.5,
	  .lo = 0,
	  .hi = 1,
	  .lo_open = true },
	{ .kind = OOD_PARAM_REAL,
	  .name = "clip",
	  .help = "a value",
	  .def = NAN,
	  .lo = -INFINITY,
	  .hi = INFINITY },
	{ .kind = OOD_PARAM_END },
};

static struct ood_err err;

static struct ood_span span(const char *text)
{
	return (struct ood_span){ text, strlen(text) };
}

static void same(struct ood_span got, const char *want)
{
	ck_assert_msg(got.n == strlen(want) && !memcmp(got.at, want, got.n),
		      "found \"%.*s\", not \"%s\"", (int)got.n, got.at, want);
}

static void refused(const char *params, const char *sentence)
{
	struct ood_args args;

	ck_assert_int_eq(
		ood_args_parse(table, "scorer knn", span(params), &args, &err),
		OOD_USAGE);
	ck_assert_str_eq(err.what, sentence);
}

START_TEST(lists_are_cut_at_commas_outside_brackets_and_quotes)
{
	struct ood_spec *s;
	size_t n;

	ck_assert_int_eq(ood_specs_parse("msp,e2=energy:T=2,energy-w:"
					 "weights=[0.5,2]:x=1,a:file=\"b,c:d\"",
					 &s, &n, &err),
			 OOD_OK);
	ck_assert_uint_eq(n, 4);
	same(s[0].name, "msp");
	same(s[0].whole, "msp");
	ck_assert_uint_eq(s[0].params.n + s[0].column.n, 0);
	same(s[1].column, "e2");
	same(s[1].name, "energy");
	same(s[1].params, "T=2");
	same(s[1].whole, "energy:T=2");
	same(s[2].params, "weights=[0.5,2]:x=1");
	same(s[3].params, "file=\"b,c:d\"");
	ood_free(s);
}
END_TEST

START_TEST(parameters_are_cut_at_colons)
{
	struct ood_span rest = span("k=50:map.T=[1:2]:bare"), key, value;

	ck_assert(ood_param_next(&rest, &key, &value));
	same(key, "k");
	same(value, "50");
	ck_assert(ood_param_next(&rest, &key, &value));
	same(key, "map.T");
	same(value, "[1:2]");
	ck_assert(ood_param_next(&rest, &key, &value));
	same(key, "bare");
	ck_assert_ptr_null(value.at);
	ck_assert(!ood_param_next(&rest, &key, &value));
}
END_TEST

START_TEST(broken_lists_are_refused)
{
	static const char *const lists[] = {
		"",	  ",",	     "msp,",	   "msp,,energy", "msp:",
		"a:b=[1", "a:b=1]",  "a:b=[[1]]",  "a:b=\"x",	  "=msp",
		"x=",	  "a b=msp", "a:k=1::T=2", ":T=1",
	};
	struct ood_spec *s;
	size_t n;

	for (size_t i = 0; i < OOD_COUNT(lists); i++) {
		ck_assert_msg(ood_specs_parse(lists[i], &s, &n, &err) ==
				      OOD_USAGE,
			      "\"%s\" passed", lists[i]);
		ck_assert_ptr_null(s);
	}
	ood_specs_parse("msp,a:b=[1", &s, &n, &err);
	ck_assert_str_eq(err.what, "a [ without ] in \"a:b=[1\" (expected NAME "
				   "or NAME:KEY=VALUE)");
}
END_TEST

START_TEST(what_is_not_given_gets_its_default)
{
	struct ood_args args;

	ck_assert_int_eq(ood_args_parse(table, "x", span(""), &args, &err),
			 OOD_OK);
	ck_assert_double_eq(args.num[0], 1);
	ck_assert_double_eq(args.num[1], 50);
	ck_assert_double_eq(args.num[2], 1);
	ck_assert_double_eq(args.num[3], 0);
	ck_assert_uint_eq(args.list_n[4], 0);
	ck_assert_ptr_null(args.text[5]);
	ck_assert(isnan(args.num[7]) && !args.given[7]);
	ood_args_free(&args);
}
END_TEST

START_TEST(every_kind_is_read)
{
	struct ood_args args;
	struct ood_buf text = { 0 };
	int rc = ood_args_parse(table, "x",
				span("T=1e-3:k=7:unit=0:metric=cosine:weights="
				     "[0.5,2,0]:file=\"a,b\":clip=-1"),
				&args, &err);

	ck_assert_int_eq(rc, OOD_OK);
	ck_assert_double_eq(args.num[0], 1e-3);
	ck_assert_double_eq(args.num[1], 7);
	ck_assert_double_eq(args.num[2], 0);
	ck_assert_double_eq(args.num[3], 2);
	ck_assert_uint_eq(args.list_n[4], 3);
	ck_assert_double_eq(args.list[4][1], 2);
	ck_assert_str_eq(args.text[5], "a,b");
	ck_assert_double_eq(args.num[7], -1);
	ck_assert(args.given[7] && !args.given[6]);
	ood_args_format(table, &args, "map.", &text);
	ck_assert_str_eq(text.text,
			 ":map.T=0.001:map.k=7:map.unit=0:map.metric=cosine:"
			 "map.weights=[0.5,2,0]:map.file=a,b:map.share=0.5:"
			 "map.clip=-1");
	ood_buf_free(&text);
	ood_args_free(&args);
}
END_TEST

START_TEST(wrong_parameters_are_refused_in_words)
{
	refused("T=0", "scorer knn: T: expected a number > 0, found \"0\"");
	refused("T=2x", "scorer knn: T: expected a number > 0, found \"2x\"");
	refused("T=nan", "scorer knn: T: expected a number > 0, found \"nan\"");
	refused("T=inf", "scorer knn: T: expected a number > 0, found \"inf\"");
	refused("T=", "scorer knn: T: expected a number > 0, found \"\"");
	refused("k=2.5",
		"scorer knn: k: expected an integer >= 1, found \"2.5\"");
	refused("unit=2", "scorer knn: unit: expected 0 or 1, found \"2\"");
	refused("metric=l1", "scorer knn: metric: expected one of euclidean "
			     "squared cosine, found \"l1\"");
	refused("weights=[1,-1]", "scorer knn: weights: expected numbers in "
				  "brackets, [0.5,2] >= 0, found \"[1,-1]\"");
	refused("share=0",
		"scorer knn: share: expected a number (0,1], found \"0\"");
	refused("clip=x", "scorer knn: clip: expected a number, found \"x\"");
	refused("T=1:T=2", "scorer knn: T is given twice");
	refused("T", "scorer knn: T needs a value (T=...)");
	refused("5", "scorer knn: expected KEY=VALUE, found \"5\"");
	refused("kk=5", "scorer knn has no parameter \"kk\" (it has T, k, "
			"unit, metric, weights, file, share, clip)");
}
END_TEST

START_TEST(a_table_of_none_says_so)
{
	struct ood_args args;

	ck_assert_int_eq(
		ood_args_parse(NULL, "scorer x", span("a=1"), &args, &err),
		OOD_USAGE);
	ck_assert_str_eq(err.what,
			 "scorer x has no parameter \"a\" (it has none)");
}
END_TEST

START_TEST(a_needed_parameter_is_asked_for)
{
	static const struct ood_param one[] = {
		{ .kind = OOD_PARAM_LIST,
		  .name = "weights",
		  .help = "a number for each class",
		  .need = true },
		{ .kind = OOD_PARAM_END },
	};
	struct ood_args args;

	ck_assert_int_eq(ood_args_parse(one, "scorer x", span(""), &args, &err),
			 OOD_USAGE);
	ck_assert_str_eq(err.what, "scorer x needs weights=... (a number for "
				   "each class)");
}
END_TEST

START_TEST(descriptions_tell_default_and_bounds)
{
	static const char *const want[] = {
		"T (1; > 0)",	      "k (50; >= 1)",
		"unit (1)",	      "metric (euclidean; squared, cosine)",
		"weights (off)",      "file (off)",
		"share (0.5; (0,1])", "clip (off)",
	};

	for (size_t i = 0; i < OOD_COUNT(want); i++) {
		struct ood_buf text = { 0 };

		ood_param_describe(&table[i], &text);
		ck_assert_str_eq(text.text, want[i]);
		ood_buf_free(&text);
	}
}
END_TEST

START_TEST(the_nearest_word_is_two_edits_away_at_most)
{
	static const char *const names[] = { "msp", "energy", "energy-w",
					     "entropy", NULL };

	ck_assert_str_eq(ood_nearest("mps", 3, names), "msp");
	ck_assert_str_eq(ood_nearest("enrgy", 5, names), "energy");
	ck_assert_str_eq(ood_nearest("energyw", 7, names), "energy");
	ck_assert_str_eq(ood_nearest("entorpy", 7, names), "entropy");
	ck_assert_ptr_null(ood_nearest("knn", 3, names));
	ck_assert_ptr_null(ood_nearest("", 0, names));
	ck_assert_ptr_null(ood_nearest("ens", 3, names));
}
END_TEST

Suite *suite_param(void);

Suite *suite_param(void)
{
	Suite *suite = suite_create("param");
	TCase *t = tcase_create("param");

	tcase_add_test(t, lists_are_cut_at_commas_outside_brackets_and_quotes);
	tcase_add_test(t, parameters_are_cut_at_colons);
	tcase_add_test(t, broken_lists_are_refused);
	tcase_add_test(t, what_is_not_given_gets_its_default);
	tcase_add_test(t, every_kind_is_read);
	tcase_add_test(t, wrong_parameters_are_refused_in_words);
	tcase_add_test(t, a_table_of_none_says_so);
	tcase_add_test(t, a_needed_parameter_is_asked_for);
	tcase_add_test(t, descriptions_tell_default_and_bounds);
	tcase_add_test(t, the_nearest_word_is_two_edits_away_at_most);
	suite_add_tcase(suite, t);
	return suite;
}
