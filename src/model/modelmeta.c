/*
 * modelmeta.c - meta.json of a model file: what it is, without its arrays
 */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "core/utf8.h"
#include "model/modelfile.h"

#define SCHEMA "ood.model/1"

/* ------------------------------------------------------------- writing --- */

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
	put_text(&t, t.root, "schema", SCHEMA);
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

/* ------------------------------------------------------------- reading --- */

static cJSON *get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key)
{
	return cJSON_GetStringValue(get(object, key));
}

static int damaged(const char *what, struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"meta.json: %s (the model is damaged, or was not made "
			"by ood fit)",
			what);
}

/* A count up to 2^53; false if it is none. */
static bool count_of(const cJSON *item, size_t *count)
{
	if (!item) {
		*count = 0;
		return true;
	}
	double x = cJSON_IsNumber(item) ? item->valuedouble : -1;

	if (!(x >= 0 && x <= 0x1p53) || x != floor(x))
		return false;
	*count = (size_t)x;
	return true;
}

/* A value as it would be typed. */
static void add_value(struct ood_buf *spec, const cJSON *value)
{
	const cJSON *x;

	if (cJSON_IsString(value)) {
		ood_buf_str(spec, value->valuestring);
	} else if (cJSON_IsArray(value)) {
		ood_buf_char(spec, '[');
		cJSON_ArrayForEach(x, value)
		{
			ood_buf_str(spec, x == value->child ? "" : ",");
			ood_buf_num(spec, cJSON_IsNumber(x) ? x->valuedouble
							    : (double)NAN);
		}
		ood_buf_char(spec, ']');
	} else {
		ood_buf_num(spec, cJSON_IsNumber(value) ? value->valuedouble
							: (double)NAN);
	}
}

static void add_params(struct ood_buf *spec, const char *prefix,
		       const cJSON *stage)
{
	const cJSON *param;

	cJSON_ArrayForEach(param, get(stage, "params"))
	{
		ood_buf_char(spec, ':');
		ood_buf_str(spec, prefix);
		ood_buf_str(spec, param->string);
		ood_buf_char(spec, '=');
		add_value(spec, param);
	}
}

/* A scorer and what stands in front of it, as one text to parse. */
static int spec_of(const cJSON *shape, const cJSON *map, const cJSON *scorer,
		   struct ood_buf *params, struct ood_err *err)
{
	if (!text_of(scorer, "name") || (shape && !text_of(shape, "name")) ||
	    (map && !text_of(map, "name")))
		return damaged("a stage has no name", err);
	if (shape) {
		add_params(params, "", shape);
		ood_buf_printf(params, ":score=%s", text_of(scorer, "name"));
		add_params(params, "score.", scorer);
	} else {
		add_params(params, "", scorer);
	}
	if (map) {
		ood_buf_printf(params, ":map=%s", text_of(map, "name"));
		add_params(params, "map.", map);
	}
	static const char *const extra[] = { "layer", "logit-norm" };
	for (size_t i = 0; i < OOD_COUNT(extra); i++) {
		if (!get(scorer, extra[i]))
			continue;
		ood_buf_printf(params, ":%s=", extra[i]);
		add_value(params, get(scorer, extra[i]));
	}
	return params->failed ? ood_fail_memory(err, params->n) : OOD_OK;
}

static int add_scoring(struct ood_model *model, const cJSON *shape,
		       const cJSON *map, const cJSON *scorer,
		       struct ood_err *err)
{
	const char *column = text_of(scorer, "column");
	const char *name = text_of(shape ? shape : scorer, "name");
	struct ood_buf params = { 0 };
	int code = spec_of(shape, map, scorer, &params, err);

	if (!code && !column)
		code = damaged("a scorer has no column", err);
	if (!code && !ood_grow(&model->scorings, model->n, &model->room,
			       sizeof(*model->scorings)))
		code = ood_fail_memory(err, sizeof(*model->scorings));
	if (!code) {
		const size_t skip = params.n > 0; /* the first colon */
		const struct ood_spec spec = {
			.column = { column, strlen(column) },
			.name = { name, strlen(name) },
			.params = { params.text ? params.text + skip : "",
				    params.n - skip },
			.whole = { name, strlen(name) },
		};
		code = ood_scoring_parse(&model->scorings[model->n], &spec,
					 err);
		/* What a file says is input, not usage. */
		if (code == OOD_USAGE)
			code = err->code = OOD_INPUT;
		model->n += !code;
	}
	ood_buf_free(&params);
	return code;
}

static int read_stages(struct ood_model *model, const cJSON *json,
		       struct ood_err *err)
{
	const cJSON *stage, *shape = NULL, *map = NULL;
	int code = OOD_OK;

	cJSON_ArrayForEach(stage, get(json, "stages"))
	{
		const char *kind = text_of(stage, "kind");

		if (code)
			break;
		if (kind && !strcmp(kind, "shape")) {
			shape = stage;
		} else if (kind && !strcmp(kind, "map")) {
			map = stage;
		} else if (kind && !strcmp(kind, "scorer")) {
			code = add_scoring(model, shape, map, stage, err);
			shape = map = NULL;
		} else {
			return damaged("a stage is of no kind that is known",
				       err);
		}
	}
	if (!code && !model->n)
		return damaged("no stages", err);
	return code;
}

/* A list of texts; *list stays NULL where there is none. */
static int read_names(const cJSON *json, char ***list, size_t *n,
		      struct ood_err *err)
{
	const cJSON *x;

	if (!json)
		return OOD_OK;
	*list = ood_calloc((size_t)cJSON_GetArraySize(json) + 1,
			   sizeof(**list));
	if (!*list)
		return ood_fail_memory(err, sizeof(**list));
	cJSON_ArrayForEach(x, json)
	{
		if (!cJSON_IsString(x))
			return damaged("a name is no text", err);
		(*list)[*n] = ood_strdup(x->valuestring);
		if (!(*list)[(*n)++])
			return ood_fail_memory(err, 1);
	}
	return OOD_OK;
}

static int read_sizes(struct ood_model *model, const cJSON *json,
		      struct ood_err *err)
{
	size_t named = 0, layers = 0;
	const cJSON *x;
	int code = read_names(get(json, "class_names"), &model->classes, &named,
			      err);

	if (!code)
		code = read_names(get(json, "columns"), &model->names,
				  &model->n_names, err);
	if (!code)
		code = read_names(get(json, "label_names"), &model->label_names,
				  &model->n_label_names, err);
	model->c = named; /* that many are freed */
	if (code)
		return code;
	if (!count_of(get(json, "classes"), &model->c) ||
	    (model->classes && model->c != named)) {
		model->c = named;
		return damaged("the number of classes is wrong", err);
	}
	cJSON_ArrayForEach(x, get(json, "features"))
	{
		if (layers == OOD_LAYERS_MAX ||
		    !count_of(x, &model->d[layers++]))
			return damaged("the numbers of features are wrong",
				       err);
	}
	return OOD_OK;
}

static int read_notes(struct ood_model *model, const cJSON *json,
		      struct ood_err *err)
{
	const cJSON *x;
	size_t count;

	cJSON_ArrayForEach(x, get(json, "fitted")) if (cJSON_IsString(x))
		ood_notes_say(&model->made, "%s", x->valuestring);
	cJSON_ArrayForEach(x, get(json, "warnings"))
	{
		if (!text_of(x, "text") || !count_of(get(x, "count"), &count))
			return damaged("a warning is none", err);
		ood_notes_warn(&model->made, "fit", count, "%s",
			       text_of(x, "text"));
	}
	return OOD_OK;
}

static int read_schema(const cJSON *json, struct ood_err *err)
{
	const char *schema = text_of(json, "schema");

	if (!schema || strncmp(schema, "ood.model/", 10) != 0)
		return ood_fail(err, OOD_INPUT,
				"not a model of ood fit (meta.json says no "
				"schema ood.model)");
	if (strcmp(schema, SCHEMA) != 0)
		return ood_fail(err, OOD_INPUT,
				"a model of version %.20s, this ood %s reads "
				"version 1 (fit it again, or update ood)",
				schema + 10, OOD_VERSION);
	return OOD_OK;
}

int ood_meta_read(struct ood_model *model, const char *text, size_t n,
		  struct ood_err *err)
{
	const char *end;
	cJSON *json = cJSON_ParseWithLengthOpts(text, n, &end, 0);
	size_t seed = 0;
	int code = json ? read_schema(json, err) : damaged("not JSON", err);

	if (!code)
		code = read_sizes(model, json, err);
	if (!code)
		code = read_stages(model, json, err);
	if (!code)
		code = read_notes(model, json, err);
	if (!code && !count_of(get(json, "seed"), &seed))
		code = damaged("the seed is no number", err);
	model->seed = seed;
	model->partial = cJSON_IsTrue(get(json, "partial"));
	cJSON_Delete(json);
	return code;
}
