/*
 * idset.h - ids seen so far, to find one that occurs twice
 */
#ifndef OOD_IO_IDSET_H
#define OOD_IO_IDSET_H

#include "core/mem.h"

struct ood_idset_slot;

/* All zero is empty. Keeps the ids' bytes and about 50 bytes for each. */
struct ood_idset {
	struct ood_idset_slot *slots; /* a power of 2 */
	size_t n, room;
	struct ood_buf bytes;
};

/* Adds an id; *before becomes the row of an equal one that was there before,
 * else 0. False: no memory. */
bool ood_idset_add(struct ood_idset *set, struct ood_span id, uint64_t row,
		   uint64_t *before);
void ood_idset_free(struct ood_idset *set);

#endif
