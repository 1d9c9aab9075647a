/*
 * block.c - from the rows at hand to a block: converted, checked, dropped
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "io/setown.h"

/* What one call works on. */
struct fill {
	struct ood_set *set;
	struct ood_side *side;
	struct ood_part *part;
	struct ood_block *block;
	size_t n;
	uint8_t *bad;  /* no usable scores or features */
	uint8_t *lost; /* a label or the like is missing */
	size_t n_bad, n_lost;
	bool failed; /* memory ran out */
	struct ood_err *err;
};

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

static const struct ood_bound *find(const struct fill *f, enum ood_role role,
				    unsigned layer)
{
	const struct ood_bound *b = ood_part_find(f->part, role, layer);

	return b && !b->off ? b : NULL;
}

static int refuse_at(const struct fill *f, const struct ood_bound *b,
		     size_t row, size_t col)
{
	ood_part_place(f->part, b, row, col, f->err);
	return f->err->code;
}

/* -------------------------------------------------------------- checks --- */

/* Checks a view; what --nan lets through is marked bad. */
static int check(struct fill *f, const struct ood_bound *b, struct ood_check *c,
		 struct ood_view view)
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
	return refuse_at(f, b, fault->row, fault->col);
}

/* --------------------------------------------------------- class scores --- */

/* Divides each row by its sum, in double. */
static int renormalise(struct fill *f, struct ood_view *view)
{
	double *to = ood_set_room(f->set, OOD_ROOM_CLASSES, f->n,
				  view->cols * sizeof(*to));

	if (!to)
		return ood_fail_memory(f->err, f->n * view->cols);
	for (size_t i = 0; i < f->n; i++) {
		const size_t at = i * view->stride;
		double *row = to + i * view->cols, sum = 0;

		for (size_t j = 0; j < view->cols; j++) {
			row[j] = view->dtype == OOD_F4
					 ? (double)((const float *)
							    view->data)[at + j]
					 : ((const double *)view->data)[at + j];
			sum += row[j];
		}
		for (size_t j = 0; j < view->cols && !f->bad[i]; j++)
			row[j] /= sum;
	}
	*view = (struct ood_view){ to, OOD_F8, f->n, view->cols, view->cols };
	return OOD_OK;
}

static int refuse_classes(struct fill *f, const struct ood_bound *b,
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

static int fill_classes(struct fill *f)
{
	struct ood_set *set = f->set;
	const struct ood_bound *b = find(f, set->scores_role, 0);
	const bool probs = set->scores_role == OOD_PROBS;
	struct ood_check c = {
		.kind = probs ? OOD_CHECK_PROBS : OOD_CHECK_LOGITS,
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
	code = check(f, b, &c, view);
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

static int fill_features(struct fill *f)
{
	int code = OOD_OK;

	for (unsigned k = 0; k < OOD_LAYERS_MAX && !code; k++) {
		const struct ood_bound *b = find(f, OOD_FEATURES, k);
		struct ood_check c = { .kind = OOD_CHECK_FINITE };

		if (!b)
			continue;
		f->block->features[k] = ood_part_column(f->part, b)->view;
		code = check(f, b, &c, f->block->features[k]);
	}
	return code;
}

/* -------------------------------------------------------------- scores --- */

/* One number a row from whatever the file has. */
static int copy_vec(struct fill *f, const struct ood_bound *b, double *to,
		    size_t stride)
{
	const struct ood_vec *vec = &ood_part_column(f->part, b)->vec;

	for (size_t i = 0; i < f->n; i++) {
		char quoted[OOD_QUOTE_MAX];

		if (ood_real_of(&f->set->read, vec, i, &to[i * stride]))
			continue;
		ood_quote(quoted, sizeof(quoted), vec->words[i].at,
			  vec->words[i].n);
		ood_fail(f->err, OOD_INPUT,
			 "expected a number, found \"%s\" (--missing TEXT "
			 "--nan skip drops such rows)",
			 quoted);
		return refuse_at(f, b, i, SIZE_MAX);
	}
	return OOD_OK;
}

static void copy_view(struct ood_view v, size_t col, double *to, size_t stride)
{
	for (size_t i = 0; i < v.rows; i++) {
		const size_t at = i * v.stride + col;

		to[i * stride] = v.dtype == OOD_F4
					 ? (double)((const float *)v.data)[at]
					 : ((const double *)v.data)[at];
	}
}

/* Are the columns one matrix of the file as it is? */
static bool scores_are_plain(const struct fill *f)
{
	const struct ood_side *side = f->side;
	const struct ood_bounds *bounds = &f->part->bounds;
	size_t n = 0;

	for (size_t i = 0; i < side->n_scores; i++) {
		const struct ood_bound *b = &bounds->at[side->scores[i].bound];
		const struct ood_bound *first =
			&bounds->at[side->scores[0].bound];

		if (side->scores[i].spare)
			continue;
		if (!b->real || b->negate || b->file != first->file ||
		    b->pick != first->pick ||
		    b->col + side->scores[i].col != n++)
			return false;
	}
	return n && ood_part_column(f->part, &bounds->at[side->scores[0].bound])
				    ->view.cols == n;
}

static int copy_score(struct fill *f, const struct ood_score *score, double *to,
		      size_t stride)
{
	const struct ood_bound *b = &f->part->bounds.at[score->bound];
	int code = OOD_OK;

	if (b->real)
		copy_view(ood_part_column(f->part, b)->view,
			  b->col + score->col, to, stride);
	else
		code = copy_vec(f, b, to, stride);
	for (size_t i = 0; i < f->n && !code && b->negate; i++)
		to[i * stride] = -to[i * stride];
	return code;
}

/* A NaN in column k of the scores: back to where it stands. */
static int refuse_score(struct fill *f, const struct ood_check *c)
{
	const struct ood_score *s = f->side->scores;
	size_t k = c->missing.col;

	while (s->spare || k--)
		s++;
	ood_fault_say(&c->missing, c, f->err);
	return refuse_at(f, &f->part->bounds.at[s->bound], c->missing.row,
			 s->col);
}

static int fill_scores(struct fill *f)
{
	const size_t n = ood_set_score_count(f->set);
	struct ood_check c = { .kind = OOD_CHECK_RANKS };
	struct ood_view *view = &f->block->scores;
	size_t k = 0;
	double *to;
	int code = OOD_OK;

	if (!n || !f->side->n_scores || !find(f, OOD_SCORES, 0))
		return OOD_OK;
	if (scores_are_plain(f)) {
		const size_t b = f->side->scores[0].bound;
		*view = ood_part_column(f->part, &f->part->bounds.at[b])->view;
	} else {
		to = ood_set_room(f->set, OOD_ROOM_SCORES, f->n,
				  n * sizeof(*to));
		if (!to)
			return ood_fail_memory(f->err, f->n * n);
		for (size_t i = 0; i < f->side->n_scores && !code; i++)
			if (!f->side->scores[i].spare)
				code = copy_score(f, &f->side->scores[i],
						  to + k++, n);
		*view = (struct ood_view){ to, OOD_F8, f->n, n, n };
	}
	if (code)
		return code;
	ood_check_view(&c, *view, f->bad);
	f->n_bad += c.n_missing;
	if (c.missing.kind != OOD_FAULT_NONE &&
	    f->set->read.nan == OOD_NAN_ERROR)
		return refuse_score(f, &c);
	return OOD_OK;
}

/* ------------------------------------------------------ values of a row --- */

/* A value is missing: --nan skip drops the row, else it is refused. */
static int missing(struct fill *f, const struct ood_bound *b, size_t row,
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
	return refuse_at(f, b, row, SIZE_MAX);
}

/* Numbers a column of labels or predictions into a room of its own. */
static int fill_numbers(struct fill *f, const struct ood_bound *b,
			struct ood_labels *labels, enum ood_room room,
			const int64_t **numbers)
{
	int64_t *to = ood_set_room(f->set, room, f->n, sizeof(*to));
	uint8_t *gone =
		ood_set_room(f->set, OOD_ROOM_ORIGIN, f->n, sizeof(size_t));
	size_t row = 0;
	int code;

	if (!to || !gone)
		return ood_fail_memory(f->err, f->n * sizeof(*to));
	memset(gone, 0, f->n);
	code = ood_labels_number(labels, &ood_part_column(f->part, b)->vec,
				 f->n, to, gone, &row, f->err);
	if (code)
		return code == OOD_INPUT ? refuse_at(f, b, row, SIZE_MAX)
					 : code;
	for (size_t i = 0; i < f->n && !code; i++)
		if (gone[i])
			code = missing(f, b, i,
				       room == OOD_ROOM_LABEL
					       ? "label"
					       : "predicted class");
	*numbers = labels->n_found ? NULL : to;
	return code;
}

static int fill_labels(struct fill *f)
{
	const struct ood_bound *labels = find(f, OOD_LABELS, 0);
	const struct ood_bound *pred = find(f, OOD_PRED, 0);
	int code = OOD_OK;

	if (labels) {
		f->block->labels = ood_part_column(f->part, labels)->vec;
		code = fill_numbers(f, labels, &f->set->labels, OOD_ROOM_LABEL,
				    &f->block->label);
	}
	if (!code && pred)
		code = fill_numbers(f, pred, &f->set->preds, OOD_ROOM_PRED,
				    &f->block->pred);
	return code;
}

static int fill_correct(struct fill *f)
{
	const struct ood_bound *b = find(f, OOD_CORRECT, 0);
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
			return refuse_at(f, b, i, SIZE_MAX);
		}
		to[i] = flag;
	}
	f->block->correct = to;
	return OOD_OK;
}

static int fill_weights(struct fill *f)
{
	const struct ood_bound *b = find(f, OOD_WEIGHTS, 0);
	double *to;
	int code = OOD_OK;

	if (!b)
		return OOD_OK;
	to = ood_set_room(f->set, OOD_ROOM_WEIGHTS, f->n, sizeof(*to));
	if (!to)
		return ood_fail_memory(f->err, f->n * sizeof(*to));
	if (b->real)
		copy_view(ood_part_column(f->part, b)->view, b->col, to, 1);
	else
		code = copy_vec(f, b, to, 1);
	for (size_t i = 0; i < f->n && !code; i++) {
		if (isnan(to[i])) {
			code = missing(f, b, i, "weight");
		} else if (!(to[i] >= 0) || isinf(to[i])) {
			ood_fail(f->err, OOD_INPUT,
				 "a weight is a finite number, 0 or more");
			code = refuse_at(f, b, i, SIZE_MAX);
		}
	}
	f->block->weights = to;
	return code;
}

static struct ood_vec plain_vec(const struct fill *f, enum ood_role role)
{
	const struct ood_bound *b = find(f, role, 0);

	return b ? ood_part_column(f->part, b)->vec : (struct ood_vec){ 0 };
}

static void fill_plain(struct fill *f)
{
	f->block->ids = plain_vec(f, OOD_IDS);
	f->block->groups = plain_vec(f, OOD_GROUPS);
	f->block->extra = plain_vec(f, OOD_EXTRA);
	for (size_t i = 0; i < f->part->n_files && !f->block->records; i++)
		f->block->records = f->part->files[i].chunk.records;
}

/* ---------------------------------------------- rows that are not usable --- */

/* Copies the rows origin[0..m) of an array of elements; NULL stays NULL. */
static const void *gather(struct fill *f, enum ood_room room, const void *at,
			  size_t size, size_t m)
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

static void gather_view(struct fill *f, enum ood_room room, struct ood_view *v,
			size_t m)
{
	const size_t size = v->stride * item_size(v->dtype);

	if (v->cols)
		v->data = gather(f, room, v->data, size, m);
	v->rows = m;
}

static void gather_vec(struct fill *f, enum ood_room room, struct ood_vec *v,
		       size_t m)
{
	v->ints = gather(f, room, v->ints, sizeof(*v->ints), m);
	v->reals = gather(f, room, v->reals, sizeof(*v->reals), m);
	v->words = gather(f, room, v->words, sizeof(*v->words), m);
}

#define GATHER(f, room, b, field, m)                                           \
	(b)->field = gather(f, room, (b)->field, sizeof(*(b)->field), m)

/* --nan skip: the rows left move together in every array. */
static int drop_rows(struct fill *f)
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
static bool blank_view(struct fill *f, enum ood_room room, struct ood_view *v,
		       double value)
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
static int mark_rows(struct fill *f)
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

/* ---------------------------------------------------------------- all --- */

static int fill_rows(struct fill *f)
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
	struct fill f = { .set = set,
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
		code = fill_scores(&f);
	if (!code)
		code = fill_labels(&f);
	if (!code)
		code = fill_correct(&f);
	if (!code)
		code = fill_weights(&f);
	if (!code)
		code = fill_rows(&f);
	if (code)
		return code;
	fill_plain(&f);
	if (f.n_lost || (f.n_bad && set->read.nan == OOD_NAN_SKIP))
		code = drop_rows(&f);
	else if (f.n_bad)
		code = mark_rows(&f);
	return code;
}
