/*
 * whiten.c - covariances: their inverses, shrinkage, features without variance
 */
#include "math/whiten.h"

#include "core/err.h"
#include "math/linalg.h"

/* Features that are named one by one. */
enum { NAMED = 5 };

static int add_ridge(const struct ood_mat *S, double ridge, struct ood_mat *sum,
		     struct ood_err *err)
{
	size_t d = S->cols;
	int code = ood_mat_make(sum, d, d, err);

	if (code)
		return code;
	memcpy(sum->data, S->data, d * d * sizeof(*S->data));
	for (size_t j = 0; j < d; j++)
		sum->data[j * d + j] += ridge;
	return OOD_OK;
}

/* A = Lambda^-1/2 V'. */
static int scale_vectors(const struct ood_eigen *e, size_t rank,
			 struct ood_mat *A, struct ood_err *err)
{
	int code = ood_mat_make(A, rank, e->d, err);

	for (size_t i = 0; !code && i < rank; i++)
		for (size_t j = 0; j < e->d; j++)
			A->data[i * e->d + j] =
				e->vector[i * e->d + j] / sqrt(e->value[i]);
	return code;
}

int ood_whiten(const struct ood_mat *S, const struct ood_whitening *how,
	       struct ood_mat *A, double *lndet, struct ood_err *err)
{
	struct ood_mat sum = { 0 };
	struct ood_eigen e = { 0 };
	size_t rank = 0;
	int code = add_ridge(S, how->ridge, &sum, err);

	if (!code)
		code = ood_eigen_make(&e, sum.data, sum.cols, how->what, err);
	if (!code) {
		rank = ood_eigen_rank(&e, how->rtol);
		code = scale_vectors(&e, rank, A, err);
	}
	if (lndet)
		*lndet = 0;
	for (size_t i = 0; !code && lndet && i < rank; i++)
		*lndet += log(e.value[i]);
	ood_eigen_free(&e);
	ood_mat_free(&sum);
	return code;
}

static int refuse(const struct ood_whitening *how, size_t rank, size_t d,
		  const char *dead, struct ood_err *err)
{
	const char *or_help = how->help ? how->help : "other rows";

	if (!rank)
		return ood_fail(err, OOD_NUMERIC,
				"%s: the %s is 0: no row differs from its mean "
				"(more rows, or %s)",
				how->who, how->what, or_help);
	return ood_fail(err, OOD_NUMERIC,
			"%s: the %s is singular: rank %zu of %zu%s "
			"(inverse=pinv drops the other directions, %s gives "
			"them a size)",
			how->who, how->what, rank, d, dead, or_help);
}

static void warn(const struct ood_whitening *how, size_t rank, size_t d,
		 const char *dead, struct ood_notes *notes)
{
	ood_notes_warn(notes, "rank", d - rank,
		       "%s: the %s has rank %zu of %zu%s: a row may move along "
		       "the other directions and keep its score%s%s%s",
		       how->who, how->what, rank, d, dead,
		       how->help ? " (not with " : "",
		       how->help ? how->help : "", how->help ? ")" : "");
}

int ood_whiten_look(const struct ood_mat *S, const struct ood_whitening *how,
		    size_t rank, struct ood_notes *notes, struct ood_err *err)
{
	struct ood_buf dead = { 0 }, text = { 0 };
	size_t d = S->cols, n;
	int code = OOD_OK;

	if (rank == d)
		return OOD_OK;
	n = ood_dead_features(S, &dead);
	if (n && dead.text)
		ood_buf_printf(&text, ", without variance: feature%s %s",
			       n == 1 ? "" : "s", dead.text);
	const char *why = text.text ? text.text : "";
	if (!rank || how->exact)
		code = refuse(how, rank, d, why, err);
	else
		warn(how, rank, d, why, notes);
	ood_buf_free(&dead);
	ood_buf_free(&text);
	return code;
}

double ood_ledoit_wolf(struct ood_mat *S, double fourth, double n)
{
	size_t d = S->cols;
	double m = 0, all = 0, apart = 0, D = (double)d;

	for (size_t j = 0; j < d; j++)
		m += S->data[j * d + j] / D;
	for (size_t i = 0; i < d; i++) {
		for (size_t j = 0; j < d; j++) {
			double s = S->data[i * d + j], t = i == j ? s - m : s;

			all += s * s;
			apart += t * t; /* ||S||^2 - D m^2 */
		}
	}
	double b = OOD_MAX((fourth / n - all) / (D * n), 0), e = apart / D;
	double a = e > 0 ? OOD_MIN(b, e) / e : 0;

	for (size_t i = 0; i < d; i++)
		for (size_t j = 0; j < d; j++)
			S->data[i * d + j] = (1 - a) * S->data[i * d + j] +
					     (i == j ? a * m : 0);
	return a;
}

size_t ood_dead_features(const struct ood_mat *S, struct ood_buf *text)
{
	size_t n = 0, d = S->cols;

	for (size_t j = 0; j < d; j++) {
		if (S->data[j * d + j] > 0)
			continue;
		if (n < NAMED)
			ood_buf_printf(text, n ? ", %zu" : "%zu", j + 1);
		n++;
	}
	if (n > NAMED)
		ood_buf_printf(text, " and %zu others", n - NAMED);
	return n;
}
