/*
 * near_choose.c - rows of a bank that may be among the k nearest of a query
 *
 * Products with a tile of rows after another; what lies above the bound of the
 * k-th least cost so far is dropped at once. First with codes, where there are
 * some: candidates are then looked at once more in float. Queries that codes
 * leave too many candidates (rows that are very near one another) go through
 * products in float.
 */
#include "math/near_choose.h"

#include "core/err.h"
#include "core/mem.h"
#include "math/linalg.h"
#include "math/select.h"

enum {
	PANELS = 20,			/* of a tile */
	ROWS = PANELS * OOD_NEAR_PANEL, /* of a tile */
	SPARE = 2048,			/* candidates beyond those needed */
	MORE = 256			/* at least, before rows are dropped */
};

/* -------------------------------------------------------------- memory --- */

int ood_near_block_make(struct ood_near_block *b,
			const struct ood_near_layout *layout, size_t queries,
			size_t k, struct ood_err *err)
{
	size_t n = queries +
		   (OOD_NEAR_CODED - queries % OOD_NEAR_CODED) % OOD_NEAR_CODED;
	bool ok;

	*b = (struct ood_near_block){
		.layout = layout, .k = k, .room = 2 * k + SPARE, .queries = n
	};
	b->x = ood_calloc(n * layout->wide, sizeof(*b->x));
	b->some = ood_malloc(n * layout->wide, sizeof(*b->some));
	b->who = ood_malloc(n, sizeof(*b->who));
	b->f = ood_calloc(n, sizeof(*b->f));
	b->list = ood_calloc(n, sizeof(*b->list));
	b->tile = ood_malloc(n * ROWS, sizeof(*b->tile));
	b->scratch = ood_malloc(b->room, sizeof(*b->scratch));
	ok = b->x && b->some && b->who && b->f && b->list && b->tile &&
	     b->scratch;
	for (size_t i = 0; ok && i < n; i++) {
		struct ood_near_list *l = &b->list[i];

		l->row = ood_malloc(b->room, sizeof(*l->row));
		l->low = ood_malloc(b->room, sizeof(*l->low));
		l->high = ood_malloc(b->room, sizeof(*l->high));
		ok = l->row && l->low && l->high;
	}
	if (!ok)
		return ood_fail_memory(err, n * b->room * 20);
	return layout->codes.panel
		       ? ood_near_coded_make(&b->coded, n, layout->codes.groups,
					     err)
		       : OOD_OK;
}

void ood_near_block_free(struct ood_near_block *b)
{
	for (size_t i = 0; b->list && i < b->queries; i++) {
		ood_free(b->list[i].row);
		ood_free(b->list[i].low);
		ood_free(b->list[i].high);
	}
	ood_free(b->x);
	ood_free(b->some);
	ood_free(b->who);
	ood_free(b->f);
	ood_free(b->list);
	ood_free(b->tile);
	ood_free(b->scratch);
	ood_near_coded_free(&b->coded);
}

/* --------------------------------------------------------------- lists --- */

static void list_start(struct ood_near_block *b, size_t i)
{
	struct ood_near_list *l = &b->list[i];

	l->n = 0;
	l->full = OOD_MIN(b->room, b->k + MORE);
	l->most = INFINITY;
	l->bar = -INFINITY;
	l->lost = false;
}

/* Of the k-th least cost, at most: that many have no larger one. */
static double kth_high(const struct ood_near_list *l, size_t k, double *scratch)
{
	double least = INFINITY, most = -INFINITY;
	size_t ties;

	if (l->n < k)
		return INFINITY;
	for (size_t c = 0; c < l->n; c++) {
		scratch[c] = -l->high[c];
		least = OOD_MIN(least, l->high[c]);
		most = OOD_MAX(most, l->high[c]);
	}
	if (l->n == k)
		return most;
	return -ood_nth_largest(scratch, l->n, k, -least, &ties);
}

/* Drops rows that k others are before, and lowers the bar for those to come. */
static void tighten(struct ood_near_block *b, size_t i)
{
	struct ood_near_list *l = &b->list[i];
	size_t kept = 0;

	l->most = OOD_MIN(l->most, kth_high(l, b->k, b->scratch));
	l->bar = ood_float_below((b->f[i].low - l->most) / b->layout->m);
	for (size_t c = 0; c < l->n; c++) {
		if (l->low[c] > l->most)
			continue;
		l->row[kept] = l->row[c];
		l->low[kept] = l->low[c];
		l->high[kept++] = l->high[c];
	}
	l->n = kept;
	l->full = OOD_MIN(b->room, kept + OOD_MAX(b->k, MORE));
}

/* A row with a product p at most, p - spread at least. */
static void list_add(struct ood_near_block *b, size_t i, size_t row, double p,
		     double spread)
{
	const struct ood_near_layout *layout = b->layout;
	struct ood_near_list *l = &b->list[i];

	if (row >= layout->n || row == l->self)
		return;
	l->row[l->n] = (uint32_t)row;
	l->low[l->n] = b->f[i].low + layout->low[row] - layout->m * p;
	l->high[l->n] =
		b->f[i].high + layout->high[row] - layout->m * (p - spread);
	if (++l->n < l->full)
		return;
	tighten(b, i);
	/* To drop but few each time would take long. */
	l->lost = l->n > b->room - MORE;
}

size_t ood_near_list_skip(struct ood_near_block *b, struct ood_near_list *l)
{
	double most = -INFINITY, cut;
	size_t kept = 0, ties, n = l->n;

	if (b->k < 2 || n < b->k)
		return 0;
	for (size_t c = 0; c < n; c++) {
		b->scratch[c] = -l->low[c];
		most = OOD_MAX(most, b->scratch[c]);
	}
	/* At least k - 1 have no larger low, so that -cut is no larger than
	 * the k-th least one: the k-th least cost is no smaller. */
	cut = ood_nth_largest(b->scratch, n, b->k - 1, most, &ties);
	for (size_t c = 0; c < n; c++)
		if (l->high[c] >= -cut)
			l->row[kept++] = l->row[c];
	l->n = kept;
	return n - kept;
}

/* -------------------------------------------------------------- passes --- */

/* A pass of some of the queries, by codes or in float. */
struct pass {
	struct ood_near_block *block;
	const size_t *who;
	size_t n;
	bool codes;
	const float *x; /* floats of theirs, without codes */
};

/* Does any of a panel's rows reach the bar? */
static bool reach(const float *p, const float *bar, float least)
{
	int any = 0;

	for (size_t j = 0; j < OOD_NEAR_PANEL; j++)
		any |= p[j] - bar[j] >= least;
	return any;
}

static void scan_panel(const struct pass *pass, size_t i, size_t row,
		       const float *p)
{
	struct ood_near_block *b = pass->block;
	const struct ood_near_layout *layout = b->layout;
	struct ood_near_list *l = &b->list[i];

	for (size_t j = 0; j < OOD_NEAR_PANEL && !l->lost; j++) {
		if (!(p[j] - layout->bar[row + j] >= l->bar))
			continue;
		list_add(b, i, row + j, (double)p[j],
			 pass->codes
				 ? ood_near_codes_spread(&layout->codes,
							 row + j, &b->coded, i)
				 : 0);
	}
}

static void scan(const struct pass *pass, size_t at, size_t first, size_t rows)
{
	struct ood_near_block *b = pass->block;
	size_t i = pass->who[at];
	const float *p = b->tile + at * rows;

	for (size_t j = 0; j < rows && !b->list[i].lost; j += OOD_NEAR_PANEL)
		if (reach(p + j, b->layout->bar + first + j, b->list[i].bar))
			scan_panel(pass, i, first + j, p + j);
}

static void multiply(const struct pass *pass, size_t first, size_t rows)
{
	struct ood_near_block *b = pass->block;
	const struct ood_near_layout *l = b->layout;

	if (pass->codes)
		ood_near_codes_product(
			&l->codes, &b->coded,
			&(struct ood_near_codes_tile){
				.first = first / OOD_NEAR_PANEL,
				.panels = rows / OOD_NEAR_PANEL,
				.queries = (pass->n + OOD_NEAR_CODED - 1) /
					   OOD_NEAR_CODED * OOD_NEAR_CODED,
				.out = b->tile });
	else
		ood_products_float(&(struct ood_float_product){
			.a = pass->x,
			.b = l->row + first * l->wide,
			.m = pass->n,
			.n = rows,
			.d = l->wide,
			.out = b->tile });
}

static void run(const struct pass *pass)
{
	struct ood_near_block *b = pass->block;
	size_t left = pass->n;

	for (size_t at = 0; at < pass->n; at++)
		list_start(b, pass->who[at]);
	for (size_t first = 0; left && first < b->layout->padded;
	     first += ROWS) {
		size_t rows = OOD_MIN(ROWS, b->layout->padded - first);

		multiply(pass, first, rows);
		left = 0;
		for (size_t at = 0; at < pass->n; at++) {
			scan(pass, at, first, rows);
			left += !b->list[pass->who[at]].lost;
		}
	}
	for (size_t at = 0; at < pass->n; at++)
		if (!b->list[pass->who[at]].lost)
			tighten(b, pass->who[at]);
}

/* In 16 lanes; the bound holds for any order. */
static float dot_float(const float *x, const float *y, size_t n)
{
	float s[16] = { 0 }, sum = 0;

	for (size_t j = 0; j < n; j += 16)
		for (size_t k = 0; k < 16; k++)
			s[k] += x[j + k] * y[j + k];
	for (size_t k = 0; k < 16; k++)
		sum += s[k];
	return sum;
}

/* Asks for a row that is to be read next: candidates lie far apart. */
static void fetch(const float *row, size_t wide)
{
	for (size_t j = 0; j < wide; j += 16)
		__builtin_prefetch(row + j);
}

/* Candidates of codes, by products in float. */
static void refine(struct ood_near_block *b, size_t i)
{
	const struct ood_near_layout *layout = b->layout;
	struct ood_near_list *l = &b->list[i];

	for (size_t c = 0; c < l->n; c++) {
		size_t row = l->row[c], next = OOD_MIN(c + 1, l->n - 1);

		fetch(layout->row + l->row[next] * layout->wide, layout->wide);
		double p = (double)dot_float(b->x + i * layout->wide,
					     layout->row + row * layout->wide,
					     layout->wide);

		l->low[c] = b->f[i].low + layout->low[row] - layout->m * p;
		l->high[c] = b->f[i].high + layout->high[row] - layout->m * p;
	}
	tighten(b, i);
}

/* Those of n queries that the list before has lost: their number. */
static size_t gather_lost(struct ood_near_block *b, size_t n)
{
	size_t wide = b->layout->wide, lost = 0;

	for (size_t i = 0; i < n; i++) {
		if (!b->list[i].lost)
			continue;
		memcpy(b->some + lost * wide, b->x + i * wide,
		       wide * sizeof(*b->x));
		b->who[lost++] = i;
	}
	return lost;
}

void ood_near_choose(struct ood_near_block *b, size_t n)
{
	const struct ood_near_codes *codes = &b->layout->codes;
	struct pass pass = { b, b->who, n, codes->panel != NULL, b->x };

	for (size_t i = 0; i < n; i++) {
		b->who[i] = i;
		if (pass.codes)
			ood_near_coded_put(&b->coded, i, codes->groups,
					   b->x + i * b->layout->wide);
	}
	run(&pass);
	if (!pass.codes)
		return;
	for (size_t i = 0; i < n; i++)
		if (!b->list[i].lost)
			refine(b, i);
	pass.n = gather_lost(b, n);
	pass.codes = false;
	pass.x = b->some;
	if (pass.n)
		run(&pass);
}
