/*
 * bankrows.h - fit rows that a scorer keeps, each with a number
 */
#ifndef OOD_SCORERS_BANKROWS_H
#define OOD_SCORERS_BANKROWS_H

#include "scorers/scorer.h"

struct ood_bankrows {		/* all zero: empty */
	struct ood_bank rows;	/* N x D */
	struct ood_bank number; /* N x 1; empty where rows have none */
};

/* The two lines of a kept table for a member `name` of a state; `what` names
 * the numbers. Both may be absent: ood_bankrows_check() asks for them. */
#define OOD_KEPT_BANKROWS(type, name, what)                                    \
	{ OOD_KEPT_BANK, "rows",	offsetof(type, name.rows),             \
	  "ND",		 OOD_KEPT_BOTH, true },                                \
	{                                                                      \
		OOD_KEPT_BANK, what, offsetof(type, name.number), "N1",        \
			OOD_KEPT_BOTH, true                                    \
	}

/* The part of the fit rows that is kept; drawn by (seed, row). */
#define OOD_PARAM_SUBSET                                                       \
	{                                                                      \
		.kind = OOD_PARAM_REAL, .name = "subset",                      \
		.help = "share of the fit rows that is kept, drawn by the "    \
			"seed",                                                \
		.def = 1, .lo = 0, .hi = 1, .lo_open = true                    \
	}

struct ood_bankrows_draw {
	double share; /* 1: all */
	uint64_t seed;
};
/* Adds the rows, or of a share < 1 those that are drawn; number (rows->n, may
 * be NULL) goes with them. */
int ood_bankrows_add(struct ood_bankrows *bank, const struct ood_rows *rows,
		     const double *number, struct ood_bankrows_draw draw,
		     struct ood_err *err);
/* Appends those of another. */
int ood_bankrows_join(struct ood_bankrows *bank,
		      const struct ood_bankrows *from, struct ood_err *err);
/* Whatever a file can hold (OOD_INPUT): no rows, rows that are not finite,
 * numbers that are not (or not there, where they are asked for). */
int ood_bankrows_check(const struct ood_bankrows *bank, bool numbers,
		       struct ood_err *err);
/* OOD_INPUT unless 1 <= k <= most; who: "knn". */
int ood_bankrows_check_k(const char *who, size_t k, size_t most,
			 struct ood_err *err);
/* Says that `who` has kept them, and takes k. */
void ood_bankrows_note(const struct ood_bankrows *bank, const char *who,
		       size_t k, double share, struct ood_notes *notes);
/* The numbers in double, to be freed. */
int ood_bankrows_numbers(const struct ood_bankrows *bank, double **number,
			 struct ood_err *err);

#endif
