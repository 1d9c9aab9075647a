/*
 * opt.c - reading options by their tables
 */
#include "cli/opt.h"

#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "core/param.h"

/* An option found: its row and where the inner struct starts. */
struct found {
	const struct ood_opt *opt;
	size_t offset;
};

const struct ood_opt *ood_opt_table(const struct ood_opt_part *part)
{
	return part->make ? part->make() : part->table;
}

static void *field_of(void *base, struct found f)
{
	return (char *)base + f.offset + f.opt->offset;
}

static struct found find(const struct ood_command *command, char letter,
			 const char *name, size_t n)
{
	const struct ood_opt_part *part = command->parts;

	for (; ood_opt_table(part); part++) {
		const struct ood_opt *opt = ood_opt_table(part);
		for (; opt->kind != OOD_OPT_END; opt++) {
			if (opt->kind == OOD_OPT_GROUP)
				continue;
			if (letter ? opt->letter == letter
				   : strlen(opt->name) == n &&
					     !memcmp(opt->name, name, n))
				return (struct found){ opt, part->offset };
		}
	}
	return (struct found){ NULL, 0 };
}

/* Names of the command's options, for "did you mean". */
static const char *nearest(const struct ood_command *command, const char *name,
			   size_t n)
{
	const char *names[128];
	size_t count = 0;
	const struct ood_opt_part *part = command->parts;

	for (; ood_opt_table(part); part++)
		for (const struct ood_opt *opt = ood_opt_table(part);
		     opt->kind != OOD_OPT_END; opt++)
			if (opt->kind != OOD_OPT_GROUP && count < 126)
				names[count++] = opt->name;
	names[count++] = "help";
	names[count] = NULL;
	return ood_nearest(name, n, names);
}

static int unknown(const struct ood_command *command, const char *word,
		   struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];
	const char *name = word + strspn(word, "-");
	const char *near = word[1] == '-'
				   ? nearest(command, name, strcspn(name, "="))
				   : NULL;

	ood_quote(quoted, sizeof(quoted), word, strlen(word));
	if (near)
		return ood_fail(err, OOD_USAGE,
				"unknown option %s (did you mean --%s?)",
				quoted, near);
	return ood_fail(err, OOD_USAGE,
			"unknown option %s (ood %s --help lists them)", quoted,
			command->name);
}

static int bad_value(const struct ood_opt *opt, const char *value,
		     const char *expected, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	ood_quote(quoted, sizeof(quoted), value, strlen(value));
	return ood_fail(err, OOD_USAGE, "--%s: expected %s, found \"%s\"",
			opt->name, expected, quoted);
}

static int set_number(const struct ood_opt *opt, void *field, const char *value,
		      struct ood_err *err)
{
	double x;
	int64_t i = 0;
	size_t n = strlen(value);
	bool whole = opt->kind == OOD_OPT_INT;
	bool ok = whole ? ood_num_parse_int(value, n, &i)
			: ood_num_parse(value, n, '.', &x) == OOD_NUM_OK;

	if (whole)
		x = (double)i;
	if (ok && isnan(x))
		ok = false;
	if (!ok)
		return bad_value(opt, value,
				 whole ? "a whole number" : "a number", err);
	if ((opt->lo != 0 || opt->hi != 0) && !(x >= opt->lo && x <= opt->hi)) {
		char lo[OOD_NUM_MAX], hi[OOD_NUM_MAX], text[96];
		ood_num_format(lo, opt->lo);
		ood_num_format(hi, opt->hi);
		snprintf(text, sizeof(text), "a number from %s to %s", lo, hi);
		return bad_value(opt, value, text, err);
	}
	if (whole)
		*(int64_t *)field = i;
	else
		*(double *)field = x;
	return OOD_OK;
}

static int set_size(const struct ood_opt *opt, void *field, const char *value,
		    struct ood_err *err)
{
	static const char units[] = "KMGT";
	size_t n = strlen(value);
	unsigned shift = 0;
	int64_t i;
	const char *unit = n ? strchr(units, value[n - 1]) : NULL;

	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		n--;
	}
	if (!ood_num_parse_int(value, n, &i) || i <= 0 ||
	    i > INT64_MAX >> shift)
		return bad_value(opt, value, "a size such as 512M or 8G", err);
	*(uint64_t *)field = (uint64_t)i << shift;
	return OOD_OK;
}

static int set_choice(const struct ood_opt *opt, void *field, const char *value,
		      struct ood_err *err)
{
	const char *at = opt->choices;
	size_t n = strlen(value);
	char expected[256];

	for (int i = 0; *at; i++) {
		size_t length = strcspn(at, " ");
		if (length == n && !memcmp(at, value, n)) {
			*(int *)field = i;
			return OOD_OK;
		}
		at += length + (at[length] == ' ');
	}
	snprintf(expected, sizeof(expected), "one of: %s", opt->choices);
	return bad_value(opt, value, expected, err);
}

static int set(const struct ood_opt *opt, void *field, const char *value,
	       struct ood_err *err)
{
	switch (opt->kind) {
	case OOD_OPT_FLAG:
		*(bool *)field = true;
		return OOD_OK;
	case OOD_OPT_TEXT:
	case OOD_OPT_MAYBE:
		*(const char **)field = value;
		return OOD_OK;
	case OOD_OPT_TEXTS:
		return ood_texts_add(field, value)
			       ? OOD_OK
			       : ood_fail_memory(err, sizeof(value));
	case OOD_OPT_REAL:
	case OOD_OPT_INT:
		return set_number(opt, field, value, err);
	case OOD_OPT_SIZE:
		return set_size(opt, field, value, err);
	case OOD_OPT_CHOICE:
		return set_choice(opt, field, value, err);
	case OOD_OPT_END:
	case OOD_OPT_GROUP:
		break;
	}
	return ood_fail(err, OOD_BUG, "option table: kind of --%s", opt->name);
}

/* Is the default a value, and not words such as "all cores"? */
static bool default_is_value(const struct ood_opt *opt)
{
	double x;

	if (!opt->def)
		return false;
	if (opt->kind == OOD_OPT_CHOICE)
		return true;
	return (opt->kind == OOD_OPT_REAL || opt->kind == OOD_OPT_INT) &&
	       ood_num_parse(opt->def, strlen(opt->def), '.', &x) == OOD_NUM_OK;
}

/* Defaults, as if they had been typed. */
static int set_defaults(const struct ood_command *command, void *base,
			struct ood_err *err)
{
	const struct ood_opt_part *part = command->parts;

	for (; ood_opt_table(part); part++)
		for (const struct ood_opt *opt = ood_opt_table(part);
		     opt->kind != OOD_OPT_END; opt++) {
			struct found f = { opt, part->offset };
			if (!default_is_value(opt))
				continue;
			int code = set(opt, field_of(base, f), opt->def, err);
			if (code)
				return code;
		}
	return OOD_OK;
}

static bool takes_value(const struct ood_opt *opt)
{
	return opt->kind != OOD_OPT_FLAG && opt->kind != OOD_OPT_MAYBE;
}

/* The words still to be read. */
struct words {
	int argc, at;
	char **argv;
};

static int missing(const struct ood_opt *opt, struct ood_err *err)
{
	return ood_fail(err, OOD_USAGE, "--%s needs a value: --%s %s",
			opt->name, opt->name, opt->arg ? opt->arg : "VALUE");
}

/* --name, --name=value, --name value */
static int read_long(const struct ood_command *command, struct words *words,
		     void *base, struct ood_err *err)
{
	const char *word = words->argv[words->at++], *name = word + 2;
	size_t n = strcspn(name, "=");
	const char *value = name[n] == '=' ? name + n + 1 : NULL;
	struct found f = find(command, 0, name, n);

	if (!f.opt)
		return unknown(command, word, err);
	if (f.opt->kind == OOD_OPT_FLAG && value)
		return ood_fail(err, OOD_USAGE, "--%s takes no value",
				f.opt->name);
	if (f.opt->kind == OOD_OPT_MAYBE && !value)
		value = f.opt->def;
	if (takes_value(f.opt) && !value) {
		if (words->at >= words->argc)
			return missing(f.opt, err);
		value = words->argv[words->at++];
	}
	return set(f.opt, field_of(base, f), value, err);
}

/* -q, -o FILE, -oFILE, -qj4 */
static int read_short(const struct ood_command *command, struct words *words,
		      void *base, struct ood_err *err)
{
	const char *word = words->argv[words->at++];

	for (const char *at = word + 1; *at; at++) {
		struct found f = find(command, *at, NULL, 0);
		const char *value = at[1] ? at + 1 : NULL;
		int code;

		if (!f.opt)
			return unknown(command, word, err);
		if (!takes_value(f.opt)) {
			code = set(f.opt, field_of(base, f), f.opt->def, err);
			if (code)
				return code;
			continue;
		}
		if (!value && words->at >= words->argc)
			return missing(f.opt, err);
		if (!value)
			value = words->argv[words->at++];
		return set(f.opt, field_of(base, f), value, err);
	}
	return OOD_OK;
}

static int print_help(const struct ood_command *command, struct ood_err *err)
{
	struct ood_buf out = { 0 };

	ood_help_text(command, &out);
	int code = out.failed ? ood_fail_memory(err, out.n) : OOD_OK;
	if (!code)
		fwrite(out.text, 1, out.n, stdout);
	ood_buf_free(&out);
	return code;
}

int ood_opt_parse(struct ood_call *call, bool *done, struct ood_err *err)
{
	const struct ood_command *command = call->command;
	struct words words = { call->argc, 1, call->argv };
	bool ended = false;
	int code = set_defaults(command, call->options, err);

	*done = false;
	while (!code && words.at < words.argc) {
		const char *word = words.argv[words.at];
		/* "-" and "-:member" are standard input. */
		if (ended || word[0] != '-' || !word[1] || word[1] == ':') {
			words.at++;
			if (!ood_texts_add(&call->rest, word))
				code = ood_fail_memory(err, sizeof(word));
		} else if (!strcmp(word, "--")) {
			ended = true;
			words.at++;
		} else if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
			*done = true;
			return print_help(command, err);
		} else if (word[1] == '-') {
			code = read_long(command, &words, call->options, err);
		} else {
			code = read_short(command, &words, call->options, err);
		}
	}
	return code;
}

void ood_opt_free(struct ood_call *call)
{
	const struct ood_opt_part *part = call->command->parts;

	for (; ood_opt_table(part); part++)
		for (const struct ood_opt *opt = ood_opt_table(part);
		     opt->kind != OOD_OPT_END; opt++)
			if (opt->kind == OOD_OPT_TEXTS)
				ood_texts_free(field_of(
					call->options,
					(struct found){ opt, part->offset }));
	ood_texts_free(&call->rest);
}

bool ood_texts_add(struct ood_texts *texts, const char *text)
{
	if (!ood_grow(&texts->at, texts->n, &texts->room, sizeof(*texts->at)))
		return false;
	texts->at[texts->n++] = text;
	return true;
}

void ood_texts_free(struct ood_texts *texts)
{
	ood_free(texts->at);
	*texts = (struct ood_texts){ 0 };
}

int ood_texts_join(const struct ood_texts *texts, char **joined,
		   struct ood_err *err)
{
	struct ood_buf list = { 0 };

	for (size_t i = 0; i < texts->n; i++)
		ood_buf_printf(&list, "%s%s", i ? "," : "", texts->at[i]);
	*joined = list.text;
	if (!list.failed)
		return OOD_OK;
	ood_buf_free(&list);
	*joined = NULL;
	return ood_fail_memory(err, list.n);
}
