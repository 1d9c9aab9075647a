/*
 * gen.c - generalised entropy of the largest probabilities
 *
 *	sum p^gamma (1 - p)^gamma, over the `top` largest p
 *
 * Terms are exp(gamma (ln p + ln(1 - p))), with ln p = (z - m) - log1p(s), and
 * 1 - p1 = s/(1 + s) for the largest. A p of exactly 0 or 1 adds 0. Larger =
 * more OoD.
 *
 * Liu, Lochman, Zach: GEN: Pushing the Limits of Softmax-Based
 * Out-of-Distribution Detection, CVPR 2023.
 */
#include "math/select.h"
#include "scorers/scorer.h"

enum { GAMMA, TOP };

/* Terms at a time. */
enum { SOME = 256 };

static const struct ood_param params[] = {
	[GAMMA] = { .kind = OOD_PARAM_REAL,
		    .name = "gamma",
		    .help = "exponent",
		    .def = 0.1,
		    .lo = 0,
		    .hi = INFINITY,
		    .lo_open = true },
	[TOP] = { .kind = OOD_PARAM_INT,
		  .name = "top",
		  .help = "how many of the largest",
		  .def = 100,
		  .lo = 1,
		  .hi = INFINITY },
	{ .kind = OOD_PARAM_END },
};

/* One row, and how its entries become ln p. */
struct row {
	const double *x;
	size_t c, arg;
	bool is_probs;
	double max, nlog, gamma;
};

/* Sum of the terms of n <= SOME entries. */
static double terms(const struct row *row, double *x, size_t n)
{
	double other[SOME], sum = 0;

	if (row->is_probs) {
		memcpy(other, x, n * sizeof(*x));
		ood_logs(x, n);
	} else {
		for (size_t i = 0; i < n; i++)
			other[i] = x[i] = (x[i] - row->max) - row->nlog;
		ood_exps(other, n);
	}
	for (size_t i = 0; i < n; i++)
		other[i] = 1 - other[i];
	ood_logs(other, n);
	for (size_t i = 0; i < n; i++)
		x[i] = row->gamma * (x[i] + other[i]);
	ood_exps(x, n);
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

/* Sum over the entries > cut but the largest, in order. */
static double sum_above(const struct row *row, double cut)
{
	double some[SOME], sum = 0;
	size_t n = 0;

	for (size_t j = 0; j < row->c; j++) {
		some[n] = row->x[j];
		n += row->x[j] > cut && j != row->arg;
		if (n == SOME) {
			sum += terms(row, some, n);
			n = 0;
		}
	}
	return sum + terms(row, some, n);
}

/* others: 1 - p1, the sum of the other probabilities. */
static double one_row(const struct row *row, size_t top, double others)
{
	double cut = -INFINITY, sum;
	size_t ties = 0;

	if (top < row->c)
		cut = ood_nth_largest(row->x, row->c, top, row->max, &ties);
	sum = sum_above(row, cut);
	/* Where the cut is the maximum, that stands apart from its ties. */
	if (cut == row->max)
		ties--;
	if (ties) {
		double equal = cut;

		sum += (double)ties * terms(row, &equal, 1);
	}
	if (others > 0)
		sum += exp(row->gamma * (log(others) - row->nlog));
	return sum;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ood_digest *d = rows->digest;
	double top = OOD_MIN(args->num[TOP], (double)rows->c);

	(void)state;
	for (size_t i = 0; i < rows->n; i++) {
		struct row row = { rows->z + i * rows->c, rows->c,   d->arg[i],
				   rows->is_probs,	  d->max[i], d->nlog[i],
				   args->num[GAMMA] };

		out[i] = one_row(&row, (size_t)top, d->top[i] * d->s[i]);
	}
}

const struct ood_scorer ood_scorer_gen = {
	.name = "gen",
	.brief = "generalised entropy of the largest probabilities",
	.formula = "sum p^gamma (1 - p)^gamma over the top largest p",
	.cite = "Liu, Lochman, Zach: GEN: Pushing the Limits of Softmax-Based "
		"Out-of-Distribution Detection, CVPR 2023",
	.needs = OOD_NEEDS_CLASSES,
	.take = OOD_TAKE_DIGEST | OOD_TAKE_ROWS,
	.params = params,
	.score = score,
};
