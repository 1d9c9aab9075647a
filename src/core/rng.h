/*
 * rng.h - random numbers keyed by (seed, purpose, row)
 *
 * A counter-based generator: the number of a row never depends on other rows,
 * on threads or on blocks. Philox4x32-10, Salmon, Moraes, Dror, Shaw: Parallel
 * Random Numbers: As Easy as 1, 2, 3, SC 2011.
 */
#ifndef OOD_CORE_RNG_H
#define OOD_CORE_RNG_H

#include "core/base.h"

/* One block of the generator: counter becomes 128 random bits. */
void ood_rng_philox(uint32_t counter[4], const uint32_t key[2]);

enum ood_purpose {
	OOD_RNG_TEST,
	OOD_RNG_BOOTSTRAP,
	OOD_RNG_SUBSET,
	OOD_RNG_CLUSTERS
};

/* 64 random bits of draw number `draw` of `row`. */
uint64_t ood_rng_bits(uint64_t seed, enum ood_purpose purpose, uint64_t row,
		      uint32_t draw);
/* Uniform in [0, 1), 53 bits. */
double ood_rng_uniform(uint64_t seed, enum ood_purpose purpose, uint64_t row,
		       uint32_t draw);

#endif
