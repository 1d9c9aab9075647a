/*
 * figure.c - what the files of metrics share
 */
#include "metrics/figure.h"

const char *ood_one_sided(const struct ood_curve *curve)
{
	if (!curve->n_id && !curve->n_ood)
		return "no rows";
	if (!curve->n_id)
		return "one class only: no ID rows";
	if (!curve->n_ood)
		return "one class only: no OoD rows";
	return NULL;
}

const struct ood_tally *ood_tally_of(const struct ood_evidence *evidence,
				     struct ood_tally *room)
{
	if (evidence->tally)
		return evidence->tally;
	ood_tally(&evidence->curve, room);
	return room;
}
