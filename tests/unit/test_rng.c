/*
 * test_rng.c - the counter-based generator
 */
#include <check.h>

#include "core/rng.h"

/* Known answers of philox4x32 10 in kat_vectors of Random123 1.14.0 (Salmon,
 * Moraes; D. E. Shaw Research): counter, key, output. */
START_TEST(blocks_are_those_of_random123)
{
	static const uint32_t known[][10] = {
		{ 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000,
		  0x00000000, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
		{ 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
		  0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
		{ 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822,
		  0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 },
	};

	for (size_t i = 0; i < OOD_COUNT(known); i++) {
		uint32_t counter[4];

		memcpy(counter, known[i], sizeof(counter));
		ood_rng_philox(counter, known[i] + 4);
		ck_assert_mem_eq(counter, known[i] + 6, sizeof(counter));
	}
}
END_TEST

START_TEST(seed_purpose_row_and_draw_all_change_the_bits)
{
	uint64_t x = ood_rng_bits(1, OOD_RNG_TEST, 2, 3);

	ck_assert_uint_eq(x, ood_rng_bits(1, OOD_RNG_TEST, 2, 3));
	ck_assert_uint_ne(x, ood_rng_bits(2, OOD_RNG_TEST, 2, 3));
	ck_assert_uint_ne(x, ood_rng_bits(1ull << 32 | 1, OOD_RNG_TEST, 2, 3));
	ck_assert_uint_ne(x, ood_rng_bits(1, OOD_RNG_SUBSET, 2, 3));
	ck_assert_uint_ne(x, ood_rng_bits(1, OOD_RNG_TEST, 1, 3));
	ck_assert_uint_ne(x, ood_rng_bits(1, OOD_RNG_TEST, 1ull << 32 | 2, 3));
	ck_assert_uint_ne(x, ood_rng_bits(1, OOD_RNG_TEST, 2, 4));
}
END_TEST

START_TEST(uniform_numbers_fill_the_unit_interval_evenly)
{
	enum { N = 100000, BINS = 100 };
	size_t count[BINS] = { 0 };
	double chi = 0;

	for (uint64_t i = 0; i < N; i++) {
		double u = ood_rng_uniform(7, OOD_RNG_TEST, i, 0);

		ck_assert_msg(u >= 0 && u < 1, "%g", u);
		count[(size_t)(u * BINS)]++;
	}
	for (size_t b = 0; b < BINS; b++)
		chi += pow((double)count[b] - N / BINS, 2) / (N / BINS);
	/* 1 - 1e-6 quantile of chi-square with 99 degrees: scipy.stats.chi2
	 * 1.10.1 */
	ck_assert_double_lt(chi, 180.792);
}
END_TEST

Suite *suite_rng(void);
Suite *suite_rng(void)
{
	Suite *s = suite_create("rng");
	TCase *c = tcase_create("rng");

	tcase_add_test(c, blocks_are_those_of_random123);
	tcase_add_test(c, seed_purpose_row_and_draw_all_change_the_bits);
	tcase_add_test(c, uniform_numbers_fill_the_unit_interval_evenly);
	suite_add_tcase(s, c);
	return s;
}
