/*
 * klm.c - Kullback-Leibler divergence to templates of the classes
 *
 *	min over k of KL(p || d_k) = sum_c p_c (ln p_c - ln max(d_kc, 1e-30))
 *
 * d_k is the mean of p over the fit rows predicted k (group=label: labelled
 * k). distance=predicted: to the template of the predicted class alone; the
 * least where that class has none. 0 ln 0 = 0. Larger = more OoD.
 *
 * Hendrycks et al.: Scaling Out-of-Distribution Detection for Real-World
 * Settings, ICML 2022.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/class_sums.h"
#include "math/vector.h"
#include "scorers/probs.h"

enum { GROUP, DISTANCE };
enum { BY_PREDICTED, BY_LABEL };
enum { LEAST, OF_PREDICTED };

static const struct ood_param params[] = {
	[GROUP] = { .kind = OOD_PARAM_WORD,
		    .name = "group",
		    .help = "what makes the groups of fit rows",
		    .choices = "predicted label" },
	[DISTANCE] = { .kind = OOD_PARAM_WORD,
		       .name = "distance",
		       .help = "to the nearest template or to one",
		       .choices = "min predicted" },
	{ .kind = OOD_PARAM_END },
};

struct klm {
	struct ood_class_sums sums; /* of probabilities */
	struct ood_mat label;	    /* K x 1 */
	struct ood_mat mean;	    /* K x C */
	double *log;		    /* K x C: ln max(mean, 1e-30) */
};

static const struct ood_kept kept[] = {
	OOD_KEPT_CLASS_SUMS_OF(struct klm, sums, "KC"),
	{ OOD_KEPT_MAT, "label", offsetof(struct klm, label), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "template", offsetof(struct klm, mean), "KC",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct klm *s = state;
	const bool by_label = fit->args->num[GROUP] == BY_LABEL;
	double *p;
	int code = OOD_OK;

	if (by_label && !rows->label)
		return ood_fail(err, OOD_USAGE,
				"klm:group=label is fitted with labels "
				"(labels=FILE, or a column label)");
	p = ood_malloc(rows->c, sizeof(*p));
	if (!p)
		return ood_fail_memory(err, rows->c * sizeof(*p));
	for (size_t i = 0; !code && i < rows->n; i++) {
		int64_t k = by_label ? rows->label[i] : rows->digest->arg[i];

		ood_rows_probs(rows, i, 1, p);
		code = ood_class_sums_add(&s->sums, &k, p, 1, rows->c, err);
	}
	ood_free(p);
	return code;
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	(void)fit;
	return ood_class_sums_join(&((struct klm *)state)->sums,
				   &((const struct klm *)from)->sums, err);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct klm *s = state;
	int code = ood_class_sums_means(&s->sums, &s->label, &s->mean, err);

	if (!code && s->label.rows < fit->c)
		ood_notes_warn(fit->notes, "no-row", fit->c - s->label.rows,
			       "klm: %zu of %zu classes have no row: they "
			       "have no template",
			       fit->c - s->label.rows, fit->c);
	return code;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct klm *s = state;
	const size_t n = s->mean.rows * s->mean.cols;
	int code = ood_class_labels_check(&s->label, err);

	(void)fit;
	if (!code && !ood_all_finite(s->mean.data, n))
		code = ood_fail(err, OOD_INPUT, "a template is not finite");
	if (code)
		return code;
	s->log = ood_malloc(n, sizeof(*s->log));
	if (!s->log)
		return ood_fail_memory(err, n * sizeof(*s->log));
	for (size_t i = 0; i < n; i++)
		s->log[i] = log(OOD_MAX(s->mean.data[i], 1e-30));
	return OOD_OK;
}

static void release(void *state)
{
	struct klm *s = state;

	ood_class_sums_free(&s->sums);
	ood_free(s->log);
}

/* ------------------------------------------------------------- scoring --- */

/* p, and in log_p ln p with 0 where p is 0. */
static void probs_of(const struct ood_rows *rows, size_t i, double *p,
		     double *log_p)
{
	ood_rows_probs(rows, i, 1, p);
	for (size_t j = 0; j < rows->c; j++)
		log_p[j] = p[j] > 0 ? ood_rows_log_prob(rows, i, 1, j) : 0;
}

static double divergence(const struct klm *s, size_t k, const double *p,
			 const double *log_p)
{
	const size_t c = s->mean.cols;
	double sum = 0;

	for (size_t j = 0; j < c; j++)
		sum += p[j] * (log_p[j] - s->log[k * c + j]);
	return sum;
}

static double least(const struct klm *s, const double *p, const double *log_p)
{
	double least = INFINITY;

	for (size_t k = 0; k < s->mean.rows; k++)
		least = OOD_MIN(least, divergence(s, k, p, log_p));
	return least;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct klm *s = state;
	const bool one = args->num[DISTANCE] == OF_PREDICTED;
	double *p = ood_malloc(2 * rows->c, sizeof(*p));

	if (!p) {
		ood_fail_memory(rows->err, 2 * rows->c * sizeof(*p));
		return;
	}
	for (size_t i = 0; i < rows->n; i++) {
		size_t k = one ? ood_class_labels_find(&s->label,
						       rows->digest->arg[i])
			       : SIZE_MAX;

		*rows->odd += one && k == SIZE_MAX;
		double *log_p = p + rows->c;
		probs_of(rows, i, p, log_p);
		out[i] = k == SIZE_MAX ? least(s, p, log_p)
				       : divergence(s, k, p, log_p);
	}
	ood_free(p);
}

const struct ood_scorer ood_scorer_klm = {
	.name = "klm",
	.brief = "Kullback-Leibler divergence to templates of the classes",
	.formula = "min_k sum p (ln p - ln d_k)",
	.cite = "Hendrycks et al.: Scaling Out-of-Distribution Detection for "
		"Real-World Settings, ICML 2022",
	.needs = OOD_NEEDS_CLASSES,
	.take = OOD_TAKE_ROWS,
	.fit = OOD_NEEDS_CLASSES | OOD_TAKES_LABELS,
	.params = params,
	.presets = "pytorch-ood=group=label:distance=predicted",
	.odd = "rows whose predicted class has no template: the nearest of "
	       "the others is taken",
	.score = score,
	.state = sizeof(struct klm),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
