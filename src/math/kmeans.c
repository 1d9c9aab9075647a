/*
 * kmeans.c - clusters of rows
 */
#include "math/kmeans.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/rng.h"
#include "core/thread.h"
#include "math/gaussian.h"
#include "math/scatter.h"
#include "math/vector.h"

/* Rows, and columns, that a thread takes at a time. */
enum { BLOCK = 256, STRIPE = 64 };

struct kmeans {
	const struct ood_bank *rows;
	size_t n, d, k;
	struct ood_mat centre; /* k x d */
	struct ood_mat count;  /* k x 1 */
	double *d2;	       /* n: to the nearest centre of the start */
};

static size_t blocks_of(const struct kmeans *m)
{
	return (m->n + BLOCK - 1) / BLOCK;
}

/* ---------------------------------------------------------------- start --- */

/* Distances to the last centre of the c. */
static int measure_block(struct kmeans *m, size_t block, size_t c)
{
	size_t end = OOD_MIN((block + 1) * BLOCK, m->n);
	double *x = ood_malloc(m->d, sizeof(*x));

	if (!x)
		return 1;
	for (size_t i = block * BLOCK; i < end; i++) {
		ood_bank_row(m->rows, i, x);
		m->d2[i] = OOD_MIN(
			m->d2[i],
			ood_distance2(x, m->centre.data + (c - 1) * m->d,
				      m->d));
	}
	ood_free(x);
	return 0;
}

static int measure(struct kmeans *m, size_t c, struct ood_err *err)
{
	int failed = 0, threads = ood_threads();

#pragma omp parallel for num_threads(threads) reduction(+ : failed)
	for (size_t b = 0; b < blocks_of(m); b++)
		failed += measure_block(m, b, c);
	return failed ? ood_fail_memory(err, m->d * sizeof(double)) : OOD_OK;
}

/* A row, with a probability in proportion to d2; n if all are 0. */
static size_t draw(const struct kmeans *m, double uniform)
{
	double all = 0, sum = 0;
	size_t last = m->n;

	for (size_t i = 0; i < m->n; i++)
		all += m->d2[i];
	for (size_t i = 0; i < m->n; i++) {
		if (m->d2[i] == 0)
			continue;
		sum += m->d2[i];
		last = i;
		if (sum > uniform * all)
			break;
	}
	return last;
}

static int start(struct kmeans *m, uint64_t seed, struct ood_err *err)
{
	double u = ood_rng_uniform(seed, OOD_RNG_CLUSTERS, 0, 0);
	size_t row = (size_t)(u * (double)m->n);
	int code = OOD_OK;

	for (size_t i = 0; i < m->n; i++)
		m->d2[i] = INFINITY;
	for (size_t c = 1; !code; c++) {
		ood_bank_row(m->rows, row, m->centre.data + (c - 1) * m->d);
		if (c == m->k)
			break;
		code = measure(m, c, err);
		u = ood_rng_uniform(seed, OOD_RNG_CLUSTERS, c, 0);
		row = code ? 0 : draw(m, u);
		if (row == m->n)
			return ood_fail(err, OOD_INPUT,
					"only %zu of the %zu rows differ, "
					"which make no %zu clusters",
					c, m->n, m->k);
	}
	return code;
}

/* --------------------------------------------------------------- rounds --- */

/* Nearest centres of a block of rows; counts those that are new. */
static int assign_block(const struct kmeans *m, const struct ood_gaussians *g,
			size_t block, int64_t *cluster, size_t *moved)
{
	size_t from = block * BLOCK, n = OOD_MIN(BLOCK, m->n - from);
	double *x = ood_malloc(n * m->d, sizeof(*x));
	double *d2 = ood_malloc(n * m->k, sizeof(*d2));
	struct ood_err err;
	int failed = !x || !d2;

	for (size_t i = 0; !failed && i < n; i++)
		ood_bank_row(m->rows, from + i, x + i * m->d);
	if (!failed)
		failed = ood_gaussians_apply(g, x, n, 0, d2, &err) != OOD_OK;
	for (size_t i = 0; !failed && i < n; i++) {
		int64_t k = (int64_t)ood_least(d2 + i * m->k, m->k);

		*moved += k != cluster[from + i];
		cluster[from + i] = k;
	}
	ood_free(x);
	ood_free(d2);
	return failed;
}

static int assign(const struct kmeans *m, int64_t *cluster, size_t *moved,
		  struct ood_err *err)
{
	struct ood_mat amid = { 0 }, one = { 0 };
	struct ood_gaussians g = { 0 };
	int failed = 0, threads = ood_threads();
	int code = ood_mat_make(&one, m->k, 1, err);
	size_t changed = 0;

	for (size_t k = 0; !code && k < m->k; k++)
		one.data[k] = 1;
	if (!code)
		code = ood_grand_mean(one.data, &m->centre, &amid, err);
	if (!code)
		code = ood_gaussians_make(&g, NULL, &m->centre, &amid, err);
	size_t blocks = code ? 0 : blocks_of(m);
#pragma omp parallel for num_threads(threads) reduction(+ : failed, changed)
	for (size_t b = 0; b < blocks; b++)
		failed += assign_block(m, &g, b, cluster, &changed);
	*moved = changed;
	ood_gaussians_free(&g);
	ood_mat_free(&amid);
	ood_mat_free(&one);
	if (!code && failed)
		code = ood_fail_memory(err, BLOCK * (m->d + m->k) * 8);
	return code;
}

/* Columns [from, to) of the centres become the means of their rows. */
static int centre_stripe(struct kmeans *m, const int64_t *cluster, size_t from,
			 size_t to)
{
	size_t some = to - from;
	double *sum = ood_calloc(m->k * some, sizeof(*sum));
	struct ood_view view = ood_bank_view(m->rows);

	if (!sum)
		return 1;
	for (size_t i = 0; i < m->n; i++) {
		double *to_sum = sum + (size_t)cluster[i] * some;
		size_t at = i * m->d + from;

		for (size_t j = 0; j < some; j++)
			to_sum[j] +=
				view.dtype == OOD_F4
					? (double)((const float *)
							   view.data)[at + j]
					: ((const double *)view.data)[at + j];
	}
	for (size_t k = 0; k < m->k; k++)
		for (size_t j = 0; m->count.data[k] > 0 && j < some; j++)
			m->centre.data[k * m->d + from + j] =
				sum[k * some + j] / m->count.data[k];
	ood_free(sum);
	return 0;
}

static int move_centres(struct kmeans *m, const int64_t *cluster,
			struct ood_err *err)
{
	size_t stripes = (m->d + STRIPE - 1) / STRIPE;
	int failed = 0, threads = ood_threads();

	memset(m->count.data, 0, m->k * sizeof(*m->count.data));
	for (size_t i = 0; i < m->n; i++)
		m->count.data[cluster[i]]++;
#pragma omp parallel for num_threads(threads) reduction(+ : failed)
	for (size_t t = 0; t < stripes; t++)
		failed += centre_stripe(m, cluster, t * STRIPE,
					OOD_MIN((t + 1) * STRIPE, m->d));
	return failed ? ood_fail_memory(err, m->k * STRIPE * sizeof(double))
		      : OOD_OK;
}

static int make(struct kmeans *m, struct ood_err *err)
{
	int code = ood_mat_make(&m->centre, m->k, m->d, err);

	if (!code)
		code = ood_mat_make(&m->count, m->k, 1, err);
	m->d2 = ood_malloc(m->n, sizeof(*m->d2));
	return code    ? code
	       : m->d2 ? OOD_OK
		       : ood_fail_memory(err, m->n * sizeof(*m->d2));
}

int ood_kmeans(const struct ood_bank *rows, size_t k, uint64_t seed,
	       int64_t *cluster, size_t *rounds, struct ood_err *err)
{
	struct kmeans m = {
		.rows = rows, .n = rows->rows, .d = rows->cols, .k = k
	};
	size_t moved = 1;
	int code = OOD_OK;

	*rounds = 0;
	for (size_t i = 0; i < m.n; i++)
		cluster[i] = k == 1 ? 0 : -1;
	if (k == 1)
		return OOD_OK;
	code = make(&m, err);
	if (!code)
		code = start(&m, seed, err);
	while (!code && moved && *rounds <= OOD_KMEANS_ROUNDS) {
		++*rounds;
		code = assign(&m, cluster, &moved, err);
		if (!code && moved)
			code = move_centres(&m, cluster, err);
	}
	if (!moved)
		--*rounds;
	ood_mat_free(&m.centre);
	ood_mat_free(&m.count);
	ood_free(m.d2);
	return code;
}
