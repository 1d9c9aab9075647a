/*
 * calibration.h - sums over rows that calibration figures are made of
 *
 * Blocks of rows of any size are added in order. Sums are kept by chunks of
 * 256 rows of the whole set and joined in order: they depend neither on the
 * blocks nor on the number of threads. Memory does not grow with the rows.
 *
 *	struct ood_calibration *c;
 *	ood_calibration_new(&c, err);
 *	ood_calibration_bin(c, 15, false, err);		each binning wanted
 *	ood_calibration_add(c, &batch, err);		each block
 *	ood_calibration_close(c);			after the last
 *	... metrics of kind OOD_METRIC_PROBABILITY with evidence.calibration = c
 *	ood_calibration_free(c);
 */
#ifndef OOD_METRICS_CALIBRATION_H
#define OOD_METRICS_CALIBRATION_H

#include "core/base.h"
#include "math/reduce.h"
#include "metrics/metric.h"

#define OOD_BINS_MAX 1000  /* bins of one binning */
#define OOD_BINNINGS_MAX 8 /* different binnings at once */

/* One bin of top-label confidence. */
struct ood_bin {
	uint64_t n, right;
	struct ood_sum confidence;
};

/* m bins of equal width, edges (double)i/m; (a, b] with the first closed, or
 * with `left` [a, b) with the last closed. */
struct ood_bins {
	size_t m;
	bool left;
	struct ood_bin *bin;
};

/* One bin as a row of a table; confidence, accuracy and gap are NaN where it
 * is empty. gap = confidence - accuracy. */
struct ood_bin_row {
	double lower, upper;
	uint64_t n;
	double confidence, accuracy, gap;
};
struct ood_bin_row ood_bins_row(const struct ood_bins *bins, size_t i);

struct ood_calibration;
int ood_calibration_new(struct ood_calibration **calibration,
			struct ood_err *err);
void ood_calibration_free(struct ood_calibration *calibration);

/* Asks for a binning, before the first row; asked twice, kept once. */
int ood_calibration_bin(struct ood_calibration *calibration, size_t m,
			bool left, struct ood_err *err);
/* The binning that a measure (ece, mce) needs, if it needs one. */
int ood_calibration_want(struct ood_calibration *calibration,
			 const struct ood_measure *measure,
			 struct ood_err *err);

/* A block: class scores and the index of the true class of every row. */
struct ood_labelled {
	struct ood_view scores;
	bool is_probs;	       /* else logits or log-probabilities */
	const int64_t *labels; /* scores.rows */
};
/* A label that is no class is OOD_INPUT, with the row counted over all that
 * was added, from 1. */
int ood_calibration_add(struct ood_calibration *calibration,
			const struct ood_labelled *block, struct ood_err *err);

/* Rows of which only the confidence and whether the prediction is right are
 * known (or P(event) and the event): bins, but no NLL or Brier score. */
void ood_calibration_add_top(struct ood_calibration *calibration,
			     const double *confidence, const bool *right,
			     size_t n);

/* Joins what is left; then the results stand. */
void ood_calibration_close(struct ood_calibration *calibration);

uint64_t ood_calibration_rows(const struct ood_calibration *calibration);
/* Rows whose p_y lay below 2^-52 and was raised to it for the NLL. */
uint64_t ood_calibration_clipped(const struct ood_calibration *calibration);
/* The binning, or NULL if it was not asked for. */
const struct ood_bins *
ood_calibration_bins(const struct ood_calibration *calibration, size_t m,
		     bool left);
/* Sums over rows; false if some rows had no class scores. */
bool ood_calibration_sums(const struct ood_calibration *calibration,
			  double *nll, double *brier);

#endif
