/*
 * spec.c - lists of [COLUMN=]NAME[:KEY=VALUE]... taken apart
 */
#include "core/err.h"
#include "core/param.h"

/* Length of what stands before the first `stop` outside brackets and
 * quotes. */
static size_t until(struct ood_span text, char stop)
{
	int depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.at[i];

		if (c == stop && depth <= 0 && !quoted)
			return i;
		if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '[' || c == ']'))
			depth += c == '[' ? 1 : -1;
	}
	return text.n;
}

/* Takes the text before the first stop off *rest, and the stop itself. */
static struct ood_span take(struct ood_span *rest, char stop)
{
	size_t n = until(*rest, stop), skip = n < rest->n ? n + 1 : n;
	struct ood_span head = { rest->at, n };

	rest->at += skip;
	rest->n -= skip;
	return head;
}

bool ood_param_next(struct ood_span *rest, struct ood_span *key,
		    struct ood_span *value)
{
	if (!rest->n)
		return false;
	*value = take(rest, ':');
	const char *equals = memchr(value->at, '=', value->n);
	*key = *value;
	if (!equals) {
		value->at = NULL;
		value->n = 0;
		return true;
	}
	key->n = (size_t)(equals - value->at);
	value->at = equals + 1;
	value->n -= key->n + 1;
	return true;
}

/* Brackets that close, quotes in pairs, and nothing between "::" or at the
 * end of "knn:". */
static const char *fault(struct ood_span text)
{
	int depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.at[i];

		if (c == '"')
			quoted = !quoted;
		else if (!quoted && c == '[' && depth++)
			return "a list inside a list";
		else if (!quoted && c == ']' && !depth--)
			return "a ] without [";
		else if (!quoted && !depth && c == ':' &&
			 (i + 1 == text.n || text.at[i + 1] == ':'))
			return "an empty parameter";
	}
	return depth	? "a [ without ]"
	       : quoted ? "a \" without its pair"
			: NULL;
}

/* Column names are words that no list or path can be mistaken for. */
static bool is_column(struct ood_span name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.at[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && !strchr("._+-/", c))
			return false;
		if (!c)
			return false;
	}
	return name.n > 0;
}

static int refuse(struct ood_span text, const char *why, struct ood_err *err)
{
	char word[OOD_QUOTE_MAX];

	return ood_fail(err, OOD_USAGE,
			"%s in \"%s\" (expected NAME or NAME:KEY=VALUE)", why,
			ood_quote(word, sizeof(word), text.at, text.n));
}

/* An '=' before the first ':' ends the column's name. */
static int parse_one(struct ood_span text, struct ood_spec *spec,
		     struct ood_err *err)
{
	const char *why = fault(text);

	*spec = (struct ood_spec){ .whole = text };
	if (why)
		return refuse(text, why, err);
	struct ood_span rest = text, name = take(&rest, ':');
	const char *equals = memchr(name.at, '=', name.n);
	if (equals) {
		spec->column = name;
		spec->column.n = (size_t)(equals - name.at);
		if (!is_column(spec->column))
			return refuse(text, "no valid column name", err);
		name.n -= spec->column.n + 1;
		name.at = equals + 1;
		spec->whole.n -= spec->column.n + 1;
		spec->whole.at = name.at;
	}
	if (!name.n)
		return refuse(text, "no name", err);
	spec->name = name;
	spec->params = rest;
	return OOD_OK;
}

int ood_specs_parse(const char *list, struct ood_spec **specs, size_t *n,
		    struct ood_err *err)
{
	struct ood_span rest = { list, strlen(list) };
	char word[OOD_QUOTE_MAX];
	size_t most = 1;
	int rc = OOD_OK;

	for (const char *c = list; *c; c++)
		most += *c == ',';
	*n = 0;
	*specs = ood_calloc(most, sizeof(**specs));
	if (!*specs)
		return ood_fail_memory(err, most);
	for (bool more = true; more && !rc;) {
		size_t left = rest.n;
		struct ood_span part = take(&rest, ',');

		more = part.n < left;
		if (part.n)
			rc = parse_one(part, &(*specs)[(*n)++], err);
		else
			rc = ood_fail(err, OOD_USAGE,
				      "an empty name in the list \"%s\"",
				      ood_quote(word, sizeof(word), list,
						strlen(list)));
	}
	if (rc) {
		ood_free(*specs);
		*specs = NULL;
		*n = 0;
	}
	return rc;
}
