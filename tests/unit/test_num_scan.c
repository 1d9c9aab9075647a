/*
 * test_num_scan.c - text to numbers, to the last bit
 *
 * Judges: strtod of the C library, exact in glibc; exact expansions of the
 * middles of doubles.
 */
#include <check.h>
#include <float.h>
#include <stdio.h>

#include "core/num.h"
#include "doubles.h"

/* The whole of s as a JSON number and as text; both must agree. */
static double read_all(const char *s)
{
	const char *end = s + strlen(s), *stop;
	double x = NAN, y = NAN;

	MUST(ood_num_scan_text(s, end, '.', &stop, &x) != OOD_NUM_BAD &&
		     stop == end,
	     "%s", s);
	MUST(ood_num_scan_json(s, end, &stop, &y) != OOD_NUM_BAD && stop == end,
	     "%s", s);
	MUST(to_bits(x) == to_bits(y), "%s", s);
	return x;
}

START_TEST(boundaries_of_the_range_are_right)
{
	static const struct {
		const char *text;
		double x;
	} cases[] = {
		{ "0", 0.0 },
		{ "-0", -0.0 },
		{ "0e99999999999", 0.0 },
		{ "1e-400", 0.0 },
		{ "-1e-99999999999999999999999", -0.0 },
		{ "1.7976931348623157e308", DBL_MAX },
		/* just below DBL_MAX + half a unit, 2^1024 - 2^970 */
		{ "1.797693134862315807e308", DBL_MAX },
		{ "179769313486231580793e288", DBL_MAX },
		{ "2.2250738585072011e-308", 0x0.fffffffffffffp-1022 },
		{ "2.2250738585072012e-308", 0x1p-1022 },
		{ "4.9406564584124654e-324", 0x1p-1074 },
		{ "3e-324", 0x1p-1074 },
		{ "2.4703282292062328e-324", 0x1p-1074 },
		{ "2.4703282292062327e-324", 0.0 },
		{ "2e-324", 0.0 },
		{ "9007199254740993", 9007199254740992 },
		{ "9007199254740993.0000000000000000000000000001",
		  9007199254740994 },
		{ "9007199254740995", 9007199254740996 },
		{ "9007199254740992999999999999999999e-18", 9007199254740992 },
		{ "1e23", 9.999999999999999e22 },
		{ "8.5e22", 8.5e22 },
		{ "1e22", 1e22 },
		{ "0.1", 0.1 },
		{ "0.1000000000000000055511151231257827021181583404541015625",
		  0.1 },
		{ "0.00000000000000000000000000000000000000000012345678",
		  1.2345678e-43 },
		{ "12345678e-50", 1.2345678e-43 },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		ck_assert_msg(to_bits(read_all(cases[i].text)) ==
				      to_bits(cases[i].x),
			      "%s", cases[i].text);
}
END_TEST

START_TEST(what_no_double_holds_is_out_of_range)
{
	static const char *const cases[] = { "1e400",
					     "1e309",
					     "-1e309",
					     "1.7976931348623159e308",
					     "1797693134862315808e290",
					     "1e99999999999",
					     "-123e99999999999999999999999" };

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		const char *s = cases[i], *end = s + strlen(s), *stop;
		double x = 0;

		ck_assert_int_eq(ood_num_scan_json(s, end, &stop, &x),
				 OOD_NUM_RANGE);
		ck_assert_ptr_eq(stop, end);
		ck_assert(isinf(x) && (x < 0) == (*s == '-'));
		ck_assert_int_eq(ood_num_parse(s, strlen(s), '.', &x),
				 OOD_NUM_RANGE);
	}
}
END_TEST

#if LDBL_MANT_DIG >= 64
/* long double holds the middle of two doubles, and printf all its digits. */
START_TEST(middles_go_to_even_and_a_digit_far_behind_decides)
{
	char text[1400], digits[1200];
	uint64_t state = 6;

	for (int i = 0; i < 4000; i++) {
		uint64_t bits = next_random(&state) >> 1;
		double low = from_bits(bits), high = from_bits(bits + 1);

		if (!isfinite(high) || low == 0)
			continue;
		long double middle = ((long double)low + high) / 2;

		snprintf(digits, sizeof(digits), "%.1100Le", middle);
		char *e = strchr(digits, 'e');
		int n = (int)(e - digits);

		while (digits[n - 1] == '0')
			n--;
		snprintf(text, sizeof(text), "%.*s%s", n, digits, e);
		MUST(to_bits(read_all(text)) == bits + (bits & 1), "%s", text);
		snprintf(text, sizeof(text), "%.*s%0*d%s", n, digits,
			 1 + i % 100, 1, e);
		MUST(to_bits(read_all(text)) == bits + 1, "%s", text);
		digits[n - 1]--;
		snprintf(text, sizeof(text), "%.*s9%s", n, digits, e);
		MUST(to_bits(read_all(text)) == bits, "%s", text);
	}
}
END_TEST
#endif

START_TEST(decimals_of_any_length_are_read_as_strtod_reads_them)
{
	char text[1200];
	uint64_t state = 7;

	for (int i = 0; i < MANY / 8; i++) {
		int n = 1 + (int)(next_random(&state) % (i % 50 ? 40 : 900));
		int point = (int)(next_random(&state) % (uint64_t)n);
		int e = (int)(next_random(&state) % 700) - 350;
		size_t k = 0;

		for (int j = 0; j < n; j++) {
			if (j == point && j > 0)
				text[k++] = '.';
			text[k++] = (char)('0' + next_random(&state) % 10);
		}
		snprintf(text + k, sizeof(text) - k, "e%d", e);
		/* Leading zeros are text's, not JSON's. */
		const char *s = text, *end = text + strlen(text), *stop;
		double x;

		ood_num_scan_text(s, end, '.', &stop, &x);
		MUST(stop == end && to_bits(x) == to_bits(strtod(s, NULL)),
		     "%s", s);
	}
}
END_TEST

START_TEST(zeros_by_the_hundred_thousand_do_not_matter)
{
	enum { ZEROS = 100000 };
	char *text = malloc(2 * ZEROS + 64);
	char *p = text;

	ck_assert_ptr_nonnull(text);
	*p++ = '0';
	*p++ = '.';
	p = (char *)memset(p, '0', ZEROS) + ZEROS;
	p += sprintf(p, "15");
	p = (char *)memset(p, '0', ZEROS) + ZEROS;
	sprintf(p, "e%d", ZEROS + 1);
	ck_assert_double_eq(read_all(text), 1.5);
	free(text);
}
END_TEST

Suite *suite_num_scan(void);
Suite *suite_num_scan(void)
{
	Suite *s = suite_create("num_scan");
	TCase *c = tcase_create("num_scan");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, boundaries_of_the_range_are_right);
	tcase_add_test(c, what_no_double_holds_is_out_of_range);
#if LDBL_MANT_DIG >= 64
	tcase_add_test(c, middles_go_to_even_and_a_digit_far_behind_decides);
#endif
	tcase_add_test(c, decimals_of_any_length_are_read_as_strtod_reads_them);
	tcase_add_test(c, zeros_by_the_hundred_thousand_do_not_matter);
	suite_add_tcase(s, c);
	return s;
}
