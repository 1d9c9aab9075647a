/*
 * doctor.c - odds of a wrong answer if the class is drawn, or the largest told
 *
 *	doctor-alpha	(1 - g)/g, g = sum p^2:  (2 s + (s^2 - q))/(1 + q)
 *	doctor-beta	(1 - max p)/max p = s
 *
 * s^2 >= q: nothing cancels. Larger = more OoD.
 *
 * Granese, Romanelli, Gorla, Palamidessi, Piantanida: DOCTOR: A Simple Method
 * for Detecting Misclassification Errors, NeurIPS 2021.
 */
#include "scorers/scorer.h"

enum { T };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

static void alpha(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ood_digest *d = rows->digest;

	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++) {
		double s = d->s[i], q = d->q[i];

		out[i] = (2 * s + (s * s - q)) / (1 + q);
	}
}

static void beta(const struct ood_rows *rows, const struct ood_args *args,
		 const void *state, double *out)
{
	(void)args;
	(void)state;
	memcpy(out, rows->digest->s, rows->n * sizeof(*out));
}

const struct ood_scorer ood_scorer_doctor_alpha = {
	.name = "doctor-alpha",
	.brief = "odds against two draws from p being equal",
	.formula = "(1 - g)/g, g = sum p^2",
	.cite = "Granese, Romanelli, Gorla, Palamidessi, Piantanida: DOCTOR: A "
		"Simple Method for Detecting Misclassification Errors, "
		"NeurIPS 2021",
	.needs = OOD_NEEDS_CLASSES,
	.params = params,
	.score = alpha,
};

const struct ood_scorer ood_scorer_doctor_beta = {
	.name = "doctor-beta",
	.brief = "odds against the largest class",
	.formula = "(1 - max p)/max p",
	.cite = "Granese, Romanelli, Gorla, Palamidessi, Piantanida: DOCTOR: A "
		"Simple Method for Detecting Misclassification Errors, "
		"NeurIPS 2021",
	.needs = OOD_NEEDS_CLASSES,
	.params = params,
	.score = beta,
};
