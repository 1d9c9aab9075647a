/*
 * csv_block.c - rows of a text table, as matrices and words
 */
#include "core/err.h"
#include "core/thread.h"
#include "io/csv.h"

/* --------------------------------------------------------- arena --- */

#define SLAB ((size_t)64 << 10)

/* Shares of the work for each thread: what one that is held up does not get
 * to, others do. */
#define SHARES 4

struct ood_slab {
	struct ood_slab *next;
	size_t n, room;
	char bytes[];
};

const char *ood_csv_arena_keep(struct ood_csv_arena *a, const char *at,
			       size_t n)
{
	struct ood_slab *slab = a->slabs;
	char *copy;

	if (!n)
		return "";
	if (!slab || slab->room - slab->n < n) {
		size_t room = OOD_MAX(n, SLAB);

		slab = ood_malloc(sizeof(*slab) + room, 1);
		if (!slab)
			return NULL;
		slab->next = a->slabs;
		slab->n = 0;
		slab->room = room;
		a->slabs = slab;
	}
	copy = slab->bytes + slab->n;
	memcpy(copy, at, n);
	slab->n += n;
	return copy;
}

/* Keeps one slab of the common size for the next block. */
void ood_csv_arena_clear(struct ood_csv_arena *a)
{
	struct ood_slab *kept = NULL;

	while (a->slabs) {
		struct ood_slab *slab = a->slabs;

		a->slabs = slab->next;
		if (!kept && slab->room == SLAB)
			kept = slab;
		else
			ood_free(slab);
	}
	a->slabs = kept;
	if (kept) {
		kept->next = NULL;
		kept->n = 0;
	}
}

void ood_csv_arena_free(struct ood_csv_arena *a)
{
	ood_csv_arena_clear(a);
	ood_free(a->slabs);
	a->slabs = NULL;
}

/* ---------------------------------------------------------- runs --- */

static int by_first(const void *a, const void *b)
{
	const struct ood_csv_run *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static void add_runs(struct ood_csv_block *b, const struct ood_pick *pick,
		     size_t number)
{
	struct ood_csv_run *run = NULL;

	for (size_t i = 0; i < pick->n; i++) {
		if (run && pick->member[i] == run->first + run->n) {
			run->n++;
			continue;
		}
		run = &b->runs[b->n_runs++];
		*run = (struct ood_csv_run){ .first = pick->member[i],
					     .n = 1,
					     .pick = number,
					     .column = i,
					     .kind = pick->kind };
	}
}

static size_t count_runs(const struct ood_reader *reader)
{
	size_t n = 0;

	for (size_t i = 0; i < reader->n_picks; i++) {
		const struct ood_pick *pick = &reader->picks[i];

		for (size_t k = 0; k < pick->n; k++)
			n += !k || pick->member[k] != pick->member[k - 1] + 1;
	}
	return n;
}

int ood_csv_block_open(struct ood_csv_block *b, const struct ood_reader *reader,
		       struct ood_err *err)
{
	size_t n = reader->n_picks;

	b->keep_records = reader->read->keep_records;
	b->n_parts = n;
	b->n_arenas = (size_t)ood_threads() * SHARES;
	b->parts = ood_calloc(n, sizeof(*b->parts));
	b->columns = ood_calloc(n, sizeof(*b->columns));
	b->arenas = ood_calloc(b->n_arenas, sizeof(*b->arenas));
	b->runs = ood_calloc(count_runs(reader), sizeof(*b->runs));
	if (!b->parts || !b->columns || !b->arenas || !b->runs)
		return ood_fail_memory(err, n * sizeof(*b->parts));
	for (size_t i = 0; i < n; i++) {
		b->parts[i].width = reader->picks[i].n;
		b->parts[i].kind = reader->picks[i].kind;
		add_runs(b, &reader->picks[i], i);
	}
	qsort(b->runs, b->n_runs, sizeof(*b->runs), by_first);
	return OOD_OK;
}

void ood_csv_block_close(struct ood_csv_block *b)
{
	for (size_t i = 0; b->parts && i < b->n_parts; i++) {
		ood_free(b->parts[i].reals);
		ood_free(b->parts[i].words);
	}
	for (size_t i = 0; b->arenas && i < b->n_arenas; i++)
		ood_csv_arena_free(&b->arenas[i]);
	ood_free(b->parts);
	ood_free(b->columns);
	ood_free(b->arenas);
	ood_free(b->runs);
	ood_free(b->lines);
	ood_free(b->records);
	*b = (struct ood_csv_block){ .n = 0 };
}

void ood_csv_block_clear(struct ood_csv_block *b)
{
	b->n = 0;
	for (size_t i = 0; i < b->n_arenas; i++)
		ood_csv_arena_clear(&b->arenas[i]);
}

/* ---------------------------------------------------------- room --- */

/* Grows *array, of elements of `size` bytes, to `room` elements. */
static int grow(void *array, size_t used, size_t room, size_t size,
		struct ood_err *err)
{
	void *old, *grown;
	size_t bytes;

	memcpy(&old, array, sizeof(old));
	if (!ood_mul(room, size, &bytes))
		return ood_fail_memory(err, SIZE_MAX);
	grown = ood_realloc(old, used, room, size);
	if (!grown)
		return ood_fail_memory(err, bytes);
	memcpy(array, &grown, sizeof(grown));
	return OOD_OK;
}

static int grow_part(struct ood_csv_block *b, struct ood_csv_part *part,
		     size_t room, struct ood_err *err)
{
	if (part->kind == OOD_PICK_REAL)
		return grow(&part->reals, b->n, room,
			    part->width * sizeof(*part->reals), err);
	return grow(&part->words, b->n, room, sizeof(*part->words), err);
}

int ood_csv_block_reserve(struct ood_csv_block *b, size_t more, size_t all,
			  struct ood_err *err)
{
	size_t need = b->n + more, room;
	int rc;

	if (need <= b->room)
		return OOD_OK;
	room = OOD_MAX(need, OOD_MIN(all, b->room * 2));
	rc = grow(&b->lines, b->n, room, sizeof(*b->lines), err);
	if (!rc && b->keep_records)
		rc = grow(&b->records, b->n, room, sizeof(*b->records), err);
	for (size_t i = 0; !rc && i < b->n_parts; i++)
		rc = grow_part(b, &b->parts[i], room, err);
	if (!rc)
		b->room = room;
	return rc;
}

void ood_csv_block_show(struct ood_csv_block *b, struct ood_chunk *chunk)
{
	for (size_t i = 0; i < b->n_parts; i++) {
		const struct ood_csv_part *part = &b->parts[i];

		b->columns[i] = (struct ood_column){
			.view = { .dtype = OOD_F8 },
			.vec = { .words = part->words },
		};
		if (part->kind == OOD_PICK_REAL)
			b->columns[i].view = (struct ood_view){
				.data = part->reals,
				.dtype = OOD_F8,
				.rows = b->n,
				.cols = part->width,
				.stride = part->width,
			};
	}
	*chunk = (struct ood_chunk){ .n = b->n,
				     .columns = b->columns,
				     .records = b->records };
}
