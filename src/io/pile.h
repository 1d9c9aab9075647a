/*
 * pile.h - bytes held until the end, in pieces that never move
 *
 * One buffer that grows would be copied, and its pages touched anew, at each
 * step: slower than writing it.
 */
#ifndef OOD_IO_PILE_H
#define OOD_IO_PILE_H

#include "core/base.h"

struct ood_piece {
	char *at;
	size_t n;
};

/* All zero is empty. */
struct ood_pile {
	struct ood_piece *pieces;
	size_t n, room; /* of pieces */
	size_t last;	/* bytes that the last piece could hold */
	uint64_t bytes; /* in all of them */
	bool failed;	/* memory ran out: later calls do nothing */
};

/* Room for `size` bytes in one piece; NULL without memory. */
void *ood_pile_reserve(struct ood_pile *pile, size_t size);
void ood_pile_add(struct ood_pile *pile, const void *bytes, size_t n);
void ood_pile_free(struct ood_pile *pile);

#endif
