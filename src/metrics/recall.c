/*
 * recall.c - one rate of the ROC curve at a given other rate
 *
 * All by bisection in the sorted scores. Definitions of the false positive
 * rate at recall q that are in use (k = number of positives found):
 *
 *	first		least FPR among vertices with k >= q P
 *	nearest		vertex whose recall is nearest to q; of two as near the
 *			one of higher recall, then of smaller FPR
 *	hendrycks	the same, but of equal recalls the largest FPR (the
 *			smallest for recall 1), as the code of Hendrycks and
 *			Gimpel has it
 *	openood-v1	t = the floor(q N)-th smallest ID score, FPR = share of
 *			OoD rows strictly below; ID positive
 *	slack		first with k >= (q - 0.0005) P (FD-Shifts)
 */
#include "math/order.h"
#include "math/quota.h"
#include "metrics/figure.h"

/* Positives and negatives; positives lie up or down the scale. */
struct side {
	const double *pos, *neg;
	size_t n_pos, n_neg;
	bool up;
};

static struct side side_of(const struct ood_curve *c, bool id_positive)
{
	if (id_positive)
		return (struct side){ c->id, c->ood, c->n_id, c->n_ood, false };
	return (struct side){ c->ood, c->id, c->n_ood, c->n_id, true };
}

/* The k-th score from the positive end, k from 1. */
static double nth(const struct side *s, const double *x, size_t n, size_t k)
{
	return s->up ? x[n - k] : x[k - 1];
}

/* Rows at t or further towards the positive end. */
static size_t reach(const struct side *s, const double *x, size_t n, double t)
{
	return s->up ? n - ood_count_below(x, n, t) : ood_count_upto(x, n, t);
}

/* Rows strictly further. */
static size_t beyond(const struct side *s, const double *x, size_t n, double t)
{
	return s->up ? n - ood_count_upto(x, n, t) : ood_count_below(x, n, t);
}

/* False positives at the first vertex with k positives. */
static size_t first_with(const struct side *s, size_t k)
{
	if (!k)
		return 0;
	return reach(s, s->neg, s->n_neg, nth(s, s->pos, s->n_pos, k));
}

/* False positives at the last vertex with k positives. */
static size_t last_with(const struct side *s, size_t k)
{
	if (k == s->n_pos)
		return first_with(s, k);
	return beyond(s, s->neg, s->n_neg, nth(s, s->pos, s->n_pos, k + 1));
}

static size_t nearest_with(const struct side *s, double q, bool last)
{
	double want = q * (double)s->n_pos;
	size_t k = OOD_MAX(ood_quota_least(q, s->n_pos), 1);
	double t = nth(s, s->pos, s->n_pos, k);
	size_t above = reach(s, s->pos, s->n_pos, t);
	size_t below = beyond(s, s->pos, s->n_pos, t);

	if ((double)above - want <= want - (double)below + 1e-9)
		k = above;
	else
		k = below;
	return last ? last_with(s, k) : first_with(s, k);
}

static size_t openood_v1(const struct side *s, double q)
{
	size_t k = ood_quota_most(q, s->n_pos);

	if (!k)
		return 0;
	return beyond(s, s->neg, s->n_neg, nth(s, s->pos, s->n_pos, k));
}

static double share(size_t k, size_t n)
{
	return (double)k / (double)n;
}

static struct ood_value fpr95(const struct ood_evidence *evidence,
			      bool id_positive)
{
	const char *reason = ood_one_sided(&evidence->curve);
	struct side s = side_of(&evidence->curve, id_positive);

	if (reason)
		return ood_value_undefined(reason);
	return ood_value_ok(
		share(first_with(&s, ood_quota_least(0.95, s.n_pos)), s.n_neg));
}

static struct ood_value fpr95_ood(const struct ood_evidence *evidence,
				  const struct ood_args *args)
{
	(void)args;
	return fpr95(evidence, false);
}

static struct ood_value fpr95_id(const struct ood_evidence *evidence,
				 const struct ood_args *args)
{
	(void)args;
	return fpr95(evidence, true);
}

const struct ood_metric ood_metric_fpr95_ood = {
	.name = "fpr95_ood",
	.brief = "share of ID rows flagged where 95 % of the OoD rows are",
	.formula = "#{ID >= t}/N, t = k-th largest OoD score, k = "
		   "ceil(0.95 P)",
	.cite = "Hendrycks, Mazeika, Dietterich: Deep anomaly detection with "
		"outlier exposure, ICLR 2019",
	.kind = OOD_METRIC_DETECTION,
	.shown = true,
	.value = fpr95_ood,
	.meant = "fpr95 fpr-95 fpr@95 fpr95tpr fpr@95tpr fpr95_tpr fpr_at_95",
};

const struct ood_metric ood_metric_fpr95_id = {
	.name = "fpr95_id",
	.brief = "share of OoD rows accepted where 95 % of the ID rows are",
	.formula = "#{OoD <= t}/P, t = k-th smallest ID score, k = "
		   "ceil(0.95 N)",
	.cite = "Liang, Li, Srikant: Enhancing the reliability of "
		"out-of-distribution image detection in neural networks, "
		"ICLR 2018",
	.kind = OOD_METRIC_DETECTION,
	.shown = true,
	.value = fpr95_id,
};

enum { FPR_TPR, FPR_POSITIVE, FPR_METHOD };
enum { FIRST, NEAREST, OPENOOD_V1, SLACK, HENDRYCKS };

static const struct ood_param fpr_params[] = {
	[FPR_TPR] = { .kind = OOD_PARAM_REAL,
		      .name = "tpr",
		      .help = "recall of the positive class",
		      .def = 0.95,
		      .lo = 0,
		      .hi = 1,
		      .lo_open = true },
	[FPR_POSITIVE] = { .kind = OOD_PARAM_WORD,
			   .name = "positive",
			   .help = "positive class (openood-v1: id)",
			   .choices = "ood id" },
	[FPR_METHOD] = { .kind = OOD_PARAM_WORD,
			 .name = "method",
			 .help = "which vertex",
			 .choices = "first nearest openood-v1 slack "
				    "hendrycks" },
	{ .kind = OOD_PARAM_END },
};

static size_t false_positives(const struct side *s, double q, int method)
{
	switch (method) {
	case NEAREST:
		return nearest_with(s, q, false);
	case HENDRYCKS:
		return nearest_with(s, q, true);
	case OPENOOD_V1:
		return openood_v1(s, q);
	case SLACK:
		q = OOD_MAX(q - 0.0005, 0);
		break;
	default:
		break;
	}
	return first_with(s, ood_quota_least(q, s->n_pos));
}

static struct ood_value fpr(const struct ood_evidence *evidence,
			    const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);
	int method = (int)args->num[FPR_METHOD];
	bool id_positive = args->num[FPR_POSITIVE] > 0;

	if (reason)
		return ood_value_undefined(reason);
	if (method == OPENOOD_V1 && !args->given[FPR_POSITIVE])
		id_positive = true;
	struct side s = side_of(&evidence->curve, id_positive);

	return ood_value_ok(share(
		false_positives(&s, args->num[FPR_TPR], method), s.n_neg));
}

const struct ood_metric ood_metric_fpr = {
	.name = "fpr",
	.brief = "false positive rate at a given recall",
	.formula = "least FPR over t with TPR >= q",
	.cite = "Hendrycks, Mazeika, Dietterich: Deep anomaly detection with "
		"outlier exposure, ICLR 2019",
	.kind = OOD_METRIC_DETECTION,
	.params = fpr_params,
	.value = fpr,
};

enum { TPR_FPR, TPR_POSITIVE };

static const struct ood_param tpr_params[] = {
	[TPR_FPR] = { .kind = OOD_PARAM_REAL,
		      .name = "fpr",
		      .help = "false positive rate allowed",
		      .def = 0.05,
		      .lo = 0,
		      .hi = 1 },
	[TPR_POSITIVE] = { .kind = OOD_PARAM_WORD,
			   .name = "positive",
			   .help = "positive class",
			   .choices = "ood id" },
	{ .kind = OOD_PARAM_END },
};

/* With `allowed` false positives every threshold is open that lies beyond
 * the next negative. */
static struct ood_value tpr(const struct ood_evidence *evidence,
			    const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);
	struct side s = side_of(&evidence->curve, args->num[TPR_POSITIVE] > 0);

	if (reason)
		return ood_value_undefined(reason);
	size_t allowed = ood_quota_most(args->num[TPR_FPR], s.n_neg);

	if (allowed == s.n_neg)
		return ood_value_ok(1);
	double t = nth(&s, s.neg, s.n_neg, allowed + 1);

	return ood_value_ok(share(beyond(&s, s.pos, s.n_pos, t), s.n_pos));
}

const struct ood_metric ood_metric_tpr = {
	.name = "tpr",
	.brief = "recall at a given false positive rate",
	.formula = "largest TPR over t with FPR <= f",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.params = tpr_params,
	.value = tpr,
};
