/*
 * modelmeta_read.c - reads meta.json of a model file, which can hold anything
 */
#include <cjson/cJSON.h>

#include "core/err.h"
#include "core/num.h"
#include "model/modelfile.h"

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

/* A role by its name, or a set of fit.h: texts that last. NULL: unknown. */
static const char *known_set(const char *name)
{
	static const char *const sets[] = { "train", "val" };

	for (size_t i = 0; name && i < OOD_COUNT(sets); i++)
		if (!strcmp(sets[i], name))
			return sets[i];
	return NULL;
}

static const char *known_role(const char *name)
{
	for (int role = 0; name && role < OOD_ROLES; role++)
		if (!strcmp(ood_role_name((enum ood_role)role), name))
			return ood_role_name((enum ood_role)role);
	return NULL;
}

/* Eight hexadecimal digits. */
static bool crc_of(const char *text, uint32_t *crc)
{
	*crc = 0;
	for (size_t i = 0; text && text[i]; i++) {
		const char *digits = "0123456789abcdef";
		const char *at = strchr(digits, text[i]);

		if (!at || i == 8)
			return false;
		*crc = *crc << 4 | (uint32_t)(at - digits);
	}
	return text != NULL;
}

static int read_inputs(struct ood_model *model, const cJSON *json,
		       struct ood_err *err)
{
	const cJSON *x;

	cJSON_ArrayForEach(x, get(json, "inputs"))
	{
		struct ood_model_input in = {
			.set = known_set(text_of(x, "set")),
			.role = known_role(text_of(x, "role")),
		};
		size_t rows, bytes;

		if (!in.set || !in.role || !text_of(x, "name") ||
		    !crc_of(text_of(x, "crc32"), &in.crc32) ||
		    !count_of(get(x, "rows"), &rows) ||
		    !count_of(get(x, "bytes"), &bytes))
			return damaged("an input is none", err);
		in.rows = rows;
		in.bytes = bytes;
		in.name = ood_strdup(text_of(x, "name"));
		if (!in.name ||
		    !ood_grow(&model->inputs, model->n_inputs,
			      &model->room_inputs, sizeof(*model->inputs))) {
			ood_free(in.name);
			return ood_fail_memory(err, sizeof(in));
		}
		model->inputs[model->n_inputs++] = in;
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
	if (strcmp(schema, OOD_MODEL_SCHEMA) != 0)
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
	if (!code)
		code = read_inputs(model, json, err);
	if (!code && !count_of(get(json, "seed"), &seed))
		code = damaged("the seed is no number", err);
	model->seed = seed;
	model->partial = cJSON_IsTrue(get(json, "partial"));
	cJSON_Delete(json);
	return code;
}
