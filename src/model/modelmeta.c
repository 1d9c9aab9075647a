/*
 * modelmeta.c - writes meta.json of a model file: all but its arrays
 */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "core/utf8.h"
#include "model/modelfile.h"

struct tree {
	cJSON *root;
	bool failed; /* no memory */
};

static cJSON *put(struct tree *t, cJSON *to, const char *key, cJSON *item)
{
	bool ok = item && (key ? cJSON_AddItemToObject(to, key, item)
			       : cJSON_AddItemToArray(to, item));

	t->failed |= !ok;
	if (!ok)
		cJSON_Delete(item);
	return ok ? item : NULL;
}

/* Bytes that are not UTF-8 are shown as \xHH. */
static void put_text(struct tree *t, cJSON *to, const char *key,
		     const char *text)
{
	struct ood_buf shown = { 0 };

	if (!text) {
		put(t, to, key, cJSON_CreateNull());
		return;
	}
	if (ood_utf8_valid(text, strlen(text)) == strlen(text))
		ood_buf_str(&shown, text);
	else
		ood_utf8_show(&shown, text, strlen(text));
	put(t, to, key,
	    shown.failed ? NULL
			 : cJSON_CreateString(shown.text ? shown.text : ""));
	ood_buf_free(&shown);
}

/* All digits; infinities as text. */
static void put_num(struct tree *t, cJSON *to, const char *key, double x)
{
	char text[OOD_NUM_MAX];

	ood_num_format(text, x);
	if (isfinite(x))
		put(t, to, key, cJSON_CreateRaw(text));
	else
		put_text(t, to, key, text);
}

static void put_param(struct tree *t, cJSON *to, const struct ood_param *p,
		      const struct ood_args *args, size_t i)
{
	struct ood_span word;
	char text[64];
	cJSON *list;

	switch (p->kind) {
	case OOD_PARAM_TEXT:
		put_text(t, to, p->name, args->text[i]);
		break;
	case OOD_PARAM_LIST:
		list = put(t, to, p->name, cJSON_CreateArray());
		for (size_t k = 0; list && k < args->list_n[i]; k++)
			put_num(t, list, NULL, args->list[i][k]);
		break;
	case OOD_PARAM_WORD:
		word = ood_word(p->choices, (size_t)args->num[i]);
		snprintf(text, sizeof(text), "%.*s", (int)word.n, word.at);
		put_text(t, to, p->name, text);
		break;
	default:
		if (!isnan(args->num[i]))
			put_num(t, to, p->name, args->num[i]);
	}
}

static void put_params(struct tree *t, cJSON *to, const struct ood_param *table,
		       const struct ood_args *args)
{
	cJSON *params = put(t, to, "params", cJSON_CreateObject());

	for (size_t i = 0; params && i < ood_param_count(table); i++)
		if (args->given[i] || (table[i].kind != OOD_PARAM_TEXT &&
				       table[i].kind != OOD_PARAM_LIST))
			put_param(t, params, &table[i], args, i);
}

static cJSON *put_stage(struct tree *t, cJSON *stages, const char *kind,
			const char *name)
{
	cJSON *stage = put(t, stages, NULL, cJSON_CreateObject());

	if (!stage)
		return NULL;
	put_text(t, stage, "kind", kind);
	put_text(t, stage, "name", name);
	return stage;
}

/* The stages of one scoring: what stands in front, then the scorer. */
static void put_scoring(struct tree *t, cJSON *stages,
			const struct ood_scoring *s, size_t i)
{
	char arrays[32];
	cJSON *stage;

	snprintf(arrays, sizeof(arrays), "%zu/", i);
	if (s->tail) {
		stage = put_stage(t, stages, "shape", s->scorer->name);
		put_params(t, stage, s->scorer->params, &s->args);
		if (s->state)
			put_text(t, stage, "arrays", arrays);
	}
	if (s->map) {
		stage = put_stage(t, stages, "map", s->map->name);
		put_params(t, stage, s->map->params, &s->map_args);
	}
	stage = put_stage(t, stages, "scorer",
			  s->tail ? s->tail->name : s->scorer->name);
	if (s->tail)
		put_params(t, stage, s->tail->params, &s->tail_args);
	else
		put_params(t, stage, s->scorer->params, &s->args);
	put_text(t, stage, "column", s->column);
	if (s->layer)
		put_num(t, stage, "layer", s->layer + 1);
	if (s->logit_norm > 0)
		put_num(t, stage, "logit-norm", s->logit_norm);
	if (!s->tail && s->state)
		put_text(t, stage, "arrays", arrays);
}

static void put_names(struct tree *t, const char *key, char *const *names,
		      size_t n)
{
	cJSON *list = n ? put(t, t->root, key, cJSON_CreateArray()) : NULL;

	for (size_t k = 0; list && k < n; k++)
		put_text(t, list, NULL, names[k]);
}

static void put_sizes(struct tree *t, const struct ood_model *model)
{
	size_t layers = OOD_LAYERS_MAX;
	cJSON *list;

	put_num(t, t->root, "classes", (double)model->c);
	put_names(t, "class_names", model->classes,
		  model->classes ? model->c : 0);
	while (layers && !model->d[layers - 1])
		layers--;
	list = put(t, t->root, "features", cJSON_CreateArray());
	for (size_t k = 0; list && k < layers; k++)
		put_num(t, list, NULL, (double)model->d[k]);
	put_names(t, "columns", model->names, model->n_names);
	put_names(t, "label_names", model->label_names, model->n_label_names);
}

static void put_inputs(struct tree *t, const struct ood_model *model)
{
	cJSON *list = put(t, t->root, "inputs", cJSON_CreateArray());

	for (size_t i = 0; list && i < model->n_inputs; i++) {
		const struct ood_model_input *in = &model->inputs[i];
		cJSON *to = put(t, list, NULL, cJSON_CreateObject());
		char crc[16];

		snprintf(crc, sizeof(crc), "%08x", in->crc32);
		put_text(t, to, "set", in->set);
		put_text(t, to, "role", in->role);
		put_text(t, to, "name", in->name);
		put_num(t, to, "rows", (double)in->rows);
		put_num(t, to, "bytes", (double)in->bytes);
		put_text(t, to, "crc32", crc);
	}
}

static void put_notes(struct tree *t, const struct ood_notes *notes)
{
	cJSON *list = put(t, t->root, "fitted", cJSON_CreateArray());

	for (size_t i = 0; list && i < notes->n; i++)
		if (!notes->at[i].code)
			put_text(t, list, NULL, notes->at[i].text);
	list = put(t, t->root, "warnings", cJSON_CreateArray());
	for (size_t i = 0; list && i < notes->n; i++) {
		if (!notes->at[i].code)
			continue;
		cJSON *to = put(t, list, NULL, cJSON_CreateObject());

		put_text(t, to, "code", notes->at[i].code);
		put_text(t, to, "text", notes->at[i].text);
		put_num(t, to, "count", (double)notes->at[i].count);
	}
}

int ood_meta_write(const struct ood_model *model, struct ood_buf *text,
		   struct ood_err *err)
{
	struct tree t = { .root = cJSON_CreateObject() };

	if (!t.root)
		return ood_fail_memory(err, sizeof(cJSON));
	put_text(&t, t.root, "schema", OOD_MODEL_SCHEMA);
	cJSON *tool = put(&t, t.root, "tool", cJSON_CreateObject());
	put_text(&t, tool, "name", "ood");
	put_text(&t, tool, "version", OOD_VERSION);
	put(&t, t.root, "partial", cJSON_CreateBool(model->partial));
	put_sizes(&t, model);
	put_num(&t, t.root, "seed", (double)model->seed);
	cJSON *stages = put(&t, t.root, "stages", cJSON_CreateArray());
	for (size_t i = 0; stages && i < model->n; i++)
		put_scoring(&t, stages, &model->scorings[i], i);
	put_inputs(&t, model);
	put_notes(&t, &model->made);
	char *printed = t.failed ? NULL : cJSON_Print(t.root);
	if (printed) {
		ood_buf_str(text, printed);
		ood_buf_char(text, '\n');
	}
	bool ok = printed && !text->failed;
	cJSON_free(printed);
	cJSON_Delete(t.root);
	return ok ? OOD_OK : ood_fail_memory(err, text->n);
}
