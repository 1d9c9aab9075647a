/*
 * decision.c - --threshold FILE|NUMBER: scores to the rule's two words
 */
#include "cli/decision.h"

#include <cjson/cJSON.h>
#include <stdio.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "core/value.h"
#include "io/source.h"
#include "model/modelfile.h"

enum { LARGEST_FILE = 1 << 20 };

static int read_json(const char *path, cJSON **json, struct ood_err *err)
{
	struct ood_buf text = { 0 };
	const char *end;
	int code = ood_source_slurp(path, LARGEST_FILE, &text, err);

	*json = NULL;
	ood_buf_char(&text, '\0');
	if (!code && text.failed)
		code = ood_fail_memory(err, text.n);
	if (!code)
		*json = cJSON_ParseWithLengthOpts(text.text, text.n, &end, 1);
	if (!code && !*json) {
		ood_fail(err, OOD_INPUT,
			 "not a JSON report of ood threshold (write one with "
			 "ood threshold -f json)");
		code = ood_err_where(err, path, NULL);
	}
	ood_buf_free(&text);
	return code;
}

static const char *text_of(const cJSON *json, const char *key)
{
	return cJSON_GetStringValue(
		cJSON_GetObjectItemCaseSensitive(json, key));
}

/* A number as exactly as it was printed (cJSON's own is correctly rounded in
 * the C locale, which is the only one we run in), or "inf", "-inf". */
static bool threshold_of(const cJSON *json, double *threshold)
{
	const cJSON *t = cJSON_GetObjectItemCaseSensitive(json, "threshold");
	const char *word = cJSON_GetStringValue(t);

	if (cJSON_IsNumber(t)) {
		*threshold = t->valuedouble;
		return isfinite(*threshold);
	}
	if (!word || (strcmp(word, "inf") != 0 && strcmp(word, "-inf") != 0))
		return false;
	*threshold = *word == '-' ? -INFINITY : INFINITY;
	return true;
}

static bool read_words(const cJSON *json, struct ood_decision *d)
{
	const cJSON *words = cJSON_GetObjectItemCaseSensitive(json, "words");
	const char *a = cJSON_GetStringValue(cJSON_GetArrayItem(words, 0));
	const char *b = cJSON_GetStringValue(cJSON_GetArrayItem(words, 1));

	if (!a || !b || !*a || !*b || strlen(a) >= sizeof(d->accept) ||
	    strlen(b) >= sizeof(d->reject))
		return false;
	snprintf(d->accept, sizeof(d->accept), "%s", a);
	snprintf(d->reject, sizeof(d->reject), "%s", b);
	return true;
}

/* ok, or not_resolvable: both are thresholds that meet their rule. */
static bool is_met(const cJSON *json)
{
	const char *status = text_of(json, "status");

	return status &&
	       (!strcmp(status, ood_status_name(OOD_STATUS_OK)) ||
		!strcmp(status, ood_status_name(OOD_STATUS_NOT_RESOLVABLE)));
}

/* What a gate must not pass over: anything that is not as it was written. */
static int read_rest(const cJSON *json, struct ood_decision *d,
		     struct ood_err *err)
{
	const char *status = text_of(json, "status");

	if (!is_met(json))
		return ood_fail(err, OOD_INPUT,
				"holds no threshold that meets its rule "
				"(status %s)",
				status ? status : "missing");
	if (!threshold_of(json, &d->threshold))
		return ood_fail(err, OOD_INPUT,
				"its threshold is no number, inf or -inf");
	if (!read_words(json, d))
		return ood_fail(err, OOD_INPUT,
				"its words are not two short texts, such as "
				"[\"id\", \"ood\"]");
	return OOD_OK;
}

/* "energy:T=2.0" and "energy:T=2" are one scorer; what is none is its own
 * name. NULL without memory. */
static char *full_spec(const char *name)
{
	struct ood_scoring scoring = { 0 };
	struct ood_spec *specs = NULL;
	struct ood_err ignored;
	size_t n = 0;
	char *spec;

	if (!ood_specs_parse(name, &specs, &n, &ignored) && n == 1 &&
	    !specs[0].column.n &&
	    !ood_scoring_parse(&scoring, &specs[0], &ignored))
		spec = ood_strdup(scoring.spec);
	else
		spec = ood_strdup(name);
	ood_scoring_free(&scoring);
	ood_free(specs);
	return spec;
}

static bool is_scorer(const char *name)
{
	size_t n = strcspn(name, ":");

	for (size_t i = 0; ood_scorers[i]; i++)
		if (strlen(ood_scorers[i]->name) == n &&
		    !memcmp(name, ood_scorers[i]->name, n))
			return true;
	return false;
}

/* The column of this full spec; SIZE_MAX: none. */
static size_t find_column(const struct ood_judged *judged, const char *spec)
{
	size_t column = 0;

	for (size_t i = 0; i < judged->n; i++) {
		if (!strcmp(judged->scorings[i].spec, spec))
			return column;
		column += ood_scoring_width(&judged->scorings[i]);
	}
	for (; !judged->scorings && column < judged->n_columns; column++) {
		char *own = full_spec(judged->columns[column]);
		const bool same = own && !strcmp(own, spec);

		ood_free(own);
		if (same)
			return column;
	}
	return SIZE_MAX;
}

static int no_column(const struct ood_judged *judged, const char *scorer,
		     struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	ood_quote(quoted, sizeof(quoted), scorer, strlen(scorer));
	if (!judged->scorings)
		return ood_fail(err, OOD_INPUT,
				"the threshold is for scorer %s, and no column "
				"taken from this set of scores is called so",
				quoted);
	if (!is_scorer(scorer))
		return ood_fail(err, OOD_INPUT,
				"the threshold is for column %s of a set of "
				"scores, which is no scorer (give a set of "
				"scores with it, or make the threshold with "
				"-s SCORER and outputs of the model)",
				quoted);
	return ood_fail(
		err, OOD_INPUT,
		"the threshold is for scorer %s, which is not asked for "
		"(-s %s)",
		quoted, quoted);
}

/* Negated scores and others are of two scales: none may pass for the other. */
static int check_side(const cJSON *json, const struct ood_judged *judged,
		      struct ood_err *err)
{
	const cJSON *key = cJSON_GetObjectItemCaseSensitive(json, "higher");
	const char *side = cJSON_GetStringValue(key);
	const bool id = side && !strcmp(side, "id");

	if (key && (!side || (!id && strcmp(side, "ood") != 0)))
		return ood_fail(err, OOD_INPUT,
				"its key higher is neither ood nor id");
	if (id == judged->higher_id)
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"the threshold is for scores read with --higher %s, "
			"these are of --higher %s",
			id ? "id" : "ood", id ? "ood" : "id");
}

static int is_of_model(const struct ood_texts *models, const char *crc,
		       bool *is, struct ood_err *err)
{
	int code = OOD_OK;

	*is = false;
	for (size_t i = 0; !code && i < models->n && !*is; i++) {
		char own[OOD_CRC_TEXT];

		code = ood_model_crc_text(models->at[i], own, err);
		*is = !code && !strcmp(own, crc);
	}
	return code;
}

/* Another fit of the same scorer has another scale. Columns do not tell which
 * model made them. */
static int check_model(const cJSON *json, const struct ood_judged *judged,
		       struct ood_err *err)
{
	const cJSON *key =
		cJSON_GetObjectItemCaseSensitive(json, "model_crc32");
	const char *crc = cJSON_GetStringValue(key);
	char quoted[OOD_QUOTE_MAX];
	bool is;

	if (!key || cJSON_IsNull(key))
		return OOD_OK;
	if (!crc)
		return ood_fail(err, OOD_INPUT, "its model_crc32 is no text");
	if (!judged->scorings)
		return ood_fail(err, OOD_INPUT,
				"the threshold is for the scores of a model, "
				"and a set of scores does not say which model "
				"made it (score with -m MODEL)");
	int code = is_of_model(judged->models, crc, &is, err);
	if (code || is)
		return code;
	ood_quote(quoted, sizeof(quoted), crc, strlen(crc));
	return ood_fail(err, OOD_INPUT,
			"the threshold was made with another model (CRC-32 %s: "
			"make it anew with this one, or give that one with -m)",
			quoted);
}

/* Finds the scorer that the file speaks of. */
static int bind(const cJSON *json, const struct ood_judged *judged,
		struct ood_decision *d, struct ood_err *err)
{
	const char *scorer = text_of(json, "scorer");
	const char *schema = text_of(json, "schema");

	if (!schema || strcmp(schema, "ood.threshold/1") != 0 || !scorer)
		return ood_fail(err, OOD_INPUT,
				"not a report of ood threshold (its schema is "
				"ood.threshold/1)");
	char *spec = full_spec(scorer);
	if (!spec)
		return ood_fail_memory(err, strlen(scorer));
	d->column = find_column(judged, spec);
	int code = d->column == SIZE_MAX ? no_column(judged, spec, err)
					 : check_side(json, judged, err);
	if (!code)
		code = check_model(json, judged, err);
	ood_free(spec);
	return code;
}

static int read_file(struct ood_decision *d, const char *path,
		     const struct ood_judged *judged, struct ood_err *err)
{
	cJSON *json;
	int code = read_json(path, &json, err);

	if (code)
		return code;
	code = bind(json, judged, d, err);
	if (!code)
		code = read_rest(json, d, err);
	if (code)
		ood_err_where(err, path, NULL);
	cJSON_Delete(json);
	return code;
}

int ood_decision_read(struct ood_decision *d, const char *word,
		      const struct ood_judged *judged, struct ood_err *err)
{
	*d = (struct ood_decision){ .accept = "id", .reject = "ood" };
	if (!word)
		return OOD_OK;
	if (!*word)
		return ood_fail(
			err, OOD_USAGE,
			"--threshold needs a number or a file, found an "
			"empty word");
	d->on = true;
	if (ood_num_parse(word, strlen(word), '.', &d->threshold) != OOD_NUM_OK)
		return read_file(d, word, judged, err);
	if (isnan(d->threshold))
		return ood_fail(err, OOD_USAGE, "--threshold nan is no number");
	if (judged->n_columns != 1)
		return ood_fail(err, OOD_USAGE,
				"--threshold NUMBER needs exactly one scorer, "
				"found %zu (a threshold file names its own)",
				judged->n_columns);
	return OOD_OK;
}

struct ood_span ood_decision_word(const struct ood_decision *d, double score)
{
	if (isnan(score))
		return (struct ood_span){ "", 0 };
	const char *word = score >= d->threshold ? d->reject : d->accept;
	return (struct ood_span){ word, strlen(word) };
}
