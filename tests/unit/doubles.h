/*
 * doubles.h - bits of doubles, random ones, and checks on millions of them
 */
#ifndef OOD_TESTS_DOUBLES_H
#define OOD_TESTS_DOUBLES_H

#include <check.h>

#include "core/num.h"

#define MANY 1000000

/* ck_assert writes a mark to a file each time: too slow for millions. */
#define MUST(condition, ...)                                                   \
	do {                                                                   \
		if (!(condition))                                              \
			ck_abort_msg(__VA_ARGS__);                             \
	} while (0)

static inline uint64_t next_random(uint64_t *state)
{
	/* Steele, Lea, Flood: SplitMix, OOPSLA 2014 */
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static inline double from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline uint64_t to_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* Any finite double, or with odd draws one of the size of a score. */
static inline double random_double(uint64_t *state)
{
	uint64_t bits = next_random(state);
	double u = (double)(bits >> 12) * 0x1p-52;

	if (bits & 1)
		return 40 * u - 20;
	double x = from_bits(next_random(state));

	return isfinite(x) ? x : u;
}

#endif
