/*
 * order.c - sorting of scores
 */
#include "math/order.h"
#include "core/mem.h"
#include "math/order_radix.h"

/* Insertion is faster than counting up to here (measured). */
#define SMALL 64

/* -0 becomes 0; true if x is sorted as it is. */
static bool prepare(double *x, size_t n)
{
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		x[i] += 0.0;
		sorted &= i == 0 || x[i - 1] <= x[i];
	}
	return sorted;
}

static void insertion_sort(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double v = x[i];
		size_t k = i;

		for (; k > 0 && x[k - 1] > v; k--)
			x[k] = x[k - 1];
		x[k] = v;
	}
}

bool ood_sort(double *x, size_t n)
{
	if (prepare(x, n))
		return true;
	if (n <= SMALL) {
		insertion_sort(x, n);
		return true;
	}
	double *spare = ood_malloc(n, sizeof(*spare));
	bool done = spare && ood_radix_sort(x, spare, n, sizeof(*x));

	ood_free(spare);
	return done;
}

bool ood_sort_index(const double *x, size_t n, size_t *order)
{
	struct ood_indexed *items = ood_malloc(n, sizeof(*items));
	struct ood_indexed *spare = ood_malloc(n, sizeof(*spare));
	bool done = items && spare;

	for (size_t i = 0; done && i < n; i++)
		items[i] = (struct ood_indexed){ x[i] + 0.0, i };
	done = done && ood_radix_sort(items, spare, n, sizeof(*items));
	for (size_t i = 0; done && i < n; i++)
		order[i] = items[i].index;
	ood_free(items);
	ood_free(spare);
	return done;
}

/* A step without a branch: which half is taken cannot be predicted. */
size_t ood_count_below(const double *x, size_t n, double v)
{
	const double *base = x;

	for (; n > 1; n -= n / 2)
		base += base[n / 2 - 1] < v ? n / 2 : 0;
	return (size_t)(base - x) + (n && *base < v);
}

size_t ood_count_upto(const double *x, size_t n, double v)
{
	const double *base = x;

	for (; n > 1; n -= n / 2)
		base += base[n / 2 - 1] <= v ? n / 2 : 0;
	return (size_t)(base - x) + (n && *base <= v);
}
