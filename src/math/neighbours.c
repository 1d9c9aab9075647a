/*
 * neighbours.c - the exact k nearest rows of a bank, for many queries
 *
 * Candidates (near_choose.h) surely hold the k nearest rows; their costs in
 * double say which. Queries out of the range of float, or with more candidates
 * than are worth the trouble (many rows at one place), are compared with every
 * row in double.
 */
#include "math/neighbours.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "math/near_best.h"
#include "math/near_choose.h"
#include "math/vector.h"

enum { BLOCK = 256, LEAST = 8, BYTES = 1 << 26, CANDIDATE = 20 };

struct ood_neighbours {
	const struct ood_bank *bank;
	struct ood_near_options options;
	double *norm; /* of each row */
	struct ood_near_layout layout;
};

/* ---------------------------------------------------------------- make --- */

static int find_norms(struct ood_neighbours *index, struct ood_err *err)
{
	const struct ood_bank *bank = index->bank;
	const int threads = ood_threads();
	int failed = 0;

	index->norm = ood_malloc(bank->rows, sizeof(*index->norm));
	if (!index->norm)
		return ood_fail_memory(err, bank->rows * sizeof(double));
#pragma omp parallel num_threads(threads) reduction(+ : failed)
	{
		double *x = ood_malloc(bank->cols, sizeof(*x));

		failed += !x;
#pragma omp for schedule(static)
		for (size_t i = 0; i < bank->rows; i++) {
			if (!x)
				continue;
			ood_bank_row(bank, i, x);
			index->norm[i] = ood_norm(x, bank->cols);
		}
		ood_free(x);
	}
	return failed ? ood_fail_memory(err, bank->cols * sizeof(double))
		      : OOD_OK;
}

int ood_neighbours_make(struct ood_neighbours **index,
			const struct ood_bank *bank,
			struct ood_near_options options, struct ood_err *err)
{
	struct ood_neighbours *made = ood_calloc(1, sizeof(*made));

	*index = made;
	if (!made)
		return ood_fail_memory(err, sizeof(*made));
	options.unit |= options.kind == OOD_NEAR_COSINE;
	made->bank = bank;
	made->options = options;
	int code = find_norms(made, err);
	return code ? code
		    : ood_near_layout_make(&made->layout, bank, &made->options,
					   made->norm, err);
}

void ood_neighbours_free(struct ood_neighbours *index)
{
	if (!index)
		return;
	ood_near_layout_free(&index->layout);
	ood_free(index->norm);
	ood_free(index);
}

/* ---------------------------------------------------------------- find --- */

/* One call. */
struct search {
	const struct ood_neighbours *index;
	const struct ood_near_query *query;
	double *value;
	size_t *which;
	double *q, *x; /* a query and a row as the options take them */
	double *cost;  /* k, of the best rows */
	size_t *row;
	size_t last; /* the last query that went through all rows */
	struct ood_near_block block;
};

static size_t self_of(const struct search *s, size_t i)
{
	return s->query->self ? s->query->self[i] : SIZE_MAX;
}

static void take_query(const struct search *s, size_t i, double *to)
{
	size_t d = s->index->bank->cols;
	const double *x = s->query->x + i * d;

	if (s->index->options.unit)
		ood_unit(x, d, to);
	else
		memcpy(to, x, d * sizeof(*to));
}

/* Query s->q and a row of the bank. */
static void compare(const struct search *s, size_t row,
		    struct ood_near_best *best)
{
	const struct ood_neighbours *index = s->index;
	const struct ood_near_options *options = &index->options;

	ood_near_row(index->bank, options, row, index->norm[row], s->x);
	double cost = ood_near_cost(options, s->q, s->x, index->bank->cols);
	if (options->scale)
		cost *= options->scale[row];
	ood_near_best_add(best, cost, row);
}

/* Places in value and which of a query. */
static size_t width(const struct search *s)
{
	return s->query->last ? 1 : s->query->k;
}

static void give(const struct search *s, size_t i, struct ood_near_best *best)
{
	size_t n = width(s);
	double *value = s->value + i * n;
	const bool dot = s->index->options.kind == OOD_NEAR_DOT;

	/* The last is the worst, on top of the heap. */
	if (!s->query->last)
		ood_near_best_sort(best);
	for (size_t j = 0; j < n; j++)
		value[j] = dot ? -best->cost[j] : best->cost[j];
	if (s->which)
		memcpy(s->which + i * n, best->row, n * sizeof(*s->which));
}

/* Has it the answer of an earlier one? Rows of zeros come in numbers. */
static bool repeats(const struct search *s, size_t i, size_t earlier)
{
	size_t d = s->index->bank->cols;

	return earlier < i && self_of(s, i) == self_of(s, earlier) &&
	       !memcmp(s->query->x + i * d, s->query->x + earlier * d,
		       d * sizeof(double));
}

static void search_all(struct search *s, size_t i)
{
	struct ood_near_best best = { s->cost, s->row, 0, s->query->k };
	size_t n = width(s);

	if (repeats(s, i, s->last)) {
		memcpy(s->value + i * n, s->value + s->last * n,
		       n * sizeof(double));
		if (s->which)
			memcpy(s->which + i * n, s->which + s->last * n,
			       n * sizeof(size_t));
		return;
	}
	take_query(s, i, s->q);
	for (size_t row = 0; row < s->index->bank->rows; row++)
		if (row != self_of(s, i))
			compare(s, row, &best);
	give(s, i, &best);
	s->last = i;
}

/* The candidates that may be the k-th: those that surely come before it need
 * no exact cost, and k counts on without them. */
static void search_list(struct search *s, size_t i, struct ood_near_list *list)
{
	struct ood_near_best best = { s->cost, s->row, 0, s->query->k };

	if (s->query->last)
		best.k -= ood_near_list_skip(&s->block, list);
	take_query(s, i, s->q);
	for (size_t c = 0; c < list->n; c++)
		compare(s, list->row[c], &best);
	give(s, i, &best);
}

/* Queries [at, at + n) by candidates, those for which float is enough. */
static void search_block(struct search *s, size_t at, size_t n)
{
	struct ood_near_block *b = &s->block;
	size_t of[BLOCK], some = 0;

	for (size_t i = at; i < at + n; i++) {
		take_query(s, i, s->q);
		if (!ood_near_query_float(b->layout, s->q,
					  b->x + some * b->layout->wide,
					  &b->f[some])) {
			search_all(s, i);
			continue;
		}
		b->list[some].self = self_of(s, i);
		of[some++] = i;
	}
	ood_near_choose(b, some);
	for (size_t c = 0; c < some; c++) {
		if (b->list[c].lost)
			search_all(s, of[c]);
		else
			search_list(s, of[c], &b->list[c]);
	}
}

/* Where most rows are candidates anyway, none are chosen. */
static bool is_worth(const struct search *s)
{
	const struct ood_near_layout *layout = &s->index->layout;

	return layout->n && s->query->k <= layout->n / 8;
}

static int search(struct search *s, struct ood_err *err)
{
	size_t n = s->query->n, k = s->query->k;
	size_t rows = BYTES / CANDIDATE / (2 * k + 1);

	if (!is_worth(s)) {
		for (size_t i = 0; i < n; i++)
			search_all(s, i);
		return OOD_OK;
	}
	rows = OOD_MIN(OOD_MAX(rows, LEAST), OOD_MIN(n, BLOCK));
	int code =
		ood_near_block_make(&s->block, &s->index->layout, rows, k, err);
	for (size_t at = 0; !code && at < n; at += rows)
		search_block(s, at, OOD_MIN(rows, n - at));
	ood_near_block_free(&s->block);
	return code;
}

int ood_neighbours_find(const struct ood_neighbours *index,
			const struct ood_near_query *query, double *value,
			size_t *which, struct ood_err *err)
{
	size_t d = index->bank->cols;
	struct search s = { .index = index,
			    .query = query,
			    .value = value,
			    .which = which,
			    .q = ood_malloc(d, sizeof(double)),
			    .x = ood_malloc(d, sizeof(double)),
			    .cost = ood_malloc(query->k, sizeof(double)),
			    .row = ood_malloc(query->k, sizeof(size_t)),
			    .last = SIZE_MAX };
	int code = s.q && s.x && s.cost && s.row
			   ? OOD_OK
			   : ood_fail_memory(err, (d + query->k) * 16);

	if (!code && query->n)
		code = search(&s, err);
	ood_free(s.q);
	ood_free(s.x);
	ood_free(s.cost);
	ood_free(s.row);
	return code;
}
