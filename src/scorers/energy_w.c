/*
 * energy_w.c - free energy with a weight for each class
 *
 *	-ln sum w exp(z) = -ln sum exp(z + ln w), over w > 0
 *
 * Larger = more OoD.
 *
 * Du, Wang, Cai, Li: VOS: Learning What You Don't Know by Virtual Outlier
 * Synthesis, ICLR 2022.
 */
#include "core/err.h"
#include "scorers/scorer.h"

enum { WEIGHTS };

/* Classes at a time, so that no memory is needed for ln w. */
enum { SOME = 512 };

static const struct ood_param params[] = {
	[WEIGHTS] = { .kind = OOD_PARAM_LIST,
		      .name = "weights",
		      .help = "a number for each class",
		      .def = NAN,
		      .lo = -INFINITY,
		      .hi = INFINITY,
		      .need = true },
	{ .kind = OOD_PARAM_END },
};

static int check(const struct ood_args *args, size_t c, size_t d,
		 struct ood_err *err)
{
	(void)d;
	if (args->list_n[WEIGHTS] != c)
		return ood_fail(err, OOD_INPUT,
				"energy-w has %zu weights for %zu classes",
				args->list_n[WEIGHTS], c);
	for (size_t j = 0; j < c; j++)
		if (args->list[WEIGHTS][j] > 0)
			return OOD_OK;
	return ood_fail(err, OOD_USAGE, "energy-w: no weight is positive");
}

/* A running ln sum exp: *m + ln *s. */
static void add(const double *z, const double *lnw, size_t n, double *m,
		double *s)
{
	double e[SOME], top = -INFINITY, sum = 0;

	for (size_t j = 0; j < n; j++) {
		e[j] = z[j] + lnw[j];
		top = OOD_MAX(top, e[j]);
	}
	if (top == -INFINITY)
		return;
	for (size_t j = 0; j < n; j++)
		e[j] -= top;
	ood_exps(e, n);
	for (size_t j = 0; j < n; j++)
		sum += e[j];
	if (top > *m) {
		*s = sum + *s * exp(*m - top);
		*m = top;
	} else {
		*s += sum * exp(top - *m);
	}
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	double m[OOD_DIGEST_ROWS], s[OOD_DIGEST_ROWS], lnw[SOME];

	(void)state;
	for (size_t i = 0; i < rows->n; i++) {
		m[i] = -INFINITY;
		s[i] = 0;
	}
	for (size_t from = 0; from < rows->c; from += SOME) {
		size_t n = OOD_MIN(SOME, rows->c - from);

		memcpy(lnw, args->list[WEIGHTS] + from, n * sizeof(*lnw));
		ood_logs(lnw, n);
		for (size_t i = 0; i < rows->n; i++)
			add(rows->z + i * rows->c + from, lnw, n, &m[i], &s[i]);
	}
	for (size_t i = 0; i < rows->n; i++)
		out[i] = -(m[i] + log(s[i]));
}

const struct ood_scorer ood_scorer_energy_w = {
	.name = "energy-w",
	.brief = "free energy with class weights",
	.formula = "-ln sum w exp(z)",
	.cite = "Du, Wang, Cai, Li: VOS: Learning What You Don't Know by "
		"Virtual Outlier Synthesis, ICLR 2022",
	.needs = OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS,
	.params = params,
	.check = check,
	.score = score,
};
