/*
 * mahalanobis.c - squared distance to the nearest class mean, in the metric of
 * a covariance that the classes share
 *
 *	mahalanobis	min_k d_k^2,  d_k^2 = (x - mu_k)' P (x - mu_k)
 *	rmd		min_k d_k^2 - d_0^2
 *	...++		the same of x / ||x||
 *
 * mu_k the mean of class k, S = (1/N) sum (x_i - mu_yi)(x_i - mu_yi)', P its
 * pseudo-inverse; d_0 the same of one Gaussian for all rows, about their mean.
 * Larger = more OoD.
 *
 * Lee, Lee, Lee, Shin: A Simple Unified Framework for Detecting
 * Out-of-Distribution Samples and Adversarial Attacks, NeurIPS 2018.
 * Ren, Fort, Liu, Roy, Padhy, Lakshminarayanan: A Simple Fix to Mahalanobis
 * Distance for Improving Near-OOD Detection, arXiv 2106.09022, 2021.
 * Mueller, Hein: Mahalanobis++: Improving OOD Detection via Feature
 * Normalization, ICML 2025.
 */
#include "scorers/mahalanobis.h"

#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"

#define SHARED_PARAMS                                                          \
	[OOD_MAHA_LABELS] = { .kind = OOD_PARAM_SWITCH,                        \
			      .name = "labels",                                \
			      .help = "a Gaussian each class; 0: one for all " \
				      "rows",                                  \
			      .def = 1 },                                      \
	[OOD_MAHA_FROM] = { .kind = OOD_PARAM_TEXT,                            \
			    .name = "from",                                    \
			    .help = "a fitted model, whose classes are kept "  \
				    "and to "                                  \
				    "which those of the rows are added" },     \
	[OOD_MAHA_LAYERS] = { .kind = OOD_PARAM_WORD,                          \
			      .name = "layers",                                \
			      .help = "of several layers: a column each, or "  \
				      "one fused "                             \
				      "by logistic regression on --val rows",  \
			      .choices = "each fuse" },                        \
	[OOD_MAHA_INVERSE] = { .kind = OOD_PARAM_WORD,                         \
			       .name = "inverse",                              \
			       .help = "pseudo-inverse, or refuse a singular " \
				       "covariance",                           \
			       .choices = "pinv exact" },                      \
	[OOD_MAHA_RTOL] = { .kind = OOD_PARAM_REAL,                            \
			    .name = "rtol",                                    \
			    .help = "eigenvalues up to this share of the "     \
				    "largest are "                             \
				    "dropped; by default D times eps",         \
			    .def = NAN,                                        \
			    .lo = 0,                                           \
			    .hi = 1 },                                         \
	[OOD_MAHA_EPS] = { .kind = OOD_PARAM_REAL,                             \
			   .name = "eps",                                      \
			   .help = "rounding that the default rtol goes by: "  \
				   "2^-52; "                                   \
				   "1.2e-7 is that of float",                  \
			   .def = 0x1p-52,                                     \
			   .lo = 0,                                            \
			   .hi = 1 },                                          \
	[OOD_MAHA_RIDGE] = { .kind = OOD_PARAM_REAL,                           \
			     .name = "ridge",                                  \
			     .help = "added to the diagonal of the "           \
				     "covariance",                             \
			     .lo = 0,                                          \
			     .hi = INFINITY },                                 \
	[OOD_MAHA_SHRINK] = { .kind = OOD_PARAM_SWITCH,                        \
			      .name = "shrink",                                \
			      .help = "shrink the covariance as Ledoit and "   \
				      "Wolf do" },                             \
	[OOD_MAHA_DIVISOR] = { .kind = OOD_PARAM_WORD,                         \
			       .name = "divisor",                              \
			       .help = "of the covariance of the classes",     \
			       .choices = "n n-1" }

static const struct ood_param params[] = {
	SHARED_PARAMS,
	[OOD_MAHA_HALF] = { .kind = OOD_PARAM_SWITCH,
			    .name = "half",
			    .help = "half the squared distance" },
	{ .kind = OOD_PARAM_END },
};

static const struct ood_param rmd_params[] = {
	SHARED_PARAMS,
	[OOD_MAHA_BACKGROUND] = { .kind = OOD_PARAM_WORD,
				  .name = "background",
				  .help = "covariance of all rows: by their "
					  "number, or "
					  "the mere sum",
				  .choices = "mean sum" },
	{ .kind = OOD_PARAM_END },
};

#define STATE struct ood_mahalanobis

#define SHARED_KEPT                                                            \
	OOD_KEPT_SCATTER(STATE, sums, "DD"),                                   \
		{ OOD_KEPT_MAT, "label",	 offsetof(STATE, now.label),   \
		  "K1",		OOD_KEPT_FITTED, false },                      \
		{ OOD_KEPT_MAT, "count",	 offsetof(STATE, now.count),   \
		  "K1",		OOD_KEPT_FITTED, false },                      \
		{ OOD_KEPT_MAT, "mean",		 offsetof(STATE, now.mean),    \
		  "KD",		OOD_KEPT_FITTED, false },                      \
		{ OOD_KEPT_MAT,                                                \
		  "covariance",                                                \
		  offsetof(STATE, now.covariance),                             \
		  "DD",                                                        \
		  OOD_KEPT_FITTED,                                             \
		  false },                                                     \
	{                                                                      \
		OOD_KEPT_MAT, "whiten", offsetof(STATE, whiten), "RD",         \
			OOD_KEPT_FITTED, false                                 \
	}

static const struct ood_kept kept[] = {
	SHARED_KEPT,
	{ .kind = OOD_KEPT_END },
};

static const struct ood_kept rmd_kept[] = {
	SHARED_KEPT,
	{ OOD_KEPT_MAT, "background-covariance", offsetof(STATE, now.all), "DD",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "background-whiten", offsetof(STATE, whiten_all), "BD",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* -------------------------------------------------------------- fitting --- */

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)c;
	(void)d;
	if (!args->text[OOD_MAHA_FROM])
		return OOD_OK;
	if (!ood_is_on(args, OOD_MAHA_LABELS))
		return ood_fail(err, OOD_USAGE,
				"from=MODEL adds classes: labels=0 has none");
	if (ood_is_on(args, OOD_MAHA_SHRINK))
		return ood_fail(err, OOD_USAGE,
				"shrink=1 needs all rows, those of from=MODEL "
				"too (ridge=R needs none)");
	return OOD_OK;
}

static const char *unmergeable(const struct ood_args *args)
{
	return args->text[OOD_MAHA_FROM] ? "from=MODEL takes a whole model"
	       : ood_is_on(args, OOD_MAHA_SHRINK) ? "shrink=1 needs two passes"
						  : NULL;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	return ood_mahalanobis_add(state, fit, rows, rows->x, err);
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

static int add_unit(void *state, const struct ood_fit *fit,
		    const struct ood_rows *rows, struct ood_err *err)
{
	double *u = unit_rows(rows, err);
	int code = u ? ood_mahalanobis_add(state, fit, rows, u, err)
		     : (int)err->code;

	ood_free(u);
	return code;
}

static int mahalanobis_end(void *state, const struct ood_fit *fit,
			   struct ood_err *err)
{
	return ood_mahalanobis_end(state, fit, "mahalanobis", false, err);
}

static int mahalanobis_pp_end(void *state, const struct ood_fit *fit,
			      struct ood_err *err)
{
	return ood_mahalanobis_end(state, fit, "mahalanobis++", false, err);
}

static int rmd_end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	return ood_mahalanobis_end(state, fit, "rmd", true, err);
}

static int rmd_pp_end(void *state, const struct ood_fit *fit,
		      struct ood_err *err)
{
	return ood_mahalanobis_end(state, fit, "rmd++", true, err);
}

static int check_whiten(const struct ood_mat *A, struct ood_err *err)
{
	if (A->rows && ood_all_finite(A->data, A->rows * A->cols))
		return OOD_OK;
	return ood_fail(err, OOD_INPUT, "array whiten is empty or not finite");
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct ood_mahalanobis *s = state;
	int code = ood_class_gaussians_check(&s->now, err);

	(void)fit;
	if (!code)
		code = check_whiten(&s->whiten, err);
	if (!code && s->whiten_all.data)
		code = check_whiten(&s->whiten_all, err);
	if (!code)
		code = ood_grand_mean(s->now.count.data, &s->now.mean,
				      &s->centre, err);
	if (!code)
		code = ood_gaussians_make(&s->classes, &s->whiten, &s->now.mean,
					  &s->centre, err);
	if (!code && s->whiten_all.data)
		code = ood_gaussians_make(&s->background, &s->whiten_all,
					  &s->centre, &s->centre, err);
	return code;
}

static void release(void *state)
{
	struct ood_mahalanobis *s = state;

	ood_scatter_free(&s->sums);
	ood_mat_free(&s->centre);
	ood_mat_free(&s->whiten_all);
	ood_class_gaussians_free(&s->now);
	ood_class_gaussians_free(&s->old);
	ood_gaussians_free(&s->classes);
	ood_gaussians_free(&s->background);
}

/* -------------------------------------------------------------- scoring --- */

/* Both infinite, of features beyond all bounds: far from everything. */
static double minus(double a, double b)
{
	return isinf(a) ? a : a - b;
}

static void score_rows(const struct ood_mahalanobis *s,
		       const struct ood_args *args, const struct ood_rows *rows,
		       const double *x, double *out)
{
	size_t n = rows->n, K = s->now.mean.rows;
	bool relative = s->background.mean != NULL;
	double *d2 = ood_malloc(n * K, sizeof(*d2));
	double *all = ood_malloc(n, sizeof(*all));
	int code = d2 && all ? OOD_OK
			     : ood_fail_memory(rows->err, n * K * sizeof(*d2));

	if (!code)
		code = ood_gaussians_apply(&s->classes, x, n, 0, d2, rows->err);
	if (!code && relative)
		code = ood_gaussians_apply(&s->background, x, n, 0, all,
					   rows->err);
	for (size_t i = 0; !code && i < n; i++) {
		size_t k = ood_least(d2 + i * K, K);
		double least = d2[i * K + k];

		if (relative) {
			out[i] = minus(least, all[i]);
			continue;
		}
		out[2 * i] = ood_is_on(args, OOD_MAHA_HALF) ? least / 2 : least;
		out[2 * i + 1] = s->now.label.data[k];
	}
	ood_free(d2);
	ood_free(all);
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	score_rows(state, args, rows, rows->x, out);
}

static void score_unit(const struct ood_rows *rows, const struct ood_args *args,
		       const void *state, double *out)
{
	double *u = unit_rows(rows, rows->err);

	if (u)
		score_rows(state, args, rows, u, out);
	ood_free(u);
}

#define PRESETS(more)                                                          \
	"openood=eps=1.2e-7 pytorch-ood=divisor=n-1:ridge=1e-6:" more

const struct ood_scorer ood_scorer_mahalanobis = {
	.name = "mahalanobis",
	.aliases = "mds",
	.brief = "squared distance to the nearest class, shared covariance",
	.formula = "min_k (x - mu_k)' S^-1 (x - mu_k)",
	.cite = "Lee, Lee, Lee, Shin: A Simple Unified Framework for Detecting "
		"Out-of-Distribution Samples and Adversarial Attacks, NeurIPS "
		"2018",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES | OOD_TAKES_LABELS,
	.params = params,
	.columns = "class",
	.presets = PRESETS("half=1"),
	.check = check,
	.score = score,
	.state = sizeof(struct ood_mahalanobis),
	.kept = kept,
	.add = add,
	.next = ood_mahalanobis_next,
	.end = mahalanobis_end,
	.merge = ood_mahalanobis_merge,
	.ready = ready,
	.release = release,
	.unmergeable = unmergeable,
};

const struct ood_scorer ood_scorer_rmd = {
	.name = "rmd",
	.aliases = "rmds",
	.brief = "mahalanobis minus the distance to one background Gaussian",
	.formula = "min_k d_k^2 - d_0^2",
	.cite = "Ren, Fort, Liu, Roy, Padhy, Lakshminarayanan: A Simple Fix to "
		"Mahalanobis Distance for Improving Near-OOD Detection, arXiv "
		"2106.09022, 2021",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES | OOD_TAKES_LABELS,
	.params = rmd_params,
	.presets = PRESETS("background=sum"),
	.check = check,
	.score = score,
	.state = sizeof(struct ood_mahalanobis),
	.kept = rmd_kept,
	.add = add,
	.next = ood_mahalanobis_next,
	.end = rmd_end,
	.merge = ood_mahalanobis_merge,
	.ready = ready,
	.release = release,
	.unmergeable = unmergeable,
};

const struct ood_scorer ood_scorer_mahalanobis_pp = {
	.name = "mahalanobis++",
	.brief = "mahalanobis on unit features",
	.formula = "min_k (u - mu_k)' S^-1 (u - mu_k), u = x/||x||",
	.cite = "Mueller, Hein: Mahalanobis++: Improving OOD Detection via "
		"Feature Normalization, ICML 2025",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES | OOD_TAKES_LABELS,
	.params = params,
	.columns = "class",
	.presets = PRESETS("half=1"),
	.check = check,
	.score = score_unit,
	.state = sizeof(struct ood_mahalanobis),
	.kept = kept,
	.add = add_unit,
	.next = ood_mahalanobis_next,
	.end = mahalanobis_pp_end,
	.merge = ood_mahalanobis_merge,
	.ready = ready,
	.release = release,
	.unmergeable = unmergeable,
};

const struct ood_scorer ood_scorer_rmd_pp = {
	.name = "rmd++",
	.brief = "rmd on unit features",
	.formula = "min_k d_k^2 - d_0^2 of u = x/||x||",
	.cite = "Mueller, Hein: Mahalanobis++: Improving OOD Detection via "
		"Feature Normalization, ICML 2025",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES | OOD_TAKES_LABELS,
	.params = rmd_params,
	.presets = PRESETS("background=sum"),
	.check = check,
	.score = score_unit,
	.state = sizeof(struct ood_mahalanobis),
	.kept = rmd_kept,
	.add = add_unit,
	.next = ood_mahalanobis_next,
	.end = rmd_pp_end,
	.merge = ood_mahalanobis_merge,
	.ready = ready,
	.release = release,
	.unmergeable = unmergeable,
};
