/*
 * shaped.h - what scorers that change features have in common
 */
#ifndef OOD_SCORERS_SHAPED_H
#define OOD_SCORERS_SHAPED_H

#include "scorers/scorer.h"

/* The logits of features that were changed, row by row, by `change`: from x
 * to `to` (d numbers each); how is handed to it. */
typedef void ood_change(const double *x, size_t d, const void *how, double *to);
void ood_shaped_logits(const struct ood_rows *rows, ood_change *change,
		       const void *how, double *z);

/* D - round_half_even(D percentile / 100): entries of a row that are kept. */
size_t ood_top_count(size_t d, double percentile);
/* OOD_USAGE where that leaves none; d 0 passes. */
int ood_top_check(const char *who, double percentile, size_t d,
		  struct ood_err *err);

/* The `kept` largest entries of a row; ties go to the lowest index. */
struct ood_top_entries {
	size_t n, kept;
	double all; /* sum of the row */
	double sum; /* of the kept ones */
	double cut;
	size_t ties;
};
struct ood_top_entries ood_top_of(const double *x, size_t d, size_t kept);
/* Is x[j] one of them? Asked in order of j; *ties counts along, from 0. */
bool ood_top_has(const struct ood_top_entries *top, double x, size_t *ties);

/* sum of the row / sum of its top; 1 where that is 0 (a dead row). */
double ood_top_ratio(const struct ood_top_entries *top);

/* Rows for which the ratio has no meaning, added to *rows->odd. */
void ood_shaped_count_odd(const struct ood_rows *rows);
#define OOD_SHAPED_ODD                                                         \
	"rows have negative features, or none above 0: what is divided by "    \
	"the sum of the largest has no meaning there"

#define OOD_SHAPED_PERCENTILE(value)                                           \
	{                                                                      \
		.kind = OOD_PARAM_REAL, .name = "percentile",                  \
		.help = "of a row's entries that are not kept, in percent",    \
		.def = value, .lo = 0, .hi = 100                               \
	}

#endif
