/*
 * fdbd.c - how near the features are to the decision boundaries
 *
 *	-(mean over c != h of (z_h - z_c) / ||w_h - w_c||) / n(x)
 *
 * with h the predicted class, n(x) = ||x - mu|| (mu the mean of the fit rows),
 * ||x||, or 1; at least 1e-8. Classes whose weights equal those of h have no
 * boundary and are left out. Larger = more OoD.
 *
 * Liu, Qin: Fast Decision Boundary based Out-of-Distribution Detector, ICML
 * 2024.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"
#include "scorers/centre.h"

enum { NORM, SUM };
enum norm { MEAN_DISTANCE, FEATURE, NONE };

static const struct ood_param params[] = {
	[NORM] = { .kind = OOD_PARAM_WORD,
		   .name = "norm",
		   .help = "what the distance is divided by",
		   .choices = "mean-distance feature none" },
	[SUM] = { .kind = OOD_PARAM_SWITCH,
		  .name = "sum",
		  .help = "the sum over the classes, not their mean",
		  .def = 0,
		  .lo = 0,
		  .hi = 1 },
	{ .kind = OOD_PARAM_END },
};

struct fdbd {
	struct ood_centre centre;
	/* Of the head that it was made for. */
	const double *W;
	double *apart; /* C x C: ||w_i - w_j||; NULL: too large to keep */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CENTRE(struct fdbd, centre),
	{ .kind = OOD_KEPT_END },
};

static bool is_fixed(const struct ood_args *args)
{
	return args->num[NORM] != MEAN_DISTANCE;
}

/* --------------------------------------------------------------- ready --- */

static double apart(const struct ood_mat *W, size_t i, size_t j)
{
	const double *w = W->data;

	return sqrt(ood_distance2(w + i * W->cols, w + j * W->cols, W->cols));
}

/* Beyond 128 MiB distances are computed row by row: a table of the 21841
 * classes of ImageNet-22k would take 4 GB. */
#define TABLE_CLASSES 4096

static int make_table(struct fdbd *s, const struct ood_mat *W,
		      struct ood_err *err)
{
	size_t c = W->rows;

	if (c > TABLE_CLASSES)
		return OOD_OK;
	s->apart = ood_malloc(c * c, sizeof(*s->apart));
	if (!s->apart)
		return ood_fail_memory(err, c * c * sizeof(*s->apart));
#pragma omp parallel for schedule(dynamic)
	for (size_t i = 0; i < c; i++)
		for (size_t j = 0; j <= i; j++)
			s->apart[i * c + j] = s->apart[j * c + i] =
				apart(W, i, j);
	return OOD_OK;
}

static void release(void *state)
{
	struct fdbd *s = state;

	ood_free(s->apart);
	s->apart = NULL;
	s->W = NULL;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct fdbd *s = state;

	if (!fit->head)
		return ood_fail(err, OOD_USAGE,
				"scorer fdbd needs the last layer "
				"(--head-weights FILE)");
	if (s->W == fit->head->W.data)
		return OOD_OK;
	release(s);
	int code = ood_centre_check(&s->centre, err);
	if (code)
		return code;
	s->W = fit->head->W.data;
	return make_table(s, &fit->head->W, err);
}

/* ------------------------------------------------------------- scoring --- */

/* Sum or mean of the distances to the boundaries of class h. */
static double margin(const struct fdbd *s, const struct ood_mat *W,
		     const double *z, size_t h, bool mean)
{
	double sum = 0;
	size_t used = 0;

	for (size_t c = 0; c < W->rows; c++) {
		double d = c == h     ? 0
			   : s->apart ? s->apart[h * W->rows + c]
				      : apart(W, h, c);

		if (d == 0)
			continue;
		sum += (z[h] - z[c]) / OOD_MAX(d, 1e-8);
		used++;
	}
	return mean && used ? sum / (double)used : sum;
}

static double norm_of(const struct fdbd *s, enum norm norm, const double *x,
		      size_t d)
{
	switch (norm) {
	case MEAN_DISTANCE:
		return sqrt(ood_distance2(x, s->centre.mean.data, d));
	case FEATURE:
		return ood_norm(x, d);
	default:
		return 1;
	}
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct fdbd *s = state;
	const struct ood_mat *W = &rows->head->W;
	enum norm norm = (enum norm)args->num[NORM];

	for (size_t i = 0; i < rows->n; i++) {
		double to = margin(s, W, rows->z + i * rows->c,
				   rows->digest->arg[i], !args->num[SUM]);
		double by = norm_of(s, norm, rows->x + i * rows->d, rows->d);

		out[i] = -to / OOD_MAX(by, 1e-8);
	}
}

const struct ood_scorer ood_scorer_fdbd = {
	.name = "fdbd",
	.brief = "distance to the decision boundaries",
	.formula = "-mean_c (z_h - z_c)/||w_h - w_c|| / ||x - mu||",
	.cite = "Liu, Qin: Fast Decision Boundary based Out-of-Distribution "
		"Detector, ICML 2024",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS | OOD_NEEDS_HEAD,
	.take = OOD_TAKE_ROWS | OOD_TAKE_FINITE,
	.fit = OOD_NEEDS_FEATURES,
	.fixed = is_fixed,
	.params = params,
	.presets = "openood=sum=1",
	.score = score,
	.state = sizeof(struct fdbd),
	.kept = kept,
	.add = ood_centre_add,
	.merge = ood_centre_merge,
	.end = ood_centre_end,
	.ready = ready,
	.release = release,
};
