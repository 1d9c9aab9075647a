/*
 * fitrows.c - scorers fitted on arrays in memory, for tests
 */
#include "fitrows.h"

#include "core/mem.h"

static const double *shift(const double *at, size_t by)
{
	return at ? at + by : NULL;
}

struct fitrows rows_part(struct fitrows rows, size_t from, size_t n)
{
	rows.x = shift(rows.x, from * rows.d);
	rows.z = shift(rows.z, from * rows.c);
	rows.label = rows.label ? rows.label + from : NULL;
	rows.n = n;
	return rows;
}

static struct ood_mat copy(const double *data, size_t rows, size_t cols)
{
	struct ood_mat mat = { 0 };

	if (!data)
		return mat;
	ck_assert_int_eq(ood_mat_make(&mat, rows, cols, &one_err), OOD_OK);
	memcpy(mat.data, data, rows * cols * sizeof(double));
	return mat;
}

struct ood_layer head_of(const double *W, const double *b, size_t c, size_t d)
{
	struct ood_mat w = copy(W, c, d), bias = copy(b, 1, c);
	struct ood_layer head;

	ck_assert_int_eq(ood_layer_make(&head, &w, &bias, &one_err), OOD_OK);
	return head;
}

static struct ood_batch batch(struct fitrows r)
{
	struct ood_batch b = { .n = r.n, .label = r.label, .head = r.head };

	if (r.z)
		b.z = view_of(r.z, r.n, r.c);
	if (r.x)
		b.x[0] = view_of(r.x, r.n, r.d);
	return b;
}

static struct ood_given given(struct fitrows r)
{
	return (struct ood_given){
		.logits = r.z != NULL,
		.labels = r.label != NULL,
		.head = r.head != NULL,
		.c = r.z      ? r.c
		     : r.head ? r.head->W.rows
			      : 0,
		.d = { r.d },
		.features = { r.x != NULL },
	};
}

static int passes(struct ood_fitting *f, struct fitrows rows)
{
	const struct ood_batch b = batch(rows);
	int code = OOD_OK;

	while (!code && ood_fitting_side(f) != OOD_PASS_NONE) {
		code = ood_fitting_add(f, &b, &one_err);
		if (!code)
			code = ood_fitting_pass(f, &one_err);
	}
	return code;
}

static int fit(struct ood_scoring *s, struct fitrows rows,
	       struct ood_notes *notes, bool partial)
{
	const struct ood_given g = given(rows);
	struct ood_fitting *f = NULL;
	int code = ood_scoring_check(s, &g, true, &one_err);

	if (!code)
		code = ood_fitting_begin(
			&f,
			&(struct ood_fitting_options){ .scorings = s,
						       .n = 1,
						       .given = &g,
						       .head = rows.head,
						       .partial = partial,
						       .notes = notes },
			&one_err);
	if (!code)
		code = passes(f, rows);
	if (!code && !partial)
		code = ood_fitting_end(f, &one_err);
	ood_fitting_free(f);
	return code;
}

int fit_try(struct ood_scoring *scoring, const char *spec, struct fitrows rows,
	    struct ood_notes *notes)
{
	*scoring = parse_one(spec);
	return fit(scoring, rows, notes, false);
}

struct ood_scoring fit_one(const char *spec, struct fitrows rows)
{
	struct ood_scoring s;

	ck_assert_msg(!fit_try(&s, spec, rows, NULL), "%s: %s", spec,
		      one_err.what);
	return s;
}

struct ood_scoring fit_merged(const char *spec, struct fitrows rows, size_t cut)
{
	struct ood_scoring a = parse_one(spec), b = parse_one(spec);
	const struct ood_given g = given(rows);
	const struct ood_fit end = {
		.args = &a.args, .head = rows.head, .c = g.c, .d = rows.d
	};

	ck_assert_int_eq(fit(&a, rows_part(rows, 0, cut), NULL, true), OOD_OK);
	ck_assert_int_eq(
		fit(&b, rows_part(rows, cut, rows.n - cut), NULL, true),
		OOD_OK);
	ck_assert_int_eq(a.scorer->merge(a.state, b.state, &end, &one_err),
			 OOD_OK);
	ck_assert_int_eq(a.scorer->end(a.state, &end, &one_err), OOD_OK);
	ck_assert_int_eq(ood_scoring_ready(&a, rows.head, g.c, &one_err),
			 OOD_OK);
	ood_scoring_free(&b);
	return a;
}

void fit_refuse(const char *spec, struct fitrows rows, int code,
		const char *part)
{
	struct ood_scoring s;

	ck_assert_int_eq(fit_try(&s, spec, rows, NULL), code);
	ck_assert_msg(strstr(one_err.what, part) != NULL, "%s: %s", spec,
		      one_err.what);
	ood_scoring_free(&s);
}

size_t kept_rows(const char *spec, struct fitrows rows, const char *name)
{
	struct ood_scoring s = fit_one(spec, rows);
	size_t n = 0;

	for (const struct ood_kept *k = s.scorer->kept; k->kind; k++)
		if (!strcmp(k->name, name))
			n = ood_kept_view(k, s.state).rows;
	ood_scoring_free(&s);
	return n;
}

int score_try(const struct ood_scoring *scoring, struct fitrows rows,
	      double *out, uint64_t *odd)
{
	const struct ood_batch b = batch(rows);
	const struct ood_given g = given(rows);
	int code = ood_scoring_check(scoring, &g, false, &one_err);

	return code ? code
		    : ood_scorings_run(scoring, 1, &b,
				       &(struct ood_scores_out){ .scores = out,
								 .stride = 1,
								 .odd = odd },
				       &one_err);
}

void score_rows(const struct ood_scoring *scoring, struct fitrows rows,
		double *out)
{
	ck_assert_msg(!score_try(scoring, rows, out, NULL), "%s: %s",
		      scoring->column, one_err.what);
}

void fit_and_score(const char *spec, struct fitrows fit_on, struct fitrows test,
		   double *out)
{
	struct ood_scoring s = fit_one(spec, fit_on);

	score_rows(&s, test, out);
	ood_scoring_free(&s);
}

bool has_warning(const struct ood_notes *notes, const char *code)
{
	for (size_t i = 0; i < notes->n; i++)
		if (notes->at[i].code && !strcmp(notes->at[i].code, code))
			return true;
	return false;
}
