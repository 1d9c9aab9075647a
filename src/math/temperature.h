/*
 * temperature.h - the temperature of least negative log-likelihood
 *
 * f(beta) = mean(lse(beta z) - beta z_y), beta = 1/T, is convex:
 * f' = mean(E_beta[z] - z_y), f'' = mean(Var_beta[z]). Newton in ln beta with
 * a bracket, ln beta in [-10, 10]; one pass over the rows a step.
 *
 * Guo, Pleiss, Sun, Weinberger: On Calibration of Modern Neural Networks,
 * ICML 2017.
 */
#ifndef OOD_MATH_TEMPERATURE_H
#define OOD_MATH_TEMPERATURE_H

#include "core/base.h"
#include "math/reduce.h"

enum ood_temperature_end {
	OOD_TEMPERATURE_OK,
	OOD_TEMPERATURE_LOW,	    /* ln beta = 10: T at its lower bound */
	OOD_TEMPERATURE_HIGH,	    /* ln beta = -10 */
	OOD_TEMPERATURE_DEGENERATE, /* no rows, or no row whose label is below
				       its maximum: the sharper the better;
				       beta = 1 */
	OOD_TEMPERATURE_STUCK,	    /* not converged */
};

struct ood_temperature { /* begin with ood_temperature_begin() */
	double beta;	 /* where the sums of this pass are taken */
	double T;	 /* when done */
	double nll;	 /* mean, at T */
	double nll_1;	 /* mean, at T = 1 */
	enum ood_temperature_end end;
	/* Private. */
	uint64_t n;
	bool has_wrong; /* a label is below the maximum of its row */
	struct ood_sum f, g, h;
	double at;	     /* ln beta of this pass */
	double lo, hi;	     /* bracket of ln beta */
	bool has_lo, has_hi; /* the signs at its ends are known */
	unsigned steps;
};

void ood_temperature_begin(struct ood_temperature *t);
/* z: n x c logits (finite or -inf, a finite one each row); label: classes in
 * 0..c-1; rows with a label < 0 are left out. */
void ood_temperature_add(struct ood_temperature *t, const double *z,
			 const int64_t *label, size_t n, size_t c);
/* Ends a pass. True: another pass at the new beta; false: done, T and end. */
bool ood_temperature_next(struct ood_temperature *t);

#endif
