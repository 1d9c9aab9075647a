/*
 * mahalanobis_fit.c - class means and covariances of mahalanobis and rmd
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "math/vector.h"
#include "math/whiten.h"
#include "scorers/mahalanobis.h"

/* ----------------------------------------------------------------- sums --- */

/* Classes that are added to others each count for one. */
static enum ood_scatter_kind kind_of(const struct ood_args *args)
{
	return args->text[OOD_MAHA_FROM] ? OOD_SCATTER_EACH
					 : OOD_SCATTER_SHARED;
}

int ood_mahalanobis_next(void *state, const struct ood_fit *fit,
			 enum ood_pass *pass, struct ood_err *err)
{
	struct ood_mahalanobis *s = state;
	const struct ood_class_sums *sums = &s->sums.classes;
	bool again = ood_is_on(fit->args, OOD_MAHA_SHRINK);

	*pass = fit->pass > again ? OOD_PASS_NONE : OOD_PASS_TRAIN;
	if (!again || fit->pass != 1)
		return OOD_OK;
	int code = ood_scatter_close(&s->sums, err);
	return code ? code
		    : ood_grand_mean(sums->count.data, &s->sums.centre,
				     &s->centre, err);
}

/* The second pass, about the means of the first. */
static int add_fourth(struct ood_mahalanobis *s, const int64_t *label,
		      const struct ood_rows *rows, const double *x,
		      struct ood_err *err)
{
	size_t d = rows->d;

	for (size_t i = 0; i < rows->n; i++) {
		size_t k = ood_class_labels_find(&s->sums.classes.label,
						 label ? label[i] : 0);
		if (k == SIZE_MAX)
			return ood_fail(err, OOD_INPUT,
					"the rows have other labels when read "
					"again");
		double own = ood_distance2(x + i * d,
					   s->sums.centre.data + k * d, d);
		double all = ood_distance2(x + i * d, s->centre.data, d);

		s->fourth += own * own;
		s->fourth_all += all * all;
	}
	return OOD_OK;
}

int ood_mahalanobis_add(struct ood_mahalanobis *s, const struct ood_fit *fit,
			const struct ood_rows *rows, const double *x,
			struct ood_err *err)
{
	const int64_t *label =
		ood_is_on(fit->args, OOD_MAHA_LABELS) ? rows->label : NULL;

	if (ood_is_on(fit->args, OOD_MAHA_LABELS) && !label)
		return ood_fail(err, OOD_USAGE,
				"distances to classes are fitted with labels "
				"(labels=FILE, or a column label; or the "
				"parameter labels=0: one Gaussian for all "
				"rows)");
	s->sums.kind = kind_of(fit->args);
	return fit->pass ? add_fourth(s, label, rows, x, err)
			 : ood_scatter_add(&s->sums, label, x, rows->n, rows->d,
					   err);
}

int ood_mahalanobis_merge(void *state, const void *from,
			  const struct ood_fit *fit, struct ood_err *err)
{
	struct ood_mahalanobis *s = state;

	(void)fit;
	return ood_scatter_join(
		&s->sums, &((const struct ood_mahalanobis *)from)->sums, err);
}

/* ---------------------------------------------------------- covariances --- */

static void move(struct ood_mat *to, struct ood_mat *from)
{
	*to = *from;
	*from = (struct ood_mat){ 0 };
}

static void scale(struct ood_mat *S, double by)
{
	for (size_t i = 0; i < S->rows * S->cols; i++)
		S->data[i] *= by;
}

static void divide(struct ood_mat *S, double by)
{
	for (size_t i = 0; i < S->rows * S->cols; i++)
		S->data[i] /= by;
}

static int copy(struct ood_mat *to, const struct ood_mat *from,
		struct ood_err *err)
{
	int code = ood_mat_make(to, from->rows, from->cols, err);

	if (!code)
		memcpy(to->data, from->data,
		       from->rows * from->cols * sizeof(*to->data));
	return code;
}

/* Classes and covariances from the sums. */
static int take_sums(struct ood_mahalanobis *s, bool relative,
		     struct ood_err *err)
{
	double n = ood_scatter_rows(&s->sums);
	struct ood_class_gaussians *g = &s->now;
	int code = OOD_OK;

	move(&g->label, &s->sums.classes.label);
	move(&g->count, &s->sums.classes.count);
	move(&g->mean, &s->sums.centre);
	move(&g->covariance, &s->sums.square);
	code = ood_grand_mean(g->count.data, &g->mean, &s->centre, err);
	if (!code && relative)
		code = copy(&g->all, &g->covariance, err);
	if (!code && relative)
		code = ood_scatter_between(g->count.data, &g->mean, &s->centre,
					   &g->all, err);
	if (!code && relative)
		divide(&g->all, n);
	divide(&g->covariance, n);
	ood_scatter_free(&s->sums);
	return code;
}

static double rows_of(const struct ood_class_gaussians *g)
{
	double n = 0;

	for (size_t k = 0; k < g->count.rows; k++)
		n += g->count.data[k];
	return n;
}

/* A covariance that is to be inverted. */
struct inverting {
	const char *name;	 /* of the scorer */
	const char *what;	 /* "covariance" */
	const struct ood_mat *S; /* 1/N */
	double factor;		 /* for another divisor */
	double fourth;		 /* sum ||x - mean||^4 */
	double n;
	double shrinkage; /* set: NaN if it is not shrunk */
};

/* A, with A'A the inverse as the parameters want it. */
static int invert(struct inverting *inv, const struct ood_fit *fit,
		  struct ood_mat *A, struct ood_err *err)
{
	const double *num = fit->args->num;
	const struct ood_whitening how = {
		.rtol = isnan(num[OOD_MAHA_RTOL])
				? (double)inv->S->cols * num[OOD_MAHA_EPS]
				: num[OOD_MAHA_RTOL],
		.ridge = num[OOD_MAHA_RIDGE],
		.exact = (int)num[OOD_MAHA_INVERSE] == OOD_INVERSE_EXACT,
		.who = inv->name,
		.what = inv->what,
		.help = "ridge=R or shrink=1",
	};
	struct ood_mat S = { 0 };
	int code = copy(&S, inv->S, err);

	inv->shrinkage = NAN;
	if (!code && ood_is_on(fit->args, OOD_MAHA_SHRINK))
		inv->shrinkage = ood_ledoit_wolf(&S, inv->fourth, inv->n);
	if (!code) {
		scale(&S, inv->factor);
		code = ood_whiten(&S, &how, A, NULL, err);
	}
	if (!code)
		code = ood_whiten_look(inv->S, &how, A->rows, fit->notes, err);
	ood_mat_free(&S);
	return code;
}

static int invert_classes(struct ood_mahalanobis *s, const struct ood_fit *fit,
			  struct inverting *inv, struct ood_err *err)
{
	inv->what = "covariance within classes";
	inv->S = &s->now.covariance;
	inv->n = rows_of(&s->now);
	inv->fourth = s->fourth;
	inv->factor = 1;
	if ((int)fit->args->num[OOD_MAHA_DIVISOR] == OOD_DIVISOR_N_1) {
		if (inv->n < 2)
			return ood_fail(err, OOD_INPUT,
					"%s: divisor=n-1 of a single row",
					inv->name);
		inv->factor = inv->n / (inv->n - 1);
	}
	return invert(inv, fit, &s->whiten, err);
}

static int invert_all(struct ood_mahalanobis *s, const struct ood_fit *fit,
		      const char *name, struct ood_err *err)
{
	bool sum =
		(int)fit->args->num[OOD_MAHA_BACKGROUND] == OOD_BACKGROUND_SUM;
	struct inverting inv = { .name = name,
				 .what = "covariance of all rows",
				 .S = &s->now.all,
				 .n = rows_of(&s->now),
				 .fourth = s->fourth_all };

	inv.factor = sum ? inv.n : 1;
	return invert(&inv, fit, &s->whiten_all, err);
}

/* ------------------------------------------------------ end of a fit --- */

static void note(const struct ood_mahalanobis *s, const struct ood_fit *fit,
		 const struct inverting *inv)
{
	char shrunk[OOD_NUM_MAX];
	size_t k = s->now.mean.rows, single = 0;

	for (size_t i = 0; i < k; i++)
		single += s->now.count.data[i] == 1;
	ood_num_format_digits(shrunk, inv->shrinkage, 6);
	ood_notes_say(fit->notes,
		      "%s: %zu rows of %zu features, %zu class%s, rank %zu%s%s",
		      inv->name, (size_t)inv->n, s->now.mean.cols, k,
		      k == 1 ? "" : "es", s->whiten.rows,
		      isnan(inv->shrinkage) ? "" : ", shrinkage ",
		      isnan(inv->shrinkage) ? "" : shrunk);
	if (single && k > 1)
		ood_notes_warn(fit->notes, "single-row", single,
			       "%s: %zu of %zu classes have a single row, "
			       "which is their mean and adds nothing to the "
			       "covariance",
			       inv->name, single, k);
}

int ood_mahalanobis_end(struct ood_mahalanobis *s, const struct ood_fit *fit,
			const char *name, bool relative, struct ood_err *err)
{
	struct inverting inv = { .name = name };
	bool adds = fit->args->text[OOD_MAHA_FROM] != NULL;
	int code;

	if (adds && !s->old.label.data)
		return ood_fail(err, OOD_USAGE,
				"%s: the model of from=%s was not loaded", name,
				fit->args->text[OOD_MAHA_FROM]);
	s->sums.kind = kind_of(fit->args);
	code = ood_scatter_close(&s->sums, err);
	if (!code)
		code = adds ? ood_mahalanobis_add_classes(s, relative, err)
			    : take_sums(s, relative, err);
	if (!code)
		code = invert_classes(s, fit, &inv, err);
	if (!code && relative)
		code = invert_all(s, fit, name, err);
	if (!code)
		note(s, fit, &inv);
	if (!code && relative && !ood_is_on(fit->args, OOD_MAHA_LABELS))
		ood_notes_warn(fit->notes, "labels", 0,
			       "%s: with labels=0 the classes are the "
			       "background, and scores say nothing",
			       name);
	return code;
}
