/*
 * eval_tables.h - the tables of `ood eval`
 */
#ifndef OOD_CLI_EVAL_TABLES_H
#define OOD_CLI_EVAL_TABLES_H

#include "cli/sides.h"
#include "metrics/metric.h"

struct ood_eval {
	struct ood_report *report;
	struct ood_sides *sides;
	const struct ood_calibration *calibration;
	const struct ood_measure *measures;
	size_t n_measures;
	bool chosen; /* by --metrics: an undefined one is refused */
	bool allow_undefined;
	bool clustered; /* intervals would have to be, and are not built */
	double level;
	const struct ood_output_options *out;
};

/* Are right and wrong predictions of the ID rows known? */
bool ood_eval_judged(const struct ood_sides *sides);
/* Selective figures of the ID rows; before the sides are sorted. */
int ood_eval_selective(const struct ood_eval *eval, struct ood_err *err);
/* Detection figures of every scorer and OoD set, and their means. */
int ood_eval_detection(const struct ood_eval *eval, struct ood_err *err);
/* The bins of a reliability diagram. */
void ood_eval_bins(const struct ood_eval *eval, size_t bins, bool left);

#endif
