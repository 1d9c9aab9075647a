/*
 * rng.c - random numbers keyed by (seed, purpose, row)
 *
 * Philox4x32-10, Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy
 * as 1, 2, 3, SC 2011; multipliers and Weyl constants from its table 2.
 */
#include "core/rng.h"

#define ROUNDS 10

static void round_once(uint32_t c[4], const uint32_t key[2])
{
	uint64_t p = 0xd2511f53ull * c[0], q = 0xcd9e8d57ull * c[2];
	uint32_t next[4] = { (uint32_t)(q >> 32) ^ c[1] ^ key[0], (uint32_t)q,
			     (uint32_t)(p >> 32) ^ c[3] ^ key[1], (uint32_t)p };

	memcpy(c, next, sizeof(next));
}

void ood_rng_philox(uint32_t counter[4], const uint32_t key[2])
{
	uint32_t k[2] = { key[0], key[1] };

	for (int i = 0; i < ROUNDS; i++) {
		round_once(counter, k);
		k[0] += 0x9e3779b9; /* golden ratio */
		k[1] += 0xbb67ae85; /* sqrt(3) - 1 */
	}
}

uint64_t ood_rng_bits(uint64_t seed, enum ood_purpose purpose, uint64_t row,
		      uint32_t draw)
{
	uint32_t counter[4] = { draw, (uint32_t)purpose, (uint32_t)row,
				(uint32_t)(row >> 32) };
	uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };

	ood_rng_philox(counter, key);
	return (uint64_t)counter[1] << 32 | counter[0];
}

double ood_rng_uniform(uint64_t seed, enum ood_purpose purpose, uint64_t row,
		       uint32_t draw)
{
	return (double)(ood_rng_bits(seed, purpose, row, draw) >> 11) * 0x1p-53;
}
