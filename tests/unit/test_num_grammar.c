/*
 * test_num_grammar.c - what is a number and where it ends
 *
 * JSON: RFC 8259, section 6.
 */
#include <check.h>
#include <stdio.h>

#include "core/num.h"
#include "doubles.h"

struct scan_case {
	const char *text;
	int taken; /* bytes; 0: not a number */
	double x;
};

static void check_scan(const struct scan_case *c, bool json, char decimal)
{
	/* A copy without terminator: a byte read beyond shows under ASan. */
	size_t n = strlen(c->text);
	char *s = malloc(n ? n : 1);
	const char *stop;
	double x = NAN;
	enum ood_num_kind kind;

	ck_assert_ptr_nonnull(s);
	memcpy(s, c->text, n);
	kind = json ? ood_num_scan_json(s, s + n, &stop, &x)
		    : ood_num_scan_text(s, s + n, decimal, &stop, &x);
	ck_assert_msg(stop - s == c->taken, "%s: took %td", c->text, stop - s);
	ck_assert_msg((kind == OOD_NUM_BAD) == (c->taken == 0), "%s", c->text);
	if (c->taken)
		ck_assert_msg(to_bits(x) == to_bits(c->x), "%s", c->text);
	free(s);
}

START_TEST(json_takes_its_grammar_and_no_more)
{
	static const struct scan_case cases[] = {
		{ "0", 1, 0 },
		{ "-0", 2, -0.0 },
		{ "12", 2, 12 },
		{ "-1.5e+3,", 7, -1500 },
		{ "1E2", 3, 100 },
		{ "1e-2]", 4, 0.01 },
		{ "01", 1, 0 },
		{ "-012", 2, -0.0 },
		{ "00", 1, 0 },
		{ "1.", 1, 1 },
		{ "1.e5", 1, 1 },
		{ "0.5", 3, 0.5 },
		{ "0e1", 3, 0 },
		{ "1e", 1, 1 },
		{ "1e+", 1, 1 },
		{ "1.5e-", 3, 1.5 },
		{ ".5", 0, 0 },
		{ "+1", 0, 0 },
		{ "-", 0, 0 },
		{ "", 0, 0 },
		{ "-.5", 0, 0 },
		{ "inf", 0, 0 },
		{ "NaN", 0, 0 },
		{ " 1", 0, 0 },
		{ "0x1p3", 1, 0 },
		{ "1_000", 1, 1 },
		{ "1,5", 1, 1 },
		{ "123456789012345678", 18, 123456789012345680.0 },
		{ "1.2345678", 9, 1.2345678 },
		{ "--1", 0, 0 },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		check_scan(&cases[i], true, '.');
}
END_TEST

START_TEST(text_is_more_lenient)
{
	static const struct scan_case cases[] = {
		{ "+1", 2, 1 },
		{ ".5", 2, 0.5 },
		{ "5.", 2, 5 },
		{ "-.5e1", 5, -5 },
		{ "5.e1", 4, 50 },
		{ "0012", 4, 12 },
		{ "inf", 3, INFINITY },
		{ "-Inf", 4, -INFINITY },
		{ "+INFINITY", 9, INFINITY },
		{ "infinit", 3, INFINITY },
		{ ".", 0, 0 },
		{ "+", 0, 0 },
		{ "-", 0, 0 },
		{ "+-1", 0, 0 },
		{ "e5", 0, 0 },
		{ ".e5", 0, 0 },
		{ "", 0, 0 },
		{ "in", 0, 0 },
		{ "na", 0, 0 },
		{ " 1", 0, 0 },
		{ "0x1p3", 1, 0 },
		{ "1.5f", 3, 1.5 },
		{ "1,5", 1, 1 },
		{ "1e5", 3, 1e5 },
		{ "1.5e", 3, 1.5 },
	};
	const char *nan = "-NaN", *stop;
	double x = 0;

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		check_scan(&cases[i], false, '.');
	ck_assert_int_eq(ood_num_scan_text(nan, nan + 4, '.', &stop, &x),
			 OOD_NUM_OK);
	ck_assert(isnan(x) && stop == nan + 4);
}
END_TEST

START_TEST(the_decimal_sign_may_be_a_comma)
{
	static const struct scan_case cases[] = {
		{ "1,5", 3, 1.5 },
		{ ",5;", 2, 0.5 },
		{ "5,", 2, 5 },
		{ "1.5", 1, 1 },
		{ "-1234567,25e-2", 14, -12345.6725 },
		{ "0,1000000000000000055511151231257827021181583404541015625",
		  57, 0.1 },
		{ ",", 0, 0 },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		check_scan(&cases[i], false, ',');
}
END_TEST

START_TEST(a_word_is_a_number_as_a_whole_or_not)
{
	static const char *const bad[] = { "",	  " ",	   "1 2",  "1x",
					   "1,5", "0x10",  "1e",   "nan1",
					   "--1", "1.5.2", "1_000" };
	double x = 0;

	ck_assert_int_eq(ood_num_parse(" \t-1.5 ", 7, '.', &x), OOD_NUM_OK);
	ck_assert_double_eq(x, -1.5);
	ck_assert_int_eq(ood_num_parse("NaN", 3, '.', &x), OOD_NUM_OK);
	ck_assert(isnan(x));
	for (size_t i = 0; i < OOD_COUNT(bad); i++)
		ck_assert_int_eq(ood_num_parse(bad[i], strlen(bad[i]), '.', &x),
				 OOD_NUM_BAD);
}
END_TEST

Suite *suite_num_grammar(void);
Suite *suite_num_grammar(void)
{
	Suite *s = suite_create("num_grammar");
	TCase *c = tcase_create("num_grammar");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, json_takes_its_grammar_and_no_more);
	tcase_add_test(c, text_is_more_lenient);
	tcase_add_test(c, the_decimal_sign_may_be_a_comma);
	tcase_add_test(c, a_word_is_a_number_as_a_whole_or_not);
	suite_add_tcase(s, c);
	return s;
}
