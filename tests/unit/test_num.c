/*
 * test_num.c - powers of ten, integers, half floats
 */
#include <check.h>

#include "core/num.h"
#include "core/num_pow10.h"
#include "doubles.h"

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
	tcase_add_test(c, integers_may_be_written_as_floats_and_stay_exact);
	tcase_add_test(c, half_floats_widen_exactly);
	suite_add_tcase(s, c);
	return s;
}
