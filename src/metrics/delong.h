/*
 * delong.h - AUROC with its interval
 */
#ifndef OOD_METRICS_DELONG_H
#define OOD_METRICS_DELONG_H

#include "core/value.h"
#include "metrics/walk.h"

enum ood_delong_scale { OOD_DELONG_LOGIT, OOD_DELONG_RAW };

/* Variance of the AUROC; NaN with fewer than two rows on a side. */
double ood_delong_variance(const struct ood_curve *curve,
			   const struct ood_tally *tally);

/*
 * AUROC with an interval at `level`: "delong-logit", "delong" (raw, clipped
 * to 0..1), or "newcombe5" where the variance is 0. Fewer than two rows on a
 * side: no interval. Both sides have rows.
 */
struct ood_value ood_auroc(const struct ood_curve *curve,
			   const struct ood_tally *tally, double level,
			   enum ood_delong_scale scale);

#endif
