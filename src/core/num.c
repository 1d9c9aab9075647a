/*
 * num.c - numbers that are not decimal text
 */
#include "core/num.h"

float ood_num_half(uint16_t bits)
{
	uint32_t magnitude = (uint32_t)(bits & 0x7fff) << 13;
	float x;

	/* The fields of half stand in those of float; the product mends the
	 * exponent (biases 15 and 127) and normalises subnormals, exactly. */
	memcpy(&x, &magnitude, sizeof(x));
	x *= 0x1p112f;
	if ((bits & 0x7c00) == 0x7c00)
		x = bits & 0x3ff ? NAN : INFINITY;
	return bits & 0x8000 ? -x : x;
}
