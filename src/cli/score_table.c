/*
 * score_table.c - the table that `ood score` writes
 *
 * A list of fields, and for each the place in block and scores that its cells
 * come from. What has to be worked out (pixel places, words) goes to columns
 * of its own.
 */
#include "cli/score_table.h"

#include <stdio.h>

#include "core/err.h"
#include "core/mem.h"
#include "io/writer.h"

enum slot {
	SLOT_ID,
	SLOT_ROW,
	SLOT_IMAGE,
	SLOT_Y,
	SLOT_X,
	SLOT_LABEL,
	SLOT_PRED,
	SLOT_PRED_NAME,
	SLOT_CONFIDENCE,
	SLOT_SCORE,
	SLOT_DECISION,
};

enum { BESIDE_SCORES = 9 }; /* most fields that are no score */

struct ood_score_table {
	struct ood_score_table_options options;
	struct ood_writer *writer;
	struct ood_field *fields;
	struct ood_cells *cells;
	enum slot *slots;
	size_t n;
	struct ood_pixels pixels;
	/* worked out for each block */
	size_t room;
	int64_t *row, *y, *x;
	struct ood_span *pred_name, *decision;
};

static void add(struct ood_score_table *t, enum slot slot, const char *name,
		enum ood_field_kind kind)
{
	t->slots[t->n] = slot;
	t->fields[t->n] = (struct ood_field){ .name = name, .kind = kind };
	t->n++;
}

static enum ood_field_kind kind_of(const struct ood_vec *vec)
{
	return vec->ints    ? OOD_FIELD_INT
	       : vec->reals ? OOD_FIELD_REAL
			    : OOD_FIELD_WORD;
}

static void choose_fields(struct ood_score_table *t)
{
	const struct ood_score_table_options *o = &t->options;
	const struct ood_set *set = o->set;

	bool arrays = !strcmp(o->format, "npz") || !strcmp(o->format, "npy");

	/* In arrays the place of an element tells its row or pixel. */
	if (!t->pixels.on && ood_set_has(set, OOD_IDS)) {
		add(t, SLOT_ID, "id", kind_of(&o->first->ids));
	} else if (!arrays && t->pixels.on) {
		add(t, SLOT_IMAGE, "image", OOD_FIELD_INT);
		add(t, SLOT_Y, "y", OOD_FIELD_INT);
		add(t, SLOT_X, "x", OOD_FIELD_INT);
	} else if (!arrays) {
		add(t, SLOT_ROW, "row", OOD_FIELD_INT);
	}
	if (ood_set_has(set, OOD_LABELS)) {
		add(t, SLOT_LABEL, "label", kind_of(&o->first->labels));
		t->fields[t->n - 1].bare = true;
	}
	if (o->has_classes) {
		add(t, SLOT_PRED, "pred", OOD_FIELD_INT);
		if (ood_set_class_name(set, 0))
			add(t, SLOT_PRED_NAME, "pred_name", OOD_FIELD_WORD);
		add(t, SLOT_CONFIDENCE, "confidence", OOD_FIELD_REAL);
	}
	for (size_t s = 0; s < o->n_columns; s++) {
		add(t, SLOT_SCORE, o->columns[s], OOD_FIELD_REAL);
		t->fields[t->n - 1].score = true;
	}
	if (o->decision->on)
		add(t, SLOT_DECISION, "decision", OOD_FIELD_WORD);
}

static struct ood_writer_options writer_options(const struct ood_score_table *t)
{
	struct ood_writer_options w = {
		.format = ood_format_find(t->options.format),
		.rows = ood_set_rows(t->options.set),
		.digits = t->options.digits,
		.max_bytes = t->options.max_bytes,
	};

	if (!t->pixels.on)
		return w;
	if (t->pixels.images > 1)
		w.shape[w.ndim++] = t->pixels.images;
	w.shape[w.ndim++] = t->pixels.height;
	w.shape[w.ndim++] = t->pixels.width;
	return w;
}

int ood_score_table_open(struct ood_score_table **table,
			 const struct ood_score_table_options *options,
			 struct ood_err *err)
{
	struct ood_score_table *t = ood_calloc(1, sizeof(*t));
	size_t most = options->n_columns + BESIDE_SCORES;

	*table = t;
	if (!t)
		return ood_fail_memory(err, sizeof(*t));
	t->options = *options;
	t->pixels = ood_set_pixels(options->set);
	t->fields = ood_calloc(most, sizeof(*t->fields));
	t->cells = ood_calloc(most, sizeof(*t->cells));
	t->slots = ood_calloc(most, sizeof(*t->slots));
	if (!t->fields || !t->cells || !t->slots)
		return ood_fail_memory(err, most * sizeof(*t->cells));
	choose_fields(t);
	struct ood_writer_options w = writer_options(t);
	return ood_writer_open(&t->writer, options->sink, &w, t->fields, t->n,
			       err);
}

static bool make_room(struct ood_score_table *t, size_t n)
{
	if (n <= t->room)
		return true;
	ood_free(t->row);
	ood_free(t->y);
	ood_free(t->x);
	ood_free(t->pred_name);
	ood_free(t->decision);
	t->row = ood_malloc(n, sizeof(*t->row));
	t->y = ood_malloc(t->pixels.on ? n : 1, sizeof(*t->y));
	t->x = ood_malloc(t->pixels.on ? n : 1, sizeof(*t->x));
	t->pred_name = ood_malloc(n, sizeof(*t->pred_name));
	t->decision = ood_malloc(n, sizeof(*t->decision));
	t->room = n;
	return t->row && t->y && t->x && t->pred_name && t->decision;
}

/* Rows count from 1; images, y and x from 0, as arrays do. */
static void place_rows(struct ood_score_table *t, const struct ood_block *block)
{
	uint64_t w = t->pixels.width, area = t->pixels.height * w;

	for (size_t i = 0; i < block->n; i++) {
		uint64_t row = block->row[i];
		if (!t->pixels.on) {
			t->row[i] = (int64_t)row;
			continue;
		}
		t->row[i] = (int64_t)((row - 1) / area);
		t->y[i] = (int64_t)((row - 1) % area / w);
		t->x[i] = (int64_t)((row - 1) % w);
	}
}

static void name_rows(struct ood_score_table *t, const struct ood_block *block,
		      const struct ood_scored *scored)
{
	const struct ood_decision *d = t->options.decision;
	bool named = ood_set_class_name(t->options.set, 0) != NULL;

	for (size_t i = 0; i < block->n && named && scored->has_top; i++) {
		int64_t k = OOD_MAX(scored->pred[i], 0); /* -1: a bad row */
		const char *name =
			ood_set_class_name(t->options.set, (size_t)k);
		t->pred_name[i] = (struct ood_span){ name, strlen(name) };
	}
	for (size_t i = 0; i < block->n && d->on; i++)
		t->decision[i] = ood_decision_word(
			d, scored->scores[i * scored->columns + d->column]);
}

static struct ood_cells cells_of(const struct ood_vec *vec)
{
	return (struct ood_cells){ .reals = vec->reals,
				   .stride = 1,
				   .ints = vec->ints,
				   .words = vec->words };
}

static struct ood_cells fill(const struct ood_score_table *t, enum slot slot,
			     const struct ood_block *block,
			     const struct ood_scored *scored)
{
	struct ood_cells c = { .stride = 1 };

	switch (slot) {
	case SLOT_ID:
		return cells_of(&block->ids);
	case SLOT_LABEL:
		return cells_of(&block->labels);
	case SLOT_ROW:
	case SLOT_IMAGE:
		c.ints = t->row;
		break;
	case SLOT_Y:
		c.ints = t->y;
		break;
	case SLOT_X:
		c.ints = t->x;
		break;
	case SLOT_PRED:
		c.ints = scored->pred;
		c.blank = block->bad;
		break;
	case SLOT_PRED_NAME:
		c.words = t->pred_name;
		c.blank = block->bad;
		break;
	case SLOT_CONFIDENCE:
		c.reals = scored->confidence;
		c.blank = block->bad;
		break;
	case SLOT_DECISION:
		c.words = t->decision;
		break;
	case SLOT_SCORE:
		c.reals = scored->scores;
		c.stride = scored->columns;
		break;
	}
	return c;
}

/* The writer counts rows of the output; people look into the input. */
static void place_in_input(const struct ood_score_table *t,
			   const struct ood_block *block, struct ood_err *err)
{
	size_t i = (size_t)(err->line - 1 - block->first);

	err->where[0] = '\0';
	ood_set_place(t->options.set,
		      ood_set_has(t->options.set, OOD_IDS) ? OOD_IDS
							   : OOD_LABELS,
		      OOD_MIN(i, block->n - 1), SIZE_MAX, err);
}

int ood_score_table_put(struct ood_score_table *t,
			const struct ood_block *block,
			const struct ood_scored *scored, struct ood_err *err)
{
	size_t column = 0;

	if (!make_room(t, block->n))
		return ood_fail_memory(err, block->n * sizeof(*t->row));
	place_rows(t, block);
	name_rows(t, block, scored);
	for (size_t f = 0; f < t->n; f++) {
		t->cells[f] = fill(t, t->slots[f], block, scored);
		if (t->slots[f] == SLOT_SCORE)
			t->cells[f].reals += column++;
	}
	int code = ood_writer_put(t->writer, block->n, t->cells, err);
	if (code == OOD_INPUT && err->line > block->first)
		place_in_input(t, block, err);
	return code;
}

int ood_score_table_close(struct ood_score_table *t, int code,
			  struct ood_err *err)
{
	if (!t)
		return code;
	if (code)
		ood_writer_abandon(t->writer);
	else
		code = ood_writer_finish(t->writer, err);
	ood_free(t->fields);
	ood_free(t->cells);
	ood_free(t->slots);
	ood_free(t->row);
	ood_free(t->y);
	ood_free(t->x);
	ood_free(t->pred_name);
	ood_free(t->decision);
	ood_free(t);
	return code;
}
