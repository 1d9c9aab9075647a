/*
 * rel_u.c - uncertainty relative to what is mistaken for what
 *
 *	p' D p,  D = max(lambda R_B - (1 - lambda) R_A, 0) / its Frobenius norm
 *
 * p = softmax(z/T); R_A and R_B are the means of p p' over the fit rows that
 * are predicted right and wrong (0 where there are none); the diagonal of D is
 * 0, and where no entry is positive D has ones off the diagonal. Larger = more
 * OoD.
 *
 * Dadalto, Romanelli, Pichler, Piantanida: A Data-Driven Measure of Relative
 * Uncertainty for Misclassification Detection, ICLR 2024.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/linalg.h"
#include "math/vector.h"
#include "scorers/probs.h"

enum { LAMBDA, T };

static const struct ood_param params[] = {
	[LAMBDA] = { .kind = OOD_PARAM_REAL,
		     .name = "lambda",
		     .help = "weight of the wrong rows",
		     .def = 0.5,
		     .lo = 0,
		     .hi = 1 },
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

struct rel_u {
	struct ood_mat count; /* 1 x 2: right rows, wrong rows */
	struct ood_mat right; /* C x C: sum of p p' */
	struct ood_mat wrong; /* likewise */
	struct ood_mat D;     /* C x C */
	struct ood_factor by; /* D, laid out for products */
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "counts", offsetof(struct rel_u, count), "1T",
	  OOD_KEPT_PARTIAL, false },
	{ OOD_KEPT_MAT, "right", offsetof(struct rel_u, right), "CC",
	  OOD_KEPT_PARTIAL, false },
	{ OOD_KEPT_MAT, "wrong", offsetof(struct rel_u, wrong), "CC",
	  OOD_KEPT_PARTIAL, false },
	{ OOD_KEPT_MAT, "D", offsetof(struct rel_u, D), "CC", OOD_KEPT_FITTED,
	  false },
	{ .kind = OOD_KEPT_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)args;
	(void)d;
	return c == 1 ? ood_fail(err, OOD_USAGE,
				 "scorer rel-u needs two classes or more")
		      : OOD_OK;
}

/* ------------------------------------------------------------- fitting --- */

static int begin(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct rel_u *s = state;
	int code = ood_mat_make(&s->count, 1, 2, err);

	if (!code)
		code = ood_mat_make(&s->right, fit->c, fit->c, err);
	return code ? code : ood_mat_make(&s->wrong, fit->c, fit->c, err);
}

/* The probabilities of the rows that are predicted right, or wrong. */
static size_t gather(const struct ood_rows *rows, double temperature,
		     bool right, double *p)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (right == (rows->label[i] == (int64_t)rows->digest->arg[i]))
			ood_rows_probs(rows, i, temperature, p + n++ * rows->c);
	return n;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct rel_u *s = state;
	const double temperature = fit->args->num[T];
	double *p = ood_malloc(rows->n * rows->c, sizeof(*p));

	if (!p)
		return ood_fail_memory(err, rows->n * rows->c * sizeof(*p));
	size_t n = gather(rows, temperature, true, p);
	int code = ood_moment_add(s->right.data, p, n, rows->c, err);
	s->count.data[0] += (double)n;
	n = gather(rows, temperature, false, p);
	if (!code)
		code = ood_moment_add(s->wrong.data, p, n, rows->c, err);
	s->count.data[1] += (double)n;
	ood_free(p);
	return code;
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct rel_u *s = state;
	const struct rel_u *f = from;
	const size_t n = s->right.rows * s->right.cols;

	(void)fit;
	if (f->right.rows * f->right.cols != n || f->count.cols != 2 ||
	    s->count.cols != 2)
		return ood_fail(err, OOD_INPUT,
				"partial fits of %zu and %zu classes",
				s->right.rows, f->right.rows);
	for (size_t i = 0; i < 2; i++)
		s->count.data[i] += f->count.data[i];
	for (size_t i = 0; i < n; i++) {
		s->right.data[i] += f->right.data[i];
		s->wrong.data[i] += f->wrong.data[i];
	}
	return OOD_OK;
}

/* Entry i of a mean of p p'. */
static double mean(const struct ood_mat *sum, double count, size_t i)
{
	return count > 0 ? sum->data[i] / count : 0;
}

/* D before it is divided by its norm; false: no entry is positive. */
static bool put_positive(struct rel_u *s, double lambda)
{
	const size_t c = s->D.rows;
	const double *count = s->count.data;
	bool any = false;

	for (size_t i = 0; i < c * c; i++) {
		double x = lambda * mean(&s->wrong, count[1], i) -
			   (1 - lambda) * mean(&s->right, count[0], i);

		s->D.data[i] = i % (c + 1) ? OOD_MAX(x, 0) : 0;
		any |= s->D.data[i] > 0;
	}
	return any;
}

static void note(const struct rel_u *s, const struct ood_fit *fit)
{
	const size_t right = (size_t)s->count.data[0];
	const size_t wrong = (size_t)s->count.data[1];

	ood_notes_say(fit->notes, "rel-u: %zu rows are right, %zu are wrong",
		      right, wrong);
	if (wrong < 30)
		ood_notes_warn(fit->notes, "few-wrong", wrong,
			       "rel-u: only %zu of %zu fit rows are predicted "
			       "wrong (30 or more tell something)",
			       wrong, right + wrong);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct rel_u *s = state;
	const size_t c = s->right.rows;
	int code = ood_mat_make(&s->D, c, c, err);

	if (code)
		return code;
	if (!put_positive(s, fit->args->num[LAMBDA]))
		for (size_t i = 0; i < c * c; i++)
			s->D.data[i] = i % (c + 1) != 0;
	double norm = ood_norm(s->D.data, c * c);
	for (size_t i = 0; i < c * c; i++)
		s->D.data[i] /= norm;
	note(s, fit);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct rel_u *s = state;
	const size_t c = s->D.rows;

	(void)fit;
	if (!ood_all_finite(s->D.data, c * c))
		return ood_fail(err, OOD_INPUT, "D is not finite");
	return ood_factor_make(&s->by, s->D.data, c, c, err);
}

static void release(void *state)
{
	ood_factor_free(&((struct rel_u *)state)->by);
}

/* ------------------------------------------------------------- scoring --- */

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct rel_u *s = state;
	const size_t n = rows->n, c = rows->c;
	double *p = ood_malloc(n * c, sizeof(*p));
	double *Dp = ood_malloc(n * c, sizeof(*Dp));

	if (!p || !Dp)
		ood_fail_memory(rows->err, 2 * n * c * sizeof(*p));
	for (size_t i = 0; p && i < n; i++)
		ood_rows_probs(rows, i, args->num[T], p + i * c);
	if (!rows->err->code && !ood_factor_apply(&s->by, p, n, Dp, rows->err))
		for (size_t i = 0; i < n; i++)
			out[i] = ood_dot(p + i * c, Dp + i * c, c);
	ood_free(p);
	ood_free(Dp);
}

const struct ood_scorer ood_scorer_rel_u = {
	.name = "rel-u",
	.brief = "uncertainty relative to what is mistaken for what",
	.formula = "p' D p, D learned from right and wrong rows",
	.cite = "Dadalto, Romanelli, Pichler, Piantanida: A Data-Driven "
		"Measure of Relative Uncertainty for Misclassification "
		"Detection, ICLR 2024",
	.needs = OOD_NEEDS_CLASSES,
	.take = OOD_TAKE_ROWS,
	.fit = OOD_NEEDS_CLASSES | OOD_NEEDS_LABELS,
	.params = params,
	.check = check,
	.score = score,
	.state = sizeof(struct rel_u),
	.kept = kept,
	.begin = begin,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
