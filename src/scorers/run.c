/*
 * run.c - scorers over rows, by all threads, each row reduced once
 *
 * Rows are cut into chunks that fit the cache. For each chunk, scorings with
 * the same (logit-norm, map, T) share one digest; a row's score does not
 * depend on the chunk it is in, so that threads share them as they like.
 */
#include <omp.h>

#include "core/err.h"
#include "core/thread.h"
#include "core/view.h"
#include "scorers/scorer.h"

/* Class scores of a chunk, about: 256 KiB of doubles. */
enum { CHUNK_VALUES = 1 << 15 };

struct run {
	const struct ood_scoring *scorings;
	size_t n;
	struct ood_view view;
	bool is_probs;
	double *out;
	size_t stride;
	const struct ood_top *top;

	size_t rows;	/* of a chunk */
	size_t widest;	/* columns of a scoring, at most */
	bool keep_rows; /* rows in double are needed */
	bool mapped;	/* room for changed rows is needed */
	size_t *lead;	/* first scoring with the same digest */
	size_t *column; /* first column in out */
	const struct ood_scoring *finite; /* one that refuses -inf, or NULL */
};

/* One thread's memory; parts may be NULL. */
struct scratch {
	double *z;	/* rows as they are */
	double *mapped; /* rows after logit-norm and map */
	double *score;	/* of one scoring */
	struct ood_digest *digest;
};

/* The place of a -inf that was refused. */
struct fault {
	size_t row, col;
};

static bool same_args(const struct ood_param *table, const struct ood_args *a,
		      const struct ood_args *b)
{
	for (size_t i = 0; i < ood_param_count(table); i++) {
		if (a->list_n[i] != b->list_n[i] || !a->text[i] != !b->text[i])
			return false;
		if (memcmp(&a->num[i], &b->num[i], sizeof(a->num[i])))
			return false;
		if (a->list_n[i] && memcmp(a->list[i], b->list[i],
					   a->list_n[i] * sizeof(double)))
			return false;
		if (a->text[i] && strcmp(a->text[i], b->text[i]))
			return false;
	}
	return true;
}

static bool same_digest(const struct ood_scoring *a,
			const struct ood_scoring *b)
{
	return a->map == b->map && a->T == b->T &&
	       a->logit_norm == b->logit_norm &&
	       (!a->map ||
		same_args(a->map->params, &a->map_args, &b->map_args));
}

static bool is_plain(const struct ood_scoring *scoring)
{
	return !scoring->map && scoring->logit_norm <= 0;
}

/* What the scorings ask for, together. */
static int plan(struct run *run, struct ood_err *err)
{
	size_t column = 0;

	run->lead = ood_calloc(run->n + 1, sizeof(*run->lead));
	run->column = ood_calloc(run->n + 1, sizeof(*run->column));
	if (!run->lead || !run->column)
		return ood_fail_memory(err, run->n * sizeof(*run->lead));
	for (size_t i = 0; i < run->n; i++) {
		const struct ood_scoring *s = &run->scorings[i];
		unsigned take = s->scorer->take;
		size_t width = ood_scoring_width(s);

		while (!same_digest(&run->scorings[run->lead[i]], s))
			run->lead[i]++;
		run->column[i] = column;
		column += width;
		run->widest = OOD_MAX(run->widest, width);
		run->mapped |= !is_plain(s);
		run->keep_rows |= (take & OOD_TAKE_ROWS) || !is_plain(s);
		/* A norm of infinite logits would be one as well. */
		if (take & OOD_TAKE_FINITE || s->logit_norm > 0)
			run->finite = run->finite ? run->finite : s;
	}
	run->rows = CHUNK_VALUES / OOD_MAX(run->view.cols, 1);
	run->rows = OOD_MAX(1, OOD_MIN(run->rows, OOD_DIGEST_ROWS));
	return OOD_OK;
}

static void scratch_free(struct scratch *scratch)
{
	ood_free(scratch->z);
	ood_free(scratch->mapped);
	ood_free(scratch->score);
	ood_free(scratch->digest);
}

static bool scratch_make(struct scratch *scratch, const struct run *run)
{
	size_t values;

	if (!ood_mul(run->rows, run->view.cols, &values))
		return false;
	scratch->digest = ood_malloc(1, sizeof(*scratch->digest));
	scratch->score = ood_malloc(run->rows * run->widest, sizeof(double));
	if (run->keep_rows)
		scratch->z = ood_malloc(values, sizeof(double));
	if (run->mapped)
		scratch->mapped = ood_malloc(values, sizeof(double));
	return scratch->digest && scratch->score &&
	       (scratch->z || !run->keep_rows) &&
	       (scratch->mapped || !run->mapped);
}

/* Rows in double, one after another. */
static void widen(struct ood_view view, double *z)
{
	for (size_t i = 0; i < view.rows; i++) {
		size_t at = i * view.stride;
		double *zi = z + i * view.cols;

		if (view.dtype == OOD_F8) {
			memcpy(zi, (const double *)view.data + at,
			       view.cols * sizeof(*zi));
			continue;
		}
		for (size_t j = 0; j < view.cols; j++)
			zi[j] = (double)((const float *)view.data)[at + j];
	}
}

/*
 * z/(tau (||z||_2 + 1e-7)). Wei, Xie, Cheng, Feng, An, Li: Mitigating Neural
 * Network Overconfidence with Logit Normalization, ICML 2022. The norm is
 * taken of z over its largest size, which cannot overflow.
 */
static void logit_norm(const double *z, size_t c, double tau, double *to)
{
	double most = 0, sum = 0;

	for (size_t j = 0; j < c; j++)
		most = OOD_MAX(most, fabs(z[j]));
	for (size_t j = 0; j < c && most > 0; j++)
		sum += z[j] / most * (z[j] / most);
	double norm = tau * (most * sqrt(sum) + 1e-7);
	for (size_t j = 0; j < c; j++)
		to[j] = z[j] / norm;
}

/* Digest and rows as scoring s wants them. */
static struct ood_rows reduce(const struct run *run,
			      const struct ood_scoring *s, struct ood_view view,
			      struct scratch *scratch)
{
	struct ood_rows rows = { .n = view.rows,
				 .c = view.cols,
				 .is_probs = run->is_probs || s->map,
				 .digest = scratch->digest,
				 .z = scratch->z };

	if (s->logit_norm > 0)
		for (size_t i = 0; i < rows.n; i++)
			logit_norm(scratch->z + i * rows.c, rows.c,
				   s->logit_norm, scratch->mapped + i * rows.c);
	if (s->map)
		s->map->rows(&s->map_args,
			     s->logit_norm > 0 ? scratch->mapped : scratch->z,
			     rows.n, rows.c, scratch->mapped);
	if (!is_plain(s)) {
		rows.z = scratch->mapped;
		view = (struct ood_view){ rows.z, OOD_F8, rows.n, rows.c,
					  rows.c };
	}
	if (rows.is_probs)
		ood_digest_probs(view, scratch->digest);
	else
		ood_digest_logits(view, s->T, scratch->digest);
	return rows;
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
	double *out = run->out + from * run->stride + run->column[i];

	for (size_t r = 0; r < n; r++)
		for (size_t k = 0; k < width; k++)
			out[r * run->stride + k] = *score++;
}

static void run_chunk(const struct run *run, size_t from, size_t n,
		      struct scratch *scratch)
{
	struct ood_view view = ood_view_part(run->view, from, n);
	const struct ood_top *top = run->top;

	if (run->keep_rows)
		widen(view, scratch->z);
	for (size_t i = 0; i < run->n; i++) {
		const struct ood_scoring *s = &run->scorings[i];

		if (run->lead[i] != i)
			continue;
		struct ood_rows rows = reduce(run, s, view, scratch);
		if (top && is_plain(s) && (run->is_probs || s->T == 1)) {
			put_top(top, scratch->digest, from, n);
			top = NULL;
		}
		for (size_t k = i; k < run->n; k++) {
			const struct ood_scoring *same = &run->scorings[k];

			if (run->lead[k] != i)
				continue;
			same->scorer->score(&rows, &same->args, same->state,
					    scratch->score);
			put_scores(run, k, from, n, scratch->score);
		}
	}
	if (!top)
		return;
	if (run->is_probs)
		ood_digest_probs(view, scratch->digest);
	else
		ood_digest_logits(view, 1, scratch->digest);
	put_top(top, scratch->digest, from, n);
}

/* The first -inf of rows [from, to), if there is one before *fault. */
static void find_infinite(struct ood_view view, size_t from, size_t to,
			  struct fault *fault)
{
	for (size_t i = from; i < to && i < fault->row; i++) {
		for (size_t j = 0; j < view.cols; j++) {
			if (ood_view_at(view, i, j) != -INFINITY)
				continue;
			*fault = (struct fault){ i, j };
			return;
		}
	}
}

static void share(const struct run *run, struct scratch *scratches, int threads,
		  struct fault *fault)
{
	size_t chunks = (run->view.rows - 1) / run->rows + 1;

#pragma omp parallel num_threads(threads) if (threads > 1)
	{
		int me = omp_get_thread_num();
		struct fault mine = { SIZE_MAX, 0 };
		size_t from, to;

		ood_share(chunks, 1, me, omp_get_num_threads(), &from, &to);
		for (size_t k = from; k < to; k++) {
			size_t first = k * run->rows;
			size_t n = OOD_MIN(run->rows, run->view.rows - first);

			if (run->finite)
				find_infinite(run->view, first, first + n,
					      &mine);
			if (mine.row == SIZE_MAX)
				run_chunk(run, first, n, &scratches[me]);
		}
#pragma omp critical(ood_run_fault)
		if (mine.row < fault->row)
			*fault = mine;
	}
}

static int run_all(struct run *run, struct ood_err *err)
{
	struct fault fault = { SIZE_MAX, 0 };
	size_t chunks = (run->view.rows - 1) / run->rows + 1;
	int threads = ood_threads(), made = 0, rc = OOD_OK;

	threads = (size_t)threads < chunks ? threads : (int)chunks;
	struct scratch *scratches =
		ood_calloc((size_t)threads, sizeof(*scratches));
	while (scratches && made < threads &&
	       scratch_make(&scratches[made], run))
		made++;
	if (made == threads)
		share(run, scratches, threads, &fault);
	else
		rc = ood_fail_memory(err, run->rows * run->view.cols *
						  sizeof(double));
	for (int i = 0; scratches && i < threads; i++)
		scratch_free(&scratches[i]);
	ood_free(scratches);
	if (fault.row == SIZE_MAX)
		return rc;
	ood_fail(err, OOD_INPUT, "scorer %s%s needs finite logits, found -inf",
		 run->finite->scorer->name,
		 run->finite->logit_norm > 0 ? " with logit-norm" : "");
	return ood_err_at(err, OOD_PLACE_ROW, fault.row + 1, fault.col + 1);
}

int ood_scorings_run(const struct ood_scoring *scorings, size_t n,
		     struct ood_view view, bool is_probs, double *out,
		     size_t out_stride, const struct ood_top *top,
		     struct ood_err *err)
{
	struct run run = { .scorings = scorings,
			   .n = n,
			   .view = view,
			   .is_probs = is_probs,
			   .out = out,
			   .stride = out_stride,
			   .top = top };
	int rc = OOD_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = ood_scoring_check(&scorings[i], !is_probs, is_probs,
				       view.cols, err);
	if (!rc && view.rows && view.cols) {
		rc = plan(&run, err);
		if (!rc)
			rc = run_all(&run, err);
	}
	ood_free(run.lead);
	ood_free(run.column);
	return rc;
}
