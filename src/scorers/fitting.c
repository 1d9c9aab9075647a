/*
 * fitting.c - many scorers fitted in the same passes over the rows
 *
 * Rows are gathered into tiles of OOD_DIGEST_ROWS, whatever the sizes of the
 * batches, so that sums have the same order and the same bits everywhere.
 */
#include "core/err.h"
#include "scorers/tile.h"

struct ood_fitting {
	struct ood_fitting_options options;
	struct ood_fit *fits; /* a fit each scoring */
	enum ood_pass *side;  /* what each scoring reads next */
	struct ood_given given;
	struct ood_tile tile;
	struct ood_tile_plan plan;
	uint64_t rows, zero; /* of this pass */
	uint64_t train;	     /* rows of the first pass */
	enum ood_pass now;
};

static const struct ood_scorer *scorer_of(const struct ood_fitting *f, size_t i)
{
	return f->options.scorings[i].scorer;
}

/* What the next pass of scoring i reads. */
static int ask(struct ood_fitting *f, size_t i, struct ood_err *err)
{
	const struct ood_scorer *scorer = scorer_of(f, i);
	const struct ood_fit *fit = &f->fits[i];

	if (!scorer->next) {
		f->side[i] = fit->pass ? OOD_PASS_NONE : OOD_PASS_TRAIN;
		return OOD_OK;
	}
	return scorer->next(f->options.scorings[i].state, fit, &f->side[i],
			    err);
}

/* Training rows first: they are read as long as anyone wants them. */
static void choose(struct ood_fitting *f)
{
	f->now = OOD_PASS_NONE;
	for (size_t i = 0; i < f->options.n; i++)
		if (f->side[i] < f->now)
			f->now = f->side[i];
}

static int begin_one(struct ood_fitting *f, size_t i, struct ood_err *err)
{
	struct ood_scoring *s = &f->options.scorings[i];

	f->side[i] = OOD_PASS_NONE;
	if (!ood_scoring_learns(s))
		return OOD_OK;
	s->state = ood_calloc(1, s->scorer->state);
	if (!s->state)
		return ood_fail_memory(err, s->scorer->state);
	f->fits[i] = (struct ood_fit){ .args = &s->args,
				       .head = f->options.head,
				       .c = f->given.c,
				       .d = f->given.d[s->layer],
				       .seed = f->options.seed,
				       .names = f->options.names,
				       .classes = f->options.classes,
				       .notes = f->options.notes };
	int code = s->scorer->begin
			   ? s->scorer->begin(s->state, &f->fits[i], err)
			   : OOD_OK;

	return code ? code : ask(f, i, err);
}

int ood_fitting_begin(struct ood_fitting **fitting,
		      const struct ood_fitting_options *options,
		      struct ood_err *err)
{
	struct ood_fitting *f = ood_calloc(1, sizeof(*f));
	int code = OOD_OK;

	*fitting = f;
	if (!f)
		return ood_fail_memory(err, sizeof(*f));
	f->options = *options;
	f->given = *options->given;
	f->fits = ood_calloc(options->n, sizeof(*f->fits));
	f->side = ood_calloc(options->n, sizeof(*f->side));
	if (!f->fits || !f->side)
		return ood_fail_memory(err, options->n * sizeof(*f->fits));
	for (size_t i = 0; !code && i < options->n; i++)
		code = begin_one(f, i, err);
	choose(f);
	return code;
}

enum ood_pass ood_fitting_side(const struct ood_fitting *f)
{
	return f->now;
}

/* The tile's rows to every scoring that reads this side. */
static int flush(struct ood_fitting *f, struct ood_err *err)
{
	int code = f->tile.n ? ood_tile_close(&f->tile, err) : OOD_OK;

	for (size_t i = 0; !code && f->tile.n && i < f->options.n; i++) {
		struct ood_scoring *s = &f->options.scorings[i];
		struct ood_rows rows;

		if (f->side[i] != f->now)
			continue;
		code = ood_tile_rows(&f->tile, s, &rows, err);
		if (!code)
			code = s->scorer->add(s->state, &f->fits[i], &rows,
					      err);
	}
	f->tile.n = 0;
	return code;
}

static int start_pass(struct ood_fitting *f, const struct ood_batch *batch,
		      struct ood_err *err)
{
	ood_tile_plan(&f->plan, f->options.scorings, f->options.n, batch);
	f->plan.rows = OOD_DIGEST_ROWS;
	f->plan.keep = true; /* tiles gather rows of many batches */
	f->plan.fitting = true;
	return ood_tile_make(&f->tile, &f->plan, err);
}

static bool is_fit_row(const struct ood_batch *batch, size_t i)
{
	return !batch->label || batch->label[i] >= 0;
}

/* Labels are numbers of class scores: one beyond them is a mistake. */
static int check_labels(const struct ood_fitting *f,
			const struct ood_batch *batch, struct ood_err *err)
{
	const int64_t classes = (int64_t)f->given.c;
	bool matters = false;

	for (size_t i = 0; i < f->options.n; i++)
		matters |= ood_scoring_fits_classes(&f->options.scorings[i]);
	for (size_t i = 0; matters && batch->label && i < batch->n; i++) {
		if (batch->label[i] < classes)
			continue;
		ood_fail(err, OOD_INPUT,
			 "label %lld, but there are %zu class scores (labels "
			 "are numbers of their columns, from 0)",
			 (long long)batch->label[i], f->given.c);
		return ood_err_at(err, OOD_PLACE_ROW,
				  batch->row ? batch->row[i] : i + 1, 0);
	}
	return OOD_OK;
}

int ood_fitting_add(struct ood_fitting *f, const struct ood_batch *batch,
		    struct ood_err *err)
{
	int code = check_labels(f, batch, err);

	if (!code && !f->tile.plan && batch->n)
		code = start_pass(f, batch, err);

	for (size_t i = 0, end; !code && i < batch->n; i = end) {
		size_t room = OOD_DIGEST_ROWS - f->tile.n;

		end = i + 1;
		if (!is_fit_row(batch, i))
			continue;
		while (end < batch->n && end - i < room &&
		       is_fit_row(batch, end))
			end++;
		ood_tile_add(&f->tile, batch, i, end - i, &f->zero);
		f->rows += end - i;
		if (f->tile.n == OOD_DIGEST_ROWS)
			code = flush(f, err);
	}
	return code;
}

/* A place to note once what was seen of the rows. */
static void note_zero(struct ood_fitting *f)
{
	if (f->zero)
		ood_notes_warn(f->options.notes, "zero-features", f->zero,
			       "%llu of %llu fit rows have features that are "
			       "all zero",
			       (unsigned long long)f->zero,
			       (unsigned long long)f->rows);
}

int ood_fitting_pass(struct ood_fitting *f, struct ood_err *err)
{
	int code = flush(f, err);
	bool first = true;

	ood_tile_free(&f->tile);
	f->tile = (struct ood_tile){ 0 };
	if (!code && !f->rows)
		return ood_fail(err, OOD_INPUT, "no rows to fit on%s",
				f->now == OOD_PASS_VAL ? " (--val)"
						       : " (all labels are "
							 "negative, or the set "
							 "is empty)");
	for (size_t i = 0; !code && i < f->options.n; i++) {
		if (f->side[i] != f->now)
			continue;
		first &= !f->fits[i].pass;
		f->fits[i].pass++;
		if (!f->options.partial)
			code = ask(f, i, err);
		else
			f->side[i] = OOD_PASS_NONE;
	}
	if (first && f->now == OOD_PASS_TRAIN) {
		note_zero(f);
		f->train = f->rows;
	}
	f->rows = f->zero = 0;
	choose(f);
	return code;
}

/* Has a scorer said nothing of its own since note `from`? */
static bool is_silent(const struct ood_notes *notes, size_t from)
{
	while (notes && from < notes->n && notes->at[from].code)
		from++;
	return notes && from == notes->n;
}

int ood_fitting_end(struct ood_fitting *f, struct ood_err *err)
{
	struct ood_notes *notes = f->options.notes;
	int code = OOD_OK;

	for (size_t i = 0; !code && i < f->options.n; i++) {
		struct ood_scoring *s = &f->options.scorings[i];
		size_t said = notes ? notes->n : 0;

		if (!ood_scoring_learns(s))
			continue;
		if (s->scorer->end)
			code = s->scorer->end(s->state, &f->fits[i], err);
		if (!code && s->scorer->ready)
			code = s->scorer->ready(s->state, &f->fits[i], err);
		if (!code && is_silent(notes, said))
			ood_notes_say(notes, "%s: %llu rows", s->scorer->name,
				      (unsigned long long)f->train);
	}
	return code;
}

void ood_fitting_free(struct ood_fitting *f)
{
	if (!f)
		return;
	ood_tile_free(&f->tile);
	ood_free(f->fits);
	ood_free(f->side);
	ood_free(f);
}
