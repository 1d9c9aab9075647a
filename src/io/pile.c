/*
 * pile.c - bytes held until the end, in pieces that never move
 */
#include "io/pile.h"

#include "core/mem.h"

enum { PIECE_MIN = 1 << 12, PIECE_MAX = 1 << 24 };

static bool add_piece(struct ood_pile *pile, size_t size)
{
	/* As large as all before: few pieces, and half of it used at least. */
	uint64_t want = OOD_MIN(pile->bytes, (uint64_t)PIECE_MAX);

	want = OOD_MAX(want, (uint64_t)PIECE_MIN);
	size_t room = OOD_MAX((size_t)want, size);
	if (!ood_grow(&pile->pieces, pile->n, &pile->room,
		      sizeof(*pile->pieces)))
		return false;
	char *at = ood_malloc(room, 1);
	if (!at)
		return false;
	pile->pieces[pile->n++] = (struct ood_piece){ at, 0 };
	pile->last = room;
	return true;
}

void *ood_pile_reserve(struct ood_pile *pile, size_t size)
{
	if (pile->failed)
		return NULL;
	bool fits = pile->n && size <= pile->last - pile->pieces[pile->n - 1].n;
	if (!fits && !add_piece(pile, size)) {
		pile->failed = true;
		return NULL;
	}
	struct ood_piece *piece = &pile->pieces[pile->n - 1];
	char *at = piece->at + piece->n;
	piece->n += size;
	pile->bytes += size;
	return at;
}

void ood_pile_add(struct ood_pile *pile, const void *bytes, size_t n)
{
	void *to = ood_pile_reserve(pile, n);

	if (to && n)
		memcpy(to, bytes, n);
}

void ood_pile_free(struct ood_pile *pile)
{
	for (size_t i = 0; i < pile->n; i++)
		ood_free(pile->pieces[i].at);
	ood_free(pile->pieces);
	memset(pile, 0, sizeof(*pile));
}
