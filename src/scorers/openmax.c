/*
 * openmax.c - the unknown class of Weibull-recalibrated logits
 *
 * Fit, for each class k: m_k the mean logits of the rows of label k that are
 * predicted k, and a Weibull distribution of the `tail` largest distances to
 * it, t = ||z - m_k|| + 10000 - lo_k, lo_k the least of them (the shift is
 * libMR's). Score, with w_k its distribution function at t, and a = (alpha -
 * j)/alpha for the class at rank j < alpha of z, 0 for the rest:
 *
 *	v_k = z_k (1 - w_k a_k),  v_0 = sum_k (z_k - v_k)
 *	log-odds	v_0 - lse(v)
 *	probability	softmax(v_0, v)_0
 *
 * All distances of a tail equal: w_k = 1 beyond them, else 0. No row predicted
 * right: w_k = 0. Larger = more OoD.
 *
 * Bendale, Boult: Towards Open Set Deep Networks, CVPR 2016.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/class_sums.h"
#include "math/vector.h"
#include "math/weibull.h"
#include "scorers/scorer.h"

enum { TAIL, ALPHA, OUTPUT };
enum { LOG_ODDS, PROBABILITY };

/* clang-format off */
static const struct ood_param params[] = {
	[TAIL] = { .kind = OOD_PARAM_INT, .name = "tail",
		   .help = "largest distances of a class that are fitted",
		   .def = 20, .lo = 2, .hi = 1e6 },
	[ALPHA] = { .kind = OOD_PARAM_INT, .name = "alpha",
		    .help = "largest logits that are discounted",
		    .def = 3, .lo = 1, .hi = 0x1p31 },
	[OUTPUT] = { .kind = OOD_PARAM_WORD, .name = "output",
		     .help = "of the unknown class",
		     .choices = "log-odds probability" },
	{ .kind = OOD_PARAM_END },
};
/* clang-format on */

#define SHIFT 10000.0

struct openmax {
	struct ood_class_sums sums; /* of logits of right rows */
	struct ood_mat label;	    /* K x 1 */
	struct ood_mat mean;	    /* K x C */
	struct ood_mat weibull;	    /* K x 3: lo, shape, scale */
	struct ood_mat tail;	    /* K x tail, while fitting: ascending, */
	size_t *n;		    /* of this many each */
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "label", offsetof(struct openmax, label), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "mean", offsetof(struct openmax, mean), "KC",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "weibull", offsetof(struct openmax, weibull), "KT",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)d;
	/* The default may be above a small C: all are discounted then. */
	return args->given[ALPHA] && c && args->num[ALPHA] > (double)c
		       ? ood_fail(err, OOD_USAGE,
				  "openmax: alpha is larger than the %zu "
				  "classes",
				  c)
		       : OOD_OK;
}

/* ------------------------------------------------------------- fitting --- */

static int make_means(struct openmax *s, const struct ood_args *args,
		      struct ood_err *err)
{
	if (!s->sums.label.rows)
		return ood_fail(err, OOD_NUMERIC,
				"openmax: no fit row is predicted right");
	int code = ood_class_sums_means(&s->sums, &s->label, &s->mean, err);
	const size_t k = s->mean.rows, tail = (size_t)args->num[TAIL];
	if (!code)
		code = ood_mat_make(&s->tail, k, tail, err);
	if (code)
		return code;
	s->n = ood_calloc(k, sizeof(*s->n));
	return s->n ? OOD_OK : ood_fail_memory(err, k * sizeof(*s->n));
}

/* Pass 0: the means. Pass 1: the tails. */
static int next(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		struct ood_err *err)
{
	*pass = fit->pass < 2 ? OOD_PASS_TRAIN : OOD_PASS_NONE;
	return fit->pass == 1 ? make_means(state, fit->args, err) : OOD_OK;
}

/* Keeps the largest, ascending: an insertion from the low end. */
static void keep(double *tail, size_t *n, size_t room, double x)
{
	size_t i;

	if (*n < room) {
		for (i = (*n)++; i && tail[i - 1] > x; i--)
			tail[i] = tail[i - 1];
	} else if (x > tail[0]) {
		for (i = 0; i + 1 < room && tail[i + 1] < x; i++)
			tail[i] = tail[i + 1];
	} else {
		return;
	}
	tail[i] = x;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct openmax *s = state;
	const size_t c = rows->c;
	int code = OOD_OK;

	for (size_t i = 0; !code && i < rows->n; i++) {
		const double *z = rows->z + i * c;

		if (rows->label[i] != (int64_t)rows->digest->arg[i])
			continue;
		if (!fit->pass) {
			code = ood_class_sums_add(&s->sums, &rows->label[i], z,
						  1, c, err);
			continue;
		}
		size_t k = ood_class_labels_find(&s->label, rows->label[i]);
		if (k == SIZE_MAX)
			return ood_fail(err, OOD_INPUT,
					"the rows changed while they were "
					"read");
		keep(s->tail.data + k * s->tail.cols, &s->n[k], s->tail.cols,
		     sqrt(ood_distance2(z, s->mean.data + k * c, c)));
	}
	return code;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct openmax *s = state;
	size_t steps = 0, classes = s->mean.rows;
	int code = ood_mat_make(&s->weibull, classes, 3, err);

	for (size_t k = 0; !code && k < classes; k++) {
		double *t = s->tail.data + k * s->tail.cols, lo = t[0];

		for (size_t i = 0; i < s->n[k]; i++)
			t[i] += SHIFT - lo;
		const struct ood_weibull w = ood_weibull_fit(t, s->n[k]);
		memcpy(s->weibull.data + 3 * k,
		       (double[]){ lo, w.shape, w.scale }, 3 * sizeof(double));
		steps += isinf(w.shape) != 0;
	}
	ood_mat_free(&s->tail);
	if (code)
		return code;
	ood_notes_say(fit->notes, "openmax: %zu classes, tails of up to %zu",
		      classes, (size_t)fit->args->num[TAIL]);
	if (steps)
		ood_notes_warn(fit->notes, "equal-tail", steps,
			       "openmax: in %zu of %zu classes all distances "
			       "of the tail are equal: what is farther is "
			       "unknown, what is not is known",
			       steps, classes);
	if (classes < fit->c)
		ood_notes_warn(fit->notes, "no-right-row", fit->c - classes,
			       "openmax: %zu of %zu classes have no row that "
			       "is predicted right: they are not discounted",
			       fit->c - classes, fit->c);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct openmax *s = state;
	const size_t k = s->mean.rows;
	int code = ood_class_labels_check(&s->label, err);

	if (code)
		return code;
	if (s->weibull.cols != 3 ||
	    !ood_all_finite(s->mean.data, k * s->mean.cols))
		return ood_fail(err, OOD_INPUT, "a mean is not finite");
	for (size_t i = 0; i < k; i++) {
		const double *w = s->weibull.data + 3 * i;

		if (s->label.data[i] >= (double)fit->c && fit->c)
			return ood_fail(err, OOD_INPUT, "a label is no class");
		if (!isfinite(w[0]) || !(w[1] > 0) || !(w[2] > 0) ||
		    isinf(w[2]))
			return ood_fail(err, OOD_INPUT,
					"a Weibull distribution is none");
	}
	return OOD_OK;
}

static void release(void *state)
{
	struct openmax *s = state;

	ood_class_sums_free(&s->sums);
	ood_mat_free(&s->tail);
	ood_free(s->n);
}

/* ------------------------------------------------------------- scoring --- */

/* w of the class of logit j. */
static double unknown(const struct openmax *s, const double *z, size_t j)
{
	size_t c = s->mean.cols,
	       k = ood_class_labels_find(&s->label, (int64_t)j);

	if (k == SIZE_MAX)
		return 0;
	const double *w = s->weibull.data + 3 * k;
	double t = sqrt(ood_distance2(z, s->mean.data + k * c, c));

	return ood_weibull_cdf(&(struct ood_weibull){ w[1], w[2] },
			       t + SHIFT - w[0]);
}

/* The largest of v that is not used up; of ties the first. */
static size_t largest(const double *z, const double *v, size_t c)
{
	size_t at = SIZE_MAX;

	for (size_t j = 0; j < c; j++)
		if (isnan(v[j]) && (at == SIZE_MAX || z[j] > z[at]))
			at = j;
	return at;
}

static double score_row(const struct openmax *s, const struct ood_args *args,
			const double *z, double *v)
{
	const size_t c = s->mean.cols;
	const double alpha = OOD_MIN(args->num[ALPHA], (double)c);
	double v_0 = 0, most = -INFINITY, sum = 0;

	for (size_t j = 0; j < c; j++)
		v[j] = NAN; /* not ranked yet */
	for (double rank = 0; rank < alpha; rank++) {
		size_t j = largest(z, v, c);
		double off = unknown(s, z, j) * (alpha - rank) / alpha;

		v[j] = z[j] * (1 - off);
		v_0 += z[j] * off;
	}
	for (size_t j = 0; j < c; j++) {
		v[j] = isnan(v[j]) ? z[j] : v[j];
		most = OOD_MAX(most, v[j]);
	}
	for (size_t j = 0; j < c; j++)
		sum += exp(v[j] - most);
	double odds = v_0 - most - log(sum);
	return args->num[OUTPUT] == LOG_ODDS ? odds : 1 / (1 + exp(-odds));
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	double *v = ood_malloc(rows->c, sizeof(*v));

	if (!v) {
		ood_fail_memory(rows->err, rows->c * sizeof(*v));
		return;
	}
	for (size_t i = 0; i < rows->n; i++)
		out[i] = score_row(state, args, rows->z + i * rows->c, v);
	ood_free(v);
}

const struct ood_scorer ood_scorer_openmax = {
	.name = "openmax",
	.brief = "unknown class of Weibull-recalibrated logits",
	.formula = "v_0 - lse(v), v_k = z_k (1 - w_k a_k)",
	.cite = "Bendale, Boult: Towards Open Set Deep Networks, CVPR 2016",
	.needs = OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS | OOD_TAKE_FINITE,
	.fit = OOD_NEEDS_LOGITS | OOD_NEEDS_LABELS,
	.params = params,
	.presets = "openood=output=probability "
		   "pytorch-ood=tail=25:alpha=10:output=probability "
		   "paper=alpha=10",
	.check = check,
	.score = score,
	.state = sizeof(struct openmax),
	.kept = kept,
	.add = add,
	.next = next,
	.end = end,
	.ready = ready,
	.release = release,
};
