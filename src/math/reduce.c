/*
 * reduce.c - sums in a fixed order, compensated
 *
 * Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
 * Summen, ZAMM 54 (1974) 39-51.
 */
#include "math/reduce.h"

void ood_sum_add(struct ood_sum *s, double x)
{
	double t = s->sum + x;

	/* What the smaller of the two lost. */
	if (fabs(s->sum) >= fabs(x))
		s->rest += (s->sum - t) + x;
	else
		s->rest += (x - t) + s->sum;
	s->sum = t;
}

double ood_sum_value(const struct ood_sum *s)
{
	/* An infinite sum has a rest of NaN: inf - inf. */
	return isfinite(s->sum) ? s->sum + s->rest : s->sum;
}
