/*
 * cmd_fit.c - ood fit: scorers that learn from training data, as a model file
 */
#include "cli/common.h"
#include "cli/model_opts.h"
#include "cli/model_tell.h"
#include "core/err.h"
#include "model/fit.h"

struct options {
	struct ood_input_options in;
	struct ood_output_options out;
	struct ood_texts scorers, train, val;
	struct ood_head_options head;
	int64_t seed;
	bool partial;
};

#define FIELD(name) offsetof(struct options, name)

static const struct ood_opt fit_opts[] = {
	{ OOD_OPT_TEXTS, 's', "scorer", FIELD(scorers), "LIST",
	  "scorers by comma, parameters by colon: mahalanobis,knn:k=10 (ood "
	  "list scorers); NAME=SPEC names the column",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_TEXTS, 0, "train", FIELD(train), "SET",
	  "training rows, with the features, logits and labels that the "
	  "scorers need; repeatable, rows are joined",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_TEXTS, 0, "val", FIELD(val), "SET",
	  "validation rows, for scorers that tune on them", NULL, 0, 0, NULL },
	{ OOD_OPT_INT, 0, "seed", FIELD(seed), "N",
	  "of all that is random, keyed by purpose and row", "0", 0, 0x1p53,
	  NULL },
	{ OOD_OPT_FLAG, 0, "partial", FIELD(partial), NULL,
	  "write sums for ood merge instead of a model: for a part of the "
	  "training rows",
	  NULL, 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};

static const struct ood_opt_part parts[] = {
	{ fit_opts, 0, NULL },
	{ ood_head_opts, FIELD(head), NULL },
	{ ood_input_opts, FIELD(in), NULL },
	{ ood_model_out_opts, FIELD(out), NULL },
	{ 0 },
};

static int check(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;

	if (call->rest.n)
		return ood_fail(err, OOD_USAGE,
				"unexpected word \"%s\" (sets go with --train "
				"and --val)",
				call->rest.at[0]);
	if (!o->scorers.n)
		return ood_fail(err, OOD_USAGE,
				"nothing to fit (-s LIST; ood list scorers "
				"tells which learn)");
	if (!o->train.n)
		return ood_fail(err, OOD_USAGE,
				"no training rows (--train SET)");
	if (o->in.nan >= OOD_NAN_WORST)
		return ood_fail(err, OOD_USAGE,
				"--nan worst and keep are for scores (skip "
				"leaves such rows out of the fit)");
	return ood_model_out_check(&o->out, err);
}

/* Inputs that -o would replace. */
static int check_output(const struct options *o, const struct ood_read *read,
			struct ood_err *err)
{
	const struct ood_texts *sides[] = { &o->train, &o->val };
	int code = ood_output_spares(&o->out, o->head.weights, err);

	if (!code)
		code = ood_output_spares(&o->out, o->head.bias, err);
	for (size_t k = 0; k < OOD_COUNT(sides) && !code; k++)
		for (size_t i = 0; i < sides[k]->n && !code; i++) {
			struct ood_set *set = NULL;
			const char *spec = sides[k]->at[i];

			if (ood_set_uses_stdin(spec))
				continue;
			code = ood_set_open(&set, spec, read, err);
			if (!code)
				code = ood_outputs_clash(&o->out, set, err);
			ood_set_close(set);
		}
	return code;
}

/* A list without one that learns needs no fit, but a model of it is as good
 * as any. */
static int make(const struct options *o, const struct ood_read *read,
		struct ood_model *model, struct ood_notes *notes,
		struct ood_err *err)
{
	const struct ood_fit_sets sets = { .train = o->train.at,
					   .val = o->val.at,
					   .n_train = o->train.n,
					   .n_val = o->val.n,
					   .read = read,
					   .seed = (uint64_t)o->seed,
					   .partial = o->partial,
					   .notes = notes };
	char *list = NULL;
	int code = ood_texts_join(&o->scorers, &list, err);

	if (!code)
		code = ood_model_add(model, list, true, err);
	if (!code)
		code = ood_model_name(model, err);
	if (!code)
		code = check_output(o, read, err);
	if (!code)
		code = ood_model_read_head(model, o->head.weights, o->head.bias,
					   read, err);
	if (!code)
		code = ood_model_fit(model, &sets, err);
	ood_free(list);
	return code;
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	const struct ood_read read = ood_read_of(&o->in);
	struct ood_model *model = ood_model_new();
	struct ood_notes notes = { 0 };
	struct ood_report *report;
	int code = model ? check(call, err) : ood_fail_memory(err, 1);

	report = ood_report_new("fit", call->argc, call->argv);
	ood_report_run(report, o->out.run);
	ood_report_seed(report, (uint64_t)o->seed);
	ood_threads_option(&o->out);
	if (!code)
		code = make(o, &read, model, &notes, err);
	for (size_t i = 0; i < notes.n; i++)
		ood_report_warning(report, notes.at[i].code, notes.at[i].text,
				   notes.at[i].count);
	if (!code)
		code = ood_model_out(model, &o->out, "fit", report, err);
	if (!code)
		ood_tell_notes("fit", &notes, o->out.quiet);
	ood_report_free(report);
	ood_notes_free(&notes);
	ood_model_free(model);
	return code;
}

static const char *const usage[] = {
	"fit -s LIST --train SET [--val SET] [OPTION]... -o MODEL", NULL
};
static const char *const text[] = {
	"Fits scorers on training rows and writes one model, an .npz file "
	"that numpy opens and that score, eval and threshold take with -m. All "
	"scorers of the list share the passes over the rows. What was fitted "
	"is "
	"told on standard error; -f json reports it on standard output.",
	"--partial writes sums instead, for a part of the rows: ood merge "
	"joins "
	"parts, in order, to the model of all rows.",
	NULL
};
static const char *const examples[] = {
	"ood fit -s mahalanobis,knn --train letters/train -o letters.npz",
	"ood score -m letters.npz letters/test",
	"ood fit -s vim --train letters/train --head-weights W.npy --head-bias "
	"b.npy -o vim.npz",
	NULL
};

const struct ood_command ood_command_fit = {
	.name = "fit",
	.brief = "fit scorers on training data: a model",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
