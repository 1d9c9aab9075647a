/*
 * fit.c - fitting the scorers of a model on sets of training rows
 */
#include "model/fit.h"

#include <stdio.h>
#include <sys/stat.h>

#include "core/err.h"

/* Labels that are names of no class: numbered as they occur. */
struct names {
	char **name;
	size_t *sorted; /* numbers by name */
	size_t n, room, room_sorted;
	int64_t *number; /* of the block at hand */
	size_t room_number;
};

struct job {
	struct ood_model *model;
	const struct ood_fit_sets *sets;
	struct ood_fitting *fitting; /* made with the first block */
	struct names names;
	double far, largest; /* of the logits from W x + b */
	unsigned passes[OOD_PASS_NONE];
};

static void names_free(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		ood_free(names->name[i]);
	ood_free(names->name);
	ood_free(names->sorted);
	ood_free(names->number);
}

static int compare(const char *name, struct ood_span word)
{
	int order = strncmp(name, word.at, word.n);

	return order ? order : name[word.n] != '\0';
}

static int add_name(struct names *names, struct ood_span word, int64_t *number,
		    struct ood_err *err)
{
	size_t lo = 0, hi = names->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int order = compare(names->name[names->sorted[mid]], word);

		if (!order) {
			*number = (int64_t)names->sorted[mid];
			return OOD_OK;
		}
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!ood_grow(&names->name, names->n, &names->room,
		      sizeof(*names->name)) ||
	    !ood_grow(&names->sorted, names->n, &names->room_sorted,
		      sizeof(*names->sorted)))
		return ood_fail_memory(err, names->n * sizeof(char *));
	char *copy = ood_strndup(word.at, word.n);
	if (!copy)
		return ood_fail_memory(err, word.n);
	memmove(names->sorted + lo + 1, names->sorted + lo,
		(names->n - lo) * sizeof(*names->sorted));
	names->sorted[lo] = names->n;
	names->name[names->n] = copy;
	*number = (int64_t)names->n++;
	return OOD_OK;
}

/* Which class score a name stands for cannot be guessed. */
static int check_unbound(const struct ood_model *model, struct ood_err *err)
{
	for (size_t i = 0; i < model->n; i++)
		if (ood_scoring_fits_classes(&model->scorings[i]))
			return ood_fail(err, OOD_USAGE,
					"the labels are names, and scorer %s "
					"needs their numbers among the class "
					"scores: give all names in that order "
					"(--classes NAME,NAME,...)",
					model->scorings[i].scorer->name);
	return OOD_OK;
}

/* Features alone need no binding of names to classes. */
static int number_names(struct job *job, const struct ood_block *block,
			struct ood_batch *batch, struct ood_err *err)
{
	struct names *names = &job->names;

	if (batch->label || !block->labels.words)
		return OOD_OK;
	int code = check_unbound(job->model, err);
	if (code)
		return code;
	if (block->n > names->room_number) {
		ood_free(names->number);
		names->number = ood_malloc(block->n, sizeof(*names->number));
		names->room_number = names->number ? block->n : 0;
		if (!names->number)
			return ood_fail_memory(err, block->n * 8);
	}
	for (size_t i = 0; !code && i < block->n; i++)
		code = add_name(names, block->labels.words[i],
				&names->number[i], err);
	batch->label = names->number;
	return code;
}

/* ---------------------------------------------------------- first block --- */

static int keep_class_names(struct ood_model *model, const struct ood_set *set,
			    struct ood_err *err)
{
	if (model->classes || !model->c || !ood_set_class_name(set, 0))
		return OOD_OK;
	model->classes = ood_calloc(model->c, sizeof(*model->classes));
	for (size_t k = 0; model->classes && k < model->c; k++) {
		const char *name = ood_set_class_name(set, k);

		model->classes[k] = ood_strdup(name ? name : "");
		if (!model->classes[k])
			return ood_fail_memory(err, 1);
	}
	return model->classes ? OOD_OK : ood_fail_memory(err, model->c);
}

static int keep_column_names(struct ood_model *model, const struct ood_set *set,
			     struct ood_err *err)
{
	size_t n = ood_set_score_count(set);

	if (!ood_model_is_table(model) || model->names)
		return OOD_OK;
	model->names = ood_calloc(n, sizeof(*model->names));
	for (; model->names && model->n_names < n; model->n_names++) {
		char *name =
			ood_strdup(ood_set_score_name(set, model->n_names));

		if (!name)
			return ood_fail_memory(err, 1);
		model->names[model->n_names] = name;
	}
	return model->names ? OOD_OK : ood_fail_memory(err, n);
}

static int begin(struct job *job, const struct ood_set *set,
		 const struct ood_block *block, struct ood_err *err)
{
	struct ood_model *model = job->model;
	const struct ood_given given = ood_model_given(model, set, block);
	int code = ood_model_check_sizes(model, &given, err);

	if (code)
		return ood_err_where(err, ood_set_name(set), NULL);
	for (size_t i = 0; !code && i < model->n; i++)
		code = ood_scoring_check(&model->scorings[i], &given, true,
					 err);
	model->c = given.c;
	memcpy(model->d, given.d, sizeof(model->d));
	if (!code)
		code = keep_class_names(model, set, err);
	if (!code)
		code = keep_column_names(model, set, err);
	if (code)
		return code;
	return ood_fitting_begin(
		&job->fitting,
		&(struct ood_fitting_options){
			.scorings = model->scorings,
			.n = model->n,
			.given = &given,
			.head = model->head.W.rows ? &model->head : NULL,
			.names = model->names,
			.classes = model->classes,
			.seed = job->sets->seed,
			.partial = job->sets->partial,
			.notes = &model->made },
		err);
}

/* --------------------------------------------------------------- passes --- */

static void ignore_unneeded(struct ood_set *set, const struct ood_model *model)
{
	static const enum ood_role roles[] = { OOD_PRED, OOD_CORRECT,
					       OOD_GROUPS, OOD_WEIGHTS,
					       OOD_IDS };

	for (size_t i = 0; i < OOD_COUNT(roles); i++)
		ood_set_ignore(set, roles[i]);
	if (!ood_model_is_table(model))
		ood_set_ignore(set, OOD_SCORES);
	if (!ood_model_takes(model, OOD_FEATURES))
		ood_set_ignore(set, OOD_FEATURES);
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode)
		       ? (uint64_t)st.st_size
		       : 0;
}

static void note_inputs(struct job *job, const struct ood_set *set,
			const char *side)
{
	struct ood_model *model = job->model;
	const struct ood_input *in;
	const struct ood_warning *warnings;
	size_t n = ood_set_inputs(set, &in);

	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(in[i].path, '/');
		const struct ood_model_input input = {
			.set = side,
			.role = in[i].role,
			.name = ood_strdup(slash ? slash + 1 : in[i].path),
			.rows = in[i].rows,
			.bytes = size_of(in[i].path),
			.crc32 = in[i].crc32,
		};

		if (!input.name ||
		    !ood_grow(&model->inputs, model->n_inputs,
			      &model->room_inputs, sizeof(*model->inputs)))
			return;
		model->inputs[model->n_inputs++] = input;
	}
	n = ood_set_warnings(set, &warnings);
	for (size_t i = 0; i < n; i++)
		ood_notes_warn(job->sets->notes, warnings[i].code,
			       warnings[i].count, "%s", warnings[i].text);
}

static int add_batch(struct job *job, const struct ood_set *set,
		     const struct ood_batch *batch, struct ood_err *err)
{
	int code = ood_fitting_add(job->fitting, batch, err);

	return code == OOD_INPUT ? ood_err_where(err, ood_set_name(set), NULL)
				 : code;
}

static int add_blocks(struct job *job, struct ood_set *set, struct ood_err *err)
{
	struct ood_block block = { .n = 1 };
	int code = OOD_OK;

	while (!code && block.n) {
		code = ood_set_next(set, &block, err);
		if (code || !block.n)
			break;
		struct ood_batch batch = ood_model_batch(job->model, &block);
		code = number_names(job, &block, &batch, err);
		if (!code && !job->fitting)
			code = begin(job, set, &block, err);
		if (!code)
			code = ood_model_compare_head(job->model, &batch,
						      &job->far, &job->largest,
						      err);
		if (!code)
			code = add_batch(job, set, &batch, err);
	}
	return code;
}

static int check_again(const char *const *specs, size_t n, struct ood_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (ood_set_uses_stdin(specs[i]))
			return ood_fail(err, OOD_USAGE,
					"this fit reads its rows more than "
					"once: standard input cannot be (give "
					"a file)");
	return OOD_OK;
}

static int read_side(struct job *job, enum ood_pass side, struct ood_err *err)
{
	const struct ood_fit_sets *sets = job->sets;
	const bool val = side == OOD_PASS_VAL;
	const char *const *specs = val ? sets->val : sets->train;
	const size_t n = val ? sets->n_val : sets->n_train;
	struct ood_read read = *sets->read;
	struct ood_set *set = NULL;
	int code = OOD_OK;

	if (!n)
		return ood_fail(err, OOD_USAGE, "no %s rows (--%s SET)",
				val ? "validation" : "training",
				val ? "val" : "train");
	if (job->passes[side])
		code = check_again(specs, n, err);
	read.want_crc = !job->passes[side];
	if (!code)
		code = ood_set_open_all(&set, specs, n, &read, err);
	if (!code && !job->fitting)
		code = ood_model_take_head(job->model, set, err);
	if (!code) {
		ignore_unneeded(set, job->model);
		code = add_blocks(job, set, err);
	}
	if (!code && !job->fitting)
		code = ood_fail(err, OOD_INPUT, "%s: no rows to fit on",
				ood_set_name(set));
	if (!code)
		code = ood_fitting_pass(job->fitting, err);
	if (!code && !job->passes[side]++)
		note_inputs(job, set, val ? "val" : "train");
	ood_set_close(set);
	return code;
}

static void note_head(const struct job *job)
{
	if (job->far > 1e-3 * job->largest)
		ood_notes_warn(&job->model->made, "head", 0,
			       "the logits differ from W x + b by up to %.3g "
			       "(largest logit %.3g): wrong layer, missing "
			       "pooling or transposed weights?",
			       job->far, job->largest);
}

static int check_partial(const struct ood_model *model, struct ood_err *err)
{
	for (size_t i = 0; i < model->n; i++) {
		const struct ood_scoring *s = &model->scorings[i];
		const char *why = !s->scorer->merge
					  ? "it needs all rows at once"
				  : s->scorer->unmergeable
					  ? s->scorer->unmergeable(&s->args)
					  : NULL;

		if (ood_scoring_learns(s) && why)
			return ood_fail(err, OOD_USAGE,
					"%s has no partial fit: %s", s->column,
					why);
	}
	return OOD_OK;
}

int ood_model_fit(struct ood_model *model, const struct ood_fit_sets *sets,
		  struct ood_err *err)
{
	struct job job = { .model = model, .sets = sets };
	enum ood_pass side = OOD_PASS_TRAIN;
	int code = sets->partial ? check_partial(model, err) : OOD_OK;

	model->seed = sets->seed;
	model->partial = sets->partial;
	while (!code && side != OOD_PASS_NONE) {
		code = read_side(&job, side, err);
		if (!code)
			side = ood_fitting_side(job.fitting);
	}
	if (!code && !sets->partial)
		code = ood_fitting_end(job.fitting, err);
	if (!code)
		note_head(&job);
	if (!code)
		code = ood_model_name(model, err);
	if (!code && job.names.n && !model->classes) {
		model->label_names = job.names.name;
		model->n_label_names = job.names.n;
		job.names.name = NULL;
		job.names.n = 0;
	}
	ood_fitting_free(job.fitting);
	names_free(&job.names);
	return code;
}
