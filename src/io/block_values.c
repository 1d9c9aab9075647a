/*
 * block_values.c - labels, predictions, weights: one value a row
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/block_own.h"
#include "io/widen.h"

/* A value is missing: --nan skip drops the row, else it is refused. */
static int missing(struct ood_fill *f, const struct ood_bound *b, size_t row,
		   const char *what)
{
	if (f->set->read.nan == OOD_NAN_SKIP) {
		f->n_lost += !f->lost[row];
		f->lost[row] = 1;
		return OOD_OK;
	}
	if (f->set->read.nan != OOD_NAN_ERROR)
		return OOD_OK;
	ood_fail(f->err, OOD_INPUT,
		 "the %s is missing (--nan skip drops such rows)", what);
	return ood_fill_refuse(f, b, row, SIZE_MAX);
}

/* Numbers a column of labels or predictions into a room of its own. */
static int fill_numbers(struct ood_fill *f, const struct ood_bound *b,
			struct ood_labels *labels, enum ood_room room,
			const int64_t **numbers)
{
	struct ood_numbers to = {
		.out = ood_set_room(f->set, room, f->n, sizeof(*to.out)),
		.bad = ood_set_room(f->set, OOD_ROOM_ORIGIN, f->n,
				    sizeof(size_t)),
	};
	const char *what = room == OOD_ROOM_LABEL ? "label" : "predicted class";
	int code;

	if (!to.out || !to.bad)
		return ood_fail_memory(f->err, f->n * sizeof(*to.out));
	memset(to.bad, 0, f->n);
	code = ood_labels_number(labels, &ood_part_column(f->part, b)->vec,
				 f->n, &to, f->err);
	if (code == OOD_INPUT)
		return ood_fill_refuse(f, b, to.row, SIZE_MAX);
	for (size_t i = 0; i < f->n && !code; i++)
		if (to.bad[i])
			code = missing(f, b, i, what);
	*numbers = labels->n_found ? NULL : to.out;
	return code;
}

int ood_fill_labels(struct ood_fill *f)
{
	const struct ood_bound *labels = ood_fill_find(f, OOD_LABELS, 0);
	const struct ood_bound *pred = ood_fill_find(f, OOD_PRED, 0);
	int code = OOD_OK;

	if (labels) {
		f->block->labels = ood_part_column(f->part, labels)->vec;
		code = fill_numbers(f, labels, &f->set->labels, OOD_ROOM_LABEL,
				    &f->block->label);
	}
	if (pred)
		f->block->preds = ood_part_column(f->part, pred)->vec;
	if (!code && pred)
		code = fill_numbers(f, pred, &f->set->preds, OOD_ROOM_PRED,
				    &f->block->pred);
	return code;
}

int ood_fill_correct(struct ood_fill *f)
{
	const struct ood_bound *b = ood_fill_find(f, OOD_CORRECT, 0);
	double *to;

	if (!b)
		return OOD_OK;
	to = ood_set_room(f->set, OOD_ROOM_CORRECT, f->n, sizeof(*to));
	if (!to)
		return ood_fail_memory(f->err, f->n * sizeof(*to));
	for (size_t i = 0; i < f->n; i++) {
		const int flag =
			ood_flag_of(&ood_part_column(f->part, b)->vec, i);

		if (flag < 0) {
			ood_fail(f->err, OOD_INPUT,
				 "correct is 0 or 1, true or false");
			return ood_fill_refuse(f, b, i, SIZE_MAX);
		}
		to[i] = flag;
	}
	f->block->correct = to;
	return OOD_OK;
}

int ood_fill_weights(struct ood_fill *f)
{
	const struct ood_bound *b = ood_fill_find(f, OOD_WEIGHTS, 0);
	double *to;
	int code = OOD_OK;

	if (!b)
		return OOD_OK;
	to = ood_set_room(f->set, OOD_ROOM_WEIGHTS, f->n, sizeof(*to));
	if (!to)
		return ood_fail_memory(f->err, f->n * sizeof(*to));
	if (b->real)
		ood_view_column(ood_part_column(f->part, b)->view, b->col, to,
				1);
	else
		code = ood_fill_copy_vec(f, b, to, 1);
	for (size_t i = 0; i < f->n && !code; i++) {
		if (isnan(to[i])) {
			code = missing(f, b, i, "weight");
		} else if (!(to[i] >= 0) || isinf(to[i])) {
			ood_fail(f->err, OOD_INPUT,
				 "a weight is a finite number, 0 or more");
			code = ood_fill_refuse(f, b, i, SIZE_MAX);
		}
	}
	f->block->weights = to;
	return code;
}

static struct ood_vec plain_vec(const struct ood_fill *f, enum ood_role role)
{
	const struct ood_bound *b = ood_fill_find(f, role, 0);

	return b ? ood_part_column(f->part, b)->vec : (struct ood_vec){ 0 };
}

void ood_fill_plain(struct ood_fill *f)
{
	f->block->ids = plain_vec(f, OOD_IDS);
	f->block->groups = plain_vec(f, OOD_GROUPS);
	f->block->extra = plain_vec(f, OOD_EXTRA);
	for (size_t i = 0; i < f->part->n_files && !f->block->records; i++)
		f->block->records = f->part->files[i].chunk.records;
}
