/*
 * neco.c - the share of the features inside the principal space
 *
 *	-||B x'|| / ||x'||,  x' = (x - mean) / sd
 *
 * mean and sd of the fit rows (1/N; a constant feature has sd 1), the rows of
 * B the dim leading eigenvectors of the covariance of x', which is the
 * correlation matrix. x' = 0: 0. times-maxlogit: times max z (the authors do
 * so for transformers, and not for ResNets). Larger = more OoD.
 *
 * Ben Ammar, Belkhir, Popescu, Manzanera, Franchi: NECO: NEural Collapse Based
 * Out-of-distribution detection, ICLR 2024.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "math/linalg.h"
#include "math/second_moment.h"
#include "math/vector.h"
#include "scorers/scorer.h"

enum { DIM, TIMES_MAXLOGIT };

/* The share of the variance that is principal where dim is not given. */
static const double SHARE = 0.9;

static const struct ood_param params[] = {
	[DIM] = { .kind = OOD_PARAM_INT,
		  .name = "dim",
		  .help = "dimensions of the principal space, at most D; by "
			  "default the least that have 90 % of the variance",
		  .def = NAN,
		  .lo = 1,
		  .hi = INFINITY },
	[TIMES_MAXLOGIT] = { .kind = OOD_PARAM_SWITCH,
			     .name = "times-maxlogit",
			     .help = "times the largest logit" },
	{ .kind = OOD_PARAM_END },
};

struct neco {
	struct ood_second_moment sums;
	struct ood_mat mean, sd;  /* 1 x D */
	struct ood_mat basis;	  /* P x D */
	struct ood_factor factor; /* the basis */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_SECOND_MOMENT(struct neco, sums),
	{ OOD_KEPT_MAT, "mean", offsetof(struct neco, mean), "1D",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "sd", offsetof(struct neco, sd), "1D", OOD_KEPT_FITTED,
	  false },
	{ OOD_KEPT_MAT, "basis", offsetof(struct neco, basis), "PD",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	char text[OOD_NUM_MAX];

	(void)c;
	if (!d || !(args->num[DIM] > (double)d))
		return OOD_OK;
	ood_num_format(text, args->num[DIM]);
	return ood_fail(err, OOD_USAGE,
			"neco: dim=%s of %zu features (dim=%zu is the largest)",
			text, d, d);
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct neco *s = state;

	(void)fit;
	return ood_second_moment_add(&s->sums, rows->x, rows->n, rows->d, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct neco *s = state;

	(void)fit;
	return ood_second_moment_join(&s->sums,
				      &((const struct neco *)from)->sums, err);
}

/* Mean and sd; S, the covariance, becomes that of the standardised rows. */
static int standardise(struct neco *s, struct ood_mat *S, struct ood_err *err)
{
	size_t d = s->sums.sum.cols;
	int code = ood_second_moment_mean(&s->sums, &s->mean, err);

	if (!code)
		code = ood_mat_make(&s->sd, 1, d, err);
	if (!code)
		code = ood_second_moment_matrix(&s->sums, true, S, err);
	for (size_t j = 0; !code && j < d; j++) {
		double variance = S->data[j * d + j];

		s->sd.data[j] = variance > 0 ? sqrt(variance) : 1;
	}
	for (size_t i = 0; !code && i < d; i++)
		for (size_t j = 0; j < d; j++)
			S->data[i * d + j] /= s->sd.data[i] * s->sd.data[j];
	return code;
}

static size_t choose_dim(const struct ood_args *args, const struct ood_eigen *e)
{
	double dim = args->num[DIM];

	return isnan(dim) ? ood_eigen_share(e, SHARE) : (size_t)dim;
}

static int make_basis(struct neco *s, const struct ood_fit *fit,
		      const struct ood_eigen *e, struct ood_err *err)
{
	size_t n = (size_t)ood_second_moment_rows(&s->sums), d = e->d;
	size_t rank = ood_eigen_rank(e, (double)d * 0x1p-52);

	if (!rank)
		return ood_fail(err, OOD_NUMERIC,
				"neco: all %zu fit rows are equal", n);
	size_t dim = choose_dim(fit->args, e);
	int code = ood_mat_make(&s->basis, dim, d, err);
	if (code)
		return code;
	memcpy(s->basis.data, e->vector, dim * d * sizeof(double));
	ood_notes_say(fit->notes, "neco: %zu rows of %zu features, dim = %zu",
		      n, d, dim);
	if (rank < dim)
		ood_notes_warn(fit->notes, "rank", rank,
			       "neco: the fit rows vary in only %zu "
			       "dimensions, fewer than dim = %zu: the others "
			       "are arbitrary",
			       rank, dim);
	return OOD_OK;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct neco *s = state;
	struct ood_mat S = { 0 };
	struct ood_eigen e = { 0 };
	int code = standardise(s, &S, err);

	if (!code)
		code = ood_eigen_make(&e, S.data, S.cols,
				      "correlations of the features", err);
	if (!code)
		code = make_basis(s, fit, &e, err);
	ood_eigen_free(&e);
	ood_mat_free(&S);
	return code;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct neco *s = state;
	size_t n = s->basis.rows, d = s->basis.cols;
	bool ok = ood_all_finite(s->mean.data, d) &&
		  ood_all_finite(s->sd.data, d) &&
		  ood_all_finite(s->basis.data, n * d);

	(void)fit;
	for (size_t j = 0; ok && j < d; j++)
		ok = s->sd.data[j] > 0;
	if (!ok)
		return ood_fail(err, OOD_INPUT,
				"mean, sd or basis is not finite, or an sd is "
				"not positive");
	return ood_factor_make(&s->factor, s->basis.data, n, d, err);
}

static void release(void *state)
{
	struct neco *s = state;

	ood_second_moment_free(&s->sums);
	ood_factor_free(&s->factor);
}

/* -||B x'|| / ||x'|| of each row. */
static int shares(const struct neco *s, const struct ood_rows *rows,
		  double *out)
{
	size_t n = rows->n, d = s->factor.d, k = s->factor.n;
	double *y = ood_malloc(n * d, sizeof(*y));
	double *by = ood_malloc(n * k, sizeof(*by));

	if (!y || !by)
		ood_fail_memory(rows->err, n * d * sizeof(*y));
	for (size_t i = 0; !rows->err->code && i < n; i++)
		for (size_t j = 0; j < d; j++)
			y[i * d + j] = (rows->x[i * d + j] - s->mean.data[j]) /
				       s->sd.data[j];
	if (!rows->err->code)
		ood_factor_apply(&s->factor, y, n, by, rows->err);
	for (size_t i = 0; !rows->err->code && i < n; i++) {
		double norm = ood_norm(y + i * d, d);

		out[i] = norm > 0 ? -ood_norm(by + i * k, k) / norm : 0;
	}
	ood_free(y);
	ood_free(by);
	return (int)rows->err->code;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	if (args->num[TIMES_MAXLOGIT] != 0 &&
	    (!rows->digest || rows->is_probs)) {
		ood_fail(rows->err, OOD_USAGE,
			 "neco:times-maxlogit=1 needs logits");
		return;
	}
	if (shares(state, rows, out) || args->num[TIMES_MAXLOGIT] == 0)
		return;
	for (size_t i = 0; i < rows->n; i++) {
		out[i] *= rows->digest->max[i];
		*rows->odd += rows->digest->max[i] < 0;
	}
}

const struct ood_scorer ood_scorer_neco = {
	.name = "neco",
	.brief = "share of the feature inside the principal space",
	.formula = "-||B x'|| / ||x'||, x' = (x - mean) / sd",
	.cite = "Ben Ammar, Belkhir, Popescu, Manzanera, Franchi: NECO: NEural "
		"Collapse Based Out-of-distribution detection, ICLR 2024",
	.needs = OOD_NEEDS_FEATURES | OOD_TAKES_LOGITS,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.odd = "rows with a negative largest logit, for which times-maxlogit "
	       "reverses the order",
	.check = check,
	.score = score,
	.state = sizeof(struct neco),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
