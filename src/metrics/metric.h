/*
 * metric.h - what a metric is
 *
 * A metric is one function and one line in metrics.def. Detection metrics see
 * a curve (ID against OoD); selective metrics see a curve of right against
 * wrong predictions; probability metrics see sums over rows. Definitions and
 * edge cases: ood-metrics(7).
 */
#ifndef OOD_METRICS_METRIC_H
#define OOD_METRICS_METRIC_H

#include "core/base.h"
#include "core/param.h"
#include "core/value.h"
#include "math/curve.h"

enum ood_metric_kind {
	OOD_METRIC_DETECTION,	/* ID against OoD scores */
	OOD_METRIC_SELECTIVE,	/* right against wrong predictions */
	OOD_METRIC_PROBABILITY, /* class probabilities against labels */
};

struct ood_calibration; /* calibration.h */
struct ood_tally;	/* walk.h */

/* What a metric is computed from. */
struct ood_evidence {
	/* DETECTION: ID and OoD. SELECTIVE: id = right, ood = wrong rows,
	 * by the same score. */
	struct ood_curve curve;
	/* ood_tally() of the curve, so that the metrics share one walk; NULL:
	 * each that needs it walks for itself. */
	const struct ood_tally *tally;
	/* PROBABILITY */
	const struct ood_calibration *calibration;
	double level; /* of intervals: 0.95 */
};

struct ood_metric {
	const char *name; /* column and JSON key: "fpr95_ood" */
	const char *brief;
	const char *formula;
	const char *cite;
	enum ood_metric_kind kind;
	bool larger_better;
	bool shown;    /* among the default columns */
	bool is_bound; /* an end of an interval: not averaged over sets */
	const struct ood_param *params; /* NULL: none */
	/* Words that others have for it, by blanks: it is suggested. */
	const char *meant;
	/* What scores that know nothing get; NULL: no such value. */
	double (*chance)(const struct ood_args *args);
	struct ood_value (*value)(const struct ood_evidence *evidence,
				  const struct ood_args *args);
};

extern const struct ood_metric *const ood_metrics[]; /* ends with NULL */
/* NULL if there is none of this name. */
const struct ood_metric *ood_metric_find(const char *name, size_t n);

/* A metric as typed after --metrics: "fpr:tpr=0.9", "f=fbeta:beta=2". */
struct ood_measure {
	const struct ood_metric *metric;
	struct ood_args args;
	char *column;
};
/* OOD_USAGE: no such metric, with the nearest name; wrong parameters. Free
 * with ood_measure_free(); a failed parse leaves nothing. */
int ood_measure_parse(struct ood_measure *measure, const struct ood_spec *spec,
		      struct ood_err *err);
void ood_measure_free(struct ood_measure *measure);

#endif
