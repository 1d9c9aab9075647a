/*
 * gmm.c - the density of a mixture of a Gaussian each class
 *
 *	-ln sum_k w_k exp(-(d_k^2 + ln det S_k)/2)
 *
 * w_k the share of class k among the fit rows, d_k^2 = (x - mu_k)' S_k^-1
 * (x - mu_k); S_k shared (tied), of each class, or its diagonal. D ln(2 pi)/2
 * is left out. Larger = more OoD.
 *
 * Hastie, Tibshirani, Friedman: The Elements of Statistical Learning, Springer
 * 2009, section 4.3, on these densities.
 */
#include <stdio.h>

#include "core/err.h"
#include "core/mem.h"
#include "math/gaussian.h"
#include "math/scatter.h"
#include "math/vector.h"
#include "math/whiten.h"
#include "scorers/scorer.h"

enum { COV, RIDGE };
enum { TIED, CLASS, DIAG };

static const struct ood_param params[] = {
	[COV] = { .kind = OOD_PARAM_WORD,
		  .name = "cov",
		  .help = "covariance that all share, one each class, or the "
			  "diagonal of that",
		  .choices = "tied class diag" },
	[RIDGE] = { .kind = OOD_PARAM_REAL,
		    .name = "ridge",
		    .help = "added to the diagonals",
		    .lo = 0,
		    .hi = INFINITY },
	{ .kind = OOD_PARAM_END },
};

struct gmm {
	struct ood_scatter sums;
	struct ood_mat label, count; /* K x 1 */
	struct ood_mat mean;	     /* K x D */
	struct ood_mat lndet;	     /* K x 1 */
	/* A'A the inverse: D x D if tied, K D x D of each class. */
	struct ood_mat whiten;
	struct ood_mat variance; /* K x D if diagonal */
	/* Made ready. */
	struct ood_mat lnshare; /* K x 1: ln w_k - ln det S_k / 2 */
	struct ood_gaussians tied;
	struct ood_factor *each; /* K */
	size_t n_each;
};

static const struct ood_kept kept[] = {
	OOD_KEPT_SCATTER(struct gmm, sums, "SD"),
	{ OOD_KEPT_MAT, "label", offsetof(struct gmm, label), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "count", offsetof(struct gmm, count), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "mean", offsetof(struct gmm, mean), "KD",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "lndet", offsetof(struct gmm, lndet), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "whiten", offsetof(struct gmm, whiten), "WD",
	  OOD_KEPT_FITTED, true },
	{ OOD_KEPT_MAT, "variance", offsetof(struct gmm, variance), "KD",
	  OOD_KEPT_FITTED, true },
	{ .kind = OOD_KEPT_END },
};

static int cov_of(const struct ood_args *args)
{
	return (int)args->num[COV];
}

static enum ood_scatter_kind kind_of(const struct ood_args *args)
{
	return cov_of(args) == TIED    ? OOD_SCATTER_SHARED
	       : cov_of(args) == CLASS ? OOD_SCATTER_EACH
				       : OOD_SCATTER_DIAGONAL;
}

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct gmm *s = state;

	s->sums.kind = kind_of(fit->args);
	return ood_scatter_add(&s->sums, rows->label, rows->x, rows->n, rows->d,
			       err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct gmm *s = state;
	/* Read from a file, sums do not say their kind. */
	struct ood_scatter other = ((const struct gmm *)from)->sums;

	other.kind = s->sums.kind = kind_of(fit->args);
	return ood_scatter_join(&s->sums, &other, err);
}

/* "class 3 (cat)" */
static void name_class(const struct gmm *s, const struct ood_fit *fit, size_t k,
		       char name[static OOD_QUOTE_MAX + 40])
{
	char quoted[OOD_QUOTE_MAX];
	double label = s->label.data[k];
	const char *word = fit->classes && label < (double)fit->c
				   ? fit->classes[(size_t)label]
				   : NULL;

	if (cov_of(fit->args) == TIED)
		snprintf(name, OOD_QUOTE_MAX + 40, "all classes");
	else if (word)
		snprintf(name, OOD_QUOTE_MAX + 40, "class %zu (%s)",
			 (size_t)label,
			 ood_quote(quoted, sizeof(quoted), word, strlen(word)));
	else
		snprintf(name, OOD_QUOTE_MAX + 40, "class %zu", (size_t)label);
}

/* n: the rows of the covariance. */
static int singular(const char *name, const struct ood_mat *S, size_t rank,
		    double n, struct ood_err *err)
{
	struct ood_buf dead = { 0 };
	size_t some = ood_dead_features(S, &dead);
	int code = ood_fail(err, OOD_NUMERIC,
			    "gmm: the covariance of %s is singular: rank %zu "
			    "of %zu, %zu rows%s%s%s (ridge=R, or a simpler "
			    "cov)",
			    name, rank, S->cols, (size_t)n,
			    some ? ", without variance in " : "",
			    !some	? ""
			    : some == 1 ? "feature "
					: "features ",
			    some && dead.text ? dead.text : "");

	ood_buf_free(&dead);
	return code;
}

/* The k-th covariance (of all: 0) of n rows from its sums; A is D x D. */
static int invert(struct gmm *s, const struct ood_fit *fit, size_t k, double n,
		  struct ood_err *err)
{
	size_t d = s->mean.cols;
	char name[OOD_QUOTE_MAX + 40], what[OOD_QUOTE_MAX + 80];
	struct ood_mat S = { 0 }, A = { 0 };
	int code = ood_mat_make(&S, d, d, err);

	name_class(s, fit, k, name);
	snprintf(what, sizeof(what), "covariance of %s", name);
	const struct ood_whitening how = { .rtol = (double)d * 0x1p-52,
					   .ridge = fit->args->num[RIDGE],
					   .what = what };
	for (size_t i = 0; !code && i < d * d; i++)
		S.data[i] = s->sums.square.data[k * d * d + i] / n;
	if (!code)
		code = ood_whiten(&S, &how, &A, &s->lndet.data[k], err);
	if (!code && A.rows < d)
		code = singular(name, &S, A.rows, n, err);
	if (!code)
		memcpy(s->whiten.data + k * d * d, A.data,
		       d * d * sizeof(*A.data));
	ood_mat_free(&S);
	ood_mat_free(&A);
	return code;
}

static int invert_tied(struct gmm *s, const struct ood_fit *fit, double n,
		       struct ood_err *err)
{
	size_t d = s->mean.cols;
	int code = ood_mat_make(&s->whiten, d, d, err);

	if (!code)
		code = invert(s, fit, 0, n, err);
	for (size_t k = 1; !code && k < s->mean.rows; k++)
		s->lndet.data[k] = s->lndet.data[0];
	return code;
}

static int invert_classes(struct gmm *s, const struct ood_fit *fit,
			  struct ood_err *err)
{
	size_t d = s->mean.cols, rows;
	int code;

	if (!ood_mul(s->mean.rows, d, &rows))
		return ood_fail_memory(err, SIZE_MAX);
	code = ood_mat_make(&s->whiten, rows, d, err);
	for (size_t k = 0; !code && k < s->mean.rows; k++)
		code = invert(s, fit, k, s->count.data[k], err);
	return code;
}

static int invert_diagonals(struct gmm *s, const struct ood_fit *fit,
			    struct ood_err *err)
{
	size_t d = s->mean.cols;
	char name[OOD_QUOTE_MAX + 40];
	int code = ood_mat_make(&s->variance, s->mean.rows, d, err);

	for (size_t i = 0; !code && i < s->mean.rows * d; i++) {
		size_t k = i / d;
		double v = s->sums.square.data[i] / s->count.data[k] +
			   fit->args->num[RIDGE];

		if (v > 0) {
			s->variance.data[i] = v;
			s->lndet.data[k] += log(v);
			continue;
		}
		name_class(s, fit, k, name);
		code = ood_fail(err, OOD_NUMERIC,
				"gmm: feature %zu of %s has no variance (%zu "
				"rows; ridge=R, or cov=tied)",
				i % d + 1, name, (size_t)s->count.data[k]);
	}
	return code;
}

static int take_sums(struct gmm *s, struct ood_err *err)
{
	size_t k = s->sums.classes.label.rows;

	s->label = s->sums.classes.label;
	s->count = s->sums.classes.count;
	s->mean = s->sums.centre;
	s->sums.classes.label = s->sums.classes.count = s->sums.centre =
		(struct ood_mat){ 0 };
	return ood_mat_make(&s->lndet, k, 1, err);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct gmm *s = state;
	static const char *const words[] = { "one covariance",
					     "a covariance each",
					     "diagonal covariances" };
	int code, cov = cov_of(fit->args);

	s->sums.kind = kind_of(fit->args);
	code = ood_scatter_close(&s->sums, err);
	if (code)
		return code;
	double n = ood_scatter_rows(&s->sums);
	code = take_sums(s, err);
	if (!code)
		code = cov == TIED    ? invert_tied(s, fit, n, err)
		       : cov == CLASS ? invert_classes(s, fit, err)
				      : invert_diagonals(s, fit, err);
	if (!code)
		ood_notes_say(fit->notes,
			      "gmm: %zu rows of %zu features, %zu classes, %s",
			      (size_t)n, s->mean.cols, s->mean.rows,
			      words[cov]);
	ood_scatter_free(&s->sums);
	return code;
}

/* --------------------------------------------------------------- ready --- */

static int check_arrays(const struct gmm *s, int cov, struct ood_err *err)
{
	size_t K = s->mean.rows, d = s->mean.cols;
	size_t want = cov == TIED ? d : cov == CLASS ? K * d : 0;
	bool ok = K && d && s->whiten.rows == want &&
		  s->variance.rows == (cov == DIAG ? K : 0) &&
		  ood_all_finite(s->whiten.data, want * d) &&
		  ood_all_finite(s->mean.data, K * d) &&
		  ood_all_finite(s->lndet.data, K);

	for (size_t k = 0; ok && k < K; k++)
		ok = s->count.data[k] >= 1 && s->count.data[k] <= 0x1p53;
	for (size_t i = 0; ok && i < s->variance.rows * d; i++)
		ok = s->variance.data[i] > 0 && isfinite(s->variance.data[i]);
	if (!ok)
		return ood_fail(err, OOD_INPUT,
				"means and covariances of classes do not fit "
				"together, or are not finite");
	return ood_class_labels_check(&s->label, err);
}

static int make_each(struct gmm *s, struct ood_err *err)
{
	size_t K = s->mean.rows, d = s->mean.cols;
	int code = OOD_OK;

	s->each = ood_calloc(K, sizeof(*s->each));
	if (!s->each)
		return ood_fail_memory(err, K * sizeof(*s->each));
	for (; !code && s->n_each < K; s->n_each++)
		code = ood_factor_make(&s->each[s->n_each],
				       s->whiten.data + s->n_each * d * d, d, d,
				       err);
	return code;
}

static int make_tied(struct gmm *s, struct ood_err *err)
{
	struct ood_mat centre = { 0 };
	int code = ood_grand_mean(s->count.data, &s->mean, &centre, err);

	if (!code)
		code = ood_gaussians_make(&s->tied, &s->whiten, &s->mean,
					  &centre, err);
	ood_mat_free(&centre);
	return code;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct gmm *s = state;
	int code = check_arrays(s, cov_of(fit->args), err);
	double n = 0;

	if (!code)
		code = ood_mat_make(&s->lnshare, s->mean.rows, 1, err);
	for (size_t k = 0; !code && k < s->mean.rows; k++)
		n += s->count.data[k];
	for (size_t k = 0; !code && k < s->mean.rows; k++)
		s->lnshare.data[k] =
			log(s->count.data[k] / n) - s->lndet.data[k] / 2;
	if (!code && cov_of(fit->args) == TIED)
		code = make_tied(s, err);
	if (!code && cov_of(fit->args) == CLASS)
		code = make_each(s, err);
	return code;
}

static void release(void *state)
{
	struct gmm *s = state;

	ood_scatter_free(&s->sums);
	ood_mat_free(&s->lnshare);
	ood_gaussians_free(&s->tied);
	for (size_t k = 0; k < s->n_each; k++)
		ood_factor_free(&s->each[k]);
	ood_free(s->each);
}

/* ------------------------------------------------------------- scoring --- */

/* Distances this far above the least add less than exp(-40) each to the sum,
 * beyond what the shares of classes (1 of 2^53 rows at least) make up for. */
static const double SLACK = 80 + 2 * 37;

static int each_distance(const struct gmm *s, const struct ood_rows *rows,
			 double *d2)
{
	size_t n = rows->n, K = s->mean.rows, d = s->mean.cols;
	double *x = ood_malloc(n * d, sizeof(*x));
	double *y = ood_malloc(n * d, sizeof(*y));

	if (!x || !y)
		ood_fail_memory(rows->err, n * d * sizeof(*x));
	for (size_t k = 0; !rows->err->code && k < K; k++) {
		for (size_t i = 0; i < n * d; i++)
			x[i] = rows->x[i] - s->mean.data[k * d + i % d];
		ood_factor_apply(&s->each[k], x, n, y, rows->err);
		for (size_t i = 0; !rows->err->code && i < n; i++)
			d2[i * K + k] = ood_dot(y + i * d, y + i * d, d);
	}
	ood_free(x);
	ood_free(y);
	return (int)rows->err->code;
}

static double diagonal_distance(const struct gmm *s, const double *x, size_t k)
{
	size_t d = s->mean.cols;
	const double *mean = s->mean.data + k * d;
	const double *variance = s->variance.data + k * d;
	double sum = 0;

	for (size_t j = 0; j < d; j++)
		sum += (x[j] - mean[j]) * (x[j] - mean[j]) / variance[j];
	return sum;
}

static int distances(const struct gmm *s, int cov, const struct ood_rows *rows,
		     double *d2)
{
	size_t K = s->mean.rows, d = s->mean.cols;

	if (cov == TIED)
		return ood_gaussians_apply(&s->tied, rows->x, rows->n, SLACK,
					   d2, rows->err);
	if (cov == CLASS)
		return each_distance(s, rows, d2);
	for (size_t i = 0; i < rows->n * K; i++)
		d2[i] = diagonal_distance(s, rows->x + i / K * d, i % K);
	return OOD_OK;
}

/* -lse of ln w_k - (d_k^2 + ln det S_k)/2; d2 is used up. */
static double density(const double *lnshare, double *d2, size_t K)
{
	double max = -INFINITY, sum = 0;

	for (size_t k = 0; k < K; k++) {
		d2[k] = lnshare[k] - d2[k] / 2;
		max = OOD_MAX(max, d2[k]);
	}
	if (isinf(max))
		return INFINITY;
	for (size_t k = 0; k < K; k++)
		sum += exp(d2[k] - max);
	return -(max + log(sum));
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct gmm *s = state;
	size_t K = s->mean.rows;
	double *d2 = ood_malloc(rows->n * K, sizeof(*d2));

	if (!d2)
		ood_fail_memory(rows->err, rows->n * K * sizeof(*d2));
	else
		distances(s, cov_of(args), rows, d2);
	for (size_t i = 0; !rows->err->code && i < rows->n; i++)
		out[i] = density(s->lnshare.data, d2 + i * K, K);
	ood_free(d2);
}

const struct ood_scorer ood_scorer_gmm = {
	.name = "gmm",
	.brief = "minus log density of class Gaussians",
	.formula = "-ln sum_k w_k exp(-(d_k^2 + ln det S_k)/2)",
	.cite = "Hastie, Tibshirani, Friedman: The Elements of Statistical "
		"Learning, Springer 2009 (section 4.3)",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LABELS,
	.params = params,
	.score = score,
	.state = sizeof(struct gmm),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
