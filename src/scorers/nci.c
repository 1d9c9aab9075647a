/*
 * nci.c - how near the features are to the weights of their class
 *
 *	-(<w_h, x - mu> / ||x - mu||_2 + alpha ||x||_1)
 *
 * with h the predicted class and mu the mean of the fit rows; x = mu: the
 * first term is 0. Larger = more OoD.
 *
 * Liu, Qin: Detecting Out-of-Distribution through the Lens of Neural Collapse,
 * CVPR 2025.
 */
#include "core/err.h"
#include "math/vector.h"
#include "scorers/centre.h"

enum { ALPHA };

static const struct ood_param params[] = {
	[ALPHA] = { .kind = OOD_PARAM_REAL,
		    .name = "alpha",
		    .help = "weight of the L1 norm",
		    .def = 1e-4,
		    .lo = 0,
		    .hi = INFINITY },
	{ .kind = OOD_PARAM_END },
};

struct nci {
	struct ood_centre centre;
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CENTRE(struct nci, centre),
	{ .kind = OOD_KEPT_END },
};

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	(void)fit;
	return ood_centre_check(&((const struct nci *)state)->centre, err);
}

static double closeness(const double *w, const double *x, const double *mean,
			size_t d)
{
	double dot = 0, away = sqrt(ood_distance2(x, mean, d));

	for (size_t j = 0; j < d; j++)
		dot += w[j] * (x[j] - mean[j]);
	return away > 0 ? dot / away : 0;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct nci *s = state;
	const size_t d = rows->d;

	for (size_t i = 0; i < rows->n; i++) {
		const double *x = rows->x + i * d;
		const double *w = rows->head->W.data + rows->digest->arg[i] * d;

		out[i] = -(closeness(w, x, s->centre.mean.data, d) +
			   args->num[ALPHA] * ood_norm_l1(x, d));
	}
}

const struct ood_scorer ood_scorer_nci = {
	.name = "nci",
	.brief = "closeness of the features to the weights of their class",
	.formula = "-(<w_h, x - mu>/||x - mu|| + alpha ||x||_1)",
	.cite = "Liu, Qin: Detecting Out-of-Distribution through the Lens of "
		"Neural Collapse, CVPR 2025",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS | OOD_NEEDS_HEAD,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.score = score,
	.state = sizeof(struct nci),
	.kept = kept,
	.add = ood_centre_add,
	.merge = ood_centre_merge,
	.end = ood_centre_end,
	.ready = ready,
};
