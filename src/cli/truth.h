/*
 * truth.h - which rows of a mixed set are OoD
 */
#ifndef OOD_CLI_TRUTH_H
#define OOD_CLI_TRUTH_H

#include "core/num.h"
#include "io/set.h"

/* How the truth of a mixed set is told. */
struct ood_truth {
	bool mixed;	       /* the set holds both sides */
	const char *column;    /* --truth */
	const char *ood_label; /* --ood-label */
};

/* Tells is_ood, 0 or 1, for all rows of a block: by the column, by the label,
 * or by labels of -1. */
int ood_truth_tell(const struct ood_truth *truth, const struct ood_set *set,
		   const struct ood_block *block, uint8_t *is_ood,
		   struct ood_err *err);

static inline bool ood_vec_is_set(const struct ood_vec *v)
{
	return v->ints || v->reals || v->words;
}

/* The text of value i, in room if it has to be made. */
struct ood_span ood_vec_text(const struct ood_vec *v, size_t i,
			     char room[OOD_NUM_MAX]);

#endif
