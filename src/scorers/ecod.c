/*
 * ecod.c - tail probabilities, feature by feature
 *
 *	L_j = -ln((1 + #{fit <= x_j}) / (N + 1)),  R_j the same with >=
 *
 *	dim	sum_j max(L_j, R_j)
 *	paper	the largest of sum L, sum R, and the sum of L_j where the
 *		skewness of the fit rows is negative, of R_j elsewhere
 *
 * Larger = more OoD.
 *
 * Li, Zhao, Hu, Botta, Ionescu, Chen: ECOD: Unsupervised Outlier Detection
 * Using Empirical Cumulative Distribution Functions, TKDE 2022.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/view.h"
#include "math/order.h"
#include "scorers/scorer.h"

enum { RULE };
enum { DIM, PAPER };

static const struct ood_param params[] = {
	[RULE] = { .kind = OOD_PARAM_WORD,
		   .name = "rule",
		   .help = "how the tails of the features are added up",
		   .choices = "dim paper" },
	{ .kind = OOD_PARAM_END },
};

struct ecod {
	struct ood_bank rows;	/* N x D, while fitting */
	struct ood_bank sorted; /* D x N: each feature's values, ascending */
	double *log;		/* N + 2: ln of 0 .. N + 1 */
	bool *is_left;		/* D: skewness < 0 */
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_BANK, "sorted", offsetof(struct ecod, sorted), "DN",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	(void)fit;
	return ood_bank_add(&((struct ecod *)state)->rows, rows->x, rows->n,
			    rows->d, err);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct ecod *s = state;
	const struct ood_view rows = ood_bank_view(&s->rows);
	double *x = ood_malloc(rows.rows, sizeof(*x));
	int code = x ? OOD_OK : ood_fail_memory(err, rows.rows * sizeof(*x));

	for (size_t j = 0; !code && j < rows.cols; j++) {
		for (size_t i = 0; i < rows.rows; i++)
			x[i] = ood_view_at(rows, i, j);
		if (!ood_sort(x, rows.rows))
			code = ood_fail_memory(err, rows.rows * sizeof(*x));
		else
			code = ood_bank_add(&s->sorted, x, 1, rows.rows, err);
	}
	ood_free(x);
	if (!code)
		ood_notes_say(fit->notes,
			      "ecod: %zu features of %zu rows, sorted",
			      rows.cols, rows.rows);
	ood_bank_free(&s->rows);
	return code;
}

/* Is the third central moment negative? */
static bool leans_left(struct ood_view v, size_t j)
{
	double mean = 0, third = 0, n = (double)v.cols;

	for (size_t i = 0; i < v.cols; i++)
		mean += ood_view_at(v, j, i) / n;
	for (size_t i = 0; i < v.cols; i++) {
		double d = ood_view_at(v, j, i) - mean;

		third += d * d * d;
	}
	return third < 0;
}

static bool ascends(struct ood_view v, size_t j)
{
	double before = -INFINITY, x = 0;

	for (size_t i = 0; i < v.cols; i++, before = x) {
		x = ood_view_at(v, j, i);
		if (!isfinite(x) || x < before)
			return false;
	}
	return true;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct ecod *s = state;
	const struct ood_view v = ood_bank_view(&s->sorted);

	(void)fit;
	s->log = ood_malloc(v.cols + 2, sizeof(*s->log));
	s->is_left = ood_malloc(v.rows, sizeof(*s->is_left));
	if (!s->log || !s->is_left)
		return ood_fail_memory(err, v.cols * sizeof(*s->log));
	for (size_t i = 0; i < v.cols + 2; i++)
		s->log[i] = log((double)i);
	for (size_t j = 0; j < v.rows; j++) {
		if (!ascends(v, j))
			return ood_fail(err, OOD_INPUT,
					"values of feature %zu are not in "
					"ascending order",
					j + 1);
		s->is_left[j] = leans_left(v, j);
	}
	return OOD_OK;
}

static void release(void *state)
{
	struct ecod *s = state;

	ood_bank_free(&s->rows);
	ood_free(s->log);
	ood_free(s->is_left);
}

/* ------------------------------------------------------------- scoring --- */

/* How many values of feature j are < x (or <= x)? */
static size_t count(struct ood_view v, size_t j, double x, bool equal)
{
	size_t lo = 0, hi = v.cols;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		double y = ood_view_at(v, j, mid);

		if (y < x || (equal && y == x))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static double score_row(const struct ecod *s, struct ood_view v,
			const double *x, bool paper)
{
	const size_t n = v.cols;
	double left = 0, right = 0, lean = 0, most = 0;

	for (size_t j = 0; j < v.rows; j++) {
		size_t upto = count(v, j, x[j], true);
		size_t from = n - count(v, j, x[j], false);
		double l = s->log[n + 1] - s->log[1 + upto];
		double r = s->log[n + 1] - s->log[1 + from];

		left += l;
		right += r;
		lean += s->is_left[j] ? l : r;
		most += OOD_MAX(l, r);
	}
	return paper ? OOD_MAX(OOD_MAX(left, right), lean) : most;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ecod *s = state;
	const struct ood_view v = ood_bank_view(&s->sorted);

	for (size_t i = 0; i < rows->n; i++)
		out[i] = score_row(s, v, rows->x + i * rows->d,
				   args->num[RULE] == PAPER);
}

const struct ood_scorer ood_scorer_ecod = {
	.name = "ecod",
	.brief = "tail probabilities, feature by feature",
	.formula = "sum_j max(L_j, R_j), L_j = -ln P(fit <= x_j)",
	.cite = "Li et al.: ECOD: Unsupervised Outlier Detection Using "
		"Empirical Cumulative Distribution Functions, TKDE 2022",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.score = score,
	.state = sizeof(struct ecod),
	.kept = kept,
	.add = add,
	.end = end,
	.ready = ready,
	.release = release,
};
