/*
 * hbos.c - histograms, feature by feature
 *
 *	-sum_j log2(h_j(x_j) + add)
 *
 * h_j is the density of one of `bins` equal bins from the least to the largest
 * value of feature j in the fit rows, which is scaled to [0, 1] first (scale=0:
 * densities in the units of the feature). Rows are counted in [a, b), the last
 * bin closed, and looked up in (a, b]. Up to tol bins outside: the first or the
 * last bin; farther: the least density. Constant features are skipped. Larger =
 * more OoD.
 *
 * Goldstein, Dengel: Histogram-based Outlier Score (HBOS), KI 2012.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"
#include "scorers/scorer.h"

enum { BINS, SCALE, TOL, ADD };

/* clang-format off */
static const struct ood_param params[] = {
	[BINS] = { .kind = OOD_PARAM_INT, .name = "bins",
		   .help = "bins of each feature",
		   .def = 10, .lo = 2, .hi = 1e6 },
	[SCALE] = { .kind = OOD_PARAM_SWITCH, .name = "scale",
		    .help = "features are scaled to [0, 1] first",
		    .def = 1, .lo = 0, .hi = 1 },
	[TOL] = { .kind = OOD_PARAM_REAL, .name = "tol",
		  .help = "bins outside that count as the outermost bin",
		  .def = 0.5, .lo = 0, .hi = INFINITY },
	[ADD] = { .kind = OOD_PARAM_REAL, .name = "add",
		  .help = "added to each density",
		  .def = 0.1, .lo = 0, .hi = INFINITY, .lo_open = true },
	{ .kind = OOD_PARAM_END },
};
/* clang-format on */

struct hbos {
	struct ood_mat lo, hi; /* 1 x D */
	struct ood_mat count;  /* D x B: rows in each bin */
	double *value;	       /* D x (B + 1): -log2 of the bins, of far away */
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "lo", offsetof(struct hbos, lo), "1D", OOD_KEPT_FITTED,
	  false },
	{ OOD_KEPT_MAT, "hi", offsetof(struct hbos, hi), "1D", OOD_KEPT_FITTED,
	  false },
	{ OOD_KEPT_MAT, "counts", offsetof(struct hbos, count), "DB",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* The bins of one feature. */
struct bins {
	double lo, hi;	 /* of the feature as given */
	double from, to; /* the same once it is scaled */
	double step;
	size_t n;
};

static struct bins bins_of(const struct hbos *s, const struct ood_args *args,
			   size_t j)
{
	struct bins b = { .lo = s->lo.data[j],
			  .hi = s->hi.data[j],
			  .from = args->num[SCALE] ? 0 : s->lo.data[j],
			  .to = args->num[SCALE] ? 1 : s->hi.data[j],
			  .n = (size_t)args->num[BINS] };

	b.step = (b.to - b.from) / (double)b.n;
	return b;
}

static double scaled(const struct bins *b, double x)
{
	return b->from == b->lo && b->to == b->hi
		       ? x
		       : (x - b->lo) / (b->hi - b->lo);
}

static double edge(const struct bins *b, size_t i)
{
	return i == b->n ? b->to : b->from + (double)i * b->step;
}

/* Bins below x, to be put right by one by the edges themselves. */
static size_t guess(const struct bins *b, double x)
{
	double i = (x - b->from) / b->step;

	return !(i > 0) ? 0 : i < (double)b->n ? (size_t)i : b->n - 1;
}

/* The bin [a, b) of x in from..to. */
static size_t bin_left(const struct bins *b, double x)
{
	size_t i = guess(b, x);

	while (i > 0 && x < edge(b, i))
		i--;
	while (i + 1 < b->n && x >= edge(b, i + 1))
		i++;
	return i;
}

/* The bin (a, b] of any x; b->n: far away. */
static size_t bin_right(const struct bins *b, double x, double tol)
{
	if (x <= b->from)
		return b->from - x <= tol * b->step ? 0 : b->n;
	if (x > b->to)
		return x - b->to <= tol * b->step ? b->n - 1 : b->n;
	size_t i = guess(b, x);
	while (i > 0 && x <= edge(b, i))
		i--;
	while (i + 1 < b->n && x > edge(b, i + 1))
		i++;
	return i;
}

/* ------------------------------------------------------------- fitting --- */

/* Pass 0: the ranges. Pass 1: the counts. */
static int next(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		struct ood_err *err)
{
	struct hbos *s = state;
	size_t bins = (size_t)fit->args->num[BINS];

	*pass = fit->pass < 2 ? OOD_PASS_TRAIN : OOD_PASS_NONE;
	return fit->pass == 1 && s->lo.rows
		       ? ood_mat_make(&s->count, s->lo.cols, bins, err)
		       : OOD_OK;
}

static int add_range(struct hbos *s, const struct ood_rows *rows,
		     struct ood_err *err)
{
	const size_t d = rows->d;
	int code = OOD_OK;

	if (!s->lo.rows) {
		code = ood_mat_make(&s->lo, 1, d, err);
		if (!code)
			code = ood_mat_make(&s->hi, 1, d, err);
		for (size_t j = 0; !code && j < d; j++)
			s->lo.data[j] = s->hi.data[j] = rows->x[j];
	}
	for (size_t i = 0; !code && i < rows->n; i++)
		for (size_t j = 0; j < d; j++) {
			double x = rows->x[i * d + j];

			s->lo.data[j] = OOD_MIN(s->lo.data[j], x);
			s->hi.data[j] = OOD_MAX(s->hi.data[j], x);
		}
	return code;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct hbos *s = state;
	const size_t d = rows->d;

	if (!fit->pass)
		return add_range(s, rows, err);
	for (size_t j = 0; j < d; j++) {
		struct bins b = bins_of(s, fit->args, j);
		double *count = s->count.data + j * b.n;

		for (size_t i = 0; b.lo < b.hi && i < rows->n; i++)
			count[bin_left(&b, scaled(&b, rows->x[i * d + j]))]++;
	}
	return OOD_OK;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	const struct hbos *s = state;
	size_t constant = 0, d = s->lo.cols;

	(void)err;
	for (size_t j = 0; j < d; j++)
		constant += !(s->lo.data[j] < s->hi.data[j]);
	ood_notes_say(fit->notes, "hbos: %zu bins of %zu features",
		      s->count.cols, d);
	if (constant)
		ood_notes_warn(fit->notes, "constant", constant,
			       "hbos: %zu of %zu features are constant: they "
			       "are left out",
			       constant, d);
	return OOD_OK;
}

/* The values of a feature's bins; false: no histogram. */
static bool put_values(const struct hbos *s, const struct ood_args *args,
		       size_t j)
{
	const struct bins b = bins_of(s, args, j);
	const double *count = s->count.data + j * b.n;
	double *value = s->value + j * (b.n + 1), n = 0, most = -INFINITY;

	if (!(b.lo <= b.hi) || !isfinite(b.hi - b.lo))
		return false;
	for (size_t i = 0; i < b.n; i++) {
		if (!(count[i] >= 0) || isinf(count[i]))
			return false;
		n += count[i];
	}
	if (b.lo == b.hi)
		return true; /* left out: zeros */
	if (n == 0)
		return false;
	for (size_t i = 0; i < b.n; i++) {
		value[i] = -log2(count[i] / (n * b.step) + args->num[ADD]);
		most = OOD_MAX(most, value[i]);
	}
	value[b.n] = most;
	return true;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct hbos *s = state;
	size_t d = s->count.rows, bins = s->count.cols;

	if (bins != (size_t)fit->args->num[BINS])
		return ood_fail(err, OOD_INPUT, "%zu counts of %zu bins", bins,
				(size_t)fit->args->num[BINS]);
	s->value = ood_calloc(d * (bins + 1), sizeof(*s->value));
	if (!s->value)
		return ood_fail_memory(err, d * (bins + 1) * sizeof(double));
	for (size_t j = 0; j < d; j++)
		if (!put_values(s, fit->args, j))
			return ood_fail(err, OOD_INPUT,
					"the histogram of feature %zu is none",
					j + 1);
	return OOD_OK;
}

static void release(void *state)
{
	ood_free(((struct hbos *)state)->value);
}

/* ------------------------------------------------------------- scoring --- */

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct hbos *s = state;
	const size_t d = rows->d;

	memset(out, 0, rows->n * sizeof(*out));
	for (size_t j = 0; j < d; j++) {
		const struct bins b = bins_of(s, args, j);
		const double *value = s->value + j * (b.n + 1);

		for (size_t i = 0; b.lo < b.hi && i < rows->n; i++) {
			double x = scaled(&b, rows->x[i * d + j]);

			out[i] += value[bin_right(&b, x, args->num[TOL])];
		}
	}
}

const struct ood_scorer ood_scorer_hbos = {
	.name = "hbos",
	.brief = "histograms, feature by feature",
	.formula = "-sum_j log2(h_j(x_j) + add)",
	.cite = "Goldstein, Dengel: Histogram-based Outlier Score (HBOS): A "
		"Fast Unsupervised Anomaly Detection Algorithm, KI 2012",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.score = score,
	.state = sizeof(struct hbos),
	.kept = kept,
	.add = add,
	.next = next,
	.end = end,
	.ready = ready,
	.release = release,
};
