/*
 * chain.c - runs the stages of a model one after another
 */
#include "model/chain.h"

#include <stdio.h>

#include "core/err.h"
#include "io/check.h"

static int add_columns(struct ood_model *model,
		       const struct ood_scoring *scoring, struct ood_err *err)
{
	for (size_t i = 0; i < ood_scoring_width(scoring); i++) {
		struct ood_buf name = { 0 };

		ood_scoring_name(scoring, i, &name);
		char *text = name.failed ? NULL : ood_strdup(name.text);
		ood_buf_free(&name);
		if (!text)
			return ood_fail_memory(err, sizeof(text));
		model->columns[model->n_columns++] = text;
	}
	return OOD_OK;
}

static int check_columns(const struct ood_model *model, struct ood_err *err)
{
	for (size_t i = 0; i < model->n_columns; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(model->columns[i], model->columns[k]))
				return ood_fail(err, OOD_USAGE,
						"two columns are named %s "
						"(NAME=SCORER names one)",
						model->columns[i]);
	return OOD_OK;
}

static int name_columns(struct ood_model *model, struct ood_err *err)
{
	size_t n = 0;
	int rc = OOD_OK;

	for (size_t i = 0; i < model->n; i++)
		n += ood_scoring_width(&model->scorings[i]);
	model->columns = ood_calloc(n, sizeof(*model->columns));
	if (!model->columns)
		return ood_fail_memory(err, n * sizeof(*model->columns));
	for (size_t i = 0; i < model->n && !rc; i++)
		rc = add_columns(model, &model->scorings[i], err);
	return rc ? rc : check_columns(model, err);
}

int ood_model_parse(struct ood_model **model, const char *list,
		    struct ood_err *err)
{
	struct ood_spec *specs = NULL;
	size_t n = 0;

	*model = NULL;
	int rc = ood_specs_parse(list, &specs, &n, err);
	if (rc)
		return rc;
	struct ood_model *made = ood_calloc(1, sizeof(*made));
	if (made)
		made->scorings = ood_calloc(n, sizeof(*made->scorings));
	if (!made || !made->scorings)
		rc = ood_fail_memory(err, n * sizeof(*made->scorings));
	for (size_t i = 0; i < n && !rc; i++) {
		rc = ood_scoring_parse(&made->scorings[i], &specs[i], err);
		made->n += !rc;
	}
	if (!rc)
		rc = name_columns(made, err);
	ood_free(specs);
	if (rc)
		ood_model_free(made);
	else
		*model = made;
	return rc;
}

void ood_model_free(struct ood_model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->n; i++)
		ood_scoring_free(&model->scorings[i]);
	for (size_t i = 0; i < model->n_columns; i++)
		ood_free(model->columns[i]);
	ood_free(model->scorings);
	ood_free(model->columns);
	ood_free(model);
}

size_t ood_model_columns(const struct ood_model *model)
{
	return model->n_columns;
}

const char *ood_model_column(const struct ood_model *model, size_t column)
{
	return column < model->n_columns ? model->columns[column] : NULL;
}

/* ------------------------------------------------------------- sets --- */

void ood_scored_free(struct ood_scored *scored)
{
	ood_free(scored->scores);
	ood_free(scored->pred);
	ood_free(scored->confidence);
	ood_free(scored->other);
	memset(scored, 0, sizeof(*scored));
}

static bool has_logits(const struct ood_set *set)
{
	return ood_set_has(set, OOD_LOGITS) || ood_set_has(set, OOD_LOGPROBS);
}

int ood_model_check(const struct ood_model *model, const struct ood_set *set,
		    struct ood_err *err)
{
	int rc = OOD_OK;

	for (size_t i = 0; i < model->n && !rc; i++)
		rc = ood_scoring_check(&model->scorings[i], has_logits(set),
				       ood_set_has(set, OOD_PROBS),
				       ood_set_classes(set), err);
	return rc;
}

/* Room for a block of n rows; old contents are not kept. */
static int make_room(struct ood_scored *scored, size_t n, size_t columns,
		     struct ood_err *err)
{
	size_t values;

	scored->n = n;
	if (n <= scored->room && columns == scored->columns)
		return OOD_OK;
	ood_scored_free(scored);
	if (!ood_mul(n, columns, &values))
		return ood_fail_memory(err, SIZE_MAX);
	scored->scores = ood_malloc(values, sizeof(double));
	scored->pred = ood_malloc(n, sizeof(int64_t));
	scored->confidence = ood_malloc(n, sizeof(double));
	scored->other = ood_malloc(n, sizeof(double));
	if (!scored->scores || !scored->pred || !scored->confidence ||
	    !scored->other)
		return ood_fail_memory(err, values * sizeof(double));
	scored->n = scored->room = n;
	scored->columns = columns;
	return OOD_OK;
}

/* Rows let through by --nan worst|keep. */
static void spoil(struct ood_scored *scored, const uint8_t *bad,
		  enum ood_nan nan)
{
	double x = nan == OOD_NAN_WORST ? INFINITY : NAN;

	for (size_t i = 0; i < scored->n; i++) {
		if (!bad[i])
			continue;
		for (size_t k = 0; k < scored->columns; k++)
			scored->scores[i * scored->columns + k] = x;
		scored->confidence[i] = scored->other[i] = NAN;
		scored->pred[i] = -1;
	}
}

/* The place of a row of the block becomes one of the file. */
static int place(const struct ood_set *set, bool is_probs, struct ood_err *err)
{
	uint64_t row = err->line, column = err->column;
	enum ood_role role = is_probs			    ? OOD_PROBS
			     : ood_set_has(set, OOD_LOGITS) ? OOD_LOGITS
							    : OOD_LOGPROBS;

	if (err->place != OOD_PLACE_ROW || !row)
		return (int)err->code;
	ood_err_at(err, OOD_PLACE_NONE, 0, 0);
	ood_set_place(set, role, (size_t)row - 1,
		      column ? (size_t)column - 1 : SIZE_MAX, err);
	return (int)err->code;
}

int ood_model_block(const struct ood_model *model, const struct ood_set *set,
		    const struct ood_block *block, enum ood_nan nan,
		    struct ood_scored *scored, struct ood_err *err)
{
	struct ood_view view = block->scores_of_classes;
	int rc = make_room(scored, block->n, model->n_columns, err);

	if (rc)
		return rc;
	scored->has_top = has_logits(set) || ood_set_has(set, OOD_PROBS);
	if (!block->n)
		return OOD_OK;
	if (!view.cols)
		return ood_model_check(model, set, err);
	struct ood_top top = { scored->pred, scored->confidence,
			       scored->other };
	rc = ood_scorings_run(model->scorings, model->n, view, block->is_probs,
			      scored->scores, scored->columns, &top, err);
	if (rc)
		return place(set, block->is_probs, err);
	if (block->bad)
		spoil(scored, block->bad, nan);
	return OOD_OK;
}

/* --------------------------------------------------------- matrices --- */

/* The command's checks, at its defaults. */
static int check_rows(enum ood_role role, struct ood_view view,
		      struct ood_err *err)
{
	struct ood_check check = {
		.kind = role == OOD_PROBS      ? OOD_CHECK_PROBS
			: role == OOD_LOGPROBS ? OOD_CHECK_LOGPROBS
					       : OOD_CHECK_LOGITS,
		.tol = 1e-3,
	};
	const struct ood_fault *fault = &check.refused;
	uint8_t *bad = ood_calloc(view.rows, sizeof(*bad));

	if (!bad)
		return ood_fail_memory(err, view.rows);
	ood_check_view(&check, view, bad);
	ood_free(bad);
	if (fault->kind == OOD_FAULT_NONE ||
	    (check.missing.kind != OOD_FAULT_NONE &&
	     check.missing.row < fault->row))
		fault = &check.missing;
	if (fault->kind == OOD_FAULT_NONE)
		return OOD_OK;
	ood_fault_say(fault, &check, err);
	return ood_err_at(err, OOD_PLACE_ROW, fault->row + 1,
			  fault->col == SIZE_MAX ? 0 : fault->col + 1);
}

int ood_model_score(const struct ood_model *model, enum ood_role role,
		    struct ood_view view, double *scores, struct ood_err *err)
{
	if (role != OOD_LOGITS && role != OOD_LOGPROBS && role != OOD_PROBS)
		return ood_fail(err, OOD_USAGE,
				"expected logits, logprobs or probs, found %s",
				ood_role_name(role));
	if (view.dtype != OOD_F4 && view.dtype != OOD_F8)
		return ood_fail(err, OOD_USAGE,
				"expected a view of float or double");
	if (!view.cols)
		return ood_fail(err, OOD_INPUT, "rows without columns");
	int rc = check_rows(role, view, err);

	return rc ? rc
		  : ood_scorings_run(model->scorings, model->n, view,
				     role == OOD_PROBS, scores,
				     model->n_columns, NULL, err);
}
