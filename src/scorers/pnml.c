/*
 * pnml.c - the regret of normalised maximum likelihood
 *
 * With U the fit rows and u the row at hand, all of unit length,
 *
 *	q = u' pinv(U'U) u,	k = q / (1 + q),	p = softmax(W u + b)
 *	ln(sum_c p_c / (p_c + (1 - p_c) p_c^k)) / ln C
 *
 * p held in [1e-12, 1 - 1e-12]. The sum is 1 + sum p (1 - p)(1 - p^k) /
 * (p + (1 - p) p^k) + what holding p adds, so that nothing cancels where the
 * regret is small. q = ||A u||^2, A of the eigenvectors over the roots of
 * their eigenvalues. Larger = more OoD.
 *
 * Bibas, Feder, Hassner: Single Layer Predictive Normalized Maximum
 * Likelihood for Out-of-Distribution Detection, NeurIPS 2021.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/linalg.h"
#include "math/second_moment.h"
#include "math/vector.h"
#include "scorers/scorer.h"

/* Probabilities are held this far from 0 and 1, as in the authors' code. */
static const double LEAST = 1e-12;

struct pnml {
	struct ood_second_moment sums; /* U'U about 0 */
	struct ood_mat whiten;	       /* R x D: A */
	struct ood_factor factor;
};

static const struct ood_kept kept[] = {
	OOD_KEPT_SECOND_MOMENT(struct pnml, sums),
	{ OOD_KEPT_MAT, "whiten", offsetof(struct pnml, whiten), "RD",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)args;
	(void)d;
	if (c == 1)
		return ood_fail(err, OOD_INPUT,
				"pnml needs at least 2 classes");
	return OOD_OK;
}

/* The layer must be that of the features. */
static int check_head(const struct ood_layer *head, size_t d,
		      struct ood_err *err)
{
	if (!head)
		return ood_fail(err, OOD_USAGE,
				"scorer pnml needs the last layer "
				"(--head-weights FILE --head-bias FILE)");
	if (head->W.cols != d)
		return ood_fail(err, OOD_INPUT,
				"%zu features where the head has %zu columns "
				"of weights",
				d, head->W.cols);
	return check(NULL, head->W.rows, d, err);
}

static int begin(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct pnml *s = state;
	struct ood_mat zero = { 0 };
	int code = check_head(fit->head, fit->d, err);

	if (!code)
		code = ood_mat_make(&zero, 1, fit->d, err);
	if (!code)
		code = ood_second_moment_about(&s->sums, zero.data, fit->d,
					       err);
	ood_mat_free(&zero);
	return code;
}

/* The rows, of unit length. NULL: memory, said in err. */
static double *unit_rows(const struct ood_rows *rows, struct ood_err *err)
{
	size_t d = rows->d;
	double *u = ood_malloc(rows->n * d, sizeof(*u));

	if (!u)
		ood_fail_memory(err, rows->n * d * sizeof(*u));
	for (size_t i = 0; u && i < rows->n; i++)
		ood_unit(rows->x + i * d, d, u + i * d);
	return u;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct pnml *s = state;
	double *u = unit_rows(rows, err);

	(void)fit;
	if (!u)
		return (int)err->code;
	int code = ood_second_moment_add(&s->sums, u, rows->n, rows->d, err);
	ood_free(u);
	return code;
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct pnml *s = state;

	(void)fit;
	return ood_second_moment_join(&s->sums,
				      &((const struct pnml *)from)->sums, err);
}

static int make_whiten(struct pnml *s, const struct ood_fit *fit,
		       const struct ood_eigen *e, struct ood_err *err)
{
	size_t n = (size_t)ood_second_moment_rows(&s->sums), d = e->d;
	size_t rank = ood_eigen_rank(e, (double)d * 0x1p-52);

	if (!rank)
		return ood_fail(err, OOD_NUMERIC,
				"pnml: all %zu fit rows are 0", n);
	int code = ood_mat_make(&s->whiten, rank, d, err);
	for (size_t i = 0; !code && i < rank; i++)
		for (size_t j = 0; j < d; j++)
			s->whiten.data[i * d + j] =
				e->vector[i * d + j] / sqrt(e->value[i]);
	if (!code)
		ood_notes_say(fit->notes,
			      "pnml: %zu rows of %zu features, rank %zu", n, d,
			      rank);
	return code;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct pnml *s = state;
	struct ood_eigen e = { 0 };
	int code = ood_eigen_make(&e, s->sums.square.data, s->sums.sum.cols,
				  "second moments of the features", err);

	if (!code)
		code = make_whiten(s, fit, &e, err);
	ood_eigen_free(&e);
	return code;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct pnml *s = state;
	size_t n = s->whiten.rows, d = s->whiten.cols;

	(void)fit;
	if (!ood_all_finite(s->whiten.data, n * d))
		return ood_fail(err, OOD_INPUT, "array whiten is not finite");
	return ood_factor_make(&s->factor, s->whiten.data, n, d, err);
}

static void release(void *state)
{
	struct pnml *s = state;

	ood_second_moment_free(&s->sums);
	ood_factor_free(&s->factor);
}

/* ------------------------------------------------------------- scoring --- */

/* The regret of a row of c logits; z is used up. */
static double regret(double *z, size_t c, double k)
{
	double all = 0, excess = 0, max = -INFINITY;

	for (size_t j = 0; j < c; j++)
		max = OOD_MAX(max, z[j]);
	for (size_t j = 0; j < c; j++)
		z[j] -= max;
	ood_exps(z, c);
	for (size_t j = 0; j < c; j++)
		all += z[j];
	for (size_t j = 0; j < c; j++) {
		double given = z[j] / all;
		double p = OOD_MIN(OOD_MAX(given, LEAST), 1 - LEAST);
		double power = k * log(p);
		double under = p + (1 - p) * exp(power);

		excess += (p - given) - p * (1 - p) * expm1(power) / under;
	}
	return log1p(excess) / log((double)c);
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct pnml *s = state;
	size_t n = rows->n, rank = s->factor.n;
	double *u = NULL, *a = NULL, *z = NULL;

	(void)args;
	if (check_head(rows->head, rows->d, rows->err))
		return;
	size_t c = rows->head->W.rows;
	u = unit_rows(rows, rows->err);
	a = ood_malloc(n * rank, sizeof(*a));
	z = ood_malloc(n * c, sizeof(*z));
	if (!u || !a || !z)
		ood_fail_memory(rows->err, n * (rank + c) * sizeof(*a));
	else if (!ood_factor_apply(&s->factor, u, n, a, rows->err))
		ood_layer_apply(rows->head, u, n, z, rows->err);
	for (size_t i = 0; !rows->err->code && i < n; i++) {
		double q = ood_dot(a + i * rank, a + i * rank, rank);

		/* q / (1 + q), also where q overflows. */
		out[i] = regret(z + i * c, c,
				q < 1 ? q / (1 + q) : 1 / (1 + 1 / q));
	}
	ood_free(u);
	ood_free(a);
	ood_free(z);
}

const struct ood_scorer ood_scorer_pnml = {
	.name = "pnml",
	.brief = "regret of normalised maximum likelihood",
	.formula = "ln(sum p / (p + (1 - p) p^k)) / ln C, k = q/(1 + q), q = "
		   "u' pinv(U'U) u",
	.cite = "Bibas, Feder, Hassner: Single Layer Predictive Normalized "
		"Maximum Likelihood for Out-of-Distribution Detection, NeurIPS "
		"2021",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.fit = OOD_NEEDS_FEATURES,
	.check = check,
	.score = score,
	.state = sizeof(struct pnml),
	.kept = kept,
	.begin = begin,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
