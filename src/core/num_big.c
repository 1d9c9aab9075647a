/*
 * num_big.c - big integers for the numbers that 128 bits cannot decide
 */
#include "core/num_big.h"
#include "core/num_pow10.h"

#define POW5_27 7450580596923828125ull /* the largest in 64 bits */

void ood_big_muladd(struct ood_big *b, uint64_t mul, uint64_t add)
{
	uint64_t carry = add;

	for (size_t i = 0; i < b->n; i++) {
		ood_u128 t = (ood_u128)b->limb[i] * mul + carry;

		b->limb[i] = (uint64_t)t;
		carry = (uint64_t)(t >> 64);
	}
	if (carry && b->n < OOD_BIG_LIMBS)
		b->limb[b->n++] = carry;
}

static void mul_pow5(struct ood_big *b, int k)
{
	uint64_t rest = 1;

	for (; k >= 27; k -= 27)
		ood_big_muladd(b, POW5_27, 0);
	while (k-- > 0)
		rest *= 5;
	ood_big_muladd(b, rest, 0);
}

static void shift_left(struct ood_big *b, int bits)
{
	size_t words = (size_t)bits / 64;

	ood_big_muladd(b, 1ull << (bits % 64), 0);
	if (!b->n || b->n + words > OOD_BIG_LIMBS)
		return;
	memmove(b->limb + words, b->limb, b->n * sizeof(b->limb[0]));
	memset(b->limb, 0, words * sizeof(b->limb[0]));
	b->n += words;
}

static int compare(const struct ood_big *a, const struct ood_big *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (size_t i = a->n; i-- > 0;)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	return 0;
}

int ood_big_compare(struct ood_big *b, int q, uint64_t m, int e)
{
	struct ood_big right = { .n = 0 };
	int twos = q - e; /* more factors of two on the left */

	ood_big_muladd(&right, 1, m);
	if (q > 0)
		mul_pow5(b, q);
	else
		mul_pow5(&right, -q);
	if (twos > 0)
		shift_left(b, twos);
	else
		shift_left(&right, -twos);
	return compare(b, &right);
}
