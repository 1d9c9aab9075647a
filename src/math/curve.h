/*
 * curve.h - two sorted samples walked together: the one source of every
 * ranking metric
 *
 * ID is negative, OoD positive; a row is flagged if score >= threshold. Equal
 * scores move together; counts are integers (evaluation: counts before rates).
 */
#ifndef OOD_MATH_CURVE_H
#define OOD_MATH_CURVE_H

#include "core/base.h"

struct ood_curve {
	const double *id, *ood; /* ascending; borrowed */
	size_t n_id, n_ood;
};

/*
 * The vertices from the highest score down, starting at (+inf, 0, 0):
 *
 *	struct ood_vertex v = ood_curve_start();
 *	while (ood_curve_next(&curve, &v)) ...
 *
 * v.score is the threshold; fp, tp count ID and OoD rows with score >= it;
 * dfp, dtp those equal to it.
 */
struct ood_vertex {
	double score;
	size_t fp, tp;
	size_t dfp, dtp;
};
struct ood_vertex ood_curve_start(void);
bool ood_curve_next(const struct ood_curve *curve, struct ood_vertex *v);

/* The vertex at a given threshold, by bisection. */
struct ood_vertex ood_curve_at(const struct ood_curve *curve, double threshold);

#endif
