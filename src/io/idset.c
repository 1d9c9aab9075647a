/*
 * idset.c - ids seen so far, to find one that occurs twice
 */
#include "io/idset.h"

struct ood_idset_slot {
	uint64_t hash; /* 0: free */
	uint64_t row;
	size_t at, n; /* in bytes */
};

/* FNV-1a (Fowler, Noll, Vo), stirred so that the low bits count. */
static uint64_t hash_of(struct ood_span id)
{
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < id.n; i++)
		h = (h ^ (unsigned char)id.at[i]) * 0x100000001b3;
	h ^= h >> 32;
	h *= 0x9e3779b97f4a7c15;
	h ^= h >> 29;
	return h ? h : 1;
}

static bool grow(struct ood_idset *set)
{
	const size_t room = OOD_MAX((size_t)1024, 2 * set->room);
	struct ood_idset_slot *slots;

	/* At most two thirds full. */
	if (3 * (set->n + 1) <= 2 * set->room)
		return true;
	slots = ood_calloc(room, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < set->room; i++) {
		size_t at = set->slots[i].hash & (room - 1);

		if (!set->slots[i].hash)
			continue;
		while (slots[at].hash)
			at = (at + 1) & (room - 1);
		slots[at] = set->slots[i];
	}
	ood_free(set->slots);
	set->slots = slots;
	set->room = room;
	return true;
}

static bool same(const struct ood_idset *set, const struct ood_idset_slot *slot,
		 struct ood_span id)
{
	return slot->n == id.n &&
	       (!id.n || !memcmp(set->bytes.text + slot->at, id.at, id.n));
}

bool ood_idset_add(struct ood_idset *set, struct ood_span id, uint64_t row,
		   uint64_t *before)
{
	const uint64_t hash = hash_of(id);
	size_t i;

	*before = 0;
	if (!grow(set))
		return false;
	for (i = hash & (set->room - 1); set->slots[i].hash;
	     i = (i + 1) & (set->room - 1)) {
		if (set->slots[i].hash != hash ||
		    !same(set, &set->slots[i], id))
			continue;
		*before = set->slots[i].row;
		return true;
	}
	set->slots[i] =
		(struct ood_idset_slot){ hash, row, set->bytes.n, id.n };
	set->n++;
	ood_buf_add(&set->bytes, id.at, id.n);
	return !set->bytes.failed;
}

void ood_idset_free(struct ood_idset *set)
{
	ood_free(set->slots);
	ood_buf_free(&set->bytes);
	*set = (struct ood_idset){ 0 };
}
