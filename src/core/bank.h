/*
 * bank.h - rows that are kept, in float while all of them are floats
 *
 * Values are kept exactly: the first one that no float holds widens all.
 */
#ifndef OOD_CORE_BANK_H
#define OOD_CORE_BANK_H

#include "core/base.h"

struct ood_bank {	      /* all zero: empty */
	void *data;	      /* rows x cols, C order; owned */
	enum ood_dtype dtype; /* OOD_F4 or OOD_F8; anything while empty */
	size_t rows, cols;
	size_t room; /* rows that fit */
};

/* Appends n rows of cols doubles (equal to cols of the rows before). */
int ood_bank_add(struct ood_bank *bank, const double *x, size_t n, size_t cols,
		 struct ood_err *err);
/* Appends all rows of another. */
int ood_bank_join(struct ood_bank *bank, const struct ood_bank *from,
		  struct ood_err *err);
/* Row i in double. */
void ood_bank_row(const struct ood_bank *bank, size_t i, double *x);
struct ood_view ood_bank_view(const struct ood_bank *bank);
void ood_bank_free(struct ood_bank *bank);

#endif
