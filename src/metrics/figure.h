/*
 * figure.h - what the files of metrics share
 */
#ifndef OOD_METRICS_FIGURE_H
#define OOD_METRICS_FIGURE_H

#include "metrics/metric.h"
#include "metrics/walk.h"

/* Why a figure that needs both sides is undefined; NULL if it is not. */
const char *ood_one_sided(const struct ood_curve *curve);

/* The evidence's tally, or one made in *room. */
const struct ood_tally *ood_tally_of(const struct ood_evidence *evidence,
				     struct ood_tally *room);

#endif
