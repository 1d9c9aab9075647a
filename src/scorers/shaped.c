/*
 * shaped.c - what scorers that change features have in common
 */
#include "scorers/shaped.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "math/select.h"

void ood_shaped_logits(const struct ood_rows *rows, ood_change *change,
		       const void *how, double *z)
{
	size_t n = rows->n, d = rows->d;
	double *to = ood_malloc(n * d, sizeof(*to));

	if (!to) {
		ood_fail_memory(rows->err, n * d * sizeof(*to));
		return;
	}
	for (size_t i = 0; i < n; i++)
		change(rows->x + i * d, d, how, to + i * d);
	ood_layer_apply(rows->head, to, n, z, rows->err);
	ood_free(to);
}

size_t ood_top_count(size_t d, double percentile)
{
	/* rint() rounds halves to even in the default mode. */
	return d - (size_t)rint((double)d * percentile / 100);
}

int ood_top_check(const char *who, double percentile, size_t d,
		  struct ood_err *err)
{
	char text[OOD_NUM_MAX];

	if (!d || ood_top_count(d, percentile))
		return OOD_OK;
	ood_num_format(text, percentile);
	return ood_fail(err, OOD_USAGE,
			"%s: percentile=%s keeps none of %zu features (a "
			"smaller one does)",
			who, text, d);
}

struct ood_top_entries ood_top_of(const double *x, size_t d, size_t kept)
{
	struct ood_top_entries top = { .n = d, .kept = kept, .cut = -INFINITY };
	double most = x[0];
	size_t ties = 0;

	for (size_t j = 0; j < d; j++) {
		most = OOD_MAX(most, x[j]);
		top.all += x[j];
	}
	if (kept < d)
		top.cut = ood_nth_largest(x, d, kept, most, &top.ties);
	for (size_t j = 0; j < d; j++)
		if (ood_top_has(&top, x[j], &ties))
			top.sum += x[j];
	return top;
}

bool ood_top_has(const struct ood_top_entries *top, double x, size_t *ties)
{
	if (x != top->cut || top->kept == top->n)
		return x > top->cut;
	return (*ties)++ < top->ties;
}

double ood_top_ratio(const struct ood_top_entries *top)
{
	return top->sum != 0 ? top->all / top->sum : 1;
}

void ood_shaped_count_odd(const struct ood_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		const double *x = rows->x + i * rows->d;
		double least = x[0], most = x[0];

		for (size_t j = 1; j < rows->d; j++) {
			least = OOD_MIN(least, x[j]);
			most = OOD_MAX(most, x[j]);
		}
		*rows->odd += least < 0 || most <= 0;
	}
}
