/*
 * cmd_list.c - ood list: what the registries hold
 */
#include <stdio.h>

#include "cli/common.h"
#include "cli/describe.h"
#include "core/err.h"

struct options {
	struct ood_output_options out;
};

static const struct ood_opt_part parts[] = { { ood_report_out_opts, 0, NULL },
					     { 0 } };

static void list_params(struct ood_table *table, const struct ood_entry *e)
{
	struct ood_buf params = { 0 };
	size_t n = e->params ? ood_param_count(e->params) : 0;

	for (size_t i = 0; i < n; i++) {
		if (i)
			ood_buf_str(&params, ", ");
		ood_param_describe(&e->params[i], &params);
	}
	ood_table_set(table, "parameters",
		      ood_item_text(n && !params.failed ? params.text : NULL));
	ood_buf_free(&params);
}

static void list_registry(struct ood_report *report,
			  const struct ood_registry *r)
{
	struct ood_table *table = ood_report_table(report, r->name, r->name);
	struct ood_entry e;

	for (size_t i = 0; r->entry(i, &e); i++) {
		ood_table_row(table);
		ood_table_set(table, "name", ood_item_text(e.name));
		ood_table_set(table, "brief", ood_item_text(e.brief));
		ood_table_set(table, "needs", ood_item_text(e.needs));
		list_params(table, &e);
		ood_table_set(table, "formula", ood_item_text(e.formula));
		ood_table_set(table, "source", ood_item_text(e.cite));
		ood_table_set(table, "aliases", ood_item_text(e.aliases));
	}
	ood_table_hide(table, "formula");
	ood_table_hide(table, "source");
	ood_table_hide(table, "aliases");
	if (r->name[0] == 'c')
		ood_table_hide(table, "needs");
}

static int check_word(const char *word, struct ood_err *err)
{
	const char *names[16];
	size_t n = 0;
	char quoted[OOD_QUOTE_MAX];

	for (; ood_registries[n].name && n < OOD_COUNT(names) - 1; n++) {
		names[n] = ood_registries[n].name;
		if (!strcmp(names[n], word))
			return OOD_OK;
	}
	names[n] = NULL;
	const char *near = ood_nearest(word, strlen(word), names);
	ood_quote(quoted, sizeof(quoted), word, strlen(word));
	if (near)
		return ood_fail(err, OOD_USAGE,
				"there is no list of \"%s\" (did you mean %s?)",
				quoted, near);
	return ood_fail(err, OOD_USAGE,
			"there is no list of \"%s\" (expected scorers, "
			"metrics, maps, rules, formats or commands)",
			quoted);
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	const struct ood_texts *words = &call->rest;
	struct ood_report *report;
	int code = OOD_OK;

	for (size_t i = 0; !code && i < words->n; i++)
		code = check_word(words->at[i], err);
	if (code)
		return code;
	report = ood_report_new("list", call->argc, call->argv);
	for (const struct ood_registry *r = ood_registries; r->name; r++) {
		bool wanted = words->n == 0;
		for (size_t i = 0; i < words->n; i++)
			wanted = wanted || !strcmp(words->at[i], r->name);
		if (wanted)
			list_registry(report, r);
	}
	code = ood_report_out(report, &o->out,
			      words->n == 1 ? words->at[0] : NULL, err);
	ood_report_free(report);
	return code;
}

static const char *const usage[] = {
	"list [OPTION]... [scorers|metrics|maps|rules|formats|commands]...",
	NULL
};
static const char *const text[] = {
	"Lists what ood knows, with needs and parameters: NAME (default; "
	"bounds). ood help NAME tells the formula and the source of an entry.",
	NULL
};
static const char *const examples[] = { "ood list scorers",
					"ood list -f json metrics", NULL };

const struct ood_command ood_command_list = {
	.name = "list",
	.brief = "scorers, metrics, maps, rules, formats and commands",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
