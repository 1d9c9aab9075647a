/*
 * logitgap.c - minus the mean gap between the largest logit and the others
 *
 *	-(sum (m - z_j))/(C - 1), over all classes but the largest
 *
 * Larger = more OoD. Experimental: the source also selects a subset of the
 * logits, which is not done here.
 *
 * Liang et al.: Revisiting Logit Distributions for Reliable
 * Out-of-Distribution Detection, arXiv 2510.20134, 2025.
 */
#include "core/err.h"
#include "scorers/scorer.h"

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)d;
	(void)args;
	if (c < 2)
		return ood_fail(err, OOD_INPUT,
				"logitgap needs two classes, found %zu", c);
	return OOD_OK;
}

/* By runs: the error does not grow with C. Halves, quarters ... by `scale`, a
 * power of two, keep sums of huge logits finite. */
static double gaps(const double *z, size_t c, double m, double scale)
{
	enum { RUN = 256 };
	double sum = 0;

	for (size_t from = 0; from < c; from += RUN) {
		size_t to = OOD_MIN(c, from + RUN);
		double part = 0;

		for (size_t j = from; j < to; j++)
			part += m * scale - z[j] * scale;
		sum += part;
	}
	return sum;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++) {
		const double *z = rows->z + i * rows->c;
		double m = rows->digest->max[i], n = (double)(rows->c - 1);
		double sum = gaps(z, rows->c, m, 1);

		out[i] = isfinite(sum)
				 ? -sum / n
				 : -gaps(z, rows->c, m, 0x1p-64) / n * 0x1p64;
	}
}

const struct ood_scorer ood_scorer_logitgap = {
	.name = "logitgap",
	.brief = "minus mean gap to the other logits (experimental)",
	.formula = "-mean (max z - z_j), j not the largest",
	.cite = "Liang et al.: arXiv 2510.20134, 2025",
	.needs = OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS | OOD_TAKE_FINITE,
	.check = check,
	.score = score,
};
