/*
 * ranked.c - a side of a curve from scores in any order
 */
#include "math/ranked.h"

#include "core/err.h"
#include "core/mem.h"
#include "math/order.h"

static int copy(const char *side, const double *from, size_t n, double *to,
		struct ood_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (isnan(from[i])) {
			ood_fail(err, OOD_INPUT,
				 "%s score is NaN, which has no rank", side);
			return ood_err_at(err, OOD_PLACE_ROW, i + 1, 0);
		}
		to[i] = from[i];
	}
	return OOD_OK;
}

int ood_ranked(const char *side, const double *scores, size_t n,
	       double **ranked, struct ood_err *err)
{
	double *x = ood_malloc(n, sizeof(*x));
	int rc;

	*ranked = NULL;
	if (!x)
		return ood_fail_memory(err, n * sizeof(*x));
	rc = copy(side, scores, n, x, err);
	if (!rc && !ood_sort(x, n))
		rc = ood_fail_memory(err, n * sizeof(*x));
	if (rc) {
		ood_free(x);
		return rc;
	}
	*ranked = x;
	return OOD_OK;
}
