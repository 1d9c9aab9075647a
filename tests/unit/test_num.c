/*
 * test_num.c - numbers to text and back
 *
 * Judges: strtod and snprintf of the C library, both exact in glibc, under
 * the C locale; exact decimal expansions; the grammar of RFC 8259.
 */
#include <check.h>
#include <float.h>
#include <stdio.h>

#include "core/num.h"
#include "core/num_pow10.h"

#define MANY 1000000

/* ck_assert writes a mark to a file each time: too slow for millions. */
#define MUST(condition, ...)                                                   \
	do {                                                                   \
		if (!(condition))                                              \
			ck_abort_msg(__VA_ARGS__);                             \
	} while (0)

static uint64_t next_random(uint64_t *state)
{
	/* Steele, Lea, Flood: SplitMix, OOPSLA 2014 */
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static double from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint64_t to_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* Any finite double, or with odd draws one of the size of a score. */
static double random_double(uint64_t *state)
{
	uint64_t bits = next_random(state);
	double u = (double)(bits >> 12) * 0x1p-52;

	if (bits & 1)
		return 40 * u - 20;
	double x = from_bits(next_random(state));

	return isfinite(x) ? x : u;
}

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

/* ------------------------------------------------- the table of powers */

#define LIMBS 48

static void shift_right_128(const uint32_t *limb, uint64_t out[2], bool *exact)
{
	int top = LIMBS * 32 - 1;

	while (!(limb[top / 32] >> (top % 32) & 1))
		top--;
	out[0] = out[1] = 0;
	*exact = true;
	for (int i = 0; i <= top; i++) {
		uint64_t bit = limb[i / 32] >> (i % 32) & 1;
		int place = 127 - (top - i);

		if (place < 0)
			*exact &= !bit;
		else
			out[place < 64] |= bit << (place % 64);
	}
}

static void check_power(const uint32_t *limb, int k, bool inexact)
{
	const uint64_t *t = ood_num_pow10 + 2 * (k - OOD_POW10_MIN);
	uint64_t want[2];
	bool exact;

	shift_right_128(limb, want, &exact);
	if (!exact || inexact)
		want[0] += ++want[1] == 0;
	ck_assert_msg(t[0] == want[0] && t[1] == want[1], "10^%d", k);
}

START_TEST(the_table_of_powers_of_ten_can_be_computed_again)
{
	uint32_t up[LIMBS] = { 1 }, down[LIMBS] = { 0 };

	down[LIMBS - 1] = 1;
	for (int k = 0; k <= OOD_POW10_MAX; k++) {
		uint64_t carry = 0;

		check_power(up, k, false);
		for (int i = 0; i < LIMBS; i++) {
			carry += up[i] * 10ull;
			up[i] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	for (int k = -1; k >= OOD_POW10_MIN; k--) {
		uint64_t rest = 0;

		for (int i = LIMBS; i-- > 0;) {
			rest = rest << 32 | down[i];
			down[i] = (uint32_t)(rest / 10);
			rest %= 10;
		}
		check_power(down, k, true);
	}
}
END_TEST

START_TEST(integer_logarithms_are_floors)
{
	for (int e = -1200; e <= 1200; e++)
		ck_assert_int_eq(ood_log10_pow2(e),
				 (int)floor(e * 0.30102999566398119521));
	for (int k = -400; k <= 400; k++)
		ck_assert_int_eq(ood_log2_pow10(k),
				 (int)floor(k * 3.32192809488736234787));
}
END_TEST

/* -------------------------------------------------------------- writing */

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
		double x = random_double(&state);
		const char *text = format(x);

		MUST(to_bits(strtod(text, NULL)) == to_bits(x), "%a: %s", x,
		     text);
		MUST(to_bits(read_all(text)) == to_bits(x), "%a: %s", x, text);
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

/* -------------------------------------------------------------- reading */

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

START_TEST(integers_may_be_written_as_floats_and_stay_exact)
{
	static const struct {
		const char *text;
		int64_t i;
	} good[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "+7", 7 },
		{ " 12 ", 12 },
		{ "0012", 12 },
		{ "3.0", 3 },
		{ "3.", 3 },
		{ "1e3", 1000 },
		{ "1.5e1", 15 },
		{ "1200e-2", 12 },
		{ "0e999999999999", 0 },
		{ "0.000", 0 },
		{ "9007199254740993", 9007199254740993 },
		{ "9007199254740993.000000000000000000000", 9007199254740993 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
		{ "-9223372036854775808.0", INT64_MIN },
		{ "922337203685477580700e-2", INT64_MAX },
		{ "1000000000000000000000000e-24", 1 },
	};
	static const char *const bad[] = { "",
					   " ",
					   "x",
					   "1x",
					   "1.5",
					   "nan",
					   "inf",
					   "1e19",
					   "15e-2",
					   "9223372036854775808",
					   "-9223372036854775809",
					   "18446744073709551616",
					   "1.00000000000000000000001",
					   "1e99999999999999999999",
					   "1e-1",
					   "0x10" };
	int64_t i = 0;

	for (size_t k = 0; k < OOD_COUNT(good); k++) {
		ck_assert_msg(ood_num_parse_int(good[k].text,
						strlen(good[k].text), &i),
			      "%s", good[k].text);
		ck_assert_int_eq(i, good[k].i);
	}
	for (size_t k = 0; k < OOD_COUNT(bad); k++)
		ck_assert_msg(!ood_num_parse_int(bad[k], strlen(bad[k]), &i),
			      "%s", bad[k]);
}
END_TEST

START_TEST(half_floats_widen_exactly)
{
	for (uint32_t bits = 0; bits < 65536; bits++) {
		int field = bits >> 10 & 31, fraction = bits & 1023;
		float x = ood_num_half((uint16_t)bits);
		double want = field ? ldexp(1024 + fraction, field - 25)
				    : ldexp(fraction, -24);

		MUST(!!signbit(x) == bits >> 15, "%x", bits);
		if (field < 31)
			MUST(fabs((double)x) == want, "%x", bits);
		else
			MUST(fraction ? isnan(x) : isinf(x), "%x", bits);
	}
}
END_TEST

Suite *suite_num(void);
Suite *suite_num(void)
{
	Suite *s = suite_create("num");
	TCase *c = tcase_create("num");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, the_table_of_powers_of_ten_can_be_computed_again);
	tcase_add_test(c, integer_logarithms_are_floors);
	tcase_add_test(c, numbers_are_written_as_documented);
	tcase_add_test(c, what_is_written_reads_back_as_the_same_bits);
	tcase_add_test(c, no_shorter_decimal_reads_back);
	tcase_add_test(c, powers_of_two_and_their_neighbours_are_shortest);
	tcase_add_test(c, decimals_of_few_digits_print_as_they_were_typed);
	tcase_add_test(c, digits_are_rounded_correctly);
	tcase_add_test(c, integers_are_written_exactly);
	tcase_add_test(c, boundaries_of_the_range_are_right);
	tcase_add_test(c, what_no_double_holds_is_out_of_range);
#if LDBL_MANT_DIG >= 64
	tcase_add_test(c, middles_go_to_even_and_a_digit_far_behind_decides);
#endif
	tcase_add_test(c, decimals_of_any_length_are_read_as_strtod_reads_them);
	tcase_add_test(c, zeros_by_the_hundred_thousand_do_not_matter);
	tcase_add_test(c, json_takes_its_grammar_and_no_more);
	tcase_add_test(c, text_is_more_lenient);
	tcase_add_test(c, the_decimal_sign_may_be_a_comma);
	tcase_add_test(c, a_word_is_a_number_as_a_whole_or_not);
	tcase_add_test(c, integers_may_be_written_as_floats_and_stay_exact);
	tcase_add_test(c, half_floats_widen_exactly);
	suite_add_tcase(s, c);
	return s;
}
