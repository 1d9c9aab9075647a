/*
 * model_opts.c - what a command scores with: -s, -m and the last layer
 */
#include "cli/model_opts.h"

#include <stdio.h>

#include "core/err.h"
#include "model/fit.h"
#include "model/modelfile.h"

#define HEAD(name) offsetof(struct ood_head_options, name)
#define FIELD(name) offsetof(struct ood_model_options, name)

const struct ood_opt ood_head_opts[] = {
	{ OOD_OPT_TEXT, 0, "head-weights", HEAD(weights), "FILE",
	  "weights of the network's last layer, a row for each class", NULL, 0,
	  0, NULL },
	{ OOD_OPT_TEXT, 0, "head-bias", HEAD(bias), "FILE",
	  "its biases, one for each class", NULL, 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};

const struct ood_opt ood_model_opts[] = {
	{ OOD_OPT_TEXTS, 's', "scorer", FIELD(scorers), "LIST",
	  "scorers by comma, parameters by colon: msp,energy:T=2; NAME=SPEC "
	  "names the column (ood list scorers; ood help SCORER); with a set of "
	  "scores, the columns to use",
	  "msp", 0, 0, NULL },
	{ OOD_OPT_TEXTS, 'm', "model", FIELD(models), "FILE",
	  "a model of ood fit; repeatable; beside -s its columns come last",
	  NULL, 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};

static int join_models(struct ood_model *model, const struct ood_texts *files,
		       const struct ood_read *read, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; !code && i < files->n; i++) {
		struct ood_model *next = NULL;

		code = ood_model_read(&next, files->at[i], read, false, err);
		if (!code)
			code = ood_model_join(model, next, err);
	}
	return code;
}

int ood_model_of(struct ood_model **model, const struct ood_model_options *o,
		 const char *list, const struct ood_read *read,
		 struct ood_err *err)
{
	struct ood_model *made = ood_model_new();
	int code = made ? OOD_OK : ood_fail_memory(err, sizeof(*made));

	if (!code && (list || !o->models.n))
		code = ood_model_add(made, list ? list : "msp", false, err);
	if (!code)
		code = join_models(made, &o->models, read, err);
	if (!code)
		code = ood_model_read_head(made, o->head.weights, o->head.bias,
					   read, err);
	if (!code)
		code = ood_model_name(made, err);
	if (code)
		ood_model_free(made);
	*model = code ? NULL : made;
	return code;
}

void ood_model_classes(const struct ood_model *model, struct ood_read *read)
{
	read->class_names = (const char *const *)model->classes;
	read->n_class_names = model->classes ? model->c : 0;
}

int ood_model_bind(const struct ood_model *model, struct ood_set *set,
		   struct ood_err *err)
{
	if (!ood_model_takes(model, OOD_FEATURES))
		ood_set_ignore(set, OOD_FEATURES);
	if (!ood_model_is_table(model))
		ood_set_ignore(set, OOD_SCORES);
	else if (model->names)
		return ood_set_choose_scores(set,
					     (const char *const *)model->names,
					     model->n_names, err);
	return OOD_OK;
}

int ood_model_spares(const struct ood_model_options *o,
		     const struct ood_output_options *out, struct ood_err *err)
{
	int code = ood_output_spares(out, o->head.weights, err);

	if (!code)
		code = ood_output_spares(out, o->head.bias, err);
	for (size_t i = 0; !code && i < o->models.n; i++)
		code = ood_output_spares(out, o->models.at[i], err);
	return code;
}

void ood_tell_notes(const char *command, const struct ood_notes *notes,
		    bool quiet)
{
	for (size_t i = 0; !quiet && i < notes->n; i++)
		if (notes->at[i].code)
			ood_warn(command, notes->at[i].text);
		else
			fprintf(stderr, "ood %s: %s\n", command,
				notes->at[i].text);
}
