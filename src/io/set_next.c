/*
 * set_next.c - the next rows of a set
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/set_own.h"

enum {
	BLOCK_BYTES = 4 << 20, /* fits a core's share of the caches */
	ROWS_STEP = 256,       /* arithmetic tiles are cut from these */
	ROWS_MAX = 1 << 16,
};

/* Rows that fill a block: about 4 MiB of values, as the widths are known. */
static size_t rows_of_block(const struct ood_part *part)
{
	size_t bytes = 0, rows;

	for (size_t i = 0; i < part->bounds.n; i++) {
		const struct ood_bound *b = &part->bounds.at[i];
		const struct ood_member *m = ood_part_member(part, b);
		const size_t item =
			m && (m->dtype == OOD_F4 || m->dtype == OOD_F2)
				? sizeof(float)
				: sizeof(double);

		if (b->off)
			continue;
		if (b->real && !ood_part_width(part, b))
			return ROWS_STEP;
		bytes += ood_part_width(part, b) * item;
	}
	rows = BLOCK_BYTES / OOD_MAX(bytes, (size_t)1);
	rows -= rows % ROWS_STEP;
	return OOD_MIN(OOD_MAX(rows, (size_t)ROWS_STEP), (size_t)ROWS_MAX);
}

/* Names that nothing binds: reads on for the others, then refuses. */
static int refuse_names(struct ood_set *set, struct ood_err *err)
{
	struct ood_part *part = ood_set_side(set)->part;
	const struct ood_bound *b = ood_part_find(part, OOD_LABELS, 0);
	struct ood_err place;
	size_t n = 1;

	ood_fail(&place, OOD_INPUT, "labels");
	ood_part_place(part, b, 0, SIZE_MAX, &place);
	while (n && !part->read.live) {
		const size_t rows = rows_of_block(part);
		struct ood_numbers to = {
			.out = ood_set_room(set, OOD_ROOM_LABEL, rows,
					    sizeof(*to.out)),
			.bad = ood_set_room(set, OOD_ROOM_BAD, rows, 1),
		};

		if (!to.out || !to.bad || ood_part_next(part, rows, &n, err) ||
		    !n ||
		    ood_labels_number(&set->labels,
				      &ood_part_column(part, b)->vec, n, &to,
				      err))
			break;
	}
	ood_labels_refuse(&set->labels, set->n_classes, err);
	err->place = place.place;
	err->line = place.line;
	err->column = place.column;
	memcpy(err->where, place.where, sizeof(err->where));
	return (int)err->code;
}

/* The next rows of the side at hand, or of the one after it. */
static int next_rows(struct ood_set *set, size_t *n, struct ood_err *err)
{
	int code = OOD_OK;

	*n = 0;
	while (!code && !*n && set->now < set->n_sides) {
		struct ood_side *side = &set->sides[set->now];

		/* Widths are known once the readers are bound. */
		code = ood_part_start(side->part, err);
		if (!code)
			code = ood_part_next(side->part,
					     rows_of_block(side->part), n, err);
		if (code || *n)
			break;
		code = ood_set_note_side(set, side, err);
		if (!code && set->now)
			code = ood_part_rest(side->part, err);
		set->now++;
	}
	return code;
}

int ood_set_next(struct ood_set *set, struct ood_block *block,
		 struct ood_err *err)
{
	*block = (struct ood_block){ 0 };
	if (!set->begun) {
		int code = ood_set_check_join(set, err);

		if (code)
			return code;
		set->begun = true;
	}
	/* A block whose rows were all dropped is not the end. */
	while (!block->n && set->now < set->n_sides) {
		size_t n;
		int code = next_rows(set, &n, err);

		if (code || !n)
			return code;
		code = ood_block_fill(set, n, block, err);
		if (!code && set->labels.need && set->labels.n_found)
			code = refuse_names(set, err);
		if (code)
			return code;
		ood_set_look(set, block);
		ood_set_side(set)->rows += n;
		set->handed += block->n;
	}
	return OOD_OK;
}
