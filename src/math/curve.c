/*
 * curve.c - two sorted samples walked together
 */
#include "math/curve.h"
#include "math/order.h"

struct ood_vertex ood_curve_start(void)
{
	return (struct ood_vertex){ .score = INFINITY };
}

/*
 * Which sample has the next score cannot be predicted, so no branch asks;
 * branches are only taken where a sample ends and for ties within one.
 */
bool ood_curve_next(const struct ood_curve *curve, struct ood_vertex *v)
{
	size_t n_id = curve->n_id - v->fp, n_ood = curve->n_ood - v->tp;
	const double *id = curve->id, *ood = curve->ood;

	if (n_id == 0 && n_ood == 0)
		return false;
	double a = n_id ? id[n_id - 1] : -INFINITY;
	double b = n_ood ? ood[n_ood - 1] : -INFINITY;
	double score = a > b ? a : b;
	size_t dfp = (size_t)(a >= b) & (n_id > 0);
	size_t dtp = (size_t)(b >= a) & (n_ood > 0);

	while (dfp < n_id && id[n_id - 1 - dfp] == score)
		dfp++;
	while (dtp < n_ood && ood[n_ood - 1 - dtp] == score)
		dtp++;
	*v = (struct ood_vertex){ score, v->fp + dfp, v->tp + dtp, dfp, dtp };
	return true;
}

struct ood_vertex ood_curve_at(const struct ood_curve *curve, double threshold)
{
	size_t id = ood_count_below(curve->id, curve->n_id, threshold);
	size_t ood = ood_count_below(curve->ood, curve->n_ood, threshold);
	size_t id_upto = ood_count_upto(curve->id, curve->n_id, threshold);
	size_t ood_upto = ood_count_upto(curve->ood, curve->n_ood, threshold);

	return (struct ood_vertex){ .score = threshold,
				    .fp = curve->n_id - id,
				    .tp = curve->n_ood - ood,
				    .dfp = id_upto - id,
				    .dtp = ood_upto - ood };
}
