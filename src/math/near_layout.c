/*
 * near_layout.c - a bank laid out for products in float, with bounds on what
 * these say of costs in double
 *
 * Let X be a row of the bank as the options take it (a vector of doubles),
 * less the centre, over the unit of length 2^e; Q a query likewise. Stored are
 * the floats a of X and b of Q, and in double A = ||a||^2, B = ||b||^2. With
 * u = 2^-24, the cost in double by differences, C, is close to
 *
 *	K = A + B - 2p,  p the inner product of a and b summed in float:
 *
 * 1. Rounding of the inputs. ||a - X|| <= v ||a|| + t and so for b: v = (1 +
 *    2^-20) u covers the rounding to float, and that of the subtraction of the
 *    centre in double; t = d 2^-126 what is below the range of normal floats.
 *    With S = ||a|| + ||b||, the distances ||X - Q|| and ||a - b|| differ by
 *    at most w = v S + 2t, their squares by at most w (2 S + w) <= (4v + 2v^2)
 *    (A + B) + 2^-81 d, as S^2 <= 2 (A + B), and S <= 2^42 (checked).
 * 2. The product. |p - <a, b>| <= g ||a|| ||b|| + d 2^-126, g = d u/(1 - d u),
 *    for any order of the sum, with or without fused operations (Higham:
 *    Accuracy and Stability of Numerical Algorithms, 2002, 3.1); so 2p is off
 *    by at most g (A + B) + d 2^-125.
 * 3. C in double is off from ||X - Q||^2 by less than (2d + 8) 2^-53 (A + B);
 *    A and B, sums of squares of d terms, by d 2^-53 of themselves.
 *
 * Together |C - K| <= E (A + B) + h, with E = (d + 8) u/(1 - (d + 8) u), of
 * which 4u cover step 1 and the rest, 4u > (8d + 64) 2^-53 for d <= 2^20, all
 * that is in double; h = d 2^-80. Hence
 *
 *	row.low = (1 - E) A, row.high = (1 + E) A
 *	query.low = (1 - E) B - h, query.high = (1 + E) B + h
 *
 * E (A + B) is twice E ||a|| ||b|| for rows of like norm: taking the centre
 * off, which changes no distance, keeps A and B small.
 *
 * COSINE: for ||u(x) - u(q)||^2. Between a zero row and a query the cost is 1,
 * where half the square is 1/2: low and high of such rows have 1 (in units of
 * the layout) more. Zero queries are no matter of the layout. ||u||^2 = 1 holds
 * to (d + 8) 2^-53, and is covered by step 3 as A + B >= 1/4.
 *
 * DOT: C = -<Q, X>, X with its factor, no centre; a query has a unit of length
 * of its own. |C + p| <= E ||a|| ||b|| + h by steps 1 to 3 (step 1: 2v ||a||
 * ||b||), at most E R ||b|| + h, R the longest row: row.low = row.high = 0.
 */
#include "math/near_layout.h"

#include <omp.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "math/near_best.h"
#include "math/vector.h"

enum {
	WIDE = 16,	     /* rows are padded to a multiple */
	D_MOST = 1 << 20,    /* features: see above */
	SAMPLE = 4096,	     /* rows that make up the centre */
	CODES_LEAST = 64,    /* features: below, time goes elsewhere */
	EXPONENT_MOST = 400, /* squares of doubles have the range */
	LENGTH_MOST = 40     /* log2 of the norm of a query, see 1. */
};

float ood_float_below(double x)
{
	float f = (float)x;

	return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static double epsilon(const struct ood_near_layout *l)
{
	double e = (double)(l->d + 8) * 0x1p-24;

	return e / (1 - e);
}

static double floor_of(const struct ood_near_layout *l)
{
	return (double)l->d * 0x1p-80;
}

/* ------------------------------------------------------------- numbers --- */

static double largest(const double *x, size_t d)
{
	double most = 0;

	for (size_t j = 0; j < d; j++)
		most = OOD_MAX(most, fabs(x[j]));
	return most;
}

/* The floats of x and their squared norm. x is overwritten. */
static double to_floats(const struct ood_near_layout *l, double *x,
			double factor, float *to)
{
	double sum = 0;

	for (size_t j = 0; j < l->d; j++) {
		x[j] = x[j] * factor;
		if (l->centre)
			x[j] -= l->centre[j];
		to[j] = (float)x[j];
		sum += (double)to[j] * (double)to[j];
	}
	for (size_t j = l->d; j < l->wide; j++)
		to[j] = 0;
	return sum;
}

/* --------------------------------------------------------------- bank --- */

/* What makes the rows, and a place for one of them each thread. */
struct source {
	const struct ood_bank *bank;
	const struct ood_near_options *options;
	const double *norm;
	double *x;
	int threads;
};

/* Row i as the options take it, with its factor. */
static void take_row(const struct source *s, size_t i, double *x)
{
	ood_near_row(s->bank, s->options, i, s->norm[i], x);
	if (s->options->scale)
		for (size_t j = 0; j < s->bank->cols; j++)
			x[j] *= s->options->scale[i];
}

/* The largest entry by size. */
static double find_largest(const struct source *s)
{
	const size_t n = s->bank->rows, d = s->bank->cols;
	double most = 0;

#pragma omp parallel for num_threads(s->threads) reduction(max                 \
							   : most)             \
	schedule(static)
	for (size_t i = 0; i < n; i++) {
		double *x = s->x + (size_t)omp_get_thread_num() * d;

		take_row(s, i, x);
		most = OOD_MAX(most, largest(x, d));
	}
	return most;
}

/* About the mean: any centre is right. */
static void find_centre(struct ood_near_layout *l, const struct source *s)
{
	const size_t n = s->bank->rows, step = n / SAMPLE + 1;
	const double factor = ldexp(1, -l->exponent);
	double rows = 0;

	for (size_t i = 0; i < n; i += step, rows++) {
		take_row(s, i, s->x);
		for (size_t j = 0; j < l->d; j++)
			l->centre[j] += s->x[j] * factor;
	}
	for (size_t j = 0; j < l->d; j++)
		l->centre[j] /= rows;
}

static double fill(struct ood_near_layout *l, const struct source *s)
{
	const double e = epsilon(l), factor = ldexp(1, -l->exponent);
	const bool cosine = s->options->kind == OOD_NEAR_COSINE;
	double longest = 0;

#pragma omp parallel for num_threads(s->threads) reduction(max                 \
							   : longest)          \
	schedule(static)
	for (size_t i = 0; i < l->n; i++) {
		double *x = s->x + (size_t)omp_get_thread_num() * l->d;
		double more = cosine && s->norm[i] <= 0 ? factor * factor : 0;

		take_row(s, i, x);
		double square = to_floats(l, x, factor, l->row + i * l->wide);
		longest = OOD_MAX(longest, square);
		l->low[i] = l->dot ? 0 : (1 - e) * square + more;
		l->high[i] = l->dot ? 0 : (1 + e) * square + more;
		l->bar[i] = ood_float_below(l->low[i] / l->m);
	}
	for (size_t i = l->n; i < l->padded; i++)
		l->bar[i] = INFINITY;
	return sqrt(longest) * (1 + 0x1p-20);
}

static int make_room(struct ood_near_layout *l, struct ood_err *err)
{
	size_t values;

	if (!ood_mul(l->padded, l->wide, &values))
		return ood_fail_memory(err, SIZE_MAX);
	if (!l->dot)
		l->centre = ood_calloc(l->d, sizeof(*l->centre));
	l->row = ood_calloc(values, sizeof(*l->row));
	l->low = ood_malloc(l->n, sizeof(*l->low));
	l->high = ood_malloc(l->n, sizeof(*l->high));
	l->bar = ood_malloc(l->padded, sizeof(*l->bar));
	if ((l->centre || l->dot) && l->row && l->low && l->high && l->bar)
		return OOD_OK;
	return ood_fail_memory(err, values * sizeof(*l->row));
}

static int lay_out(struct ood_near_layout *l, const struct source *s,
		   struct ood_err *err)
{
	const enum ood_near_engine engine = s->options->engine;
	int code = make_room(l, err);

	if (code)
		return code;
	if (l->centre)
		find_centre(l, s);
	l->longest = fill(l, s);
	if (!ood_near_codes_work() || engine == OOD_NEAR_FLOATS ||
	    (engine == OOD_NEAR_AUTO && l->d < CODES_LEAST) ||
	    l->d > OOD_NEAR_CODES_MOST)
		return OOD_OK;
	return ood_near_codes_make(&l->codes, l->row, l->padded, l->wide, err);
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

int ood_near_layout_make(struct ood_near_layout *layout,
			 const struct ood_bank *bank,
			 const struct ood_near_options *options,
			 const double *norm, struct ood_err *err)
{
	struct source s = { bank, options, norm, NULL, ood_threads() };
	size_t d = bank->cols, values;
	int code = OOD_OK;

	*layout = (struct ood_near_layout){ 0 };
	if (options->engine == OOD_NEAR_DOUBLES || d > D_MOST ||
	    bank->rows > UINT32_MAX / 2)
		return OOD_OK;
	if (ood_mul((size_t)s.threads, d, &values))
		s.x = ood_malloc(values, sizeof(*s.x));
	if (!s.x)
		return ood_fail_memory(err, d * sizeof(*s.x));
	double most = find_largest(&s);
	int exponent = most > 0 && isfinite(most) ? ilogb(most) : 0;

	if (isfinite(most) && abs(exponent) <= EXPONENT_MOST) {
		bool dot = options->kind == OOD_NEAR_DOT;

		*layout = (struct ood_near_layout){
			.n = bank->rows,
			.d = d,
			.wide = round_up(d, WIDE),
			.padded = round_up(bank->rows, OOD_NEAR_PANEL),
			.dot = dot,
			.m = dot ? 1 : 2,
			.exponent = exponent,
		};
		code = lay_out(layout, &s, err);
	}
	ood_free(s.x);
	return code;
}

void ood_near_layout_free(struct ood_near_layout *l)
{
	ood_free(l->centre);
	ood_free(l->row);
	ood_free(l->low);
	ood_free(l->high);
	ood_free(l->bar);
	ood_near_codes_free(&l->codes);
	*l = (struct ood_near_layout){ 0 };
}

/* ------------------------------------------------------------- queries --- */

bool ood_near_query_float(const struct ood_near_layout *l, double *x, float *to,
			  struct ood_near_float *f)
{
	const double e = epsilon(l), most = largest(x, l->d);
	int exponent = most > 0 && isfinite(most) ? ilogb(most) : l->exponent;

	if (!isfinite(most) || abs(exponent) > EXPONENT_MOST ||
	    (!l->dot && exponent - l->exponent > LENGTH_MOST))
		return false;
	if (!l->dot)
		exponent = l->exponent;
	double square = to_floats(l, x, ldexp(1, -exponent), to);

	f->norm = sqrt(square) * (1 + 0x1p-20);
	if (f->norm > ldexp(1, LENGTH_MOST))
		return false;
	if (l->dot) {
		f->high = e * l->longest * f->norm + floor_of(l);
		f->low = -f->high;
	} else {
		f->low = (1 - e) * square - floor_of(l);
		f->high = (1 + e) * square + floor_of(l);
	}
	return true;
}
