/*
 * walk.h - walks over a curve by all threads, and what one walk tells
 *
 * A curve is cut into stretches at every 65536th row of its longer side; each
 * stretch is walked alone and the parts are joined in order, so that results
 * do not depend on the number of threads. Counts are exact integers.
 */
#ifndef OOD_METRICS_WALK_H
#define OOD_METRICS_WALK_H

#include "core/base.h"
#include "math/curve.h"

/*
 * For an OoD row of score s let a = 2 #{ID < s} + #{ID = s}, for an ID row
 * b = 2 #{OoD > s} + #{OoD = s}. P OoD rows, N ID rows.
 */
struct ood_tally {
	ood_u128 u2;	      /* sum of a = sum of b; of 2 P N */
	ood_u128 squares_ood; /* sum of a^2 */
	ood_u128 squares_id;  /* sum of b^2 */
	double precision_ood; /* sum over OoD rows of the precision */
	double precision_id;  /* the same for ID rows, ID positive */
	ood_i128 youden;      /* max over vertices of tp N - fp P */
};
void ood_tally(const struct ood_curve *curve, struct ood_tally *tally);

/* The sum of term(curve, vertex) over all vertices but the origin. */
typedef double ood_term(const struct ood_curve *curve,
			const struct ood_vertex *vertex);
double ood_walk_sum(const struct ood_curve *curve, ood_term *term);

#endif
