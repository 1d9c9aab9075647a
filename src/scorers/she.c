/*
 * she.c - likeness to the stored pattern of the predicted class
 *
 * S_k is the mean of the fit rows of class k that are predicted right, or,
 * where none is, of all rows of the class. With h the predicted class:
 *
 *	inner		-<x, S_h>
 *	cosine		-<x, S_h> / (||x|| ||S_h||), 0 if one of them is 0
 *	euclidean	||x - S_h||
 *
 * Where class h has no fit row, the best of the other classes. Larger = more
 * OoD.
 *
 * Zhang et al.: Out-of-Distribution Detection based on In-Distribution Data
 * Patterns Memorization with Modern Hopfield Energy, ICLR 2023.
 */
#include "core/err.h"
#include "math/class_sums.h"
#include "math/vector.h"
#include "scorers/scorer.h"

enum { METRIC };
enum metric { INNER, COSINE, EUCLIDEAN };

static const struct ood_param params[] = {
	[METRIC] = { .kind = OOD_PARAM_WORD,
		     .name = "metric",
		     .help = "likeness of features and pattern",
		     .choices = "inner cosine euclidean" },
	{ .kind = OOD_PARAM_END },
};

struct she {
	struct ood_class_sums all;   /* of the labelled rows */
	struct ood_class_sums right; /* of those predicted right */
	struct ood_mat label;	     /* K x 1 */
	struct ood_mat pattern;	     /* K x D */
	double *norm;		     /* K: of the patterns */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CLASS_SUMS(struct she, all),
	{ OOD_KEPT_MAT, "right-labels", offsetof(struct she, right.label), "L1",
	  OOD_KEPT_PARTIAL, true },
	{ OOD_KEPT_MAT, "right-counts", offsetof(struct she, right.count), "L1",
	  OOD_KEPT_PARTIAL, true },
	{ OOD_KEPT_MAT, "right-sums", offsetof(struct she, right.sum), "LD",
	  OOD_KEPT_PARTIAL, true },
	{ OOD_KEPT_MAT, "label", offsetof(struct she, label), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "pattern", offsetof(struct she, pattern), "KD",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct she *s = state;
	size_t d = rows->d;
	int code = ood_class_sums_add(&s->all, rows->label, rows->x, rows->n, d,
				      err);

	(void)fit;
	for (size_t i = 0; !code && i < rows->n; i++)
		if (rows->label[i] == (int64_t)rows->digest->arg[i])
			code = ood_class_sums_add(&s->right, &rows->label[i],
						  rows->x + i * d, 1, d, err);
	return code;
}

/* All three arrays of an optional group, or none. */
static bool is_whole(const struct ood_class_sums *sums)
{
	return !sums->label.data == !sums->count.data &&
	       !sums->label.data == !sums->sum.data;
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct she *s = state;
	const struct she *f = from;

	(void)fit;
	if (!is_whole(&s->right) || !is_whole(&f->right))
		return ood_fail(err, OOD_INPUT,
				"of right-labels, right-counts and right-sums "
				"one is missing (the partial fit is damaged)");
	int code = ood_class_sums_join(&s->all, &f->all, err);
	return code ? code : ood_class_sums_join(&s->right, &f->right, err);
}

/* Means of right rows take the places of those of all; how many. */
static size_t put_right(struct she *s)
{
	const struct ood_class_sums *right = &s->right;
	size_t d = s->pattern.cols, put = 0;

	for (size_t i = 0; i < right->label.rows; i++) {
		size_t at = ood_class_labels_find(
			&s->label, (int64_t)right->label.data[i]);

		if (at == SIZE_MAX)
			continue;
		for (size_t j = 0; j < d; j++)
			s->pattern.data[at * d + j] =
				right->sum.data[i * d + j] /
				right->count.data[i];
		put++;
	}
	return put;
}

static void note(const struct she *s, const struct ood_fit *fit, size_t put)
{
	size_t classes = s->label.rows, rows = 0, right = 0;

	for (size_t i = 0; i < classes; i++)
		rows += (size_t)s->all.count.data[i];
	for (size_t i = 0; i < s->right.label.rows; i++)
		right += (size_t)s->right.count.data[i];
	ood_notes_say(fit->notes,
		      "she: patterns of %zu classes from %zu rows that are "
		      "predicted right, of %zu",
		      classes, right, rows);
	if (put < classes)
		ood_notes_warn(fit->notes, "no-right-row", classes - put,
			       "she: %zu %s no row that is predicted right: "
			       "the mean of all their rows is taken",
			       classes - put,
			       classes - put == 1 ? "class has"
						  : "classes have");
	if (classes < fit->c)
		ood_notes_warn(fit->notes, "no-row", fit->c - classes,
			       "she: %zu of %zu classes have no row at all: "
			       "the best of the other classes is taken",
			       fit->c - classes, fit->c);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct she *s = state;
	size_t put = 0;
	int code = ood_class_sums_sort(&s->right, err);

	if (!code)
		code = ood_class_labels_check(&s->right.label, err);
	if (!code)
		code = ood_class_sums_means(&s->all, &s->label, &s->pattern,
					    err);
	if (code)
		return code;
	put = put_right(s);
	note(s, fit, put);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct she *s = state;
	size_t n = s->pattern.rows, d = s->pattern.cols;
	int code = ood_class_labels_check(&s->label, err);

	(void)fit;
	if (!code && !ood_all_finite(s->pattern.data, n * d))
		code = ood_fail(err, OOD_INPUT, "a pattern is not finite");
	if (code)
		return code;
	s->norm = ood_malloc(n, sizeof(*s->norm));
	if (!s->norm)
		return ood_fail_memory(err, n * sizeof(*s->norm));
	for (size_t k = 0; k < n; k++)
		s->norm[k] = ood_norm(s->pattern.data + k * d, d);
	return OOD_OK;
}

static void release(void *state)
{
	struct she *s = state;

	ood_class_sums_free(&s->all);
	ood_class_sums_free(&s->right);
	ood_free(s->norm);
}

/* ------------------------------------------------------------- scoring --- */

static double unlike(const struct she *s, enum metric metric, const double *x,
		     size_t k)
{
	size_t d = s->pattern.cols;
	const double *pattern = s->pattern.data + k * d;

	if (metric == EUCLIDEAN)
		return sqrt(ood_distance2(x, pattern, d));
	double dot = ood_dot(x, pattern, d);
	if (metric == INNER)
		return -dot;
	double norm = ood_norm(x, d);
	return norm > 0 && s->norm[k] > 0 ? -dot / norm / s->norm[k] : 0;
}

static double best(const struct she *s, enum metric metric, const double *x)
{
	double least = INFINITY;

	for (size_t k = 0; k < s->label.rows; k++)
		least = OOD_MIN(least, unlike(s, metric, x, k));
	return least;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct she *s = state;
	enum metric metric = (enum metric)args->num[METRIC];

	for (size_t i = 0; i < rows->n; i++) {
		const double *x = rows->x + i * rows->d;
		size_t k =
			ood_class_labels_find(&s->label, rows->digest->arg[i]);

		*rows->odd += k == SIZE_MAX;
		out[i] = k == SIZE_MAX ? best(s, metric, x)
				       : unlike(s, metric, x, k);
	}
}

const struct ood_scorer ood_scorer_she = {
	.name = "she",
	.brief = "similarity to the pattern of the predicted class",
	.formula = "-<x, S_h>, S_h the mean of rows rightly predicted h",
	.cite = "Zhang et al.: Out-of-Distribution Detection based on "
		"In-Distribution Data Patterns Memorization with Modern "
		"Hopfield Energy, ICLR 2023",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS | OOD_NEEDS_LABELS,
	.params = params,
	.odd = "rows whose predicted class has no fit row: the best of the "
	       "other classes is taken",
	.score = score,
	.state = sizeof(struct she),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
