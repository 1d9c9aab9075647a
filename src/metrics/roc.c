/*
 * roc.c - figures of the ROC curve
 *
 * P OoD rows, N ID rows; at threshold t, TPR = #{OoD >= t}/P and FPR =
 * #{ID >= t}/N. Ties count half in the AUROC.
 *
 * Fawcett: An introduction to ROC analysis, Pattern Recognition Letters 27
 * (2006) 861-874. Youden: Index for rating diagnostic tests, Cancer 3 (1950)
 * 32-35.
 */
#include "metrics/delong.h"
#include "metrics/figure.h"

static const struct ood_param auroc_params[] = {
	{ .kind = OOD_PARAM_WORD,
	  .name = "ci",
	  .help = "scale of the DeLong interval",
	  .choices = "logit raw" },
	{ .kind = OOD_PARAM_END },
};

#define AUROC_CITE                                                             \
	"DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or "    \
	"more correlated receiver operating characteristic curves, "           \
	"Biometrics 44 (1988)"

static struct ood_value auroc(const struct ood_evidence *evidence,
			      const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);
	struct ood_tally room;

	if (reason)
		return ood_value_undefined(reason);
	return ood_auroc(&evidence->curve, ood_tally_of(evidence, &room),
			 evidence->level,
			 args->num[0] > 0 ? OOD_DELONG_RAW : OOD_DELONG_LOGIT);
}

const struct ood_metric ood_metric_auroc = {
	.name = "auroc",
	.brief = "area under the ROC curve",
	.formula = "P(OoD > ID) + P(OoD = ID)/2",
	.cite = AUROC_CITE,
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.shown = true,
	.params = auroc_params,
	.value = auroc,
	.meant = "auc roc roc_auc roc-auc auroc_ood rocauc",
};

static struct ood_value bound(const struct ood_evidence *evidence,
			      const struct ood_args *args, bool upper)
{
	struct ood_value area = auroc(evidence, args), v;

	if (area.status != OOD_STATUS_OK)
		return area;
	if (isnan(area.lo))
		return ood_value_undefined(
			"an interval needs two rows on each side");
	v = ood_value_ok(upper ? area.hi : area.lo);
	v.method = area.method;
	return v;
}

static struct ood_value auroc_lo(const struct ood_evidence *evidence,
				 const struct ood_args *args)
{
	return bound(evidence, args, false);
}

static struct ood_value auroc_hi(const struct ood_evidence *evidence,
				 const struct ood_args *args)
{
	return bound(evidence, args, true);
}

const struct ood_metric ood_metric_auroc_lo = {
	.name = "auroc_lo",
	.brief = "lower end of the AUROC's interval",
	.formula = "logit(A) - z se/(A (1 - A)), transformed back",
	.cite = AUROC_CITE,
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.shown = true,
	.is_bound = true,
	.params = auroc_params,
	.value = auroc_lo,
};

const struct ood_metric ood_metric_auroc_hi = {
	.name = "auroc_hi",
	.brief = "upper end of the AUROC's interval",
	.formula = "logit(A) + z se/(A (1 - A)), transformed back",
	.cite = AUROC_CITE,
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.shown = true,
	.is_bound = true,
	.params = auroc_params,
	.value = auroc_hi,
};

/* TPR - FPR is youden of the tally, in units of 1/(P N). */
static struct ood_value youden(const struct ood_evidence *evidence,
			       const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);
	const struct ood_curve *c = &evidence->curve;
	struct ood_tally room;

	(void)args;
	if (reason)
		return ood_value_undefined(reason);
	ood_i128 all = (ood_i128)c->n_id * (ood_i128)c->n_ood;
	ood_i128 best = ood_tally_of(evidence, &room)->youden;

	return ood_value_ok((double)best / (double)all);
}

const struct ood_metric ood_metric_youden = {
	.name = "youden",
	.brief = "Youden's J",
	.formula = "max over t of TPR - FPR",
	.cite = "Youden: Index for rating diagnostic tests, Cancer 3 (1950)",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.value = youden,
	.meant = "j",
};

/* (1 - J)/2 with 1 - J formed in integers. */
static struct ood_value detection_error(const struct ood_evidence *evidence,
					const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);
	const struct ood_curve *c = &evidence->curve;
	struct ood_tally room;

	(void)args;
	if (reason)
		return ood_value_undefined(reason);
	ood_i128 all = (ood_i128)c->n_id * (ood_i128)c->n_ood;
	ood_i128 rest = all - ood_tally_of(evidence, &room)->youden;

	return ood_value_ok((double)rest / (double)(2 * all));
}

const struct ood_metric ood_metric_detection_error = {
	.name = "detection_error",
	.brief = "least error rate when ID and OoD are equally frequent",
	.formula = "min over t of (1 - TPR)/2 + FPR/2",
	.cite = "Liang, Li, Srikant: Enhancing the reliability of "
		"out-of-distribution image detection in neural networks, "
		"ICLR 2018",
	.kind = OOD_METRIC_DETECTION,
	.shown = true,
	.value = detection_error,
	.meant = "dterr de detection-error",
};

static struct ood_value error_rate(const struct ood_evidence *evidence,
				   const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	const char *reason = ood_one_sided(c);
	struct ood_vertex v = ood_curve_start();
	size_t least = c->n_ood;

	(void)args;
	if (reason)
		return ood_value_undefined(reason);
	while (ood_curve_next(c, &v))
		least = OOD_MIN(least, c->n_ood - v.tp + v.fp);
	return ood_value_ok((double)least / (double)(c->n_id + c->n_ood));
}

const struct ood_metric ood_metric_error_rate = {
	.name = "error_rate",
	.brief = "least share of rows on the wrong side of a threshold",
	.formula = "min over t of (FN + FP)/n",
	.kind = OOD_METRIC_DETECTION,
	.value = error_rate,
};

static const struct ood_param fbeta_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "beta",
	  .help = "weight of recall against precision",
	  .def = 1,
	  .lo = 0,
	  .hi = 1e6,
	  .lo_open = true },
	{ .kind = OOD_PARAM_END },
};

static struct ood_value fbeta(const struct ood_evidence *evidence,
			      const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	struct ood_vertex v = ood_curve_start();
	double b2 = args->num[0] * args->num[0], best = 0;

	if (!c->n_ood)
		return ood_value_undefined("no OoD rows");
	while (ood_curve_next(c, &v)) {
		double f = (1 + b2) * (double)v.tp /
			   (b2 * (double)c->n_ood + (double)(v.tp + v.fp));

		best = OOD_MAX(best, f);
	}
	return ood_value_ok(best);
}

const struct ood_metric ood_metric_fbeta = {
	.name = "fbeta",
	.brief = "largest F-measure",
	.formula = "max over t of (1 + b^2) TP/((1 + b^2) TP + b^2 FN + FP)",
	.cite = "van Rijsbergen: Information Retrieval, 2nd edition, 1979",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.params = fbeta_params,
	.value = fbeta,
	.meant = "f1 f1_score f1-score",
};

enum { EER_INTERPOLATED, EER_NEAREST };

static const struct ood_param eer_params[] = {
	{ .kind = OOD_PARAM_WORD,
	  .name = "method",
	  .help = "on the line between vertices, or the mean of FPR and FNR at "
		  "the nearest vertex",
	  .choices = "interpolated nearest" },
	{ .kind = OOD_PARAM_END },
};

/* (FPR - FNR) P N */
static ood_i128 imbalance(const struct ood_curve *c, const struct ood_vertex *v)
{
	return (ood_i128)v->fp * (ood_i128)c->n_ood -
	       (ood_i128)(c->n_ood - v->tp) * (ood_i128)c->n_id;
}

static double eer_interpolated(const struct ood_curve *c)
{
	struct ood_vertex v = ood_curve_start(), before = v;
	ood_i128 d = imbalance(c, &v), d_before = d;

	/* d rises from -P N at the origin to P N at the end. */
	while (d < 0) {
		before = v;
		d_before = d;
		if (!ood_curve_next(c, &v))
			break;
		d = imbalance(c, &v);
	}
	double x = (double)-d_before / (double)(d - d_before);

	return ((double)before.fp + x * (double)(v.fp - before.fp)) /
	       (double)c->n_id;
}

static double eer_nearest(const struct ood_curve *c)
{
	struct ood_vertex v = ood_curve_start(), best = v;
	ood_i128 least = -imbalance(c, &v);

	while (ood_curve_next(c, &v)) {
		ood_i128 d = imbalance(c, &v);

		d = d < 0 ? -d : d;
		if (d < least) {
			least = d;
			best = v;
		}
	}
	return ((double)best.fp / (double)c->n_id +
		(double)(c->n_ood - best.tp) / (double)c->n_ood) /
	       2;
}

static struct ood_value eer(const struct ood_evidence *evidence,
			    const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);

	if (reason)
		return ood_value_undefined(reason);
	if ((int)args->num[0] == EER_NEAREST)
		return ood_value_ok(eer_nearest(&evidence->curve));
	return ood_value_ok(eer_interpolated(&evidence->curve));
}

const struct ood_metric ood_metric_eer = {
	.name = "eer",
	.brief = "equal error rate",
	.formula = "FPR where the ROC polyline meets FPR = 1 - TPR",
	.cite = "Martin et al.: The DET curve in assessment of detection task "
		"performance, Eurospeech 1997",
	.kind = OOD_METRIC_DETECTION,
	.params = eer_params,
	.value = eer,
};
