/*
 * pr.c - areas under the precision-recall curve
 *
 * Vertices j at the distinct scores, R_j recall and P_j precision there:
 *
 *	step		AP = sum_j (R_j - R_{j-1}) P_j,	R_0 = 0
 *	trapezoid	polyline through (0, 1) and the (R_j, P_j)
 *
 * The step sum is `aupr_ood` and `aupr_id`; the trapezoid is optimistic (Davis,
 * Goadrich: The relationship between precision-recall and ROC curves, ICML
 * 2006) and is there to reproduce papers that used it.
 */
#include "metrics/figure.h"

static struct ood_value average(double precision, size_t n_pos, size_t n_neg,
				const char *reason)
{
	if (!n_pos)
		return ood_value_undefined(reason);
	if (!n_neg)
		return ood_value_ok(1);
	return ood_value_ok(precision / (double)n_pos);
}

static struct ood_value aupr_ood(const struct ood_evidence *evidence,
				 const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	struct ood_tally room;

	(void)args;
	return average(ood_tally_of(evidence, &room)->precision_ood, c->n_ood,
		       c->n_id, "no OoD rows");
}

static struct ood_value aupr_id(const struct ood_evidence *evidence,
				const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	struct ood_tally room;

	(void)args;
	return average(ood_tally_of(evidence, &room)->precision_id, c->n_id,
		       c->n_ood, "no ID rows");
}

const struct ood_metric ood_metric_aupr_ood = {
	.name = "aupr_ood",
	.brief = "average precision, OoD positive",
	.formula = "sum_j (R_j - R_{j-1}) P_j over distinct scores downwards",
	.cite = "Davis, Goadrich: The relationship between precision-recall "
		"and ROC curves, ICML 2006",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.shown = true,
	.value = aupr_ood,
	.meant = "ap aupr auprc pr_auc average_precision aupr_out aupr-out "
		 "auprout aupr_error",
};

const struct ood_metric ood_metric_aupr_id = {
	.name = "aupr_id",
	.brief = "average precision, ID positive",
	.formula = "sum_j (R_j - R_{j-1}) P_j over distinct scores upwards",
	.cite = "Davis, Goadrich: The relationship between precision-recall "
		"and ROC curves, ICML 2006",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.shown = true,
	.value = aupr_id,
	.meant = "aupr_in aupr-in auprin aupr_success",
};

/* 1 where nothing is flagged: the point (0, 1). */
static double precision(size_t right, size_t wrong)
{
	if (!(right + wrong))
		return 1;
	return (double)right / (double)(right + wrong);
}

static double trapezoid_ood(const struct ood_curve *c,
			    const struct ood_vertex *v)
{
	(void)c;
	if (!v->dtp)
		return 0;
	return (double)v->dtp *
	       (precision(v->tp, v->fp) +
		precision(v->tp - v->dtp, v->fp - v->dfp)) /
	       2;
}

/* ID positive: flagged are the rows at or below the score, and before this
 * vertex those below it. */
static double trapezoid_id(const struct ood_curve *c,
			   const struct ood_vertex *v)
{
	size_t id = c->n_id - v->fp, ood = c->n_ood - v->tp;

	if (!v->dfp)
		return 0;
	return (double)v->dfp *
	       (precision(id + v->dfp, ood + v->dtp) + precision(id, ood)) / 2;
}

static const struct ood_param trapz_params[] = {
	{ .kind = OOD_PARAM_WORD,
	  .name = "positive",
	  .help = "positive class",
	  .choices = "ood id" },
	{ .kind = OOD_PARAM_END },
};

static struct ood_value aupr_trapz(const struct ood_evidence *evidence,
				   const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;

	if (args->num[0] > 0)
		return average(ood_walk_sum(c, trapezoid_id), c->n_id, c->n_ood,
			       "no ID rows");
	return average(ood_walk_sum(c, trapezoid_ood), c->n_ood, c->n_id,
		       "no OoD rows");
}

const struct ood_metric ood_metric_aupr_trapz = {
	.name = "aupr_trapz",
	.brief = "area under the precision-recall polyline (optimistic)",
	.formula = "sum_j (R_j - R_{j-1}) (P_j + P_{j-1})/2, P_0 = 1",
	.cite = "Davis, Goadrich: The relationship between precision-recall "
		"and ROC curves, ICML 2006",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.params = trapz_params,
	.value = aupr_trapz,
};
