/*
 * num_big.h - big integers for the numbers that 128 bits cannot decide
 */
#ifndef OOD_CORE_NUM_BIG_H
#define OOD_CORE_NUM_BIG_H

#include "core/base.h"

/* No decimal with more digits than this lies between two doubles' middle and
 * the next decimal: the middle of two doubles has at most 767 digits. */
#define OOD_BIG_DIGITS 768

/*
 * Both sides of a comparison are of the same size. The longer one is the
 * digits themselves, 769 of them in 2555 bits, or 54 bits times 5^1093
 * (2592 bits), or below 10^309.
 */
#define OOD_BIG_LIMBS 48

struct ood_big {
	size_t n; /* limbs in use, the lowest first; 0 is zero */
	uint64_t limb[OOD_BIG_LIMBS];
};

/* b = b * mul + add */
void ood_big_muladd(struct ood_big *b, uint64_t mul, uint64_t add);

/*
 * Sign of b 10^q - m 2^e, where both are within a factor of two of each
 * other and a double is near. Uses b up.
 */
int ood_big_compare(struct ood_big *b, int q, uint64_t m, int e);

#endif
