/*
 * vim.c - the part of the features outside the principal space
 *
 * With an origin o, M = (1/N) sum (x_i - o)(x_i - o)' over the fit rows, and
 * the rows of R the eigenvectors of the D - dim smallest eigenvalues of M:
 *
 *	residual	r(x) = ||R (x - o)||
 *	vim		alpha r(x) - lse(z),  alpha = mean max z / mean r
 *
 * o = -pinv(W) b, where the head is indifferent (M is not centred on the
 * mean), or the mean of the features. vim: the residual as the logit of one
 * more class, scaled to the size of the others. Larger = more OoD.
 *
 * Wang, Li, Feng, Zhang: ViM: Out-Of-Distribution with Virtual-logit Matching,
 * CVPR 2022.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "math/second_moment.h"
#include "math/vector.h"
#include "scorers/scorer.h"

enum { DIM, DIM_VAR, ORIGIN };
enum { FROM_BIAS, FROM_MEAN };

/* Of the largest singular value of W: smaller ones are rounding. */
static const double SINGULAR = 1e-15;

static const struct ood_param params[] = {
	[DIM] = { .kind = OOD_PARAM_INT,
		  .name = "dim",
		  .help = "dimensions of the principal space, below D; by "
			  "default 1000 from D = 2048, 512 from 768, else D/2",
		  .def = NAN,
		  .lo = 1,
		  .hi = INFINITY },
	[DIM_VAR] = { .kind = OOD_PARAM_REAL,
		      .name = "dim-var",
		      .help = "as many as have this share of the variance, "
			      "below 1",
		      .def = NAN,
		      .lo = 0,
		      .hi = 1,
		      .lo_open = true },
	[ORIGIN] = { .kind = OOD_PARAM_WORD,
		     .name = "origin",
		     .help = "-pinv(W) b, or the mean of the features",
		     .choices = "bias mean" },
	{ .kind = OOD_PARAM_END },
};

struct residual {
	struct ood_second_moment sums;
	struct ood_mat origin;	  /* 1 x D */
	struct ood_mat basis;	  /* R x D */
	struct ood_mat alpha;	  /* 1 x 1, of vim */
	struct ood_factor factor; /* the basis */
	/* Sums of vim's second pass. */
	double n, max, r;
};

#define KEPT_RESIDUAL                                                          \
	{ OOD_KEPT_MAT, "origin",	 offsetof(struct residual, origin),    \
	  "1D",		OOD_KEPT_FITTED, false },                              \
	{                                                                      \
		OOD_KEPT_MAT, "basis", offsetof(struct residual, basis), "RD", \
			OOD_KEPT_FITTED, false                                 \
	}

static const struct ood_kept residual_kept[] = {
	OOD_KEPT_SECOND_MOMENT(struct residual, sums),
	KEPT_RESIDUAL,
	{ .kind = OOD_KEPT_END },
};

static const struct ood_kept vim_kept[] = {
	KEPT_RESIDUAL,
	{ OOD_KEPT_MAT, "alpha", offsetof(struct residual, alpha), "11",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ---------------------------------------------------------- parameters --- */

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	double dim = args->num[DIM];
	char text[OOD_NUM_MAX];

	(void)c;
	if (args->given[DIM] && args->given[DIM_VAR])
		return ood_fail(err, OOD_USAGE,
				"dim and dim-var exclude each other");
	if (args->num[DIM_VAR] >= 1)
		return ood_fail(err, OOD_USAGE,
				"dim-var=1 leaves no residual (it must be "
				"below 1)");
	if (d == 1)
		return ood_fail(err, OOD_INPUT,
				"a single feature has no principal space (at "
				"least 2 are needed)");
	if (!d || !(dim >= (double)d))
		return OOD_OK;
	ood_num_format(text, dim);
	return ood_fail(err, OOD_USAGE,
			"dim=%s leaves no residual of %zu features (dim=%zu is "
			"the largest)",
			text, d, d - 1);
}

/* The authors' rule, from D = 768 on; below, half. */
static size_t rule(size_t d)
{
	return d >= 2048 ? 1000 : d >= 768 ? 512 : d / 2;
}

static size_t choose_dim(const struct ood_args *args, const struct ood_eigen *e)
{
	if (!isnan(args->num[DIM_VAR]))
		return ood_eigen_share(e, args->num[DIM_VAR]);
	return isnan(args->num[DIM]) ? rule(e->d) : (size_t)args->num[DIM];
}

/* ------------------------------------------------------------- fitting --- */

/* o = -pinv(W) b; 0 without biases. */
static int find_origin(const struct ood_layer *head, struct ood_mat *o,
		       struct ood_err *err)
{
	size_t c = head->W.rows, d = head->W.cols, rank;
	struct ood_mat inverse = { 0 };
	int code = ood_mat_make(o, 1, d, err);

	if (code || !head->b.rows)
		return code;
	code = ood_pinv(head->W.data, c, d, SINGULAR, &inverse, &rank, err);
	for (size_t j = 0; !code && j < d; j++)
		o->data[j] = -ood_dot(inverse.data + j * c, head->b.data, c);
	ood_mat_free(&inverse);
	return code;
}

static int begin(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct residual *s = state;
	struct ood_mat o = { 0 };

	if (fit->args->num[ORIGIN] == FROM_MEAN)
		return OOD_OK;
	if (!fit->head)
		return ood_fail(err, OOD_USAGE,
				"scorer residual needs the last layer for its "
				"origin (--head-weights FILE --head-bias FILE; "
				"or residual:origin=mean)");
	if (fit->head->W.cols != fit->d)
		return ood_fail(err, OOD_INPUT,
				"%zu features where the head has %zu columns "
				"of weights",
				fit->d, fit->head->W.cols);
	int code = find_origin(fit->head, &o, err);
	if (!code)
		code = ood_second_moment_about(&s->sums, o.data, fit->d, err);
	ood_mat_free(&o);
	return code;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct residual *s = state;

	(void)fit;
	return ood_second_moment_add(&s->sums, rows->x, rows->n, rows->d, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	struct residual *s = state;

	(void)fit;
	return ood_second_moment_join(
		&s->sums, &((const struct residual *)from)->sums, err);
}

/* Directions beyond the rank of M are as rounding has them. */
static void note_rank(const struct ood_fit *fit, size_t rank, size_t dim)
{
	if (rank < dim)
		ood_notes_warn(fit->notes, "rank", rank,
			       "residual: the fit rows span only %zu "
			       "dimensions, fewer than dim = %zu: which of the "
			       "others are left out is arbitrary (dim=%zu is "
			       "well defined)",
			       rank, dim, OOD_MAX(rank, 1));
}

static int make_basis(struct residual *s, const struct ood_fit *fit,
		      const struct ood_eigen *e, struct ood_err *err)
{
	size_t d = e->d, dim = choose_dim(fit->args, e);

	if (dim >= d)
		return ood_fail(err, OOD_USAGE,
				"dim-var takes all %zu dimensions and leaves "
				"no residual (a smaller share, or dim=%zu)",
				d, d - 1);
	int code = ood_mat_make(&s->basis, d - dim, d, err);
	if (!code)
		memcpy(s->basis.data, e->vector + dim * d,
		       (d - dim) * d * sizeof(double));
	return code;
}

/* Origin and basis from the sums. */
static int find_basis(struct residual *s, const struct ood_fit *fit,
		      size_t *rank, struct ood_err *err)
{
	bool about_mean = fit->args->num[ORIGIN] == FROM_MEAN;
	size_t d = s->sums.sum.cols;
	struct ood_mat M = { 0 };
	struct ood_eigen e = { 0 };
	int code = ood_second_moment_matrix(&s->sums, about_mean, &M, err);

	if (!code)
		code = ood_eigen_make(&e, M.data, d,
				      "second moments of the features", err);
	if (!code)
		code = make_basis(s, fit, &e, err);
	if (!code && about_mean)
		code = ood_second_moment_mean(&s->sums, &s->origin, err);
	if (!code && !about_mean)
		code = ood_mat_make(&s->origin, 1, d, err);
	if (!code && !about_mean)
		memcpy(s->origin.data, s->sums.centre.data, d * sizeof(double));
	if (!code)
		*rank = ood_eigen_rank(&e, (double)d * 0x1p-52);
	ood_eigen_free(&e);
	ood_mat_free(&M);
	return code;
}

static int residual_end(void *state, const struct ood_fit *fit,
			struct ood_err *err)
{
	struct residual *s = state;
	size_t rank;
	int code = find_basis(s, fit, &rank, err);

	if (code)
		return code;
	size_t d = s->basis.cols, dim = d - s->basis.rows;
	ood_notes_say(fit->notes,
		      "residual: %zu rows of %zu features, dim = %zu",
		      (size_t)ood_second_moment_rows(&s->sums), d, dim);
	note_rank(fit, rank, dim);
	return OOD_OK;
}

/* Origin and basis may be anything that a file can hold. */
static int residual_ready(void *state, const struct ood_fit *fit,
			  struct ood_err *err)
{
	struct residual *s = state;
	size_t n = s->basis.rows, d = s->basis.cols;

	(void)fit;
	if (!ood_all_finite(s->basis.data, n * d) ||
	    !ood_all_finite(s->origin.data, d))
		return ood_fail(err, OOD_INPUT,
				"origin or basis is not finite");
	ood_factor_free(&s->factor);
	return ood_factor_make(&s->factor, s->basis.data, n, d, err);
}

static void release(void *state)
{
	struct residual *s = state;

	ood_second_moment_free(&s->sums);
	ood_factor_free(&s->factor);
}

/* ------------------------------------------------------------- scoring --- */

/* r of each row. */
static int residuals(const struct residual *s, const struct ood_rows *rows,
		     double *r, struct ood_err *err)
{
	size_t n = rows->n, d = s->factor.d, k = s->factor.n;
	double *y = ood_malloc(n * d, sizeof(*y));
	double *out = ood_malloc(n * k, sizeof(*out));
	int code = y && out ? OOD_OK : ood_fail_memory(err, n * d * sizeof(*y));

	for (size_t i = 0; !code && i < n; i++)
		for (size_t j = 0; j < d; j++)
			y[i * d + j] = rows->x[i * d + j] - s->origin.data[j];
	if (!code)
		code = ood_factor_apply(&s->factor, y, n, out, err);
	for (size_t i = 0; !code && i < n; i++)
		r[i] = ood_norm(out + i * k, k);
	ood_free(y);
	ood_free(out);
	return code;
}

static void residual_score(const struct ood_rows *rows,
			   const struct ood_args *args, const void *state,
			   double *out)
{
	(void)args;
	residuals(state, rows, out, rows->err);
}

static void vim_score(const struct ood_rows *rows, const struct ood_args *args,
		      const void *state, double *out)
{
	const struct residual *s = state;
	const struct ood_digest *d = rows->digest;

	(void)args;
	if (residuals(s, rows, out, rows->err))
		return;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = s->alpha.data[0] * out[i] - (d->max[i] + d->nlog[i]);
}

/* ----------------------------------------------------------------- vim --- */

/* The first pass: moments; the second: largest logits and residuals. */
static int vim_add(void *state, const struct ood_fit *fit,
		   const struct ood_rows *rows, struct ood_err *err)
{
	struct residual *s = state;
	double r[OOD_DIGEST_ROWS];

	if (!fit->pass)
		return add(state, fit, rows, err);
	int code = residuals(s, rows, r, err);
	for (size_t i = 0; !code && i < rows->n; i++) {
		s->max += rows->digest->max[i];
		s->r += r[i];
		s->n++;
	}
	return code;
}

/* Where the rows span no more than the principal space, r is rounding. */
static int refuse_empty(const struct residual *s, size_t rank,
			struct ood_err *err)
{
	size_t dim = s->basis.cols - s->basis.rows;

	if (rank > dim)
		return OOD_OK;
	return ood_fail(err, OOD_NUMERIC,
			"vim: the fit rows span %zu dimensions and dim = %zu "
			"of them leave no residual (%s)",
			rank, dim,
			rank > 1 ? "a smaller dim, or more rows"
				 : "more rows that differ");
}

static int vim_next(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		    struct ood_err *err)
{
	struct residual *s = state;
	size_t rank;

	*pass = fit->pass < 2 ? OOD_PASS_TRAIN : OOD_PASS_NONE;
	if (fit->pass != 1)
		return OOD_OK;
	int code = find_basis(s, fit, &rank, err);
	if (!code)
		code = refuse_empty(s, rank, err);
	if (!code)
		code = residual_ready(s, fit, err);
	ood_second_moment_free(&s->sums);
	return code;
}

static int vim_end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct residual *s = state;
	size_t d = s->basis.cols;
	char text[OOD_NUM_MAX];
	int code = ood_mat_make(&s->alpha, 1, 1, err);

	if (code)
		return code;
	double alpha = s->max / s->r;
	if (!isfinite(alpha))
		return ood_fail(err, OOD_NUMERIC,
				"vim: the residual of all fit rows is 0 (a "
				"smaller dim)");
	s->alpha.data[0] = alpha;
	ood_num_format_digits(text, alpha, 6);
	ood_notes_say(fit->notes,
		      "vim: %zu rows of %zu features, dim = %zu, alpha = %s",
		      (size_t)s->n, d, d - s->basis.rows, text);
	if (alpha <= 0)
		ood_notes_warn(fit->notes, "alpha", 0,
			       "vim: alpha = %s, as the largest logits are "
			       "negative on average: a larger residual lowers "
			       "the score",
			       text);
	return OOD_OK;
}

static int vim_ready(void *state, const struct ood_fit *fit,
		     struct ood_err *err)
{
	struct residual *s = state;

	if (!isfinite(s->alpha.data[0]))
		return ood_fail(err, OOD_INPUT, "alpha is not finite");
	return residual_ready(state, fit, err);
}

#define CITE                                                                   \
	"Wang, Li, Feng, Zhang: ViM: Out-Of-Distribution with Virtual-logit "  \
	"Matching, CVPR 2022"

const struct ood_scorer ood_scorer_vim = {
	.name = "vim",
	.brief = "residual norm as a virtual logit",
	.formula = "alpha ||R (x - o)|| - ln sum exp(z)",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD | OOD_NEEDS_LOGITS,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.presets = "openood=dim=256",
	.check = check,
	.score = vim_score,
	.state = sizeof(struct residual),
	.kept = vim_kept,
	.begin = begin,
	.add = vim_add,
	.next = vim_next,
	.end = vim_end,
	.ready = vim_ready,
	.release = release,
};

const struct ood_scorer ood_scorer_residual = {
	.name = "residual",
	.brief = "norm of the features outside the principal space",
	.formula = "||R (x - o)||",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES | OOD_TAKES_HEAD,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.presets = "openood=dim=512",
	.check = check,
	.score = residual_score,
	.state = sizeof(struct residual),
	.kept = residual_kept,
	.begin = begin,
	.add = add,
	.end = residual_end,
	.merge = merge,
	.ready = residual_ready,
	.release = release,
};
