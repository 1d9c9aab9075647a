/*
 * model.c - makes, joins and names the stages of a model
 */
#include "model/chain.h"

#include "core/err.h"

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

int ood_model_name(struct ood_model *model, struct ood_err *err)
{
	size_t n = 0;
	int code = OOD_OK;

	for (size_t i = 0; i < model->n_columns; i++)
		ood_free(model->columns[i]);
	ood_free(model->columns);
	model->n_columns = 0;
	for (size_t i = 0; i < model->n; i++)
		n += ood_scoring_width(&model->scorings[i]);
	model->columns = ood_calloc(n, sizeof(*model->columns));
	if (!model->columns)
		return ood_fail_memory(err, n * sizeof(*model->columns));
	for (size_t i = 0; i < model->n && !code; i++)
		code = add_columns(model, &model->scorings[i], err);
	return code ? code : check_columns(model, err);
}

size_t ood_model_score_column(const struct ood_model *model, size_t i)
{
	size_t column = 0;

	while (i--)
		column += ood_scoring_width(&model->scorings[i]);
	return column;
}

struct ood_model *ood_model_new(void)
{
	return ood_calloc(1, sizeof(struct ood_model));
}

static int add_spec(struct ood_model *model, const struct ood_spec *spec,
		    bool fitting, struct ood_err *err)
{
	if (!ood_grow(&model->scorings, model->n, &model->room,
		      sizeof(*model->scorings)))
		return ood_fail_memory(err, sizeof(*model->scorings));
	struct ood_scoring *s = &model->scorings[model->n];
	int code = ood_scoring_parse(s, spec, err);

	model->n += !code;
	if (!code && !fitting)
		code = ood_scoring_is_ready(s, err);
	return code;
}

int ood_model_add(struct ood_model *model, const char *list, bool fitting,
		  struct ood_err *err)
{
	struct ood_spec *specs = NULL;
	size_t n = 0;
	int code = ood_specs_parse(list, &specs, &n, err);

	for (size_t i = 0; i < n && !code; i++)
		code = add_spec(model, &specs[i], fitting, err);
	ood_free(specs);
	return code;
}

int ood_model_parse(struct ood_model **model, const char *list,
		    struct ood_err *err)
{
	struct ood_model *made = ood_model_new();

	*model = NULL;
	if (!made)
		return ood_fail_memory(err, sizeof(*made));
	int code = ood_model_add(made, list, false, err);
	if (!code)
		code = ood_model_name(made, err);
	if (code)
		ood_model_free(made);
	else
		*model = made;
	return code;
}

static bool same_head(const struct ood_layer *a, const struct ood_layer *b)
{
	size_t bytes = a->W.rows * a->W.cols * sizeof(double);

	return a->W.rows == b->W.rows && a->W.cols == b->W.cols &&
	       a->b.cols == b->b.cols && !memcmp(a->W.data, b->W.data, bytes) &&
	       (!a->b.rows ||
		!memcmp(a->b.data, b->b.data, a->b.cols * sizeof(double)));
}

/* Sizes of two models; 0 goes with anything. */
static bool agree(size_t *a, size_t b)
{
	if (!*a)
		*a = b;
	return !b || *a == b;
}

static int join_sizes(struct ood_model *model, const struct ood_model *from,
		      struct ood_err *err)
{
	bool ok = agree(&model->c, from->c);

	for (size_t k = 0; k < OOD_LAYERS_MAX; k++)
		ok &= agree(&model->d[k], from->d[k]);
	if (!ok)
		return ood_fail(err, OOD_USAGE,
				"the models were fitted on data of other "
				"sizes: score with one after the other");
	if (model->head.W.rows && from->head.W.rows &&
	    !same_head(&model->head, &from->head))
		return ood_fail(err, OOD_USAGE,
				"the models hold different last layers: score "
				"with one after the other");
	if (model->n && from->n &&
	    ood_model_is_table(model) != ood_model_is_table(from))
		return ood_fail(err, OOD_USAGE,
				"one takes named columns of scores, another "
				"does not: score with one after the other");
	return OOD_OK;
}

int ood_model_join(struct ood_model *model, struct ood_model *from,
		   struct ood_err *err)
{
	int code = join_sizes(model, from, err);

	for (size_t i = 0; !code && i < from->n; i++) {
		if (!ood_grow(&model->scorings, model->n, &model->room,
			      sizeof(*model->scorings))) {
			code = ood_fail_memory(err, sizeof(*model->scorings));
			break;
		}
		model->scorings[model->n++] = from->scorings[i];
		from->scorings[i] = (struct ood_scoring){ 0 };
	}
	if (!code && !model->head.W.rows) {
		model->head = from->head;
		from->head = (struct ood_layer){ 0 };
	}
	if (!code && !model->classes) {
		model->classes = from->classes;
		from->classes = NULL;
	}
	if (!code && !model->names) {
		model->names = from->names;
		model->n_names = from->n_names;
		from->names = NULL;
		from->n_names = 0;
	}
	ood_model_free(from);
	return code;
}

void ood_model_free(struct ood_model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->n; i++)
		ood_scoring_free(&model->scorings[i]);
	for (size_t i = 0; i < model->n_columns; i++)
		ood_free(model->columns[i]);
	for (size_t i = 0; model->classes && i < model->c; i++)
		ood_free(model->classes[i]);
	for (size_t i = 0; i < model->n_names; i++)
		ood_free(model->names[i]);
	for (size_t i = 0; i < model->n_label_names; i++)
		ood_free(model->label_names[i]);
	ood_free(model->label_names);
	for (size_t i = 0; i < model->n_inputs; i++)
		ood_free(model->inputs[i].name);
	ood_free(model->inputs);
	ood_free(model->names);
	ood_free(model->classes);
	ood_free(model->scorings);
	ood_free(model->columns);
	ood_layer_free(&model->head);
	ood_notes_free(&model->made);
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
