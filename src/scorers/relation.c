/*
 * relation.c - agreement with the fit rows, weighted by likeness
 *
 *	-sum_i r_i^power over r_i > cut,
 *	r_i = max(0, <u(x), u(x_i)>) <p, p_i>
 *
 * u(x) = x/||x||, the zero vector stays; p = softmax(z). Larger = more OoD.
 *
 * Kim, Yun, Song: Neural Relation Graph: A Unified Framework for Identifying
 * Label Noise and Outlier Data, NeurIPS 2023.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/view.h"
#include "math/linalg.h"
#include "math/vector.h"
#include "scorers/bankrows.h"

enum { POWER, CUT };

static const struct ood_param params[] = {
	[POWER] = { .kind = OOD_PARAM_REAL,
		    .name = "power",
		    .help = "of each term",
		    .def = 1,
		    .lo = 0,
		    .hi = INFINITY,
		    .lo_open = true },
	[CUT] = { .kind = OOD_PARAM_REAL,
		  .name = "cut",
		  .help = "terms up to here are dropped",
		  .def = 0.03,
		  .lo = 0,
		  .hi = INFINITY },
	{ .kind = OOD_PARAM_END },
};

struct relation {
	struct ood_bankrows bank;
	struct ood_bank logits; /* N x C */
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_BANK, "rows", offsetof(struct relation, bank.rows), "ND",
	  OOD_KEPT_BOTH, false },
	{ OOD_KEPT_BANK, "logits", offsetof(struct relation, logits), "NC",
	  OOD_KEPT_BOTH, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct relation *s = state;
	int code =
		ood_bankrows_add(&s->bank, rows, NULL,
				 (struct ood_bankrows_draw){ .share = 1 }, err);

	(void)fit;
	return code ? code
		    : ood_bank_add(&s->logits, rows->z, rows->n, rows->c, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct relation *s = state;
	const struct relation *f = from;
	int code = ood_bankrows_join(&s->bank, &f->bank, err);

	(void)fit;
	if (!code && s->logits.cols != f->logits.cols)
		code = ood_fail(err, OOD_INPUT,
				"partial fits of %zu and %zu classes",
				s->logits.cols, f->logits.cols);
	return code ? code : ood_bank_join(&s->logits, &f->logits, err);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	const struct relation *s = state;

	(void)err;
	ood_notes_say(fit->notes,
		      "relation: %zu rows of %zu features and %zu classes",
		      s->bank.rows.rows, s->bank.rows.cols, s->logits.cols);
	return OOD_OK;
}

/* Finite or -inf, one in each row finite: what has probabilities. */
static bool are_logits(struct ood_view view)
{
	for (size_t i = 0; i < view.rows; i++) {
		double most = -INFINITY;

		for (size_t j = 0; j < view.cols; j++)
			most = OOD_MAX(most, ood_view_at(view, i, j));
		if (!isfinite(most))
			return false;
	}
	return true;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct relation *s = state;
	int code = ood_bankrows_check(&s->bank, false, err);

	(void)fit;
	if (!code && !are_logits(ood_bank_view(&s->logits)))
		code = ood_fail(err, OOD_INPUT,
				"a row of logits has no finite maximum");
	return code;
}

/* ------------------------------------------------------------- scoring --- */

/* One call's memory. */
struct work {
	double *u, *p;	      /* of the rows: unit features, probabilities */
	double *some;	      /* rows of the bank, likewise */
	double *like, *agree; /* products of rows and some of the bank */
};

static void work_free(struct work *w)
{
	ood_free(w->u);
	ood_free(w->p);
	ood_free(w->some);
	ood_free(w->like);
	ood_free(w->agree);
}

static int work_make(struct work *w, const struct ood_rows *rows,
		     struct ood_err *err)
{
	const size_t n = OOD_DIGEST_ROWS, widest = OOD_MAX(rows->d, rows->c);

	*w = (struct work){ .u = ood_malloc(n * rows->d, sizeof(double)),
			    .p = ood_malloc(n * rows->c, sizeof(double)),
			    .some = ood_malloc(n * widest, sizeof(double)),
			    .like = ood_malloc(n * n, sizeof(double)),
			    .agree = ood_malloc(n * n, sizeof(double)) };
	if (w->u && w->p && w->some && w->like && w->agree)
		return OOD_OK;
	return ood_fail_memory(err, n * (2 * widest + n) * sizeof(double));
}

/* The products of rows (n x d) and vectors (m x d). */
static int products(const double *x, size_t n, const double *vectors, size_t m,
		    size_t d, double *out, struct ood_err *err)
{
	struct ood_factor f = { 0 };
	int code = ood_factor_make(&f, vectors, m, d, err);

	if (!code)
		code = ood_factor_apply(&f, x, n, out, err);
	ood_factor_free(&f);
	return code;
}

/* w->like and w->agree of the rows and m rows of the bank from `at` on. */
static int compare(const struct relation *s, const struct ood_rows *rows,
		   size_t at, size_t m, struct work *w)
{
	const size_t d = rows->d, c = rows->c;

	for (size_t i = 0; i < m; i++) {
		ood_bank_row(&s->bank.rows, at + i, w->some + i * d);
		ood_unit(w->some + i * d, d, w->some + i * d);
	}
	int code = products(w->u, rows->n, w->some, m, d, w->like, rows->err);
	if (code)
		return code;
	for (size_t i = 0; i < m; i++)
		ood_bank_row(&s->logits, at + i, w->some + i * c);
	ood_softmax(w->some, m, c, 1);
	return products(w->p, rows->n, w->some, m, c, w->agree, rows->err);
}

static double sum_of(const double *like, const double *agree, size_t m,
		     const struct ood_args *args)
{
	const double power = args->num[POWER], cut = args->num[CUT];
	double sum = 0;

	for (size_t i = 0; i < m; i++) {
		double r = OOD_MAX(like[i], 0) * agree[i];

		if (r > cut)
			sum += power == 1 ? r : pow(r, power);
	}
	return sum;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct relation *s = state;
	const size_t n = rows->n, N = s->bank.rows.rows;
	struct work w;
	int code = work_make(&w, rows, rows->err);

	if (!code) {
		for (size_t i = 0; i < n; i++)
			ood_unit(rows->x + i * rows->d, rows->d,
				 w.u + i * rows->d);
		memcpy(w.p, rows->z, n * rows->c * sizeof(double));
		ood_softmax(w.p, n, rows->c, 1);
	}
	for (size_t i = 0; i < n; i++)
		out[i] = 0;
	/* Blocks of a fixed size, so that sums have a fixed order. */
	for (size_t at = 0; !code && at < N; at += OOD_DIGEST_ROWS) {
		size_t m = OOD_MIN(OOD_DIGEST_ROWS, N - at);

		code = compare(s, rows, at, m, &w);
		for (size_t i = 0; !code && i < n; i++)
			out[i] -= sum_of(w.like + i * m, w.agree + i * m, m,
					 args);
	}
	work_free(&w);
}

const struct ood_scorer ood_scorer_relation = {
	.name = "relation",
	.brief = "similarity-weighted agreement with the fit rows",
	.formula = "-sum r_i^power, r_i = max(0, <u(x), u(x_i)>) <p, p_i>",
	.cite = "Kim, Yun, Song: Neural Relation Graph: A Unified Framework "
		"for Identifying Label Noise and Outlier Data, NeurIPS 2023",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.params = params,
	.score = score,
	.state = sizeof(struct relation),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
};
