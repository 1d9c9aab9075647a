/*
 * block.c - from the rows at hand to a block of checked values
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/block_own.h"
#include "io/widen.h"

void *ood_set_room(struct ood_set *set, enum ood_room which, size_t count,
		   size_t size)
{
	size_t bytes;

	if (!ood_mul(count, size, &bytes))
		return NULL;
	if (set->room[which] && bytes <= set->room_bytes[which])
		return set->room[which];
	ood_free(set->room[which]);
	set->room[which] = ood_malloc(count, size);
	set->room_bytes[which] = set->room[which] ? bytes : 0;
	return set->room[which];
}

const struct ood_bound *ood_fill_find(const struct ood_fill *f,
				      enum ood_role role, unsigned layer)
{
	const struct ood_bound *b = ood_part_find(f->part, role, layer);

	return b && !b->off ? b : NULL;
}

int ood_fill_refuse(const struct ood_fill *f, const struct ood_bound *b,
		    size_t row, size_t col)
{
	ood_part_place(f->part, b, row, col, f->err);
	return (int)f->err->code;
}

/* -------------------------------------------------------------- checks --- */

/* Checks a view; what --nan lets through is marked bad. */
static int ood_fill_check(struct ood_fill *f, const struct ood_bound *b,
			  struct ood_check *c, struct ood_view view)
{
	const bool strict = f->set->read.nan == OOD_NAN_ERROR;
	const struct ood_fault *fault = NULL;

	ood_check_view(c, view, f->bad);
	f->n_bad += c->n_missing;
	if (c->refused.kind != OOD_FAULT_NONE)
		fault = &c->refused;
	if (strict && c->missing.kind != OOD_FAULT_NONE &&
	    (!fault || c->missing.row < fault->row))
		fault = &c->missing;
	if (!fault)
		return OOD_OK;
	ood_fault_say(fault, c, f->err);
	return ood_fill_refuse(f, b, fault->row, fault->col);
}

/* --------------------------------------------------------- class scores --- */

/* Divides each row by its sum, in double. */
static int renormalise(struct ood_fill *f, struct ood_view *view)
{
	double *to = ood_set_room(f->set, OOD_ROOM_CLASSES, f->n,
				  view->cols * sizeof(*to));

	if (!to)
		return ood_fail_memory(f->err, f->n * view->cols);
	for (size_t i = 0; i < f->n; i++) {
		double *row = to + i * view->cols, sum = 0;

		for (size_t j = 0; j < view->cols; j++) {
			row[j] = ood_view_at(*view, i, j);
			sum += row[j];
		}
		for (size_t j = 0; j < view->cols && !f->bad[i]; j++)
			row[j] /= sum;
	}
	*view = (struct ood_view){ to, OOD_F8, f->n, view->cols, view->cols };
	return OOD_OK;
}

static int refuse_classes(struct ood_fill *f, const struct ood_bound *b,
			  size_t found, size_t wanted)
{
	ood_fail(f->err, OOD_INPUT,
		 "%zu columns of class scores where %zu are expected (%s)",
		 found, wanted,
		 f->set->classes.n == wanted ? "the class names"
					     : "the sets before it");
	ood_err_where(f->err, f->part->files[b->file].head.file, NULL);
	return OOD_INPUT;
}

static int fill_classes(struct ood_fill *f)
{
	struct ood_set *set = f->set;
	const struct ood_bound *b = ood_fill_find(f, set->scores_role, 0);
	const bool probs = set->scores_role == OOD_PROBS;
	struct ood_check c = {
		.kind = probs				   ? OOD_CHECK_PROBS
			: set->scores_role == OOD_LOGPROBS ? OOD_CHECK_LOGPROBS
							   : OOD_CHECK_LOGITS,
		.tol = set->read.prob_tol > 0 ? set->read.prob_tol : 1e-3,
		.renormalise = set->read.renormalise,
	};
	struct ood_view view;
	int code;

	if (!b)
		return OOD_OK;
	view = ood_part_column(f->part, b)->view;
	if (set->n_classes && view.cols != set->n_classes)
		return refuse_classes(f, b, view.cols, set->n_classes);
	set->n_classes = view.cols;
	code = ood_fill_check(f, b, &c, view);
	if (!code && probs && set->read.renormalise)
		code = renormalise(f, &view);
	if (code)
		return code;
	if (c.deviation > f->side->deviation) {
		f->side->deviation = c.deviation;
		f->side->deviation_row = f->side->rows + c.deviation_row + 1;
	}
	f->block->scores_of_classes = view;
	f->block->is_probs = probs;
	return OOD_OK;
}

static int fill_features(struct ood_fill *f)
{
	int code = OOD_OK;

	for (unsigned k = 0; k < OOD_LAYERS_MAX && !code; k++) {
		const struct ood_bound *b = ood_fill_find(f, OOD_FEATURES, k);
		struct ood_check c = { .kind = OOD_CHECK_FINITE };

		if (!b)
			continue;
		f->block->features[k] = ood_part_column(f->part, b)->view;
		code = ood_fill_check(f, b, &c, f->block->features[k]);
	}
	return code;
}

/* ---------------------------------------------------------------- all --- */

static int fill_rows(struct ood_fill *f)
{
	uint64_t *row = ood_set_room(f->set, OOD_ROOM_ROW, f->n, sizeof(*row));

	if (!row)
		return ood_fail_memory(f->err, f->n * sizeof(*row));
	for (size_t i = 0; i < f->n; i++)
		row[i] = f->side->rows + i + 1;
	f->block->row = row;
	return OOD_OK;
}

int ood_block_fill(struct ood_set *set, size_t n, struct ood_block *block,
		   struct ood_err *err)
{
	struct ood_side *side = ood_set_side(set);
	struct ood_fill f = { .set = set,
			      .side = side,
			      .part = side->part,
			      .block = block,
			      .n = n,
			      .err = err };
	int code;

	*block = (struct ood_block){ .n = n, .first = set->handed };
	set->origin = NULL;
	f.bad = ood_set_room(set, OOD_ROOM_BAD, n, 1);
	f.lost = ood_set_room(set, OOD_ROOM_LOST, n, 1);
	if (!f.bad || !f.lost)
		return ood_fail_memory(err, n);
	memset(f.bad, 0, n);
	memset(f.lost, 0, n);
	code = fill_classes(&f);
	if (!code)
		code = fill_features(&f);
	if (!code)
		code = ood_fill_scores(&f);
	if (!code)
		code = ood_fill_labels(&f);
	if (!code)
		code = ood_fill_correct(&f);
	if (!code)
		code = ood_fill_weights(&f);
	if (!code)
		code = fill_rows(&f);
	if (code)
		return code;
	ood_fill_plain(&f);
	if (f.n_lost || (f.n_bad && set->read.nan == OOD_NAN_SKIP))
		code = ood_fill_drop(&f);
	else if (f.n_bad)
		code = ood_fill_mark(&f);
	return code;
}
