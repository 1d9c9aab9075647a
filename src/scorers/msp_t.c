/*
 * msp_t.c - one minus the largest probability at a fitted temperature
 *
 *	1 - max softmax(z / T),  T of least mean -ln p_y over the fit rows
 *
 * Use held-out rows of the training distribution. Where the best T is at its
 * bound or there is none, the fit fails, unless force=1. Larger = more OoD.
 *
 * Guo, Pleiss, Sun, Weinberger: On Calibration of Modern Neural Networks, ICML
 * 2017.
 */
#include "core/err.h"
#include "core/num.h"
#include "math/temperature.h"
#include "scorers/scorer.h"

enum { FORCE };

static const struct ood_param params[] = {
	[FORCE] = { .kind = OOD_PARAM_SWITCH,
		    .name = "force",
		    .help = "keep a temperature that is at its bound",
		    .def = 0,
		    .lo = 0,
		    .hi = 1 },
	{ .kind = OOD_PARAM_END },
};

struct msp_t {
	struct ood_mat T; /* 1 x 1 */
	struct ood_temperature search;
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "temperature", offsetof(struct msp_t, T), "11",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

/* ------------------------------------------------------------- fitting --- */

static int begin(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	(void)fit;
	(void)err;
	ood_temperature_begin(&((struct msp_t *)state)->search);
	return OOD_OK;
}

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	struct msp_t *s = state;

	(void)fit;
	(void)err;
	ood_temperature_add(&s->search, rows->z, rows->label, rows->n, rows->c);
	return OOD_OK;
}

static int next(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		struct ood_err *err)
{
	struct msp_t *s = state;
	bool more = !fit->pass || ood_temperature_next(&s->search);

	(void)err;
	*pass = more ? OOD_PASS_TRAIN : OOD_PASS_NONE;
	return OOD_OK;
}

/* Why a temperature is none. */
static const char *fault(enum ood_temperature_end end)
{
	switch (end) {
	case OOD_TEMPERATURE_OK:
		return NULL;
	case OOD_TEMPERATURE_LOW:
		return "the least temperature, exp(-10), is the best";
	case OOD_TEMPERATURE_HIGH:
		return "the largest temperature, exp(10), is the best: the "
		       "logits are worse than chance on these labels";
	case OOD_TEMPERATURE_DEGENERATE:
		return "every row is predicted right, so that no temperature "
		       "is the best: fit on rows that the network has not "
		       "been trained on";
	default:
		return "the search does not converge";
	}
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct msp_t *s = state;
	const struct ood_temperature *t = &s->search;
	const char *why = fault(t->end);
	char T[OOD_NUM_MAX], nll[OOD_NUM_MAX], nll_1[OOD_NUM_MAX];

	if (why && !fit->args->num[FORCE])
		return ood_fail(err, OOD_NUMERIC,
				"msp-t: %s (msp-t:force=1 keeps T all the "
				"same)",
				why);
	int code = ood_mat_make(&s->T, 1, 1, err);
	if (code)
		return code;
	s->T.data[0] = t->T;
	ood_num_format_digits(T, t->T, 6);
	ood_num_format_digits(nll, t->nll, 6);
	ood_num_format_digits(nll_1, t->nll_1, 6);
	ood_notes_say(fit->notes,
		      "msp-t: T %s from %llu rows (mean negative "
		      "log-likelihood %s, at T 1 %s)",
		      T, (unsigned long long)t->n, nll, nll_1);
	if (why)
		ood_notes_warn(fit->notes, "temperature", 0, "msp-t: %s", why);
	return OOD_OK;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	double T = ((struct msp_t *)state)->T.data[0];

	(void)fit;
	return T >= 1e-290 && T <= 1e290
		       ? OOD_OK
		       : ood_fail(err, OOD_INPUT,
				  "the temperature is not above 0");
}

/* ------------------------------------------------------------- scoring --- */

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct msp_t *s = state;
	const struct ood_view z = { rows->z, OOD_F8, rows->n, rows->c,
				    rows->c };
	struct ood_digest d;

	(void)args;
	ood_digest_logits(z, s->T.data[0], &d);
	for (size_t i = 0; i < rows->n; i++)
		out[i] = d.top[i] * d.s[i];
}

const struct ood_scorer ood_scorer_msp_t = {
	.name = "msp-t",
	.brief = "msp with a fitted temperature",
	.formula = "1 - max softmax(z / T), T of least -ln p_y",
	.cite = "Guo, Pleiss, Sun, Weinberger: On Calibration of Modern Neural "
		"Networks, ICML 2017",
	.needs = OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS,
	.fit = OOD_NEEDS_LOGITS | OOD_NEEDS_LABELS,
	.params = params,
	.score = score,
	.state = sizeof(struct msp_t),
	.kept = kept,
	.begin = begin,
	.add = add,
	.next = next,
	.end = end,
	.ready = ready,
};
