/*
 * near_best.c - the k least (cost, row) pairs of many, and costs in double
 */
#include "math/near_best.h"

#include "math/vector.h"

/* ---------------------------------------------------------------- heap --- */

static bool is_worse(const struct ood_near_best *b, size_t i, double cost,
		     size_t row)
{
	return b->cost[i] > cost || (b->cost[i] == cost && b->row[i] > row);
}

static void put(struct ood_near_best *b, size_t i, double cost, size_t row)
{
	b->cost[i] = cost;
	b->row[i] = row;
}

/* Places a pair at i or below, in a heap of n whose place i is free. */
static void sink(struct ood_near_best *b, size_t n, double cost, size_t row)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    is_worse(b, child + 1, b->cost[child], b->row[child]))
			child++;
		if (!is_worse(b, child, cost, row))
			break;
		put(b, i, b->cost[child], b->row[child]);
		i = child;
	}
	put(b, i, cost, row);
}

void ood_near_best_add(struct ood_near_best *b, double cost, size_t row)
{
	size_t i = b->n;

	if (b->n == b->k) {
		if (is_worse(b, 0, cost, row))
			sink(b, b->n, cost, row);
		return;
	}
	for (b->n++; i && !is_worse(b, (i - 1) / 2, cost, row); i = (i - 1) / 2)
		put(b, i, b->cost[(i - 1) / 2], b->row[(i - 1) / 2]);
	put(b, i, cost, row);
}

void ood_near_best_sort(struct ood_near_best *b)
{
	for (size_t n = b->n; n > 1; n--) {
		double cost = b->cost[n - 1];
		size_t row = b->row[n - 1];

		put(b, n - 1, b->cost[0], b->row[0]);
		sink(b, n - 1, cost, row);
	}
}

/* --------------------------------------------------------------- costs --- */

void ood_near_row(const struct ood_bank *bank,
		  const struct ood_near_options *options, size_t i, double norm,
		  double *x)
{
	size_t d = bank->cols;

	ood_bank_row(bank, i, x);
	if (!options->unit || norm <= 0)
		return;
	for (size_t j = 0; j < d; j++)
		x[j] = x[j] / norm; /* the bits of ood_unit() */
}

/* A vector of unit length is 0 only where it was 0. */
static bool is_zero(const double *x, size_t d)
{
	size_t j = 0;

	while (j < d && x[j] == 0)
		j++;
	return j == d;
}

double ood_near_cost(const struct ood_near_options *options, const double *q,
		     const double *x, size_t d)
{
	if (options->kind == OOD_NEAR_DOT)
		return -ood_dot(q, x, d);
	if (options->kind == OOD_NEAR_DISTANCE)
		return ood_distance2(q, x, d);
	return is_zero(q, d) || is_zero(x, d) ? 1 : ood_distance2(q, x, d) / 2;
}
