/*
 * caref.c - how far the features are from the mean of the predicted class
 *
 * m_k is the mean of the fit rows predicted k (their global mean where none
 * is), h the predicted class, d = x - m_h, s = sign(w_h) (0 leaves out):
 *
 *	caref	||d||_1 / ||x||_1
 *	cadref	Ep / lse(z) + En / (mean lse of the fit rows),
 *		Ep = sum max(s d, 0) / ||x||_1, En = sum max(-s d, 0) / ||x||_1
 *
 * Ep is the part of the error that raises the logit of class h. x = 0: +inf,
 * or 0 if m_h = 0. Larger = more OoD.
 *
 * Ling et al.: CADRef: Robust Out-of-Distribution Detection via Class-Aware
 * Decoupled Relative Feature Leveraging, CVPR 2025.
 */
#include "core/err.h"
#include "core/num.h"
#include "math/class_sums.h"
#include "math/vector.h"
#include "scorers/scorer.h"

struct caref {
	struct ood_class_sums sums; /* by predicted class */
	struct ood_mat lse_sum;	    /* 1 x 1 */
	struct ood_mat label;	    /* K x 1 */
	struct ood_mat mean;	    /* K x D */
	struct ood_mat centre;	    /* 1 x D: of all rows */
	struct ood_mat lse;	    /* 1 x 1: its mean */
};

/* clang-format off */
#define KEPT_MEANS                                                      \
	OOD_KEPT_CLASS_SUMS(struct caref, sums),                        \
	{ OOD_KEPT_MAT, "label", offsetof(struct caref, label), "K1",   \
	  OOD_KEPT_FITTED, false },                                     \
	{ OOD_KEPT_MAT, "mean", offsetof(struct caref, mean), "KD",     \
	  OOD_KEPT_FITTED, false },                                     \
	{ OOD_KEPT_MAT, "centre", offsetof(struct caref, centre), "1D", \
	  OOD_KEPT_FITTED, false }
/* clang-format on */

static const struct ood_kept caref_kept[] = {
	KEPT_MEANS,
	{ .kind = OOD_KEPT_END },
};

static const struct ood_kept cadref_kept[] = {
	KEPT_MEANS,
	{ OOD_KEPT_MAT, "lse-sum", offsetof(struct caref, lse_sum), "11",
	  OOD_KEPT_PARTIAL, false },
	{ OOD_KEPT_MAT, "lse", offsetof(struct caref, lse), "11",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct caref *s = state;
	int64_t predicted[OOD_DIGEST_ROWS];

	(void)fit;
	for (size_t i = 0; i < rows->n; i++)
		predicted[i] = rows->digest->arg[i];
	return ood_class_sums_add(&s->sums, predicted, rows->x, rows->n,
				  rows->d, err);
}

static int cadref_begin(void *state, const struct ood_fit *fit,
			struct ood_err *err)
{
	(void)fit;
	return ood_mat_make(&((struct caref *)state)->lse_sum, 1, 1, err);
}

static double lse(const struct ood_digest *d, size_t i)
{
	return d->max[i] + d->nlog[i];
}

static int cadref_add(void *state, const struct ood_fit *fit,
		      const struct ood_rows *rows, struct ood_err *err)
{
	struct caref *s = state;

	for (size_t i = 0; i < rows->n; i++)
		s->lse_sum.data[0] += lse(rows->digest, i);
	return add(state, fit, rows, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct caref *s = state;
	const struct caref *f = from;

	(void)fit;
	if (f->lse_sum.data)
		s->lse_sum.data[0] += f->lse_sum.data[0];
	return ood_class_sums_join(&s->sums, &f->sums, err);
}

/* The mean of all rows; their number. */
static int find_centre(struct caref *s, double *n, struct ood_err *err)
{
	size_t d = s->sums.sum.cols;
	int code = ood_mat_make(&s->centre, 1, d, err);

	*n = 0;
	for (size_t k = 0; !code && k < s->sums.sum.rows; k++) {
		*n += s->sums.count.data[k];
		for (size_t j = 0; j < d; j++)
			s->centre.data[j] += s->sums.sum.data[k * d + j];
	}
	for (size_t j = 0; !code && j < d; j++)
		s->centre.data[j] /= *n;
	return code;
}

static int find_means(struct caref *s, const struct ood_fit *fit, double *n,
		      struct ood_err *err)
{
	int code = ood_class_sums_means(&s->sums, &s->label, &s->mean, err);

	if (!code)
		code = find_centre(s, n, err);
	if (code)
		return code;
	size_t k = s->label.rows;
	if (k < fit->c)
		ood_notes_warn(fit->notes, "never-predicted", fit->c - k,
			       "%zu of %zu classes are predicted for no fit "
			       "row: the mean of all rows stands for theirs",
			       fit->c - k, fit->c);
	return OOD_OK;
}

static int caref_end(void *state, const struct ood_fit *fit,
		     struct ood_err *err)
{
	struct caref *s = state;
	double n;
	int code = find_means(s, fit, &n, err);

	if (!code)
		ood_notes_say(fit->notes,
			      "caref: %zu rows of %zu features, predicted as "
			      "%zu classes",
			      (size_t)n, s->mean.cols, s->mean.rows);
	return code;
}

static int cadref_end(void *state, const struct ood_fit *fit,
		      struct ood_err *err)
{
	struct caref *s = state;
	char text[OOD_NUM_MAX];
	double n;
	int code = find_means(s, fit, &n, err);

	if (!code)
		code = ood_mat_make(&s->lse, 1, 1, err);
	if (code)
		return code;
	s->lse.data[0] = s->lse_sum.data[0] / n;
	if (s->lse.data[0] == 0)
		return ood_fail(err, OOD_NUMERIC,
				"cadref divides by the mean logsumexp of the "
				"fit rows, which is 0 (are these logits?)");
	ood_num_format_digits(text, s->lse.data[0], 6);
	ood_notes_say(fit->notes,
		      "cadref: %zu rows of %zu features, predicted as %zu "
		      "classes, mean logsumexp %s",
		      (size_t)n, s->mean.cols, s->mean.rows, text);
	if (s->lse.data[0] < 0)
		ood_notes_warn(fit->notes, "logsumexp", 0,
			       "cadref: the mean logsumexp of the fit rows is "
			       "%s: dividing by it reverses the order",
			       text);
	return OOD_OK;
}

static int caref_ready(void *state, const struct ood_fit *fit,
		       struct ood_err *err)
{
	struct caref *s = state;
	size_t n = s->mean.rows, d = s->mean.cols;
	int code = ood_class_labels_check(&s->label, err);

	(void)fit;
	if (!code && (!ood_all_finite(s->mean.data, n * d) ||
		      !ood_all_finite(s->centre.data, d)))
		code = ood_fail(err, OOD_INPUT, "a mean is not finite");
	return code;
}

static int cadref_ready(void *state, const struct ood_fit *fit,
			struct ood_err *err)
{
	double mean = ((struct caref *)state)->lse.data[0];

	if (!isfinite(mean) || mean == 0)
		return ood_fail(err, OOD_INPUT,
				"the mean logsumexp is 0 or not finite");
	return caref_ready(state, fit, err);
}

static void release(void *state)
{
	ood_class_sums_free(&((struct caref *)state)->sums);
}

/* ------------------------------------------------------------- scoring --- */

static const double *mean_of(const struct caref *s, uint32_t h)
{
	size_t at = ood_class_labels_find(&s->label, h);

	return at == SIZE_MAX ? s->centre.data
			      : s->mean.data + at * s->mean.cols;
}

/* Norm and errors of a row, in L1. */
struct error {
	double x, up, down, all;
};

/* w NULL: only x and all. */
static struct error measure(const double *x, const double *m, const double *w,
			    size_t n)
{
	struct error e = { 0 };

	for (size_t j = 0; j < n; j++) {
		double d = x[j] - m[j];
		double toward = !w || w[j] == 0 ? 0 : w[j] > 0 ? d : -d;

		e.x += fabs(x[j]);
		e.all += fabs(d);
		e.up += OOD_MAX(toward, 0);
		e.down += OOD_MAX(-toward, 0);
	}
	return e;
}

/* a / b, and 0 for 0 / 0. */
static double ratio(double a, double b)
{
	return a == 0 ? 0 : a / b;
}

static void caref_score(const struct ood_rows *rows,
			const struct ood_args *args, const void *state,
			double *out)
{
	const struct caref *s = state;
	size_t d = rows->d;

	(void)args;
	for (size_t i = 0; i < rows->n; i++) {
		const double *m = mean_of(s, rows->digest->arg[i]);
		struct error e = measure(rows->x + i * d, m, NULL, d);

		out[i] = ratio(e.all, e.x);
	}
}

static double decoupled(const struct error *e, double lse, double mean)
{
	if (isinf(ratio(e->all, e->x)))
		return INFINITY; /* x = 0, or as good as */
	return ratio(ratio(e->up, e->x), lse) +
	       ratio(ratio(e->down, e->x), mean);
}

static void cadref_score(const struct ood_rows *rows,
			 const struct ood_args *args, const void *state,
			 double *out)
{
	const struct caref *s = state;
	size_t d = rows->d;

	(void)args;
	if (rows->head->W.cols != d || rows->head->W.rows != rows->c) {
		ood_fail(rows->err, OOD_INPUT,
			 "%zu features and %zu classes where the head has %zu "
			 "columns and %zu rows of weights",
			 d, rows->c, rows->head->W.cols, rows->head->W.rows);
		return;
	}
	for (size_t i = 0; i < rows->n; i++) {
		uint32_t h = rows->digest->arg[i];
		const double *w = rows->head->W.data + h * d;
		struct error e = measure(rows->x + i * d, mean_of(s, h), w, d);

		*rows->odd += lse(rows->digest, i) <= 0;
		out[i] = decoupled(&e, lse(rows->digest, i), s->lse.data[0]);
	}
}

#define CITE                                                                   \
	"Ling et al.: CADRef: Robust Out-of-Distribution Detection via "       \
	"Class-Aware Decoupled Relative Feature Leveraging, CVPR 2025"

const struct ood_scorer ood_scorer_caref = {
	.name = "caref",
	.brief = "relative L1 error to the class mean",
	.formula = "||x - m_h||_1 / ||x||_1",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.score = caref_score,
	.state = sizeof(struct caref),
	.kept = caref_kept,
	.add = add,
	.merge = merge,
	.end = caref_end,
	.ready = caref_ready,
	.release = release,
};

const struct ood_scorer ood_scorer_cadref = {
	.name = "cadref",
	.brief = "relative error to the class mean, split by the sign of w",
	.formula = "Ep / lse(z) + En / mean lse",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS | OOD_NEEDS_HEAD,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.odd = "rows with logsumexp <= 0, for which the order flips",
	.score = cadref_score,
	.state = sizeof(struct caref),
	.kept = cadref_kept,
	.begin = cadref_begin,
	.add = cadref_add,
	.merge = merge,
	.end = cadref_end,
	.ready = cadref_ready,
	.release = release,
};
