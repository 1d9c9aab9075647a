/*
 * linalg.c - products of matrices through BLAS
 */
#include "math/linalg.h"

#include <cblas.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"

enum { TILE = 128, PAD = 16 };

/* Threads are OpenMP's: BLAS's own would fight with them, and change sums. To
 * say it each time costs nothing, and needs no memory of having said it. */
void ood_blas_begin(void)
{
	if (openblas_get_num_threads() != 1)
		openblas_set_num_threads(1);
}

/* A multiple of `to` that holds n. */
static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static int check_size(size_t n, struct ood_err *err)
{
	return n <= INT32_MAX / 2
		       ? OOD_OK
		       : ood_fail(err, OOD_INPUT,
				  "a matrix side of %zu is too large", n);
}

/* ------------------------------------------------------------- factors --- */

int ood_factor_make(struct ood_factor *f, const double *vectors, size_t n,
		    size_t d, struct ood_err *err)
{
	size_t values;

	*f = (struct ood_factor){
		.n = n, .d = d, .n16 = round_up(n, PAD), .d16 = round_up(d, PAD)
	};
	int code = check_size(OOD_MAX(n, d), err);

	if (code)
		return code;
	if (ood_mul(f->n16, f->d16, &values))
		f->data = ood_calloc(values, sizeof(double));
	if (!f->data)
		return ood_fail_memory(err, n * d * sizeof(double));
	for (size_t i = 0; i < n; i++)
		memcpy(f->data + i * f->d16, vectors + i * d,
		       d * sizeof(double));
	return OOD_OK;
}

void ood_factor_free(struct ood_factor *f)
{
	ood_free(f->data);
	*f = (struct ood_factor){ 0 };
}

/* A tile of rows, with zeros where it has none. */
static void pad_rows(const double *x, size_t rows, size_t d, size_t d16,
		     double *to)
{
	memset(to, 0, TILE * d16 * sizeof(*to));
	for (size_t i = 0; i < rows; i++)
		memcpy(to + i * d16, x + i * d, d * sizeof(*to));
}

int ood_factor_apply(const struct ood_factor *f, const double *x, size_t rows,
		     double *out, struct ood_err *err)
{
	double *in = NULL, *tile = NULL;
	size_t whole = rows - rows % TILE;
	bool fits = f->d == f->d16, neat = f->n == f->n16;

	ood_blas_begin();
	if (!fits || whole < rows)
		in = ood_malloc(TILE * f->d16, sizeof(*in));
	if (!neat || whole < rows)
		tile = ood_malloc(TILE * f->n16, sizeof(*tile));
	if (((!fits || whole < rows) && !in) ||
	    ((!neat || whole < rows) && !tile)) {
		ood_free(in);
		ood_free(tile);
		return ood_fail_memory(err, TILE * (f->d16 + f->n16) * 8);
	}
	for (size_t at = 0; at < rows; at += TILE) {
		size_t some = OOD_MIN(TILE, rows - at);
		const double *a = x + at * f->d;
		bool direct = neat && some == TILE;
		double *c = direct ? out + at * f->n : tile;

		if (!fits || some < TILE) {
			pad_rows(a, some, f->d, f->d16, in);
			a = in;
		}
		cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, TILE,
			    (int)f->n16, (int)f->d16, 1, a, (int)f->d16,
			    f->data, (int)f->d16, 0, c, (int)f->n16);
		for (size_t i = 0; !direct && i < some; i++)
			memcpy(out + (at + i) * f->n, tile + i * f->n16,
			       f->n * sizeof(*out));
	}
	ood_free(in);
	ood_free(tile);
	return OOD_OK;
}

void ood_products_float(const struct ood_float_product *p)
{
	ood_blas_begin();
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)p->m,
		    (int)p->n, (int)p->d, 1, p->a, (int)p->d, p->b, (int)p->d,
		    0, p->out, (int)p->n);
}

/* ------------------------------------------------------------- moments --- */

int ood_moment_lower(double *sum, const double *x, size_t rows, size_t d,
		     struct ood_err *err)
{
	size_t tiles = (d + TILE - 1) / TILE;
	int code = check_size(OOD_MAX(rows, d), err), threads = ood_threads();

	ood_blas_begin();
	if (code)
		return code;
		/* A stripe of the sum each: the longest first. */
#pragma omp parallel for num_threads(threads)                                  \
	schedule(dynamic, 1) if (threads > 1 && tiles > 1)
	for (size_t t = 0; t < tiles; t++) {
		size_t at = (tiles - 1 - t) * TILE, n = OOD_MIN(TILE, d - at);

		cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)n,
			    (int)(at + n), (int)rows, 1, x + at, (int)d, x,
			    (int)d, 1, sum + at * d, (int)d);
	}
	return OOD_OK;
}

enum { BLOCK = 32 }; /* rows and columns that fit in the cache together */

static void mirror_block(double *sum, size_t d, size_t i, size_t j)
{
	for (size_t a = i; a < OOD_MIN(i + BLOCK, d); a++)
		for (size_t b = j; b < OOD_MIN(j + BLOCK, a); b++)
			sum[b * d + a] = sum[a * d + b];
}

void ood_moment_mirror(double *sum, size_t d)
{
	for (size_t i = 0; i < d; i += BLOCK)
		for (size_t j = 0; j <= i; j += BLOCK)
			mirror_block(sum, d, i, j);
}

int ood_moment_add(double *sum, const double *x, size_t rows, size_t d,
		   struct ood_err *err)
{
	int code = ood_moment_lower(sum, x, rows, d, err);

	if (!code)
		ood_moment_mirror(sum, d);
	return code;
}

int ood_multiply(const double *a, const double *b, double *c, size_t m,
		 size_t k, size_t n, struct ood_err *err)
{
	double *turned = NULL;
	struct ood_factor f = { 0 };
	size_t values;
	int code = OOD_OK, threads = ood_threads(), failed = 0;

	if (ood_mul(OOD_MAX(n, 1), OOD_MAX(k, 1), &values))
		turned = ood_malloc(values, sizeof(*turned));
	if (!turned)
		return ood_fail_memory(err, n * k * sizeof(*turned));
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < n; j++)
			turned[j * k + i] = b[i * n + j];
	code = ood_factor_make(&f, turned, n, k, err);
	ood_free(turned);
	size_t tiles = (m + TILE - 1) / TILE;
#pragma omp parallel for num_threads(threads) if (threads > 1 && tiles > 1)    \
	reduction(+ : failed)
	for (size_t t = 0; t < (code ? 0 : tiles); t++) {
		size_t at = t * TILE;
		struct ood_err own;

		failed +=
			ood_factor_apply(&f, a + at * k, OOD_MIN(TILE, m - at),
					 c + at * n, &own) != OOD_OK;
	}
	ood_factor_free(&f);
	return code	? code
	       : failed ? ood_fail_memory(err, TILE * (k + n) * 8)
			: OOD_OK;
}
