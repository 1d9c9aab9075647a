/*
 * figures.h - metrics by their typed names, for tests
 */
#ifndef OOD_TESTS_FIGURES_H
#define OOD_TESTS_FIGURES_H

#include <check.h>

#include "metrics/metric.h"

/* B8 of the evaluation spec, sides ascending. */
extern const struct ood_curve b8;

/* "fpr:tpr=0.9", evaluated on a curve at level 0.95. */
struct ood_value figure_value(const char *typed, const struct ood_curve *curve);
double figure(const char *typed, const struct ood_curve *curve);
/* The same with all evidence given. */
struct ood_value figure_of(const char *typed,
			   const struct ood_evidence *evidence);

/* A curve that owns its sides: ascending copies. */
struct ood_curve curve_of(const double *id, size_t n_id, const double *ood,
			  size_t n_ood);
void curve_free(struct ood_curve *curve);

/* k scores, multiples of 1/8 below `values`/8, from a fixed seed. */
void random_scores(double *x, size_t k, unsigned values, uint64_t *seed);

/* |got - want| <= tol, said with both numbers. */
#define NEAR(got, want, tol)                                                   \
	do {                                                                   \
		double got_ = (got), want_ = (want);                           \
		ck_assert_msg(fabs(got_ - want_) <= (tol),                     \
			      "%s is %.17g, not %.17g", #got, got_, want_);    \
	} while (0)

/* The next line of a reference table that is no comment, cut at tabs into
 * at most `most` fields; their number, 0 at the end. */
size_t table_line(void *file, char *line, int size, char **field, size_t most);
double number(const char *text);

#endif
