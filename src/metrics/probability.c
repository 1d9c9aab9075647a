/*
 * probability.c - figures of class probabilities against labels
 */
#include "metrics/calibration.h"
#include "metrics/figure.h"

static struct ood_value mean(const struct ood_evidence *evidence, bool brier)
{
	const struct ood_calibration *c = evidence->calibration;
	double sums[2];

	if (!c || !ood_calibration_rows(c))
		return ood_value_undefined("no rows");
	if (!ood_calibration_sums(c, &sums[0], &sums[1]))
		return ood_value_undefined("no class probabilities");
	return ood_value_ok(sums[brier] / (double)ood_calibration_rows(c));
}

static struct ood_value nll(const struct ood_evidence *evidence,
			    const struct ood_args *args)
{
	(void)args;
	return mean(evidence, false);
}

static struct ood_value brier(const struct ood_evidence *evidence,
			      const struct ood_args *args)
{
	(void)args;
	return mean(evidence, true);
}

const struct ood_metric ood_metric_nll = {
	.name = "nll",
	.brief = "negative log-likelihood of the labels",
	.formula = "mean of -ln p_y",
	.cite = "Good: Rational decisions, Journal of the Royal Statistical "
		"Society B 14 (1952)",
	.kind = OOD_METRIC_PROBABILITY,
	.shown = true,
	.value = nll,
	.meant = "ce log_loss cross_entropy",
};

const struct ood_metric ood_metric_brier = {
	.name = "brier",
	.brief = "Brier score over all classes, 0..2",
	.formula = "mean of sum_k (p_k - [k = y])^2",
	.cite = "Brier: Verification of forecasts expressed in terms of "
		"probability, Monthly Weather Review 78 (1950)",
	.kind = OOD_METRIC_PROBABILITY,
	.shown = true,
	.value = brier,
	.meant = "bs brier_score mse",
};

enum { BINS, LEFT };

static const struct ood_param bin_params[] = {
	[BINS] = { .kind = OOD_PARAM_INT,
		   .name = "bins",
		   .help = "bins of equal width",
		   .def = 15,
		   .lo = 1,
		   .hi = OOD_BINS_MAX },
	[LEFT] = { .kind = OOD_PARAM_SWITCH,
		   .name = "left",
		   .help = "bins [a, b) instead of (a, b]" },
	{ .kind = OOD_PARAM_END },
};

int ood_calibration_want(struct ood_calibration *calibration,
			 const struct ood_measure *measure, struct ood_err *err)
{
	if (measure->metric->params != bin_params)
		return OOD_OK;
	return ood_calibration_bin(calibration, (size_t)measure->args.num[BINS],
				   measure->args.num[LEFT] > 0, err);
}

static const struct ood_bins *bins_of(const struct ood_evidence *evidence,
				      const struct ood_args *args)
{
	if (!evidence->calibration ||
	    !ood_calibration_rows(evidence->calibration))
		return NULL;
	return ood_calibration_bins(evidence->calibration,
				    (size_t)args->num[BINS],
				    args->num[LEFT] > 0);
}

static struct ood_value ece(const struct ood_evidence *evidence,
			    const struct ood_args *args)
{
	const struct ood_bins *bins = bins_of(evidence, args);
	struct ood_sum sum = { 0 };
	uint64_t n = 0;

	if (!bins)
		return ood_value_undefined("no rows");
	for (size_t i = 0; i < bins->m; i++) {
		const struct ood_bin *b = &bins->bin[i];

		ood_sum_add(&sum, fabs(ood_sum_value(&b->confidence) -
				       (double)b->right));
		n += b->n;
	}
	return ood_value_ok(ood_sum_value(&sum) / (double)n);
}

static struct ood_value mce(const struct ood_evidence *evidence,
			    const struct ood_args *args)
{
	const struct ood_bins *bins = bins_of(evidence, args);
	double worst = 0;

	if (!bins)
		return ood_value_undefined("no rows");
	for (size_t i = 0; i < bins->m; i++)
		if (bins->bin[i].n)
			worst = OOD_MAX(worst, fabs(ood_bins_row(bins, i).gap));
	return ood_value_ok(worst);
}

const struct ood_metric ood_metric_ece = {
	.name = "ece",
	.brief = "expected calibration error of the top label",
	.formula = "sum_b (n_b/n) |mean confidence - accuracy|",
	.cite = "Naeini, Cooper, Hauskrecht: Obtaining well calibrated "
		"probabilities using Bayesian binning, AAAI 2015",
	.kind = OOD_METRIC_PROBABILITY,
	.shown = true,
	.params = bin_params,
	.value = ece,
};

const struct ood_metric ood_metric_mce = {
	.name = "mce",
	.brief = "largest gap of a bin between confidence and accuracy",
	.formula = "max_b |mean confidence - accuracy|",
	.cite = "Naeini, Cooper, Hauskrecht: Obtaining well calibrated "
		"probabilities using Bayesian binning, AAAI 2015",
	.kind = OOD_METRIC_PROBABILITY,
	.shown = true,
	.params = bin_params,
	.value = mce,
};
