/*
 * cmd_score.c - ood score: a score, or several, for every sample
 */
#include <stdio.h>

#include "cli/append.h"
#include "cli/chosen.h"
#include "cli/common.h"
#include "cli/decision.h"
#include "cli/model_opts.h"
#include "cli/score_table.h"
#include "cli/unused.h"
#include "core/err.h"
#include "model/fit.h"

struct options {
	struct ood_input_options in;
	struct ood_output_options out;
	struct ood_model_options model;
	const char *threshold, *append;
};

#define FIELD(name) offsetof(struct options, name)

static const struct ood_opt score_opts[] = {
	{ OOD_OPT_TEXT, 0, "threshold", FIELD(threshold), "FILE|NUMBER",
	  "add the column decision: score >= threshold is ood; FILE is what "
	  "ood threshold -f json wrote",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_MAYBE, 0, "append", FIELD(append), "KEY",
	  "be a filter: every record of JSON Lines or CSV keeps its bytes and "
	  "gets the scores as an object KEY, in CSV as columns KEY_NAME",
	  "ood", 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};

static const struct ood_opt_part parts[] = {
	{ ood_model_opts, FIELD(model), NULL },
	{ ood_head_opts, FIELD(model.head), NULL },
	{ score_opts, 0, NULL },
	{ ood_input_opts, FIELD(in), NULL },
	{ ood_rows_out_opts, FIELD(out), NULL },
	{ 0 },
};

/* Everything that the command holds; released in one place. */
struct job {
	const struct options *options;
	struct ood_set *set;
	struct ood_model *model; /* NULL: the set's own scores */
	char **columns;		 /* of the scores */
	size_t n_columns;
	struct ood_decision decision;
	struct ood_sink *sink;
	struct ood_progress progress;
	struct ood_block block;	  /* the rows at hand ... */
	struct ood_scored scored; /* ... and their scores */
};

/* What nobody looks at is not read, nor checked. */
static int ignore_unneeded(const struct job *job, struct ood_err *err)
{
	static const enum ood_role roles[] = { OOD_PRED, OOD_CORRECT,
					       OOD_GROUPS, OOD_WEIGHTS };

	for (size_t i = 0; i < OOD_COUNT(roles); i++)
		ood_set_ignore(job->set, roles[i]);
	if (job->model)
		return ood_model_bind(job->model, job->set, err);
	ood_set_ignore(job->set, OOD_FEATURES);
	return OOD_OK;
}

/* The set's own scores, those that -s names. */
static int take_scores(struct job *job, const char *list, struct ood_err *err)
{
	int code = list ? ood_choose_scores(job->set, list, err) : OOD_OK;

	ood_model_free(job->model);
	job->model = NULL;
	if (!code)
		code = ood_chosen_names(job->set, &job->columns, err);
	job->n_columns = ood_set_score_count(job->set);
	return code;
}

/* -s names scorers, or columns where the set holds scores: what is wrong with
 * it is told before what is wrong with the set. */
static int open_set(struct job *job, const char *spec, struct ood_err *err)
{
	const struct options *o = job->options;
	struct ood_read read = ood_read_of(&o->in);
	struct ood_err of_set;
	char *list;
	int code = ood_texts_join(&o->model.scorers, &list, err), no_set;

	if (code)
		return code;
	read.keep_records = read.live = o->append != NULL;
	code = ood_model_of(&job->model, &o->model, list, &read, err);
	if (job->model)
		ood_model_classes(job->model, &read);
	no_set = ood_set_open(&job->set, spec, &read, &of_set);
	if (!no_set && !o->model.models.n && ood_holds_scores(job->set)) {
		code = take_scores(job, list, err);
	} else if (!code) {
		*err = no_set ? of_set : *err;
		code = no_set;
		job->columns = job->model->columns;
		job->n_columns = job->model->n_columns;
	}
	ood_free(list);
	return code;
}

static int read_threshold(struct job *job, struct ood_err *err)
{
	const struct options *o = job->options;
	const struct ood_judged judged = {
		.scorings = job->model ? job->model->scorings : NULL,
		.n = job->model ? job->model->n : 0,
		.columns = job->columns,
		.n_columns = job->n_columns,
		.higher_id = !job->model && o->in.higher == 1,
		.models = &o->model.models,
	};
	int code = ood_output_spares(&o->out, o->threshold, err);

	if (!code)
		code = ood_model_spares(&o->model, &o->out, err);

	return code ? code
		    : ood_decision_read(&job->decision, o->threshold, &judged,
					err);
}

static int open_input(struct job *job, const char *spec, struct ood_err *err)
{
	const struct options *o = job->options;
	int code = open_set(job, spec, err);

	if (!code)
		code = ood_outputs_clash(&o->out, job->set, err);
	if (!code)
		code = read_threshold(job, err);
	if (!code && o->in.classes && o->in.classes[0] == '@')
		code = ood_output_spares(&o->out, o->in.classes + 1, err);
	if (!code && job->model)
		code = ood_model_take_head(job->model, job->set, err);
	if (!code)
		code = ignore_unneeded(job, err);
	if (!code && job->model)
		code = ood_model_check(job->model, job->set, err);
	return code;
}

/* set -> model: the next rows and their scores. */
static int next(struct job *job, struct ood_err *err)
{
	const enum ood_nan nan = (enum ood_nan)job->options->in.nan;
	int code = ood_set_next(job->set, &job->block, err);

	if (code)
		return code;
	return job->model
		       ? ood_model_block(job->model, job->set, &job->block, nan,
					 &job->scored, err)
		       : ood_chosen_block(&job->block, nan, &job->scored, err);
}

/* In the set, or from its features and the last layer. */
static bool has_classes(const struct job *job)
{
	struct ood_given given = { 0 };

	if (job->model)
		given = ood_model_given(job->model, job->set, NULL);
	return given.logits || given.probs || given.c > 0;
}

/* The first block is read before the output is opened: a bad file leaves no
 * output. */
static int open_table(struct job *job, struct ood_score_table **table,
		      struct ood_err *err)
{
	const struct options *o = job->options;
	const char *format = ood_rows_format(&o->out, err);
	int code = format ? next(job, err) : (int)err->code;

	if (!code)
		code = ood_sink_open(&job->sink, o->out.output, err);
	if (!code)
		code = ood_binary_check(format, job->sink, err);
	if (!code)
		code = ood_score_table_open(
			table,
			&(struct ood_score_table_options){
				format, (int)o->out.digits, o->in.max_bytes,
				job->set, &job->block, job->columns,
				job->n_columns, &job->decision, job->sink,
				has_classes(job) },
			err);
	return code;
}

static int run_table(struct job *job, struct ood_err *err)
{
	struct ood_score_table *table = NULL;
	int code = open_table(job, &table, err);

	while (!code && job->block.n) {
		code = ood_score_table_put(table, &job->block, &job->scored,
					   err);
		ood_progress_add(&job->progress, job->block.n);
		if (!code)
			code = next(job, err);
	}
	return ood_score_table_close(table, code, err);
}

static int run_append(struct job *job, struct ood_err *err)
{
	struct ood_append *append = NULL;
	const struct options *o = job->options;
	const struct ood_append_options options = {
		o->append,    &o->in,	      job->set,
		job->columns, job->n_columns, &job->decision
	};
	int code = ood_append_open(&append, &options, err);

	if (!code && o->out.format)
		code = ood_fail(err, OOD_USAGE,
				"--append keeps the input's format: -f does "
				"not go with it");
	do {
		if (!code)
			code = next(job, err);
		if (!code && !job->sink)
			code = ood_sink_open(&job->sink, o->out.output, err);
		if (!code)
			code = ood_append_put(append, &job->block, &job->scored,
					      job->sink, err);
		ood_progress_add(&job->progress, code ? 0 : job->block.n);
	} while (!code && job->block.n);
	ood_append_free(append);
	return code;
}

static int one_set(const struct ood_texts *words, struct ood_err *err)
{
	if (!words->n)
		return ood_fail(err, OOD_USAGE,
				"no SET given (a file, a prefix, - or "
				"ROLE=FILE; see ood score --help)");
	if (words->n > 1)
		return ood_fail(err, OOD_USAGE,
				"one SET at a time, found \"%s\" and \"%s\"",
				words->at[0], words->at[1]);
	return OOD_OK;
}

static void warn(const struct job *job)
{
	const struct options *o = job->options;
	struct ood_used used = { 0 };
	struct ood_notes notes = { 0 };

	if (o->out.quiet)
		return;
	ood_warn_set("score", job->set, false);
	if (job->model)
		ood_scored_notes(&job->scored, job->model, &notes);
	ood_tell_notes("score", &notes, false);
	ood_notes_free(&notes);
	ood_used_add(&used, job->set);
	ood_unused_tell(&o->in, &used, "score", NULL);
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	struct job job = { .options = o };
	int code = one_set(&call->rest, err);

	if (code)
		return code;
	ood_threads_option(&o->out);
	code = open_input(&job, call->rest.at[0], err);
	if (!code) {
		ood_progress_begin(&job.progress, "ood score",
				   ood_set_rows(job.set), &o->out);
		code = o->append ? run_append(&job, err) : run_table(&job, err);
		ood_progress_end(&job.progress);
	}
	if (!code) {
		code = ood_sink_commit(job.sink, err);
		job.sink = NULL;
	}
	if (!code)
		warn(&job);
	ood_scored_free(&job.scored);
	ood_sink_abandon(job.sink);
	ood_set_close(job.set);
	if (!job.model)
		ood_names_free(job.columns);
	ood_model_free(job.model);
	return code;
}

static const char *const usage[] = {
	"score [-s LIST] [-m MODEL]... [OPTION]... SET", NULL
};
static const char *const text[] = {
	"Reads SET (a file of logits, log-probabilities or probabilities, a "
	"prefix such as letters/test, ROLE=FILE pairs, or - for standard "
	"input) and writes one line a sample, in input order: id or row, "
	"label, pred and confidence where there are any, then a column for "
	"each scorer. Larger scores mean more out-of-distribution.",
	NULL
};
static const char *const examples[] = {
	"ood score -s msp,entropy,energy letters/test",
	"ood score -s energy:T=2 -o scores.npy logits.npy",
	"ood score --append < requests.jsonl > scored.jsonl -", NULL
};

const struct ood_command ood_command_score = {
	.name = "score",
	.brief = "a score (or several) for every sample",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
