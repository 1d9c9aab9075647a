/*
 * block_own.h - the steps that make a block of the rows at hand
 */
#ifndef OOD_IO_BLOCK_OWN_H
#define OOD_IO_BLOCK_OWN_H

#include "io/set_own.h"

/* What one call works on. */
struct ood_fill {
	struct ood_set *set;
	struct ood_side *side;
	struct ood_part *part;
	struct ood_block *block;
	size_t n;
	uint8_t *bad;  /* no usable scores or features */
	uint8_t *lost; /* a label or the like is missing */
	size_t n_bad, n_lost;
	bool failed; /* memory ran out */
	struct ood_err *err;
};

/* The array of a role that is read, or NULL. */
const struct ood_bound *ood_fill_find(const struct ood_fill *f,
				      enum ood_role role, unsigned layer);
/* Adds the place to f->err; returns its code. */
int ood_fill_refuse(const struct ood_fill *f, const struct ood_bound *b,
		    size_t row, size_t col);

/* One number a row into to[0], to[stride] ..., from whatever the file has. */
int ood_fill_copy_vec(struct ood_fill *f, const struct ood_bound *b, double *to,
		      size_t stride);

/* block_scores.c: the columns of scores, larger = OoD. */
int ood_fill_scores(struct ood_fill *f);

/* block_values.c: one value a row. */
int ood_fill_labels(struct ood_fill *f);
int ood_fill_correct(struct ood_fill *f);
int ood_fill_weights(struct ood_fill *f);
void ood_fill_plain(struct ood_fill *f);

/* block_rows.c: rows that are not usable go (--nan skip), or stay marked with
 * values that no scorer stumbles over (worst, keep). */
int ood_fill_drop(struct ood_fill *f);
int ood_fill_mark(struct ood_fill *f);

#endif
