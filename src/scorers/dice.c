/*
 * dice.c - weak weights of the last layer are dropped
 *
 * V = mean(x) * W, entry by entry, of the fit rows; weights are kept where V
 * is above its percentile over all C x D entries, else 0; b is kept. Then z =
 * W' x + b and a scorer of logits (score=energy): larger = more OoD by that
 * scorer.
 *
 * Sun, Li: DICE: Leveraging Sparsification for Out-of-Distribution Detection,
 * ECCV 2022.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/percentile.h"
#include "math/vector.h"
#include "scorers/centre.h"

enum { PERCENTILE };

static const struct ood_param params[] = {
	[PERCENTILE] = { .kind = OOD_PARAM_REAL,
			 .name = "percentile",
			 .help = "of the weights that are dropped, in percent",
			 .def = 90,
			 .lo = 0,
			 .hi = 100 },
	{ .kind = OOD_PARAM_END },
};

struct dice {
	struct ood_centre centre;
	struct ood_layer layer; /* what is kept of the head */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CENTRE(struct dice, centre),
	{ .kind = OOD_KEPT_END },
};

/* *W gets the weights of the head that are kept; how many. */
static int drop(const struct dice *s, const struct ood_fit *fit,
		struct ood_mat *W, size_t *left, struct ood_err *err)
{
	const struct ood_mat *all = &fit->head->W;
	size_t n = all->rows * all->cols;
	double *v = ood_malloc(n, sizeof(*v));
	int code = v ? ood_mat_make(W, all->rows, all->cols, err)
		     : ood_fail_memory(err, n * sizeof(*v));

	*left = 0;
	for (size_t i = 0; !code && i < n; i++)
		v[i] = s->centre.mean.data[i % all->cols] * all->data[i];
	if (!code) {
		double cut = ood_percentile(v, n, fit->args->num[PERCENTILE]);

		for (size_t i = 0; i < n; i++) {
			double x = s->centre.mean.data[i % all->cols] *
				   all->data[i];

			W->data[i] = x > cut ? all->data[i] : 0;
			*left += x > cut;
		}
	}
	ood_free(v);
	return code;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct dice *s = state;
	struct ood_mat W = { 0 }, b = { 0 };
	size_t left = 0;
	int code;

	if (!fit->head)
		return ood_fail(err, OOD_INPUT, "dice: there is no last layer");
	if (s->centre.mean.cols != fit->head->W.cols ||
	    !ood_all_finite(s->centre.mean.data, s->centre.mean.cols))
		return ood_fail(err, OOD_INPUT,
				"dice: the mean does not go with the last "
				"layer");
	code = drop(s, fit, &W, &left, err);
	if (!code && fit->head->b.rows) {
		code = ood_mat_make(&b, 1, fit->head->b.cols, err);
		if (!code)
			memcpy(b.data, fit->head->b.data,
			       b.cols * sizeof(*b.data));
	}
	if (!code)
		ood_notes_say(fit->notes, "dice: %zu of %zu weights are kept",
			      left, W.rows * W.cols);
	if (!code)
		code = ood_layer_make(&s->layer, &W, &b, err);
	ood_mat_free(&W);
	ood_mat_free(&b);
	return code;
}

static void release(void *state)
{
	struct dice *s = state;

	ood_layer_free(&s->layer);
}

static void reshape(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *z)
{
	const struct dice *s = state;

	(void)args;
	ood_layer_apply(&s->layer, rows->x, rows->n, z, rows->err);
}

const struct ood_scorer ood_scorer_dice = {
	.name = "dice",
	.brief = "strong weights alone, then a logit scorer",
	.formula = "energy of W' x + b; W' = W where mean(x) W is large",
	.cite = "Sun, Li: DICE: Leveraging Sparsification for "
		"Out-of-Distribution Detection, ECCV 2022",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD,
	.params = params,
	.presets = "paper=percentile=70",
	.reshape = reshape,
	.state = sizeof(struct dice),
	.kept = kept,
	.add = ood_centre_add,
	.merge = ood_centre_merge,
	.end = ood_centre_end,
	.ready = ready,
	.release = release,
};
