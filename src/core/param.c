/*
 * param.c - KEY=VALUE:KEY=VALUE read against a table
 */
#include "core/param.h"

#include <stdio.h>

#include "core/err.h"
#include "core/num.h"

/* What is being read, for messages. */
struct reading {
	const char *who;
	const struct ood_param *param;
	struct ood_span value;
	struct ood_err *err;
};

size_t ood_param_count(const struct ood_param *table)
{
	size_t n = 0;

	while (table && table[n].kind != OOD_PARAM_END)
		n++;
	return n;
}

struct ood_span ood_word(const char *words, size_t i)
{
	struct ood_span word = { words ? words : "", 0 };

	for (;; i--) {
		word.at += strspn(word.at, " ");
		word.n = strcspn(word.at, " ");
		if (!i || !word.n)
			return word;
		word.at += word.n;
	}
}

/* "> 0", ">= 1", "0..1", "(0,1]"; nothing where nothing bounds. */
static void add_bounds(const struct ood_param *param, struct ood_buf *out)
{
	bool lo = param->lo > -INFINITY, hi = param->hi < INFINITY;

	if (lo && hi) {
		ood_buf_str(out, param->lo_open ? "(" : "");
		ood_buf_num(out, param->lo);
		ood_buf_str(out, param->lo_open ? "," : "..");
		ood_buf_num(out, param->hi);
		ood_buf_str(out, param->lo_open ? "]" : "");
	} else if (lo) {
		ood_buf_str(out, param->lo_open ? "> " : ">= ");
		ood_buf_num(out, param->lo);
	} else if (hi) {
		ood_buf_str(out, "<= ");
		ood_buf_num(out, param->hi);
	}
}

/* What the parameter takes: "a number > 0", "min or predicted". */
static void add_expected(const struct ood_param *param, struct ood_buf *out)
{
	static const char *const nouns[] = {
		[OOD_PARAM_REAL] = "a number",
		[OOD_PARAM_INT] = "an integer",
		[OOD_PARAM_SWITCH] = "0 or 1",
		[OOD_PARAM_LIST] = "numbers in brackets, [0.5,2]",
		[OOD_PARAM_TEXT] = "text",
	};

	if (param->kind == OOD_PARAM_WORD) {
		ood_buf_str(out, "one of ");
		ood_buf_str(out, param->choices);
		return;
	}
	ood_buf_str(out, nouns[param->kind]);
	if (param->kind == OOD_PARAM_REAL || param->kind == OOD_PARAM_INT ||
	    param->kind == OOD_PARAM_LIST) {
		size_t n = out->n;

		ood_buf_char(out, ' ');
		add_bounds(param, out);
		if (out->n == n + 1 && out->text)
			out->text[out->n = n] = '\0';
	}
}

static int refuse(const struct reading *r)
{
	struct ood_buf expected = { 0 };
	char found[OOD_QUOTE_MAX];

	add_expected(r->param, &expected);
	int rc = ood_fail(
		r->err, OOD_USAGE, "%s: %s: expected %s, found \"%s\"", r->who,
		r->param->name, expected.text ? expected.text : "another value",
		ood_quote(found, sizeof(found), r->value.at, r->value.n));
	ood_buf_free(&expected);
	return rc;
}

static bool in_bounds(const struct ood_param *param, double x)
{
	if (!isfinite(x))
		return false;
	return (param->lo_open ? x > param->lo : x >= param->lo) &&
	       x <= param->hi;
}

static int read_number(const struct reading *r, double *x)
{
	int64_t i = 0;
	bool ok;

	if (r->param->kind == OOD_PARAM_INT) {
		ok = ood_num_parse_int(r->value.at, r->value.n, &i);
		*x = (double)i;
	} else {
		ok = ood_num_parse(r->value.at, r->value.n, '.', x) ==
		     OOD_NUM_OK;
	}
	return ok && in_bounds(r->param, *x) ? OOD_OK : refuse(r);
}

static int read_switch(const struct reading *r, double *x)
{
	if (r->value.n != 1 || (*r->value.at != '0' && *r->value.at != '1'))
		return refuse(r);
	*x = *r->value.at - '0';
	return OOD_OK;
}

static int read_word(const struct reading *r, double *x)
{
	for (size_t i = 0;; i++) {
		struct ood_span word = ood_word(r->param->choices, i);

		if (!word.n)
			return refuse(r);
		if (word.n == r->value.n &&
		    !memcmp(word.at, r->value.at, word.n)) {
			*x = (double)i;
			return OOD_OK;
		}
	}
}

/* "[0.5,2]", "0.5,2" or "3". */
static int read_list(const struct reading *r, double **list, size_t *n)
{
	struct ood_span rest = r->value;
	size_t room = 0;

	if (rest.n >= 2 && *rest.at == '[' && rest.at[rest.n - 1] == ']') {
		rest.at++;
		rest.n -= 2;
	}
	for (bool more = true; more;) {
		const char *comma = memchr(rest.at, ',', rest.n);
		size_t length = comma ? (size_t)(comma - rest.at) : rest.n;
		double x;

		if (ood_num_parse(rest.at, length, '.', &x) != OOD_NUM_OK ||
		    !in_bounds(r->param, x))
			return refuse(r);
		if (!ood_grow(list, *n, &room, sizeof(**list)))
			return ood_fail_memory(r->err, *n * sizeof(**list));
		(*list)[(*n)++] = x;
		more = comma;
		if (more)
			length++;
		rest.at += length;
		rest.n -= length;
	}
	return OOD_OK;
}

/* Quotes around a text protect commas and colons and are taken off. */
static int read_text(const struct reading *r, char **text)
{
	struct ood_span word = r->value;

	if (word.n >= 2 && *word.at == '"' && word.at[word.n - 1] == '"') {
		word.at++;
		word.n -= 2;
	}
	*text = ood_strndup(word.at, word.n);
	return *text ? OOD_OK : ood_fail_memory(r->err, word.n);
}

static int read_value(const struct reading *r, struct ood_args *args, size_t i)
{
	args->given[i] = true;
	switch (r->param->kind) {
	case OOD_PARAM_REAL:
	case OOD_PARAM_INT:
		return read_number(r, &args->num[i]);
	case OOD_PARAM_SWITCH:
		return read_switch(r, &args->num[i]);
	case OOD_PARAM_WORD:
		return read_word(r, &args->num[i]);
	case OOD_PARAM_LIST:
		return read_list(r, &args->list[i], &args->list_n[i]);
	case OOD_PARAM_TEXT:
		return read_text(r, &args->text[i]);
	case OOD_PARAM_END:
		break;
	}
	return ood_fail(r->err, OOD_BUG, "%s: a parameter of no kind", r->who);
}

static int refuse_key(const struct ood_param *table, const char *who,
		      struct ood_span key, struct ood_err *err)
{
	struct ood_buf has = { 0 };
	char word[OOD_QUOTE_MAX];

	for (size_t i = 0; i < ood_param_count(table); i++) {
		ood_buf_str(&has, i ? ", " : "it has ");
		ood_buf_str(&has, table[i].name);
	}
	int rc = ood_fail(err, OOD_USAGE, "%s has no parameter \"%s\" (%s)",
			  who, ood_quote(word, sizeof(word), key.at, key.n),
			  has.text ? has.text : "it has none");
	ood_buf_free(&has);
	return rc;
}

static int read_pair(const struct ood_param *table, struct reading *r,
		     struct ood_span key, struct ood_args *args)
{
	size_t n = ood_param_count(table);
	char word[OOD_QUOTE_MAX];

	for (size_t i = 0; i < n; i++) {
		if (!ood_is(key.at, key.n, table[i].name))
			continue;
		if (!r->value.at)
			return ood_fail(r->err, OOD_USAGE,
					"%s: %s needs a value (%s=...)", r->who,
					table[i].name, table[i].name);
		if (args->given[i])
			return ood_fail(r->err, OOD_USAGE,
					"%s: %s is given twice", r->who,
					table[i].name);
		r->param = &table[i];
		return read_value(r, args, i);
	}
	if (!r->value.at)
		return ood_fail(r->err, OOD_USAGE,
				"%s: expected KEY=VALUE, found \"%s\"", r->who,
				ood_quote(word, sizeof(word), key.at, key.n));
	return refuse_key(table, r->who, key, r->err);
}

int ood_args_parse(const struct ood_param *table, const char *who,
		   struct ood_span params, struct ood_args *args,
		   struct ood_err *err)
{
	struct reading r = { .who = who, .err = err };
	size_t n = ood_param_count(table);
	struct ood_span key;

	assert(n <= OOD_PARAMS_MAX);
	memset(args, 0, sizeof(*args));
	for (size_t i = 0; i < n; i++)
		args->num[i] =
			table[i].kind == OOD_PARAM_WORD ? 0 : table[i].def;
	while (ood_param_next(&params, &key, &r.value)) {
		int rc = read_pair(table, &r, key, args);

		if (rc) {
			ood_args_free(args);
			return rc;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!table[i].need || args->given[i])
			continue;
		ood_args_free(args);
		return ood_fail(err, OOD_USAGE, "%s needs %s=... (%s)", who,
				table[i].name, table[i].help);
	}
	return OOD_OK;
}

void ood_args_free(struct ood_args *args)
{
	for (size_t i = 0; i < OOD_PARAMS_MAX; i++) {
		ood_free(args->text[i]);
		ood_free(args->list[i]);
	}
	memset(args, 0, sizeof(*args));
}

static void add_list(const double *list, size_t n, struct ood_buf *out)
{
	ood_buf_char(out, '[');
	for (size_t i = 0; i < n; i++) {
		ood_buf_str(out, i ? "," : "");
		ood_buf_num(out, list[i]);
	}
	ood_buf_char(out, ']');
}

static void add_value(const struct ood_param *param,
		      const struct ood_args *args, size_t i,
		      struct ood_buf *out)
{
	struct ood_span word;

	switch (param->kind) {
	case OOD_PARAM_TEXT:
		ood_buf_str(out, args->text[i]);
		break;
	case OOD_PARAM_LIST:
		add_list(args->list[i], args->list_n[i], out);
		break;
	case OOD_PARAM_WORD:
		word = ood_word(param->choices, (size_t)args->num[i]);
		ood_buf_add(out, word.at, word.n);
		break;
	default:
		ood_buf_num(out, args->num[i]);
	}
}

void ood_args_format(const struct ood_param *table, const struct ood_args *args,
		     const char *prefix, struct ood_buf *out)
{
	for (size_t i = 0; i < ood_param_count(table); i++) {
		bool has_default = table[i].kind != OOD_PARAM_TEXT &&
				   table[i].kind != OOD_PARAM_LIST &&
				   !isnan(args->num[i]);

		if (!args->given[i] && !has_default)
			continue;
		ood_buf_char(out, ':');
		ood_buf_str(out, prefix);
		ood_buf_str(out, table[i].name);
		ood_buf_char(out, '=');
		add_value(&table[i], args, i, out);
	}
}

void ood_param_describe(const struct ood_param *param, struct ood_buf *out)
{
	ood_buf_str(out, param->name);
	ood_buf_str(out, " (");
	if (param->kind == OOD_PARAM_WORD) {
		struct ood_span word;

		for (size_t i = 0; (word = ood_word(param->choices, i)).n;
		     i++) {
			ood_buf_str(out, i == 0 ? "" : i == 1 ? "; " : ", ");
			ood_buf_add(out, word.at, word.n);
		}
		ood_buf_char(out, ')');
		return;
	}
	if (param->need)
		ood_buf_str(out, "must be given");
	else if (param->kind == OOD_PARAM_TEXT ||
		 param->kind == OOD_PARAM_LIST || isnan(param->def))
		ood_buf_str(out, "off");
	else
		ood_buf_num(out, param->def);
	if (param->kind == OOD_PARAM_REAL || param->kind == OOD_PARAM_INT) {
		if (param->lo > -INFINITY || param->hi < INFINITY)
			ood_buf_str(out, "; ");
		add_bounds(param, out);
	}
	ood_buf_char(out, ')');
}
