/*
 * near_layout.h - a bank laid out for products in float, with bounds on what
 * these say of costs in double
 */
#ifndef OOD_MATH_NEAR_LAYOUT_H
#define OOD_MATH_NEAR_LAYOUT_H

#include "math/near_codes.h"
#include "math/neighbours.h"

/*
 * Costs (near_best.h) are in units of the layout. For a query and a row in
 * float, and p their inner product or what any sum in float makes of it:
 *
 *	query.low + row.low - m p  <=  cost  <=  query.high + row.high - m p
 *
 * m = 2 for distances, 1 for inner products. Proof: near_layout.c.
 */
struct ood_near_layout {
	size_t n, d;   /* rows, features */
	size_t wide;   /* floats of a row, zeros behind d */
	size_t padded; /* rows, zeros behind n */
	bool dot;
	double m;
	int exponent;	    /* the unit of length is 2 to this power */
	double *centre;	    /* d: taken off rows and queries; NULL for DOT */
	float *row;	    /* padded x wide */
	double *low, *high; /* n */
	float *bar;	    /* padded: at most low/m; +inf behind n */
	double longest;	    /* norm of a row, at most */
	struct ood_near_codes codes; /* of the rows; no panel: not used */
};

/*
 * From the rows as the options take them; norm: of each as it is. Where float
 * has not the range for them, the layout is left without rows (n = 0).
 */
int ood_near_layout_make(struct ood_near_layout *layout,
			 const struct ood_bank *bank,
			 const struct ood_near_options *options,
			 const double *norm, struct ood_err *err);
void ood_near_layout_free(struct ood_near_layout *layout);

/* A query in float. */
struct ood_near_float {
	double low, high;
	double norm; /* of the floats, at least */
};
/* x: the query as the options take it, overwritten; to: layout->wide floats.
 * False where float has not the range. */
bool ood_near_query_float(const struct ood_near_layout *layout, double *x,
			  float *to, struct ood_near_float *f);

/* The largest float <= x. */
float ood_float_below(double x);

#endif
