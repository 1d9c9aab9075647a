/*
 * sample.c - the scores of one side of an evaluation, gathered from its sets
 */
#include "cli/sample.h"

#include "cli/chosen.h"
#include "core/err.h"
#include "core/num.h"
#include "io/widen.h"
#include "model/fit.h"

static bool grow(struct ood_sample *s, size_t n, uint64_t expected)
{
	size_t need = s->n + n, room = s->room;

	if (need <= s->room)
		return true;
	room = OOD_MAX(need, s->room + s->room / 2);
	if (expected != UINT64_MAX && expected < SIZE_MAX)
		room = OOD_MAX(need, (size_t)expected);
	for (size_t c = 0; c < s->columns; c++) {
		double *more =
			ood_realloc(s->score[c], s->n, room, sizeof(double));
		if (!more)
			return false;
		s->score[c] = more;
	}
	uint8_t *verdict = ood_realloc(s->verdict, s->n, room, 1);
	if (verdict)
		s->verdict = verdict;
	uint8_t *is_ood = ood_realloc(s->is_ood, s->n, room, 1);
	if (is_ood)
		s->is_ood = is_ood;
	s->room = room;
	return verdict && is_ood;
}

static int start(struct ood_sample *s, size_t columns, struct ood_err *err)
{
	s->columns = columns;
	s->score = ood_calloc(columns, sizeof(*s->score));
	return s->score ? OOD_OK : ood_fail_memory(err, columns * 8);
}

void ood_sample_free(struct ood_sample *s)
{
	for (size_t c = 0; s->score && c < s->columns; c++)
		ood_free(s->score[c]);
	ood_free(s->score);
	ood_free(s->verdict);
	ood_free(s->is_ood);
	ood_free(s->truth_path);
	ood_idset_free(&s->ids);
	*s = (struct ood_sample){ 0 };
}

/* --------------------------------------------------------------- truth */

static bool any(const uint8_t *flag, size_t n)
{
	return n && memchr(flag, 1, n);
}

static int check_truth(const struct ood_sample *s, const struct ood_set *set,
		       const struct ood_truth *truth, struct ood_err *err)
{
	if (truth->column || truth->ood_label || any(s->is_ood, s->n))
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"%s: no label is -1, so nothing says which rows are "
			"OoD (--truth COL with 0/1, or --ood-label VALUE)",
			ood_set_name(set));
}

/* ------------------------------------------------------------ verdicts */

static int label_out_of_range(const struct ood_set *set, size_t i,
			      int64_t label, struct ood_err *err)
{
	ood_fail(err, OOD_INPUT,
		 label == -1 ? "label %lld (OoD) in a set of ID rows with %zu "
			       "classes (leave OoD rows out, or give them "
			       "with --ood)"
			     : "label %lld is out of range: there are %zu "
			       "classes, counted from 0",
		 (long long)label, ood_set_classes(set));
	ood_set_place(set, OOD_LABELS, i, SIZE_MAX, err);
	return (int)err->code;
}

static uint8_t verdict_of(const struct ood_block *block,
			  const struct ood_scored *scored, size_t i)
{
	if (block->bad && block->bad[i])
		return OOD_NO_VERDICT;
	if (block->correct)
		return block->correct[i] != 0 ? OOD_RIGHT : OOD_WRONG;
	if (!block->label || block->label[i] < 0)
		return OOD_NO_VERDICT;
	int64_t pred = block->pred ? block->pred[i]
		       : scored	   ? scored->pred[i]
				   : -1;
	if (pred < 0)
		return OOD_NO_VERDICT;
	return pred == block->label[i] ? OOD_RIGHT : OOD_WRONG;
}

/* Is row i one of a known class, with scores that are its own? */
static bool usable(const struct ood_block *block, size_t i)
{
	return block->label[i] >= 0 && !(block->bad && block->bad[i]);
}

/* Adds the runs of usable rows. */
static int calibrate(struct ood_calibration *calibration,
		     const struct ood_block *block, struct ood_err *err)
{
	struct ood_view all = block->scores_of_classes;
	size_t size = all.dtype == OOD_F4 ? sizeof(float) : sizeof(double);
	int code = OOD_OK;

	for (size_t i = 0, end; !code && i < block->n; i = end) {
		struct ood_view run = all;
		for (end = i; end < block->n && usable(block, end); end++)
			;
		run.data = (const char *)all.data + i * all.stride * size;
		run.rows = end - i;
		if (run.rows)
			code = ood_calibration_add(
				calibration,
				&(struct ood_labelled){ run, block->is_probs,
							block->label + i },
				err);
		else
			end++;
	}
	return code;
}

static int check_labels(const struct ood_set *set,
			const struct ood_block *block, struct ood_err *err)
{
	int64_t classes = (int64_t)block->scores_of_classes.cols;

	for (size_t i = 0; i < block->n; i++) {
		int64_t label = block->label[i];
		if (label != OOD_LABEL_NONE && (label < 0 || label >= classes))
			return label_out_of_range(set, i, label, err);
	}
	return OOD_OK;
}

static int judge(struct ood_sample *s, const struct ood_sampling *how,
		 const struct ood_set *set, const struct ood_block *block,
		 const struct ood_scored *scored, struct ood_err *err)
{
	bool top = scored && scored->has_top;
	int code = OOD_OK;

	if (block->scores_of_classes.cols && block->label)
		code = check_labels(set, block, err);
	if (code)
		return code;
	for (size_t i = 0; i < block->n; i++)
		s->verdict[s->n + i] =
			verdict_of(block, top ? scored : NULL, i);
	if (!block->scores_of_classes.cols || !block->label ||
	    !how->calibration)
		return OOD_OK;
	return calibrate(how->calibration, block, err);
}

/* ------------------------------------------------------------- reading */

/* Of a scorer its score alone: what it tells beside that is no score. */
static void copy_columns(struct ood_sample *s, const struct ood_block *block,
			 const struct ood_model *model,
			 const struct ood_scored *scored)
{
	struct ood_view v =
		scored ? (struct ood_view){ scored->scores, OOD_F8, block->n,
					    scored->columns, scored->columns }
		       : block->scores;

	for (size_t c = 0; c < s->columns; c++) {
		double *to = s->score[c] + s->n;
		ood_view_column(v, model ? ood_model_score_column(model, c) : c,
				to, 1);
		for (size_t i = 0; block->bad && i < block->n; i++)
			if (block->bad[i])
				to[i] = INFINITY;
	}
}

/* A row that is there twice would count twice. */
static int check_ids(struct ood_sample *s, const struct ood_set *set,
		     const struct ood_block *block, struct ood_err *err)
{
	char room[OOD_NUM_MAX], quoted[OOD_QUOTE_MAX];

	for (size_t i = 0; i < block->n && ood_vec_is_set(&block->ids); i++) {
		struct ood_span id = ood_vec_text(&block->ids, i, room);
		uint64_t before;

		if (!ood_idset_add(&s->ids, id, block->row[i], &before))
			return ood_fail_memory(err, s->ids.bytes.n);
		if (!before)
			continue;
		ood_quote(quoted, sizeof(quoted), id.at, id.n);
		ood_fail(err, OOD_INPUT,
			 "id \"%s\" occurs twice, in rows %llu and %llu: each "
			 "row counts once",
			 quoted, (unsigned long long)before,
			 (unsigned long long)block->row[i]);
		ood_set_place(set, OOD_IDS, i, SIZE_MAX, err);
		return (int)err->code;
	}
	return OOD_OK;
}

static int add_block(struct ood_sample *s, const struct ood_sampling *how,
		     const struct ood_set *set, const struct ood_block *block,
		     const struct ood_scored *scored, struct ood_err *err)
{
	int code = OOD_OK;

	if (!grow(s, block->n, ood_set_rows(set)))
		return ood_fail_memory(err, block->n * s->columns * 8);
	if (how->truth.mixed)
		code = ood_truth_tell(&how->truth, set, block, s->is_ood + s->n,
				      err);
	if (!code)
		code = check_ids(s, set, block, err);
	if (!code && how->judge)
		code = judge(s, how, set, block, scored, err);
	if (code)
		return code;
	if (!how->judge)
		memset(s->verdict + s->n, OOD_NO_VERDICT, block->n);
	copy_columns(s, block, scored ? *how->model : NULL, scored);
	s->has_groups = s->has_groups || ood_vec_is_set(&block->groups);
	s->n += block->n;
	return OOD_OK;
}

static void note_scored(const struct ood_sample *s,
			const struct ood_sampling *how,
			const struct ood_model *model,
			const struct ood_scored *scored)
{
	struct ood_notes notes = { 0 };

	ood_scored_notes(scored, model, &notes);
	for (size_t i = 0; how->report && i < notes.n; i++) {
		struct ood_buf text = { 0 };

		ood_buf_printf(&text, "%s: %s", s->name, notes.at[i].text);
		if (!text.failed)
			ood_report_warning(how->report, notes.at[i].code,
					   text.text, notes.at[i].count);
		ood_buf_free(&text);
	}
	ood_notes_free(&notes);
}

static int read_blocks(struct ood_sample *s, const struct ood_sampling *how,
		       struct ood_set *set, const struct ood_model *model,
		       struct ood_err *err)
{
	struct ood_block block;
	struct ood_scored scored = { 0 };
	struct ood_progress progress;
	int code = OOD_OK;

	ood_progress_begin(&progress, s->name, ood_set_rows(set), how->out);
	while (!code) {
		code = ood_set_next(set, &block, err);
		if (code || !block.n)
			break;
		if (model)
			code = ood_model_block(model, set, &block,
					       OOD_NAN_WORST, &scored, err);
		if (!code)
			code = add_block(s, how, set, &block,
					 model ? &scored : NULL, err);
		ood_progress_add(&progress, block.n);
	}
	s->classes = model ? ood_set_classes(set) : 0;
	ood_progress_end(&progress);
	if (!code && model)
		note_scored(s, how, model, &scored);
	ood_scored_free(&scored);
	return code;
}

/* The file of the labels; of the scores where the truth is a column. */
static void note_truth(struct ood_sample *s, const struct ood_set *set)
{
	const struct ood_input *inputs;
	size_t n = ood_set_inputs(set, &inputs), pick = 0;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(inputs[i].role, "labels"))
			pick = i;
	if (n)
		s->truth_path = ood_strdup(inputs[pick].path);
}

static void note(const struct ood_sample *s, const struct ood_sampling *how,
		 const struct ood_set *set)
{
	const struct ood_input *inputs;
	const struct ood_warning *warnings;
	size_t n = ood_set_inputs(set, &inputs);

	for (size_t i = 0; how->report && i < n; i++)
		ood_report_input(how->report, s->name, &inputs[i]);
	if (how->used)
		ood_used_add(how->used, set);
	n = ood_set_warnings(set, &warnings);
	for (size_t i = 0; how->report && i < n; i++)
		ood_report_warning(how->report, warnings[i].code,
				   warnings[i].text, warnings[i].count);
}

static size_t column_count(const struct ood_set *set,
			   const struct ood_model *model)
{
	return model ? model->n : ood_set_score_count(set);
}

static const char *column_name(const struct ood_set *set,
			       const struct ood_model *model, size_t i)
{
	return model ? model->columns[ood_model_score_column(model, i)]
		     : ood_set_score_name(set, i);
}

/* Keeps the names of the first set; the others must have the same. */
static int agree_names(const struct ood_set *set, const struct ood_model *model,
		       char ***names, struct ood_err *err)
{
	size_t n = column_count(set, model), known = 0;

	while (*names && (*names)[known])
		known++;
	for (size_t i = 0; *names && i < OOD_MAX(n, known); i++)
		if (known != n ||
		    strcmp((*names)[i], column_name(set, model, i)) != 0)
			return ood_fail(err, OOD_INPUT,
					"%s: its score columns differ from "
					"those of the other side (-s chooses "
					"columns that both have)",
					ood_set_name(set));
	if (*names)
		return OOD_OK;
	*names = ood_calloc(n + 1, sizeof(**names));
	for (size_t i = 0; *names && i < n; i++) {
		(*names)[i] = ood_strdup(column_name(set, model, i));
		if (!(*names)[i])
			return ood_fail_memory(err, n);
	}
	return *names ? OOD_OK : ood_fail_memory(err, n * sizeof(**names));
}

/* What is not needed is not read, nor checked. Of OoD rows nobody asks for
 * the class. */
static void ignore_unneeded(struct ood_set *set, const struct ood_sampling *how)
{
	static const enum ood_role of_judge[] = { OOD_LABELS, OOD_PRED,
						  OOD_CORRECT };

	ood_set_ignore(set, OOD_WEIGHTS);
	for (size_t i = 0; !how->judge && i < OOD_COUNT(of_judge); i++)
		ood_set_ignore(set, of_judge[i]);
}

static int prepare_model(struct ood_set *set, const struct ood_model *model,
			 struct ood_err *err)
{
	int code = ood_model_bind(model, set, err);

	return code ? code : ood_model_check(model, set, err);
}

static int prepare_scores(struct ood_set *set, const struct ood_sampling *how,
			  struct ood_err *err)
{
	int code = OOD_OK;

	ood_set_ignore(set, OOD_FEATURES);
	if (how->truth.mixed && how->truth.column)
		code = ood_set_extra(set, how->truth.column, err);
	if (!code && how->scorers)
		code = ood_choose_scores(set, how->scorers, err);
	if (!code && !ood_set_score_count(set))
		return ood_fail(err, OOD_INPUT,
				"%s: holds no scores (--as scores, or columns "
				"with names)",
				ood_set_name(set));
	if (!code && how->truth.mixed && !how->truth.column &&
	    !ood_set_has(set, OOD_LABELS))
		code = ood_fail(err, OOD_INPUT,
				"%s: nothing says which rows are OoD (--truth "
				"COL, or labels with --ood-label VALUE)",
				ood_set_name(set));
	return code;
}

/* The sets, and what their scores come from: the model, or (*model NULL) the
 * files. What is wrong with -m is told before what is wrong with a set. */
static int open_sets(struct ood_set **set, const struct ood_texts *specs,
		     const struct ood_sampling *how,
		     const struct ood_model **model, struct ood_err *err)
{
	struct ood_read read = *how->read;
	int code = OOD_OK;

	*model = NULL;
	if (!*how->model && how->from->models.n)
		code = ood_model_of(how->model, how->from, how->scorers, &read,
				    err);
	if (*how->model)
		ood_model_classes(*how->model, &read);
	if (!code)
		code = ood_set_open_all(set, specs->at, specs->n, &read, err);
	if (!code)
		code = ood_outputs_clash(how->out, *set, err);
	if (code)
		return code;
	ignore_unneeded(*set, how);
	if (how->truth.mixed ||
	    (ood_holds_scores(*set) && !how->from->models.n))
		return prepare_scores(*set, how, err);
	if (!*how->model)
		code = ood_model_of(how->model, how->from, how->scorers, &read,
				    err);
	if (!code)
		code = ood_model_take_head(*how->model, *set, err);
	*model = *how->model;
	return code ? code : prepare_model(*set, *model, err);
}

int ood_sample_read(struct ood_sample *s, const struct ood_texts *specs,
		    const struct ood_sampling *how, char ***names,
		    struct ood_err *err)
{
	struct ood_set *set = NULL;
	const struct ood_model *model = NULL;
	int code = open_sets(&set, specs, how, &model, err);

	if (!code)
		code = agree_names(set, model, names, err);
	if (!code)
		code = start(s, column_count(set, model), err);
	if (!code)
		code = read_blocks(s, how, set, model, err);
	if (!code && how->truth.mixed)
		code = check_truth(s, set, &how->truth, err);
	if (!code && how->truth.mixed)
		note_truth(s, set);
	if (!code)
		note(s, how, set);
	ood_set_close(set);
	return code;
}

/* ------------------------------------------------------------ splitting */

static void append_row(struct ood_sample *to, const struct ood_sample *from,
		       size_t i)
{
	for (size_t c = 0; c < from->columns; c++)
		to->score[c][to->n] = from->score[c][i];
	to->verdict[to->n++] = from->verdict[i];
}

int ood_sample_split(struct ood_sample *mixed, struct ood_sample *id,
		     struct ood_sample *ood, struct ood_err *err)
{
	size_t n_ood = 0;
	int code;

	for (size_t i = 0; i < mixed->n; i++)
		n_ood += mixed->is_ood[i];
	code = start(id, mixed->columns, err);
	if (!code)
		code = start(ood, mixed->columns, err);
	if (code)
		return code;
	if (!grow(id, mixed->n - n_ood, UINT64_MAX) ||
	    !grow(ood, n_ood, UINT64_MAX))
		return ood_fail_memory(err, mixed->n * mixed->columns * 8);
	id->name = "id";
	ood->name = "ood";
	for (size_t i = 0; i < mixed->n; i++)
		append_row(mixed->is_ood[i] ? ood : id, mixed, i);
	id->has_groups = ood->has_groups = mixed->has_groups;
	return OOD_OK;
}
