/*
 * nnguide.c - energy guided by the neighbours
 *
 *	-G(x) lse(z),  G(x) = the mean of the k largest <u(x), g_i>,
 *	g_i = u(x_i) lse(z_i)
 *
 * over the fit rows i; u(x) = x/||x||, the zero vector stays; lse(z) = ln sum
 * exp z. Where an lse is negative the order flips. Larger = more OoD.
 *
 * Park, Jung, Teoh: Nearest Neighbor Guidance for Out-of-Distribution
 * Detection, ICCV 2023.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/neighbours.h"
#include "scorers/bankrows.h"

enum { K, SUBSET };

static const struct ood_param params[] = {
	[K] = { .kind = OOD_PARAM_INT,
		.name = "k",
		.help = "neighbours whose mean is taken",
		.def = 10,
		.lo = 1,
		.hi = 0x1p31 },
	[SUBSET] = OOD_PARAM_SUBSET,
	{ .kind = OOD_PARAM_END },
};

struct nnguide {
	struct ood_bankrows bank; /* numbers: lse(z_i) */
	struct ood_neighbours *index;
	double *lse;
};

static const struct ood_kept kept[] = {
	OOD_KEPT_BANKROWS(struct nnguide, bank, "logsumexp"),
	{ .kind = OOD_KEPT_END },
};

static double lse_of(const struct ood_rows *rows, size_t i)
{
	return rows->digest->max[i] + rows->digest->nlog[i];
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct nnguide *s = state;
	double lse[OOD_DIGEST_ROWS];
	const struct ood_bankrows_draw draw = { fit->args->num[SUBSET],
						fit->seed };

	for (size_t i = 0; i < rows->n; i++)
		lse[i] = lse_of(rows, i);
	return ood_bankrows_add(&s->bank, rows, lse, draw, err);
}

static int merge(void *state, const void *from, const struct ood_fit *fit,
		 struct ood_err *err)
{
	(void)fit;
	return ood_bankrows_join(&((struct nnguide *)state)->bank,
				 &((const struct nnguide *)from)->bank, err);
}

static void warn(const struct nnguide *s, const struct ood_fit *fit)
{
	size_t negative = 0;

	for (size_t i = 0; i < s->bank.number.rows; i++) {
		double lse;

		ood_bank_row(&s->bank.number, i, &lse);
		negative += lse < 0;
	}
	if (negative)
		ood_notes_warn(fit->notes, "logsumexp", negative,
			       "nnguide: logsumexp is negative in %zu of %zu "
			       "fit rows, for which the order flips",
			       negative, s->bank.number.rows);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	const struct nnguide *s = state;
	size_t k = (size_t)fit->args->num[K];
	int code = ood_bankrows_check_k("nnguide", k, s->bank.rows.rows, err);

	if (code)
		return code;
	ood_bankrows_note(&s->bank, "nnguide", k, fit->args->num[SUBSET],
			  fit->notes);
	warn(s, fit);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct nnguide *s = state;
	int code = ood_bankrows_check(&s->bank, true, err);

	if (!code)
		code = ood_bankrows_check_k("nnguide",
					    (size_t)fit->args->num[K],
					    s->bank.rows.rows, err);
	if (!code)
		code = ood_bankrows_numbers(&s->bank, &s->lse, err);
	if (code)
		return code;
	const struct ood_near_options options = { .kind = OOD_NEAR_DOT,
						  .unit = true,
						  .scale = s->lse };
	return ood_neighbours_make(&s->index, &s->bank.rows, options, err);
}

static void release(void *state)
{
	struct nnguide *s = state;

	ood_neighbours_free(s->index);
	ood_free(s->lse);
	s->index = NULL;
	s->lse = NULL;
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct nnguide *s = state;
	size_t k = (size_t)args->num[K];
	double *near = ood_malloc(rows->n * k, sizeof(*near));
	const struct ood_near_query query = { .x = rows->x,
					      .n = rows->n,
					      .k = k };

	if (!near)
		ood_fail_memory(rows->err, rows->n * k * sizeof(*near));
	else
		ood_neighbours_find(s->index, &query, near, NULL, rows->err);
	for (size_t i = 0; !rows->err->code && i < rows->n; i++) {
		double lse = lse_of(rows, i), sum = 0;

		for (size_t j = 0; j < k; j++)
			sum += near[i * k + j];
		*rows->odd += lse < 0;
		out[i] = -(sum / (double)k) * lse;
	}
	ood_free(near);
}

const struct ood_scorer ood_scorer_nnguide = {
	.name = "nnguide",
	.brief = "energy guided by neighbours",
	.formula = "-lse(z) mean of the k largest <u(x), u(x_i)> lse(z_i)",
	.cite = "Park, Jung, Teoh: Nearest Neighbor Guidance for "
		"Out-of-Distribution Detection, ICCV 2023",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.fit = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.params = params,
	.presets = "openood=k=100:subset=0.01 paper=k=10:subset=0.01",
	.odd = "rows with logsumexp < 0, for which the order flips",
	.score = score,
	.state = sizeof(struct nnguide),
	.kept = kept,
	.add = add,
	.merge = merge,
	.end = end,
	.ready = ready,
	.release = release,
};
