/*
 * neighbours.h - the exact k nearest rows of a bank, for many queries
 *
 * Blocked products of low precision choose candidates, with a proven bound on
 * their error; distances of the candidates are then taken in double by
 * differences. The answer is that of brute force in double, to the bit: the k
 * least (distance, row) pairs. No queries x bank matrix is ever stored.
 */
#ifndef OOD_MATH_NEIGHBOURS_H
#define OOD_MATH_NEIGHBOURS_H

#include "core/bank.h"

/* With u(x) = x/||x||, u(0) = 0; q the query, x a row of the bank. */
enum ood_near {
	OOD_NEAR_DISTANCE, /* least ||q - x||^2 */
	OOD_NEAR_COSINE,   /* least 1 - cos, as ||u(q) - u(x)||^2 / 2; 1 where
			      q or x is 0 */
	OOD_NEAR_DOT,	   /* largest <q, x>, none of which may overflow */
};

/* The answer is the same with all; for tests and benchmarks. */
enum ood_near_engine {
	OOD_NEAR_AUTO,	  /* codes from 64 features on, else floats */
	OOD_NEAR_CODES,	  /* codes where the machine has products of bytes */
	OOD_NEAR_FLOATS,  /* no codes */
	OOD_NEAR_DOUBLES, /* brute force */
};

/* How rows of the bank (and queries) are taken. */
struct ood_near_options {
	enum ood_near kind;
	bool unit; /* u(q) and u(x) for q and x; COSINE does so anyway */
	const double *scale; /* DOT: a finite factor for each row of the bank,
				after unit; borrowed; NULL: 1 */
	enum ood_near_engine engine;
};

struct ood_neighbours; /* the bank laid out for products; borrows the bank */

/* The bank: at least one row, finite. */
int ood_neighbours_make(struct ood_neighbours **index,
			const struct ood_bank *bank,
			struct ood_near_options options, struct ood_err *err);
void ood_neighbours_free(struct ood_neighbours *index);

/*
 * For each of n queries (n x bank->cols, finite) the k best rows, k <= rows of
 * the bank (one fewer with self). value: n x k, distances ascending or inner
 * products descending; which: n x k rows of the bank, or NULL. Of equal values
 * the lower row comes first. By the calling thread alone (queries are shared
 * among threads by the caller, at best 256 at a time); the result of a query
 * does not depend on the others.
 */
struct ood_near_query {
	const double *x;
	size_t n, k;
	bool last;	    /* the k-th alone: value and which are n x 1 */
	const size_t *self; /* n: a row of the bank that the query leaves out,
			       or SIZE_MAX; NULL: none does */
};
int ood_neighbours_find(const struct ood_neighbours *index,
			const struct ood_near_query *query, double *value,
			size_t *which, struct ood_err *err);

#endif
