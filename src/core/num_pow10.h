/*
 * num_pow10.h - powers of ten times 64-bit integers, for num_*.c alone
 */
#ifndef OOD_CORE_NUM_POW10_H
#define OOD_CORE_NUM_POW10_H

#include "core/base.h"

/*
 * A 19-digit integer times 10^-343 is below half of the smallest subnormal;
 * the smallest subnormal with 17 digits is an integer times 10^-340.
 */
#define OOD_POW10_MIN (-342)
#define OOD_POW10_MAX 340
#define OOD_POW10_COUNT (OOD_POW10_MAX - OOD_POW10_MIN + 1)

extern const uint64_t ood_num_pow10[2 * OOD_POW10_COUNT];

/* floor(log2(10^k)) for |k| <= 1233: 1741647 / 2^19 is log2(10) + 1.3e-7. */
static inline int ood_log2_pow10(int k)
{
	return (k * 1741647) >> 19;
}

/* floor(log10(2^e)) for |e| <= 1500: 1262611 / 2^22 is log10(2) + 1e-7. */
static inline int ood_log10_pow2(int e)
{
	return (e * 1262611) >> 22;
}

/*
 * The upper 128 of the 192 bits of w * entry k. So
 *	w * 10^k = p * 2^(ood_log2_pow10(k) - 63)
 * for a p with result - 1 < p < result + 1.
 */
static inline ood_u128 ood_mul_pow10(uint64_t w, int k)
{
	const uint64_t *t = ood_num_pow10 + 2 * (k - OOD_POW10_MIN);
	ood_u128 low = (ood_u128)w * t[1];

	return (ood_u128)w * t[0] + (uint64_t)(low >> 64);
}

#endif
