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

/* Terms that wait to be computed together, of one row or many. */
struct batch {
	const struct ood_rows *rows;
	double gamma;
	double *out; /* sums, a row each */
	size_t n;
	double x[SOME]; /* ln p, or p where the rows are probabilities */
	size_t row[SOME];
};

/* Adds the terms to the sums of their rows, in the order they came. */
static void flush(struct batch *b)
{
	double other[SOME];

	memcpy(other, b->x, b->n * sizeof(*other));
	if (b->rows->is_probs)
		ood_logs(b->x, b->n);
	else
		ood_exps(other, b->n);
	for (size_t i = 0; i < b->n; i++)
		other[i] = 1 - other[i];
	ood_logs(other, b->n);
	for (size_t i = 0; i < b->n; i++)
		b->x[i] = b->gamma * (b->x[i] + other[i]);
	ood_exps(b->x, b->n);
	for (size_t i = 0; i < b->n; i++)
		b->out[b->row[i]] += b->x[i];
	b->n = 0;
}

/* An entry z (or p) of row i; counts only if `wanted`, without a branch. */
static void add(struct batch *b, size_t i, double z, bool wanted)
{
	const struct ood_digest *d = b->rows->digest;

	b->x[b->n] = b->rows->is_probs ? z : (z - d->max[i]) - d->nlog[i];
	b->row[b->n] = i;
	b->n += wanted;
	if (b->n == SOME)
		flush(b);
}

/* The `top` largest entries of row i but the largest. */
static void add_row(struct batch *b, size_t i, size_t top)
{
	size_t c = b->rows->c, ties = 0;
	const double *z = b->rows->z + i * c;
	const struct ood_digest *d = b->rows->digest;
	double cut = -INFINITY;

	if (top < c)
		cut = ood_nth_largest(z, c, top, d->max[i], &ties);
	for (size_t j = 0; j < c; j++)
		add(b, i, z[j], z[j] > cut && j != d->arg[i]);
	/* Where the cut is the maximum, one of its ties is the largest. */
	if (cut == d->max[i])
		ties--;
	for (; ties; ties--)
		add(b, i, cut, true);
}

/* ln of the sum of exp(z_j - m) over all but the largest, from the second
 * largest, where the sum itself leaves the normal doubles. */
static double log_rest(const struct ood_rows *rows, size_t i)
{
	const double *z = rows->z + i * rows->c;
	const struct ood_digest *d = rows->digest;
	double second = d->second[i], sum = 0;

	if (second == -INFINITY)
		return -INFINITY;
	for (size_t j = 0; j < rows->c; j++)
		if (j != d->arg[i])
			sum += exp(z[j] - second);
	return second - d->max[i] + log(sum);
}

/* The terms of the largest entries: 1 - p1 is the sum of the others. */
static void add_largest(const struct ood_rows *rows, double gamma, double *out)
{
	const struct ood_digest *d = rows->digest;
	double x[OOD_DIGEST_ROWS];

	for (size_t i = 0; i < rows->n; i++)
		x[i] = d->top[i] * d->s[i];
	ood_logs(x, rows->n);
	for (size_t i = 0; i < rows->n; i++)
		if (d->s[i] < 1e-290 && !rows->is_probs)
			x[i] = log_rest(rows, i) - d->nlog[i];
	for (size_t i = 0; i < rows->n; i++)
		x[i] = gamma * (x[i] - d->nlog[i]);
	ood_exps(x, rows->n);
	for (size_t i = 0; i < rows->n; i++)
		out[i] += x[i];
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	double top = OOD_MIN(args->num[TOP], (double)rows->c);
	struct batch b = { .rows = rows,
			   .gamma = args->num[GAMMA],
			   .out = out };

	(void)state;
	memset(out, 0, rows->n * sizeof(*out));
	for (size_t i = 0; i < rows->n; i++)
		add_row(&b, i, (size_t)top);
	flush(&b);
	add_largest(rows, args->num[GAMMA], out);
}

const struct ood_scorer ood_scorer_gen = {
	.name = "gen",
	.brief = "generalised entropy of the largest probabilities",
	.formula = "sum p^gamma (1 - p)^gamma over the top largest p",
	.cite = "Liu, Lochman, Zach: GEN: Pushing the Limits of Softmax-Based "
		"Out-of-Distribution Detection, CVPR 2023",
	.needs = OOD_NEEDS_CLASSES,
	.take = OOD_TAKE_ROWS,
	.params = params,
	.score = score,
};
