/*
 * selective.c - failure prediction and the risk-coverage curve
 *
 * n rows, E of them wrong, accepted from the lowest score up. Coverage is the
 * share accepted, risk the share of wrong rows among the accepted.
 *
 *	aurc	mean over k = 1..n of the risk of the first k rows, averaged
 *		over all orders of tied rows: in a tie of m rows with g wrong
 *		ones after n0 rows with e0 wrong ones, term k is
 *		(e0 + k g/m)/(n0 + k)
 *	eaurc	aurc less that of the perfect order, (1/n) sum_{k=1..E}
 *		k/(n - E + k)
 *	augrc	area under (wrong rows accepted)/n over coverage
 *
 * Geifman, Uziel, El-Yaniv: Bias-reduced uncertainty estimation for deep
 * neural classifiers, ICLR 2019. Traub et al.: Overcoming common flaws in the
 * evaluation of selective classification systems, NeurIPS 2024.
 */
#include "math/binomial.h"
#include "math/quota.h"
#include "math/reduce.h"
#include "metrics/delong.h"
#include "metrics/figure.h"

static size_t rows_of(const struct ood_curve *c)
{
	return c->n_id + c->n_ood;
}

/* Why a figure that needs both right and wrong rows is undefined; or NULL. */
static const char *one_outcome(const struct ood_curve *c)
{
	if (!rows_of(c))
		return "no rows";
	if (!c->n_ood)
		return "every prediction is right";
	return c->n_id ? NULL : "every prediction is wrong";
}

/* Rows and wrong rows accepted by a threshold at and just above the vertex:
 * accept if score < t, or score <= t. */
struct accepted {
	size_t below, below_wrong;
	size_t upto, upto_wrong;
};

static struct accepted accepted_at(const struct ood_curve *c,
				   const struct ood_vertex *v)
{
	struct accepted a = {
		.below = rows_of(c) - v->fp - v->tp,
		.below_wrong = c->n_ood - v->tp,
	};

	a.upto = a.below + v->dfp + v->dtp;
	a.upto_wrong = a.below_wrong + v->dtp;
	return a;
}

static struct ood_value accuracy(const struct ood_evidence *evidence,
				 const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	size_t n = rows_of(c);

	(void)args;
	if (!n)
		return ood_value_undefined("no rows");
	struct ood_value v = ood_value_ok((double)c->n_id / (double)n);

	v.method = "wilson";
	ood_wilson(c->n_id, n, evidence->level, &v.lo, &v.hi);
	return v;
}

const struct ood_metric ood_metric_accuracy = {
	.name = "accuracy",
	.brief = "share of right predictions",
	.formula = "#right/n",
	.kind = OOD_METRIC_SELECTIVE,
	.larger_better = true,
	.shown = true,
	.value = accuracy,
	.meant = "acc",
};

static struct ood_value auroc_failure(const struct ood_evidence *evidence,
				      const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	const char *reason = one_outcome(c);
	struct ood_tally room;

	(void)args;
	if (reason)
		return ood_value_undefined(reason);
	return ood_auroc(c, ood_tally_of(evidence, &room), evidence->level,
			 OOD_DELONG_LOGIT);
}

const struct ood_metric ood_metric_auroc_failure = {
	.name = "auroc_failure",
	.brief = "area under the ROC curve, wrong predictions positive",
	.formula = "P(wrong > right) + P(wrong = right)/2",
	.cite = "Hendrycks, Gimpel: A baseline for detecting misclassified and "
		"out-of-distribution examples in neural networks, ICLR 2017",
	.kind = OOD_METRIC_SELECTIVE,
	.larger_better = true,
	.shown = true,
	.value = auroc_failure,
	.meant = "auroc_f failure_auroc auroc-f",
};

/* Sum of the risks of the rows of one tie. */
static double tie_risks(const struct ood_curve *c, const struct ood_vertex *v)
{
	struct accepted a = accepted_at(c, v);
	size_t m = v->dfp + v->dtp;
	double share = (double)v->dtp / (double)m;
	struct ood_sum sum = { 0 };

	if (m == 1)
		return (double)a.upto_wrong / (double)a.upto;
	for (size_t k = 1; k <= m; k++)
		ood_sum_add(&sum, ((double)a.below_wrong + (double)k * share) /
					  (double)(a.below + k));
	return ood_sum_value(&sum);
}

/* The trapezoid between the vertices around one tie, times n; the risk is
 * constant from the first vertex down to coverage 0. */
static double tie_trapezoid(const struct ood_curve *c,
			    const struct ood_vertex *v)
{
	struct accepted a = accepted_at(c, v);
	double after = (double)a.upto_wrong / (double)a.upto, before = after;

	if (a.below)
		before = (double)a.below_wrong / (double)a.below;
	return (double)(a.upto - a.below) * (after + before) / 2;
}

enum { AURC_TIES, AURC_TRAPEZOID };

static const struct ood_param aurc_params[] = {
	{ .kind = OOD_PARAM_WORD,
	  .name = "method",
	  .help = "mean over rows, or trapezoid over distinct scores "
		  "(FD-Shifts, there times 1000)",
	  .choices = "ties trapezoid" },
	{ .kind = OOD_PARAM_END },
};

static struct ood_value aurc(const struct ood_evidence *evidence,
			     const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	bool trapezoid = (int)args->num[0] == AURC_TRAPEZOID;

	if (!rows_of(c))
		return ood_value_undefined("no rows");
	return ood_value_ok(
		ood_walk_sum(c, trapezoid ? tie_trapezoid : tie_risks) /
		(double)rows_of(c));
}

const struct ood_metric ood_metric_aurc = {
	.name = "aurc",
	.brief = "area under the risk-coverage curve",
	.formula = "mean over k of the risk of the k lowest scores",
	.cite = "Geifman, Uziel, El-Yaniv: Bias-reduced uncertainty estimation "
		"for deep neural classifiers, ICLR 2019",
	.kind = OOD_METRIC_SELECTIVE,
	.shown = true,
	.params = aurc_params,
	.value = aurc,
};

static double oracle(const struct ood_curve *c)
{
	struct ood_sum sum = { 0 };

	for (size_t k = 1; k <= c->n_ood; k++)
		ood_sum_add(&sum, (double)k / (double)(c->n_id + k));
	return ood_sum_value(&sum) / (double)rows_of(c);
}

static double excess(const struct ood_curve *c, double best)
{
	double area = ood_walk_sum(c, tie_risks) / (double)rows_of(c);

	/* Never below the oracle; the two sums round apart. */
	return OOD_MAX(area - best, 0);
}

static struct ood_value eaurc(const struct ood_evidence *evidence,
			      const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;

	(void)args;
	if (!rows_of(c))
		return ood_value_undefined("no rows");
	return ood_value_ok(excess(c, oracle(c)));
}

const struct ood_metric ood_metric_eaurc = {
	.name = "eaurc",
	.brief = "aurc in excess of the perfect order",
	.formula = "aurc - (1/n) sum_{k=1..E} k/(n - E + k)",
	.cite = "Geifman, Uziel, El-Yaniv: Bias-reduced uncertainty estimation "
		"for deep neural classifiers, ICLR 2019",
	.kind = OOD_METRIC_SELECTIVE,
	.shown = true,
	.value = eaurc,
};

static struct ood_value naurc(const struct ood_evidence *evidence,
			      const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	const char *reason = one_outcome(c);

	(void)args;
	if (reason)
		return ood_value_undefined(reason);
	double best = oracle(c);
	double chance = (double)c->n_ood / (double)rows_of(c);

	return ood_value_ok(excess(c, best) / (chance - best));
}

const struct ood_metric ood_metric_naurc = {
	.name = "naurc",
	.brief = "aurc from 0 (perfect order) to 1 (chance)",
	.formula = "eaurc/(E/n - aurc of the perfect order)",
	.kind = OOD_METRIC_SELECTIVE,
	.value = naurc,
};

/*
 * With u2 of 2 R E pairs won (R right rows): AUGRC = (1 - AUROC) R E/n^2 +
 * E^2/(2 n^2), which is (2 R E - u2 + E^2)/(2 n^2).
 */
static struct ood_value augrc(const struct ood_evidence *evidence,
			      const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	struct ood_tally room;

	(void)args;
	if (!rows_of(c))
		return ood_value_undefined("no rows");
	ood_u128 lost = 2 * (ood_u128)c->n_id * c->n_ood -
			ood_tally_of(evidence, &room)->u2;
	ood_u128 wrong = (ood_u128)c->n_ood * c->n_ood;
	ood_u128 all = (ood_u128)rows_of(c) * rows_of(c);

	return ood_value_ok((double)(lost + wrong) / (double)(2 * all));
}

const struct ood_metric ood_metric_augrc = {
	.name = "augrc",
	.brief = "area under the generalised risk-coverage curve",
	.formula = "(1 - auroc_failure) acc (1 - acc) + (1 - acc)^2/2",
	.cite = "Traub et al.: Overcoming common flaws in the evaluation of "
		"selective classification systems, NeurIPS 2024",
	.kind = OOD_METRIC_SELECTIVE,
	.shown = true,
	.value = augrc,
};

static const struct ood_param risk_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "coverage",
	  .help = "least share of rows accepted",
	  .def = 0.95,
	  .lo = 0,
	  .hi = 1,
	  .lo_open = true },
	{ .kind = OOD_PARAM_END },
};

/* At the vertex of the smallest coverage that suffices. */
static struct ood_value risk(const struct ood_evidence *evidence,
			     const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	struct ood_vertex v = ood_curve_start();
	size_t least = ood_quota_least(args->num[0], rows_of(c));
	struct accepted a = { 0 };

	if (!rows_of(c))
		return ood_value_undefined("no rows");
	do {
		ood_curve_next(c, &v);
		a = accepted_at(c, &v);
	} while (a.below && a.below >= least);
	return ood_value_ok((double)a.upto_wrong / (double)a.upto);
}

const struct ood_metric ood_metric_risk = {
	.name = "risk",
	.brief = "selective risk at a given coverage",
	.formula = "wrong/accepted at the smallest coverage >= q",
	.cite = "Geifman, El-Yaniv: Selective classification for deep neural "
		"networks, NIPS 2017",
	.kind = OOD_METRIC_SELECTIVE,
	.params = risk_params,
	.value = risk,
};

static const struct ood_param coverage_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "risk",
	  .help = "largest share of wrong rows among the accepted",
	  .def = 0.05,
	  .lo = 0,
	  .hi = 1 },
	{ .kind = OOD_PARAM_END },
};

static struct ood_value coverage(const struct ood_evidence *evidence,
				 const struct ood_args *args)
{
	const struct ood_curve *c = &evidence->curve;
	struct ood_vertex v = ood_curve_start();

	if (!rows_of(c))
		return ood_value_undefined("no rows");
	while (ood_curve_next(c, &v)) {
		struct accepted a = accepted_at(c, &v);

		if ((double)a.upto_wrong / (double)a.upto <= args->num[0])
			return ood_value_ok((double)a.upto /
					    (double)rows_of(c));
	}
	return ood_value_undefined("no threshold keeps the risk that low");
}

const struct ood_metric ood_metric_coverage = {
	.name = "coverage",
	.brief = "largest coverage at a given selective risk",
	.formula = "accepted/n over t with wrong/accepted <= r",
	.cite = "Geifman, El-Yaniv: Selective classification for deep neural "
		"networks, NIPS 2017",
	.kind = OOD_METRIC_SELECTIVE,
	.larger_better = true,
	.params = coverage_params,
	.value = coverage,
};
