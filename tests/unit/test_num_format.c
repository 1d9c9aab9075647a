/*
 * test_num_format.c - numbers to text
 *
 * Judges: strtod and snprintf of the C library, both exact in glibc, under
 * the C locale.
 */
#include <check.h>
#include <float.h>
#include <stdio.h>

#include "core/num.h"
#include "doubles.h"

static const char *format(double x)
{
	static char buf[OOD_NUM_MAX];
	size_t n = ood_num_format(buf, x);

	MUST(n == strlen(buf), "%a has %zu bytes", x, n);
	return buf;
}

/* Significant digits of a number's text, without zeros at either end. */
static size_t digits_of(const char *s, char *digits)
{
	size_t n = 0, used = 0;

	for (; *s && *s != 'e'; s++) {
		if (*s < '0' || *s > '9' || (n == 0 && *s == '0'))
			continue;
		digits[n++] = *s;
		if (*s != '0')
			used = n;
	}
	digits[used] = '\0';
	return used;
}

START_TEST(numbers_are_written_as_documented)
{
	static const struct {
		double x;
		const char *text;
	} cases[] = {
		{ 0.0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -1, "-1" },
		{ 12, "12" },
		{ 0.1, "0.1" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 123456.789, "123456.789" },
		{ 0.00001234, "0.00001234" },
		{ 1e-5, "0.00001" },
		{ 9.999e-6, "9.999e-6" },
		{ 1.5e-7, "1.5e-7" },
		{ -1.2345678901234568e-5, "-0.000012345678901234568" },
		{ 1e15, "1000000000000000" },
		{ 9999999999999998, "9999999999999998" },
		{ 1234567890123456.8, "1234567890123456.8" },
		{ 1e16, "1e16" },
		{ 12345678901234568, "1.2345678901234568e16" },
		{ 9007199254740992, "9007199254740992" },
		{ 1e22, "1e22" },
		{ 1e23, "1e23" },
		{ 9.5e-100, "9.5e-100" },
		{ 5e-324, "5e-324" },
		{ 1e-323, "1e-323" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 2.225073858507201e-308, "2.225073858507201e-308" },
		{ -DBL_MAX, "-1.7976931348623157e308" },
		{ INFINITY, "inf" },
		{ -INFINITY, "-inf" },
		{ NAN, "nan" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		ck_assert_str_eq(format(cases[i].x), cases[i].text);
}
END_TEST

START_TEST(what_is_written_reads_back_as_the_same_bits)
{
	uint64_t state = 1;

	for (int i = 0; i < MANY; i++) {
		double x = random_double(&state), y;
		const char *text = format(x);

		MUST(to_bits(strtod(text, NULL)) == to_bits(x), "%a: %s", x,
		     text);
		MUST(ood_num_parse(text, strlen(text), '.', &y) == OOD_NUM_OK &&
			     to_bits(y) == to_bits(x),
		     "%a: %s", x, text);
	}
}
END_TEST

/* x has n digits. Of all decimals with n - 1 digits only the nearest and its
 * neighbours could read back; that with n digits nearest to x must be ours if
 * it does. */
static void check_shortest(double x)
{
	char ours[OOD_NUM_MAX], theirs[64], digits[64];
	const char *text = format(x);
	size_t n = digits_of(text, ours);

	MUST(to_bits(strtod(text, NULL)) == to_bits(x), "%a: %s", x, text);
	snprintf(theirs, sizeof(theirs), "%.*e", (int)n - 1, x);
	digits_of(theirs, digits);
	MUST(strtod(theirs, NULL) != x || !strcmp(ours, digits),
	     "%s is nearer than %s", theirs, text);
	for (int step = -1; n > 1 && step <= 1; step++) {
		char *e;
		long long m;

		snprintf(theirs, sizeof(theirs), "%.*e", (int)n - 2, fabs(x));
		e = strchr(theirs, 'e');
		m = 0;
		for (char *p = theirs; p < e; p++)
			if (*p != '.')
				m = 10 * m + (*p - '0');
		int exponent = atoi(e + 1) - ((int)n - 2);

		snprintf(theirs, sizeof(theirs), "%llde%d", m + step, exponent);
		MUST(strtod(theirs, NULL) != fabs(x), "%s is shorter than %s",
		     theirs, text);
	}
}

START_TEST(no_shorter_decimal_reads_back)
{
	uint64_t state = 2;

	for (int i = 0; i < MANY / 4; i++) {
		double x = random_double(&state);

		if (x != 0)
			check_shortest(x);
	}
}
END_TEST

START_TEST(powers_of_two_and_their_neighbours_are_shortest)
{
	for (int e = -1074; e <= 1023; e++) {
		double x = ldexp(1, e);

		check_shortest(x);
		check_shortest(nextafter(x, INFINITY));
		if (e > -1074)
			check_shortest(nextafter(x, 0));
	}
	for (uint64_t bits = 1; bits < 2000; bits++)
		check_shortest(from_bits(bits));
}
END_TEST

START_TEST(decimals_of_few_digits_print_as_they_were_typed)
{
	uint64_t state = 3;
	char text[OOD_NUM_MAX];

	for (int i = 0; i < MANY / 4; i++) {
		long m = (long)(next_random(&state) % 1000000);
		int places = 1 + (int)(next_random(&state) % 5);

		snprintf(text, sizeof(text), "%ld.%0*ld", m, places, 1L);
		MUST(!strcmp(format(strtod(text, NULL)), text), "%s", text);
	}
}
END_TEST

static void check_digits(double x, int digits)
{
	char buf[OOD_NUM_MAX], theirs[64], want[64], got[64];

	size_t n = ood_num_format_digits(buf, x, digits);

	MUST(n == strlen(buf), "%s", buf);
	snprintf(theirs, sizeof(theirs), "%.*e", digits - 1, x);
	digits_of(buf, got);
	digits_of(theirs, want);
	MUST(!strcmp(got, want), "%s, %d digits: %s", theirs, digits, buf);
	/* The same place of the point. */
	MUST(to_bits(strtod(buf, NULL)) == to_bits(strtod(theirs, NULL)),
	     "%s: %s", theirs, buf);
}

START_TEST(digits_are_rounded_correctly)
{
	static const double ties[] = { 0.5,
				       1.5,
				       2.5,
				       0.125,
				       0.375,
				       25,
				       35,
				       1.25,
				       9.5,
				       0.09375,
				       1e22,
				       5e-324,
				       2.5e15,
				       99.5,
				       999.5,
				       0.95,
				       DBL_MAX,
				       DBL_MIN,
				       1e23,
				       9007199254740993.0,
				       4503599627370497.5 };
	uint64_t state = 4;

	for (size_t i = 0; i < OOD_COUNT(ties); i++)
		for (int d = 1; d <= 17; d++) {
			check_digits(ties[i], d);
			check_digits(-ties[i], d);
		}
	for (int i = 0; i < MANY / 4; i++) {
		double x = random_double(&state);

		if (x != 0)
			check_digits(x, 1 + i % 17);
	}
	for (int i = -1074; i <= 1023; i++)
		for (int d = 1; d <= 17; d += 4)
			check_digits(ldexp(1, i), d);
}
END_TEST

START_TEST(integers_are_written_exactly)
{
	char buf[OOD_NUM_MAX], want[OOD_NUM_MAX];
	uint64_t state = 5;

	for (int i = 0; i < 20000; i++) {
		uint64_t u = next_random(&state) >> (i % 64);

		snprintf(want, sizeof(want), "%llu", (unsigned long long)u);
		MUST(ood_num_format_uint(buf, u) == strlen(want) &&
			     !strcmp(buf, want),
		     "%s: %s", want, buf);
		snprintf(want, sizeof(want), "%lld", (long long)(int64_t)u);
		MUST(ood_num_format_int(buf, (int64_t)u) == strlen(want) &&
			     !strcmp(buf, want),
		     "%s: %s", want, buf);
	}
	ood_num_format_int(buf, INT64_MIN);
	ck_assert_str_eq(buf, "-9223372036854775808");
	ood_num_format_uint(buf, UINT64_MAX);
	ck_assert_str_eq(buf, "18446744073709551615");
	ood_num_format_uint(buf, 0);
	ck_assert_str_eq(buf, "0");
}
END_TEST

Suite *suite_num_format(void);
Suite *suite_num_format(void)
{
	Suite *s = suite_create("num_format");
	TCase *c = tcase_create("num_format");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, numbers_are_written_as_documented);
	tcase_add_test(c, what_is_written_reads_back_as_the_same_bits);
	tcase_add_test(c, no_shorter_decimal_reads_back);
	tcase_add_test(c, powers_of_two_and_their_neighbours_are_shortest);
	tcase_add_test(c, decimals_of_few_digits_print_as_they_were_typed);
	tcase_add_test(c, digits_are_rounded_correctly);
	tcase_add_test(c, integers_are_written_exactly);
	suite_add_tcase(s, c);
	return s;
}
