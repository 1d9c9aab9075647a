/*
 * chain.c - runs the stages of a model one after another
 */
#include "model/chain.h"

#include "core/err.h"
#include "core/view.h"
#include "io/check.h"

void ood_scored_free(struct ood_scored *scored)
{
	ood_free(scored->scores);
	ood_free(scored->pred);
	ood_free(scored->confidence);
	ood_free(scored->other);
	ood_free(scored->odd);
	memset(scored, 0, sizeof(*scored));
}

static bool has_logits(const struct ood_set *set)
{
	return ood_set_has(set, OOD_LOGITS) || ood_set_has(set, OOD_LOGPROBS);
}

struct ood_given ood_model_given(const struct ood_model *model,
				 const struct ood_set *set,
				 const struct ood_block *block)
{
	struct ood_given given = {
		.logits = has_logits(set),
		.probs = ood_set_has(set, OOD_PROBS),
		.labels = ood_set_has(set, OOD_LABELS),
		.head = model->head.W.rows > 0,
		.c = block ? block->scores_of_classes.cols
			   : ood_set_classes(set),
	};

	for (unsigned k = 0; k < OOD_LAYERS_MAX; k++) {
		given.features[k] = ood_set_has_layer(set, k);
		given.d[k] = block ? block->features[k].cols : 0;
	}
	if (ood_model_is_table(model)) {
		given.table = ood_set_score_count(set) > 0;
		given.d[0] = ood_set_score_count(set);
	}
	if (!given.c && !given.logits && !given.probs && given.features[0])
		given.c = model->head.W.rows;
	return given;
}

bool ood_model_is_table(const struct ood_model *model)
{
	return model->n && model->scorings[0].scorer->needs & OOD_NEEDS_TABLE;
}

bool ood_model_takes(const struct ood_model *model, enum ood_role role)
{
	if (role != OOD_FEATURES)
		return true;
	for (size_t i = 0; i < model->n; i++)
		if (model->scorings[i].scorer->needs & OOD_NEEDS_FEATURES)
			return true;
	return false;
}

/* Sizes that differ from those of the rows that it was fitted on. */
int ood_model_check_sizes(const struct ood_model *model,
			  const struct ood_given *given, struct ood_err *err)
{
	const struct ood_mat *W = &model->head.W;

	if (model->c && given->c && given->c != model->c)
		return ood_fail(err, OOD_INPUT,
				"%zu classes where the model was fitted on "
				"%zu",
				given->c, model->c);
	for (size_t k = 0; k < OOD_LAYERS_MAX; k++)
		if (model->d[k] && given->d[k] && given->d[k] != model->d[k])
			return ood_fail(err, OOD_INPUT,
					"%zu features where the model was "
					"fitted on %zu",
					given->d[k], model->d[k]);
	if (W->rows && given->d[0] && given->d[0] != W->cols)
		return ood_fail(err, OOD_INPUT,
				"%zu features where the head has %zu columns "
				"of weights (one a feature)",
				given->d[0], W->cols);
	if (W->rows && given->c && given->c != W->rows)
		return ood_fail(err, OOD_INPUT,
				"%zu classes where the head has %zu rows of "
				"weights (one a class)",
				given->c, W->rows);
	return OOD_OK;
}

/* Columns in another order would be other classes. */
static int check_names(const struct ood_model *model, const struct ood_set *set,
		       struct ood_err *err)
{
	for (size_t k = 0; model->classes && k < model->c; k++) {
		const char *name = ood_set_class_name(set, k);
		char own[OOD_QUOTE_MAX], other[OOD_QUOTE_MAX];

		if (!name || !strcmp(name, model->classes[k]))
			continue;
		ood_quote(own, sizeof(own), model->classes[k],
			  strlen(model->classes[k]));
		ood_quote(other, sizeof(other), name, strlen(name));
		ood_fail(err, OOD_INPUT,
			 "class %zu is called %s here, %s in the model", k,
			 other, own);
		return ood_err_where(err, ood_set_name(set), NULL);
	}
	return OOD_OK;
}

static int check_given(const struct ood_model *model, const struct ood_set *set,
		       const struct ood_given *given, struct ood_err *err)
{
	int code = ood_model_check_sizes(model, given, err);

	if (code)
		return ood_err_where(err, ood_set_name(set), NULL);
	code = check_names(model, set, err);
	for (size_t i = 0; i < model->n && !code; i++)
		code = ood_scoring_check(&model->scorings[i], given, false,
					 err);
	return code;
}

int ood_model_check(const struct ood_model *model, const struct ood_set *set,
		    struct ood_err *err)
{
	struct ood_given given = ood_model_given(model, set, NULL);

	return check_given(model, set, &given, err);
}

/* Room for a block of n rows; old contents are not kept. */
static int make_room(struct ood_scored *scored, size_t n, size_t columns,
		     struct ood_err *err)
{
	size_t values;

	scored->n = n;
	if (n <= scored->room && columns == scored->columns)
		return OOD_OK;
	ood_free(scored->scores);
	ood_free(scored->pred);
	ood_free(scored->confidence);
	ood_free(scored->other);
	scored->pred = NULL;
	scored->confidence = scored->other = scored->scores = NULL;
	scored->room = 0;
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

struct ood_batch ood_model_batch(const struct ood_model *model,
				 const struct ood_block *block)
{
	struct ood_batch batch = {
		.n = block->n,
		.z = block->scores_of_classes,
		.is_probs = block->is_probs,
		.label = block->label,
		.row = block->row,
		.head = model->head.W.rows ? &model->head : NULL,
	};

	memcpy(batch.x, block->features, sizeof(batch.x));
	if (ood_model_is_table(model))
		batch.x[0] = block->scores;
	return batch;
}

/* First block: sizes are known now, and memory for counts is made. */
static int start(const struct ood_model *model, const struct ood_set *set,
		 const struct ood_block *block, struct ood_scored *scored,
		 struct ood_err *err)
{
	const struct ood_batch batch = ood_model_batch(model, block);
	struct ood_given given = ood_model_given(model, set, block);
	int code = check_given(model, set, &given, err);

	if (code)
		return code;
	scored->has_top = given.c > 0;
	scored->odd = ood_calloc(model->n + 1, sizeof(*scored->odd));
	if (!scored->odd)
		return ood_fail_memory(err, model->n);
	return ood_model_compare_head(model, &batch, &scored->far,
				      &scored->largest, err);
}

int ood_model_block(const struct ood_model *model, const struct ood_set *set,
		    const struct ood_block *block, enum ood_nan nan,
		    struct ood_scored *scored, struct ood_err *err)
{
	const struct ood_batch batch = ood_model_batch(model, block);
	int code = make_room(scored, block->n, model->n_columns, err);

	if (!code && block->n && !scored->odd)
		code = start(model, set, block, scored, err);
	if (code || !block->n)
		return code;
	struct ood_top top = { scored->pred, scored->confidence,
			       scored->other };
	code = ood_scorings_run(
		model->scorings, model->n, &batch,
		&(struct ood_scores_out){ scored->scores, scored->columns, &top,
					  scored->odd, &scored->zero },
		err);
	if (code)
		return place(set, block->is_probs, err);
	scored->rows += block->n;
	if (block->bad)
		spoil(scored, block->bad, nan);
	return OOD_OK;
}

enum { COMPARED = 1024 }; /* rows: what is wrong is wrong in all of them */

int ood_model_compare_head(const struct ood_model *model,
			   const struct ood_batch *batch, double *far,
			   double *largest, struct ood_err *err)
{
	const struct ood_mat *W = &model->head.W;
	size_t n = OOD_MIN(batch->n, COMPARED);
	int code = OOD_OK;

	if (!W->rows || batch->is_probs || batch->z.cols != W->rows ||
	    batch->x[0].cols != W->cols)
		return OOD_OK;
	double *x = ood_malloc(W->cols, sizeof(*x));
	double *z = ood_malloc(W->rows, sizeof(*z));
	if (!x || !z)
		code = ood_fail_memory(err, W->cols * sizeof(*x));
	for (size_t i = 0; i < n && !code; i++) {
		for (size_t j = 0; j < W->cols; j++)
			x[j] = ood_view_at(batch->x[0], i, j);
		code = ood_layer_apply(&model->head, x, 1, z, err);
		for (size_t j = 0; j < W->rows && !code; j++) {
			double given = ood_view_at(batch->z, i, j);

			if (!isfinite(given))
				continue;
			*far = OOD_MAX(*far, fabs(given - z[j]));
			*largest = OOD_MAX(*largest, fabs(given));
		}
	}
	ood_free(x);
	ood_free(z);
	return code;
}

void ood_scored_notes(const struct ood_scored *scored,
		      const struct ood_model *model, struct ood_notes *notes)
{
	if (scored->far > 1e-3 * scored->largest)
		ood_notes_warn(notes, "head", 0,
			       "the logits differ from W x + b by up to %.3g "
			       "(largest logit %.3g): wrong layer, missing "
			       "pooling or transposed weights?",
			       scored->far, scored->largest);
	if (scored->zero)
		ood_notes_warn(notes, "zero-features", scored->zero,
			       "%llu of %llu rows have features that are all "
			       "zero",
			       (unsigned long long)scored->zero,
			       (unsigned long long)scored->rows);
	for (size_t i = 0; scored->odd && i < model->n; i++)
		if (scored->odd[i] && model->scorings[i].scorer->odd)
			ood_notes_warn(notes, "odd-rows", scored->odd[i],
				       "%s: %llu of %llu %s",
				       model->scorings[i].column,
				       (unsigned long long)scored->odd[i],
				       (unsigned long long)scored->rows,
				       model->scorings[i].scorer->odd);
}

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
	const struct ood_given given = { .logits = role != OOD_PROBS,
					 .probs = role == OOD_PROBS,
					 .c = view.cols };
	const struct ood_batch batch = { .n = view.rows,
					 .z = view,
					 .is_probs = role == OOD_PROBS };
	int code = check_rows(role, view, err);

	for (size_t i = 0; !code && i < model->n; i++)
		code = ood_scoring_check(&model->scorings[i], &given, false,
					 err);
	return code ? code
		    : ood_scorings_run(model->scorings, model->n, &batch,
				       &(struct ood_scores_out){
					       .scores = scores,
					       .stride = model->n_columns },
				       err);
}
