/*
 * block_rows.c - rows of a block that are not usable
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/block_own.h"

/* Copies the rows origin[0..m) of an array of elements; NULL stays NULL. */
static const void *gather(struct ood_fill *f, enum ood_room room,
			  const void *at, size_t size, size_t m)
{
	const size_t *origin = f->set->origin;
	const char *from = at;
	char *to;

	if (!from)
		return NULL;
	to = from == f->set->room[room]
		     ? f->set->room[room] /* forwards onto itself */
		     : ood_set_room(f->set, room, m, size);
	f->failed |= !to;
	for (size_t i = 0; to && i < m; i++)
		memmove(to + i * size, from + origin[i] * size, size);
	return to;
}

static size_t item_size(enum ood_dtype dtype)
{
	return dtype == OOD_F4 ? sizeof(float) : sizeof(double);
}

static void gather_view(struct ood_fill *f, enum ood_room room,
			struct ood_view *v, size_t m)
{
	const size_t size = v->stride * item_size(v->dtype);

	if (v->cols)
		v->data = gather(f, room, v->data, size, m);
	v->rows = m;
}

static void gather_vec(struct ood_fill *f, enum ood_room room,
		       struct ood_vec *v, size_t m)
{
	v->ints = gather(f, room, v->ints, sizeof(*v->ints), m);
	v->reals = gather(f, room, v->reals, sizeof(*v->reals), m);
	v->words = gather(f, room, v->words, sizeof(*v->words), m);
}

#define GATHER(f, room, b, field, m)                                           \
	(b)->field = gather(f, room, (b)->field, sizeof(*(b)->field), m)

/* --nan skip: the rows left move together in every array. */
int ood_fill_drop(struct ood_fill *f)
{
	struct ood_block *b = f->block;
	size_t *origin =
		ood_set_room(f->set, OOD_ROOM_ORIGIN, f->n, sizeof(*origin));
	size_t m = 0;

	if (!origin)
		return ood_fail_memory(f->err, f->n * sizeof(*origin));
	for (size_t i = 0; i < f->n; i++)
		if (!f->bad[i] && !f->lost[i])
			origin[m++] = i;
	f->set->origin = origin;
	f->side->skipped += f->n - m;
	b->n = m;
	gather_view(f, OOD_ROOM_CLASSES, &b->scores_of_classes, m);
	for (unsigned k = 0; k < OOD_LAYERS_MAX; k++)
		gather_view(f, OOD_ROOM_FEATURES + k, &b->features[k], m);
	gather_view(f, OOD_ROOM_SCORES, &b->scores, m);
	gather_vec(f, OOD_ROOM_IDS, &b->ids, m);
	gather_vec(f, OOD_ROOM_LABELS, &b->labels, m);
	gather_vec(f, OOD_ROOM_PREDS, &b->preds, m);
	gather_vec(f, OOD_ROOM_GROUPS, &b->groups, m);
	gather_vec(f, OOD_ROOM_EXTRA, &b->extra, m);
	GATHER(f, OOD_ROOM_LABEL, b, label, m);
	GATHER(f, OOD_ROOM_PRED, b, pred, m);
	GATHER(f, OOD_ROOM_CORRECT, b, correct, m);
	GATHER(f, OOD_ROOM_WEIGHTS, b, weights, m);
	GATHER(f, OOD_ROOM_ROW, b, row, m);
	GATHER(f, OOD_ROOM_RECORDS, b, records, m);
	return f->failed ? ood_fail_memory(f->err, m) : OOD_OK;
}

/* Bad rows get a value that no scorer stumbles over. */
static bool blank_view(struct ood_fill *f, enum ood_room room,
		       struct ood_view *v, double value)
{
	const size_t size = item_size(v->dtype);
	char *to;

	if (!v->cols)
		return true;
	to = v->data == f->set->room[room]
		     ? f->set->room[room]
		     : ood_set_room(f->set, room, f->n, v->stride * size);
	if (!to)
		return false;
	if (to != v->data)
		memcpy(to, v->data, ((f->n - 1) * v->stride + v->cols) * size);
	for (size_t i = 0; i < f->n; i++)
		for (size_t j = 0; j < v->cols && f->bad[i]; j++) {
			const size_t at = i * v->stride + j;

			if (v->dtype == OOD_F4)
				((float *)(void *)to)[at] = (float)value;
			else
				((double *)(void *)to)[at] = value;
		}
	v->data = to;
	return true;
}

/* --nan worst|keep: such rows stay, marked. */
int ood_fill_mark(struct ood_fill *f)
{
	const bool worst = f->set->read.nan == OOD_NAN_WORST;
	struct ood_block *b = f->block;
	bool ok = blank_view(f, OOD_ROOM_CLASSES, &b->scores_of_classes, 0);

	for (unsigned k = 0; k < OOD_LAYERS_MAX && ok; k++)
		ok = blank_view(f, OOD_ROOM_FEATURES + k, &b->features[k], 0);
	if (ok)
		ok = blank_view(f, OOD_ROOM_SCORES, &b->scores,
				worst ? (double)INFINITY : (double)NAN);
	for (size_t i = 0; i < f->n; i++)
		f->side->marked += f->bad[i];
	b->bad = f->bad;
	return ok ? OOD_OK : ood_fail_memory(f->err, f->n);
}
