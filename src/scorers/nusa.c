/*
 * nusa.c - the share of the features that the last layer cannot see
 *
 *	1 - ||P x|| / ||x||,  P = pinv(W) W, the projection on W's row space
 *
 * computed as ||q||^2 / (||x|| (||x|| + ||P x||)) with q = x - P x, in which
 * nothing cancels. x = 0: 1. Larger = more OoD.
 *
 * Cook, Zare, Gader: Outlier Detection through Null Space Analysis of Neural
 * Networks, 2020.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"
#include "scorers/scorer.h"

struct nusa {
	const double *W;       /* of the head that it is made for */
	struct ood_factor in;  /* V (r x D): rows of an orthonormal basis */
	struct ood_factor out; /* V' */
};

/* ------------------------------------------------------------- basis --- */

/* Rows that are turned, one by one, into an orthonormal basis. */
struct rows {
	double *v; /* n x d */
	size_t n, d;
	double largest; /* norm of the first pivot */
};

static double *row(const struct rows *a, size_t i)
{
	return a->v + i * a->d;
}

/* y -= <v, y> v */
static void subtract(const double *v, double *y, size_t d)
{
	double dot = ood_dot(v, y, d);

	for (size_t j = 0; j < d; j++)
		y[j] -= dot * v[j];
}

/* Puts the longest of the rows from k on at k; returns its length. */
static double pivot(const struct rows *a, size_t k)
{
	double most = -1;
	size_t at = k;

	for (size_t i = k; i < a->n; i++) {
		double norm = ood_norm(row(a, i), a->d);

		if (norm > most) {
			most = norm;
			at = i;
		}
	}
	for (size_t j = 0; at != k && j < a->d; j++) {
		double swap = row(a, k)[j];

		row(a, k)[j] = row(a, at)[j];
		row(a, at)[j] = swap;
	}
	return most;
}

/* Row k becomes a unit vector orthogonal to those before: once more, as the
 * first subtraction leaves rounding of the row's first length. */
static void finish(const struct rows *a, size_t k)
{
	for (size_t i = 0; i < k; i++)
		subtract(row(a, i), row(a, k), a->d);
	ood_unit(row(a, k), a->d, row(a, k));
}

/*
 * Gram-Schmidt with pivoting; returns the rank. Rows below max(n, d) 2^-52 of
 * the longest are rounding (as in numpy's matrix_rank).
 */
static size_t orthonormalise(struct rows *a)
{
	const double rtol = (double)OOD_MAX(a->n, a->d) * 0x1p-52;
	size_t k = 0;

	for (; k < a->n && k < a->d; k++) {
		double length = pivot(a, k);

		if (!k)
			a->largest = length;
		if (!(length > rtol * a->largest))
			break;
		finish(a, k);
#pragma omp parallel for schedule(static)
		for (size_t i = k + 1; i < a->n; i++)
			subtract(row(a, k), row(a, i), a->d);
	}
	return k;
}

static int make_factors(struct nusa *s, const double *v, size_t rank, size_t d,
			struct ood_err *err)
{
	double *turned = ood_malloc(d * rank, sizeof(*turned));

	if (!turned)
		return ood_fail_memory(err, d * rank * sizeof(*turned));
	for (size_t i = 0; i < rank; i++)
		for (size_t j = 0; j < d; j++)
			turned[j * rank + i] = v[i * d + j];
	int code = ood_factor_make(&s->in, v, rank, d, err);
	if (!code)
		code = ood_factor_make(&s->out, turned, d, rank, err);
	ood_free(turned);
	return code;
}

static int make_basis(struct nusa *s, const struct ood_mat *W,
		      struct ood_err *err)
{
	size_t d = W->cols, values = W->rows * d;
	struct rows a = { ood_malloc(values, sizeof(double)), W->rows, d, 0 };
	int code = a.v ? OOD_OK : ood_fail_memory(err, values * sizeof(double));

	if (code)
		return code;
	memcpy(a.v, W->data, values * sizeof(double));
	size_t rank = orthonormalise(&a);
	if (rank >= d)
		code = ood_fail(err, OOD_INPUT,
				"nusa needs more features than the rank of the "
				"head: its %zu x %zu weights have rank %zu, so "
				"that nothing is outside (all scores are 0)",
				W->rows, d, rank);
	else if (!rank)
		code = ood_fail(err, OOD_INPUT,
				"nusa: the weights of the head are all 0");
	else
		code = make_factors(s, a.v, rank, d, err);
	ood_free(a.v);
	return code;
}

static void release(void *state)
{
	struct nusa *s = state;

	ood_factor_free(&s->in);
	ood_factor_free(&s->out);
	s->W = NULL;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct nusa *s = state;

	if (!fit->head)
		return ood_fail(err, OOD_USAGE,
				"scorer nusa needs the last layer "
				"(--head-weights FILE)");
	if (fit->head->W.cols != fit->d)
		return ood_fail(err, OOD_INPUT,
				"%zu features where the head has %zu columns "
				"of weights",
				fit->d, fit->head->W.cols);
	if (s->W && s->W == fit->head->W.data)
		return OOD_OK;
	release(s);
	int code = make_basis(s, &fit->head->W, err);
	if (!code)
		s->W = fit->head->W.data;
	return code;
}

/* ------------------------------------------------------------ scoring --- */

/* p = ||P x||, px = P x */
static double outside(const double *x, const double *px, double p, size_t d)
{
	double norm = ood_norm(x, d), q = sqrt(ood_distance2(x, px, d));

	return norm > 0 ? q / norm * (q / (norm + p)) : 1;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct nusa *s = state;
	size_t n = rows->n, d = rows->d, rank = s->in.n;
	double *t = ood_malloc(n * rank, sizeof(*t));
	double *px = ood_malloc(n * d, sizeof(*px));

	(void)args;
	if (!t || !px)
		ood_fail_memory(rows->err, n * (rank + d) * sizeof(*t));
	else if (!ood_factor_apply(&s->in, rows->x, n, t, rows->err))
		ood_factor_apply(&s->out, t, n, px, rows->err);
	for (size_t i = 0; !rows->err->code && i < n; i++)
		out[i] = outside(rows->x + i * d, px + i * d,
				 ood_norm(t + i * rank, rank), d);
	ood_free(t);
	ood_free(px);
}

const struct ood_scorer ood_scorer_nusa = {
	.name = "nusa",
	.brief = "share of the feature outside the row space of W",
	.formula = "1 - ||P x|| / ||x||, P = pinv(W) W",
	.cite = "Cook, Zare, Gader: Outlier Detection through Null Space "
		"Analysis of Neural Networks, 2020",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.score = score,
	.state = sizeof(struct nusa),
	.ready = ready,
	.release = release,
};
