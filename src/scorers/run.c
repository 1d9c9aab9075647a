/*
 * run.c - scorers over rows, by all threads, each row reduced once
 *
 * Rows are cut into tiles that fit the cache. For each tile, scorings with
 * the same (logit-norm, map, T) share one digest; a row's score does not
 * depend on the tile it is in, so that threads share them as they like.
 */
#include <omp.h>

#include "core/err.h"
#include "core/thread.h"
#include "core/view.h"
#include "scorers/tile.h"

struct run {
	const struct ood_scoring *scorings;
	size_t n;
	const struct ood_batch *batch;
	const struct ood_scores_out *out;

	struct ood_tile_plan plan;
	size_t widest;			  /* columns of a scoring, at most */
	size_t *lead;			  /* first scoring with the same rows */
	size_t *column;			  /* first column in out */
	const struct ood_scoring *finite; /* one that refuses -inf, or NULL */
};

/* One thread's memory, and what it came upon. */
struct worker {
	struct ood_tile tile;
	double *score; /* of one scoring */
	uint64_t *odd; /* a count each scoring */
	uint64_t zero;
	/* The first place of a -inf that was refused. */
	size_t row, col;
	/* The first tile that failed. */
	size_t failed;
	struct ood_err err;
};

/* What a scorer derives from the head, made once for all threads. */
static int ready_for_head(const struct run *run, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; !code && i < run->n; i++) {
		const struct ood_scoring *s = &run->scorings[i];
		const struct ood_fit fit = { .args = &s->args,
					     .head = run->batch->head,
					     .c = run->plan.c,
					     .d = run->plan.d[s->layer] };

		if (!ood_scoring_learns(s) && s->state)
			code = s->scorer->ready(s->state, &fit, err);
	}
	return code;
}

/* What the scorings ask for, together. */
static int plan(struct run *run, struct ood_err *err)
{
	size_t column = 0;

	ood_tile_plan(&run->plan, run->scorings, run->n, run->batch);
	run->lead = ood_calloc(run->n + 1, sizeof(*run->lead));
	run->column = ood_calloc(run->n + 1, sizeof(*run->column));
	if (!run->lead || !run->column)
		return ood_fail_memory(err, run->n * sizeof(*run->lead));
	for (size_t i = 0; i < run->n; i++) {
		const struct ood_scoring *s = &run->scorings[i];
		size_t width = ood_scoring_width(s);

		while (!ood_scoring_same_rows(&run->scorings[run->lead[i]], s))
			run->lead[i]++;
		run->column[i] = column;
		column += width;
		run->widest = OOD_MAX(run->widest, width);
		/* A norm of infinite logits would be one as well. */
		if (s->scorer->take & OOD_TAKE_FINITE || s->logit_norm > 0)
			run->finite = run->finite ? run->finite : s;
	}
	return ready_for_head(run, err);
}

static void worker_free(struct worker *w)
{
	ood_tile_free(&w->tile);
	ood_free(w->score);
	ood_free(w->odd);
}

static int worker_make(struct worker *w, const struct run *run,
		       struct ood_err *err)
{
	w->row = w->failed = SIZE_MAX;
	w->score = ood_malloc(run->plan.rows * run->widest, sizeof(double));
	w->odd = ood_calloc(run->n + 1, sizeof(*w->odd));
	int code = ood_tile_make(&w->tile, &run->plan, err);

	if (!code && (!w->score || !w->odd))
		code = ood_fail_memory(err, run->plan.rows * run->widest * 8);
	return code;
}

static void put_top(const struct ood_top *top, const struct ood_digest *d,
		    size_t from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		top->pred[from + i] = d->arg[i];
		top->confidence[from + i] = d->top[i];
		top->other[from + i] = d->top[i] * d->s[i];
	}
}

static void put_scores(const struct run *run, size_t i, size_t from, size_t n,
		       const double *score)
{
	size_t width = ood_scoring_width(&run->scorings[i]);
	size_t stride = run->out->stride;
	double *out = run->out->scores + from * stride + run->column[i];

	for (size_t r = 0; r < n; r++)
		for (size_t k = 0; k < width; k++)
			out[r * stride + k] = *score++;
}

/* All scorings that see the same rows as scoring i, their leader. */
static int score_alike(const struct run *run, size_t i, size_t from,
		       const struct ood_rows *rows, struct worker *w)
{
	for (size_t k = i; !w->err.code && k < run->n; k++) {
		const struct ood_scoring *s = &run->scorings[k];
		const struct ood_scorer *scorer = s->tail ? s->tail : s->scorer;

		if (run->lead[k] != i)
			continue;
		w->tile.odd = 0;
		scorer->score(rows, s->tail ? &s->tail_args : &s->args,
			      s->tail ? NULL : s->state, w->score);
		w->odd[k] += w->tile.odd;
		put_scores(run, k, from, rows->n, w->score);
	}
	return (int)w->err.code;
}

static int run_tile(const struct run *run, size_t from, size_t n,
		    struct worker *w)
{
	struct ood_tile *tile = &w->tile;
	const struct ood_top *top = run->plan.c ? run->out->top : NULL;
	struct ood_rows rows;
	int code = ood_tile_take(tile, run->batch, from, n, &w->zero, &w->err);

	for (size_t i = 0; !code && i < run->n; i++) {
		const struct ood_scoring *s = &run->scorings[i];

		if (run->lead[i] != i)
			continue;
		code = ood_tile_rows(tile, s, &rows, &w->err);
		if (!code && top && rows.digest && ood_scoring_is_plain(s) &&
		    (rows.is_probs || s->T == 1)) {
			put_top(top, tile->digest, from, n);
			top = NULL;
		}
		if (!code)
			code = score_alike(run, i, from, &rows, w);
	}
	if (code || !top)
		return code;
	if (run->plan.is_probs)
		ood_digest_probs(tile->view, tile->digest);
	else
		ood_digest_logits(tile->view, 1, tile->digest);
	put_top(top, tile->digest, from, n);
	return OOD_OK;
}

/* The first -inf of rows [from, to), if there is one before row w->row. */
static void find_infinite(struct ood_view view, size_t from, size_t to,
			  struct worker *w)
{
	for (size_t i = from; i < to && i < w->row; i++) {
		for (size_t j = 0; j < view.cols; j++) {
			if (ood_view_at(view, i, j) != -INFINITY)
				continue;
			w->row = i;
			w->col = j;
			return;
		}
	}
}

static void share(const struct run *run, struct worker *workers, int threads)
{
	const size_t n = run->batch->n, rows = run->plan.rows;

#pragma omp parallel num_threads(threads) if (threads > 1)
	{
		int me = omp_get_thread_num();
		struct worker *w = &workers[me];
		size_t from, to;

		ood_share((n - 1) / rows + 1, 1, me, omp_get_num_threads(),
			  &from, &to);
		for (size_t k = from; k < to && w->failed == SIZE_MAX; k++) {
			size_t first = k * rows;
			size_t some = OOD_MIN(rows, n - first);

			if (run->finite && run->batch->z.cols)
				find_infinite(run->batch->z, first,
					      first + some, w);
			if (w->row == SIZE_MAX &&
			    run_tile(run, first, some, w) != OOD_OK)
				w->failed = k;
		}
	}
}

static int refuse_infinite(const struct run *run, const struct worker *w,
			   struct ood_err *err)
{
	ood_fail(err, OOD_INPUT, "scorer %s%s needs finite logits, found -inf",
		 run->finite->scorer->name,
		 run->finite->logit_norm > 0 ? " with logit-norm" : "");
	return ood_err_at(err, OOD_PLACE_ROW, w->row + 1, w->col + 1);
}

/* What the workers came upon, in the order of the rows (theirs go up). */
static int gather(const struct run *run, const struct worker *workers,
		  int threads, struct ood_err *err)
{
	const struct ood_scores_out *out = run->out;

	for (int t = 0; t < threads; t++) {
		const struct worker *w = &workers[t];

		if (w->failed != SIZE_MAX) {
			*err = w->err;
			return (int)err->code;
		}
		if (w->row != SIZE_MAX)
			return refuse_infinite(run, w, err);
		for (size_t i = 0; out->odd && i < run->n; i++)
			out->odd[i] += w->odd[i];
		if (out->zero)
			*out->zero += w->zero;
	}
	return OOD_OK;
}

static int run_all(struct run *run, struct ood_err *err)
{
	size_t tiles = (run->batch->n - 1) / run->plan.rows + 1;
	int threads = ood_threads(), made = 0, code = OOD_OK;

	threads = (size_t)threads < tiles ? threads : (int)tiles;
	struct worker *workers = ood_calloc((size_t)threads, sizeof(*workers));
	if (!workers)
		return ood_fail_memory(err, sizeof(*workers));
	while (!code && made < threads)
		code = worker_make(&workers[made++], run, err);
	if (!code) {
		share(run, workers, threads);
		code = gather(run, workers, threads, err);
	}
	for (int i = 0; i < made; i++)
		worker_free(&workers[i]);
	ood_free(workers);
	return code;
}

int ood_scorings_run(const struct ood_scoring *scorings, size_t n,
		     const struct ood_batch *batch,
		     const struct ood_scores_out *out, struct ood_err *err)
{
	struct run run = {
		.scorings = scorings, .n = n, .batch = batch, .out = out
	};
	int code = OOD_OK;

	if (batch->n)
		code = plan(&run, err);
	if (!code && batch->n)
		code = run_all(&run, err);
	ood_free(run.lead);
	ood_free(run.column);
	return code;
}
