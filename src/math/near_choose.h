/*
 * near_choose.h - rows of a bank that may be among the k nearest of a query
 */
#ifndef OOD_MATH_NEAR_CHOOSE_H
#define OOD_MATH_NEAR_CHOOSE_H

#include "math/near_layout.h"

/* Candidates of one query. Every row that is not among them has a cost above
 * that of k of them. */
struct ood_near_list {
	uint32_t *row;
	double *low, *high; /* bounds of the cost */
	size_t n;
	size_t full; /* the size at which the next rows are dropped */
	double most; /* of the k-th least cost, at most */
	float bar;   /* products less the row's bar below this: no candidate */
	size_t self; /* a row to leave out */
	bool lost;   /* too many candidates: the list says nothing */
};

/* A block of queries, and the memory for it. */
struct ood_near_block {
	const struct ood_near_layout *layout;
	size_t k, room; /* queries and candidates of each that fit */
	size_t queries;
	float *x;    /* queries x wide */
	float *some; /* a part of them, likewise */
	size_t *who; /* the queries of a pass */
	struct ood_near_float *f;
	struct ood_near_list *list;
	struct ood_near_coded coded;
	float *tile;	 /* products */
	double *scratch; /* candidates */
};

/* At most `queries` at a time; k <= half the rows. */
int ood_near_block_make(struct ood_near_block *block,
			const struct ood_near_layout *layout, size_t queries,
			size_t k, struct ood_err *err);
void ood_near_block_free(struct ood_near_block *block);

/* Candidates of the first n queries: of their x, f and list->self. */
void ood_near_choose(struct ood_near_block *block, size_t n);

/* Takes off a list the rows that surely come before the k-th: their number. */
size_t ood_near_list_skip(struct ood_near_block *block,
			  struct ood_near_list *list);

#endif
