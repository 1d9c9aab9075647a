/*
 * knn.c - distance to the k-th nearest fit row
 *
 *	euclidean	||v(x) - v(x_(k))||
 *	squared		its square
 *	cosine		1 - cos(x, x_(k)), 1 where one of them is 0
 *
 * v(x) = x/||x|| (unit=1; the zero vector stays), or x itself; x_(k) the k-th
 * nearest row by that distance. Distances are exact: taken in double by
 * differences. exclude-self=1 is for scoring the fit rows: row i of the input
 * leaves out what was row i of the fit. Larger = more OoD.
 *
 * Sun, Ming, Zhu, Li: Out-of-Distribution Detection with Deep Nearest
 * Neighbors, ICML 2022.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/neighbours.h"
#include "scorers/bankrows.h"

enum { K, UNIT, METRIC, EXCLUDE_SELF, SUBSET };
enum metric { EUCLIDEAN, SQUARED, COSINE };

static const struct ood_param params[] = {
	[K] = { .kind = OOD_PARAM_INT,
		.name = "k",
		.help = "which neighbour, from the nearest on",
		.def = 50,
		.lo = 1,
		.hi = 0x1p31 },
	[UNIT] = { .kind = OOD_PARAM_SWITCH,
		   .name = "unit",
		   .help = "features over their norm",
		   .def = 1,
		   .lo = 0,
		   .hi = 1 },
	[METRIC] = { .kind = OOD_PARAM_WORD,
		     .name = "metric",
		     .help = "distance, its square, or 1 - cosine",
		     .choices = "euclidean squared cosine" },
	[EXCLUDE_SELF] = { .kind = OOD_PARAM_SWITCH,
			   .name = "exclude-self",
			   .help = "to score the fit rows: a row is no "
				   "neighbour of its own",
			   .def = 0,
			   .lo = 0,
			   .hi = 1 },
	[SUBSET] = OOD_PARAM_SUBSET,
	{ .kind = OOD_PARAM_END },
};

struct knn {
	struct ood_bankrows bank; /* numbers: of the input, exclude-self=1 */
	struct ood_neighbours *index;
	double *number;
};

static const struct ood_kept kept[] = {
	OOD_KEPT_BANKROWS(struct knn, bank, "row-numbers"),
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct knn *s = state;
	double number[OOD_DIGEST_ROWS];
	const struct ood_bankrows_draw draw = { fit->args->num[SUBSET],
						fit->seed };

	for (size_t i = 0; i < rows->n; i++)
		number[i] = (double)rows->row[i];
	return ood_bankrows_add(
		&s->bank, rows,
		fit->args->num[EXCLUDE_SELF] > 0 ? number : NULL, draw, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	(void)fit;
	return ood_bankrows_join(&((struct knn *)state)->bank,
				 &((const struct knn *)from)->bank, err);
}

static const char *unmergeable(const struct ood_args *args)
{
	return args->num[EXCLUDE_SELF] > 0
		       ? "exclude-self goes by row numbers, which every part "
			 "counts anew"
		       : NULL;
}

static size_t neighbours(const struct knn *s, const struct ood_args *args)
{
	size_t n = s->bank.rows.rows;

	return n && args->num[EXCLUDE_SELF] > 0 ? n - 1 : n;
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	const struct knn *s = state;
	const struct ood_args *args = fit->args;
	size_t k = (size_t)args->num[K];
	int code = ood_bankrows_check_k("knn", k, neighbours(s, args), err);

	if (!code)
		ood_bankrows_note(&s->bank, "knn", k, args->num[SUBSET],
				  fit->notes);
	return code;
}

/* Numbers ascend in one set; of several joined sets each begins at 1, and a
 * number stands for many rows. */
static int check_numbers(const struct knn *s, struct ood_err *err)
{
	for (size_t i = 1; i < s->bank.number.rows; i++)
		if (!(s->number[i] > s->number[i - 1]))
			return ood_fail(err, OOD_INPUT,
					"knn: exclude-self goes by row "
					"numbers, which several sets count "
					"anew (fit on one set)");
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct knn *s = state;
	const struct ood_args *args = fit->args;
	bool cosine = args->num[METRIC] == COSINE,
	     numbers = args->num[EXCLUDE_SELF] > 0;
	const struct ood_near_options options = {
		.kind = cosine ? OOD_NEAR_COSINE : OOD_NEAR_DISTANCE,
		.unit = args->num[UNIT] > 0,
	};
	int code = ood_bankrows_check(&s->bank, numbers, err);

	if (!code)
		code = ood_bankrows_check_k("knn", (size_t)args->num[K],
					    neighbours(s, args), err);
	if (!code && numbers)
		code = ood_bankrows_numbers(&s->bank, &s->number, err);
	if (!code && numbers)
		code = check_numbers(s, err);
	return code ? code
		    : ood_neighbours_make(&s->index, &s->bank.rows, options,
					  err);
}

static void release(void *state)
{
	struct knn *s = state;

	ood_neighbours_free(s->index);
	ood_free(s->number);
	s->index = NULL;
	s->number = NULL;
}

/* ------------------------------------------------------------- scoring --- */

/* The row of the bank with this number; SIZE_MAX: none. */
static size_t find_number(const struct knn *s, double number)
{
	size_t lo = 0, n = s->bank.number.rows, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->number[mid] < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && s->number[lo] == number ? lo : SIZE_MAX;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct knn *s = state;
	const bool exclude = args->num[EXCLUDE_SELF] > 0;
	size_t self[OOD_DIGEST_ROWS];

	for (size_t i = 0; exclude && i < rows->n; i++)
		self[i] = find_number(s, (double)rows->row[i]);
	const struct ood_near_query query = { .x = rows->x,
					      .n = rows->n,
					      .k = (size_t)args->num[K],
					      .last = true,
					      .self = exclude ? self : NULL };
	ood_neighbours_find(s->index, &query, out, NULL, rows->err);
	for (size_t i = 0; !rows->err->code && i < rows->n; i++)
		if (args->num[METRIC] == EUCLIDEAN)
			out[i] = sqrt(out[i]);
}

const struct ood_scorer ood_scorer_knn = {
	.name = "knn",
	.brief = "distance to the k-th neighbour",
	.formula = "||u(x) - u(x_(k))||",
	.cite = "Sun, Ming, Zhu, Li: Out-of-Distribution Detection with Deep "
		"Nearest Neighbors, ICML 2022",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.presets = "openood=metric=squared pytorch-ood=unit=0:k=1",
	.score = score,
	.state = sizeof(struct knn),
	.kept = kept,
	.add = add,
	.merge = merge,
	.unmergeable = unmergeable,
	.end = end,
	.ready = ready,
	.release = release,
};
