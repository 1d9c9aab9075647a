/*
 * gaussian.c - squared distances to the means of Gaussians of one covariance
 *
 * With y = A (x - c) and m = A (m_k - c), products of matrices give
 *
 *	||y - m||^2 = ||y||^2 + ||m||^2 - 2 <y, m>
 *
 * with an error of up to (2 R + 16) 2^-53 (||y||^2 + ||m||^2): R roundings of
 * the inner product of two numbers of at most half that sum, R of the norms,
 * and a few. The means that may be the nearest within this error are measured
 * again by differences. Where even ||y - m||^2 is small against ||y||^2, for
 * classes that are far apart, A (x - m_k) is worked out afresh.
 */
#include "math/gaussian.h"

#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"

/* Below this share of ||y||^2: A x and A m_k agree in their first 7 bits. */
static const double AFRESH = 0x1p-14;

/* ---------------------------------------------------------------- made --- */

/* y (n x R) = A x of shifted rows. */
static int whiten(const struct ood_gaussians *g, const double *x, size_t n,
		  double *y, struct ood_err *err)
{
	if (!g->plain)
		return ood_factor_apply(&g->whiten, x, n, y, err);
	memcpy(y, x, n * g->mean->cols * sizeof(*y));
	return OOD_OK;
}

static size_t rank_of(const struct ood_gaussians *g)
{
	return g->near.cols;
}

/* to (n x d) = x less one row. */
static void subtract(const double *x, const double *row, size_t n, size_t d,
		     double *to)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < d; j++)
			to[i * d + j] = x[i * d + j] - row[j];
}

static int make_near(struct ood_gaussians *g, size_t r, struct ood_err *err)
{
	struct ood_mat away = { 0 };
	size_t k = g->mean->rows, d = g->mean->cols;
	int code = ood_mat_make(&away, k, d, err);

	if (!code)
		code = ood_mat_make(&g->near, k, r, err);
	if (!code)
		code = ood_mat_make(&g->norm2, k, 1, err);
	if (!code) {
		subtract(g->mean->data, g->centre.data, k, d, away.data);
		code = whiten(g, away.data, k, g->near.data, err);
	}
	for (size_t i = 0; !code && i < k; i++) {
		const double *m = g->near.data + i * r;

		g->norm2.data[i] = ood_dot(m, m, r);
	}
	ood_mat_free(&away);
	return code;
}

int ood_gaussians_make(struct ood_gaussians *g, const struct ood_mat *A,
		       const struct ood_mat *mean, const struct ood_mat *centre,
		       struct ood_err *err)
{
	size_t d = mean->cols, r = A ? A->rows : d;
	int code;

	*g = (struct ood_gaussians){ .mean = mean, .plain = !A };
	code = ood_mat_make(&g->centre, 1, d, err);
	if (code)
		return code;
	memcpy(g->centre.data, centre->data, d * sizeof(*centre->data));
	if (A)
		code = ood_factor_make(&g->whiten, A->data, r, d, err);
	if (!code)
		code = make_near(g, r, err);
	if (!code)
		code = ood_factor_make(&g->dots, g->near.data, mean->rows, r,
				       err);
	return code;
}

void ood_gaussians_free(struct ood_gaussians *g)
{
	ood_mat_free(&g->centre);
	ood_mat_free(&g->near);
	ood_mat_free(&g->norm2);
	ood_factor_free(&g->whiten);
	ood_factor_free(&g->dots);
	*g = (struct ood_gaussians){ 0 };
}

/* ------------------------------------------------------------- applied --- */

/* Of the rows of a call. */
struct work {
	double *x;   /* n x D: less the centre; then less their means */
	double *y;   /* n x R */
	double *far; /* n: ||y||^2 */
	size_t *at;  /* n: which of d2 are done afresh */
	size_t some; /* of them */
};

static int work_make(struct work *w, const struct ood_gaussians *g, size_t n,
		     struct ood_err *err)
{
	size_t d = g->mean->cols, r = rank_of(g);

	*w = (struct work){ .x = ood_malloc(n * d, sizeof(double)),
			    .y = ood_malloc(n * r, sizeof(double)),
			    .far = ood_malloc(n, sizeof(double)),
			    .at = ood_malloc(n, sizeof(size_t)) };
	return w->x && w->y && w->far && w->at
		       ? OOD_OK
		       : ood_fail_memory(err, n * (d + r) * sizeof(double));
}

static void work_free(struct work *w)
{
	ood_free(w->x);
	ood_free(w->y);
	ood_free(w->far);
	ood_free(w->at);
}

size_t ood_least(const double *d2, size_t k)
{
	size_t best = 0;

	for (size_t i = 1; i < k; i++)
		if (d2[i] < d2[best])
			best = i;
	return best;
}

/* Inner products with the means become distances, of those near enough. */
static void measure(const struct ood_gaussians *g, const double *y, double far,
		    double slack, double *d2)
{
	size_t k = g->mean->rows, r = rank_of(g);
	const double *norm2 = g->norm2.data;
	double unsure = (2 * (double)r + 16) * 0x1p-53, least = INFINITY;

	for (size_t i = 0; i < k; i++) {
		double all = far + norm2[i];

		d2[i] = all - 2 * d2[i];
		least = OOD_MIN(least, d2[i] + unsure * all);
	}
	for (size_t i = 0; i < k; i++) {
		bool apart = d2[i] - unsure * (far + norm2[i]) > least + slack;

		d2[i] = apart ? INFINITY
			      : ood_distance2(y, g->near.data + i * r, r);
		if (isnan(d2[i])) /* of infinite size */
			d2[i] = INFINITY;
	}
}

/* x less the mean, of the pairs gathered, becomes their distances. */
static int flush(const struct ood_gaussians *g, struct work *w, double *d2,
		 struct ood_err *err)
{
	size_t r = rank_of(g);
	int code = w->some ? whiten(g, w->x, w->some, w->y, err) : OOD_OK;

	for (size_t i = 0; !code && i < w->some; i++)
		d2[w->at[i]] = ood_dot(w->y + i * r, w->y + i * r, r);
	w->some = 0;
	return code;
}

/* Rows that lose too many digits otherwise. */
static int work_afresh(const struct ood_gaussians *g, const double *x, size_t n,
		       struct work *w, double *d2, struct ood_err *err)
{
	size_t K = g->mean->rows, d = g->mean->cols;
	int code = OOD_OK;

	for (size_t i = 0; !code && i < n; i++) {
		size_t best = ood_least(d2 + i * K, K);

		if (!(d2[i * K + best] < AFRESH * w->far[i]))
			continue;
		for (size_t k = 0; !code && k < K; k++) {
			if (isinf(d2[i * K + k]))
				continue;
			subtract(x + i * d, g->mean->data + k * d, 1, d,
				 w->x + w->some * d);
			w->at[w->some++] = i * K + k;
			if (w->some == n)
				code = flush(g, w, d2, err);
		}
	}
	return code ? code : flush(g, w, d2, err);
}

int ood_gaussians_apply(const struct ood_gaussians *g, const double *x,
			size_t n, double slack, double *d2, struct ood_err *err)
{
	size_t K = g->mean->rows, d = g->mean->cols, r = rank_of(g);
	struct work w;
	int code = work_make(&w, g, n, err);

	if (!code) {
		subtract(x, g->centre.data, n, d, w.x);
		code = whiten(g, w.x, n, w.y, err);
	}
	if (!code)
		code = ood_factor_apply(&g->dots, w.y, n, d2, err);
	for (size_t i = 0; !code && i < n; i++) {
		const double *y = w.y + i * r;

		w.far[i] = ood_dot(y, y, r);
		measure(g, y, w.far[i], slack, d2 + i * K);
	}
	if (!code)
		code = work_afresh(g, x, n, &w, d2, err);
	work_free(&w);
	return code;
}
