/*
 * describe.c - one entry of a registry, for `ood list` and `ood help NAME`
 */
#include "cli/describe.h"

#include "cli/opt.h"
#include "decide/threshold.h"
#include "io/reader.h"
#include "maps/map.h"
#include "metrics/metric.h"
#include "scorers/scorer.h"

static const char *needs_of(unsigned needs)
{
	if (needs & OOD_NEEDS_LOGITS)
		return "logits";
	if (needs & OOD_NEEDS_CLASSES)
		return "logits or probs";
	return NULL;
}

static bool scorer_entry(size_t i, struct ood_entry *e)
{
	const struct ood_scorer *s = ood_scorers[i];

	if (!s)
		return false;
	*e = (struct ood_entry){ .name = s->name,
				 .brief = s->brief,
				 .formula = s->formula,
				 .cite = s->cite,
				 .needs = needs_of(s->needs),
				 .aliases = s->aliases,
				 .params = s->params };
	return true;
}

static bool map_entry(size_t i, struct ood_entry *e)
{
	const struct ood_map *m = ood_maps[i];

	if (!m)
		return false;
	*e = (struct ood_entry){ .name = m->name,
				 .brief = m->brief,
				 .cite = m->cite,
				 .needs = "logits",
				 .params = m->params };
	return true;
}

static bool metric_entry(size_t i, struct ood_entry *e)
{
	static const char *const needs[] = { "ID and OoD scores",
					     "scores and labels",
					     "class scores and labels" };
	const struct ood_metric *m = ood_metrics[i];

	if (!m)
		return false;
	*e = (struct ood_entry){ .name = m->name,
				 .brief = m->brief,
				 .formula = m->formula,
				 .cite = m->cite,
				 .needs = needs[m->kind],
				 .params = m->params };
	return true;
}

static bool rule_entry(size_t i, struct ood_entry *e)
{
	const struct ood_rule *r = ood_rules[i];

	if (!r)
		return false;
	*e = (struct ood_entry){ .name = r->name,
				 .brief = r->brief,
				 .cite = r->cite,
				 .needs = r->needs_ood ? "ID and OoD scores"
						       : "ID scores",
				 .params = r->params };
	return true;
}

static bool format_entry(size_t i, struct ood_entry *e)
{
	const struct ood_format *f = ood_formats[i];

	if (!f)
		return false;
	*e = (struct ood_entry){ .name = f->name,
				 .brief = f->brief,
				 .needs = !f->can_read	 ? "written"
					  : f->can_write ? "read and written"
							 : "read" };
	return true;
}

static bool command_entry(size_t i, struct ood_entry *e)
{
	const struct ood_command *c = ood_commands[i];

	if (!c)
		return false;
	*e = (struct ood_entry){ .name = c->name, .brief = c->brief };
	return true;
}

const struct ood_registry ood_registries[] = {
	{ "scorers", "scorer", "what turns a row into a score", scorer_entry },
	{ "metrics", "metric", "figures of ood eval", metric_entry },
	{ "maps", "map", "logits to probabilities", map_entry },
	{ "rules", "rule", "ways to pick a threshold", rule_entry },
	{ "formats", "format", "files read and written", format_entry },
	{ "commands", "command", "what ood does", command_entry },
	{ NULL, NULL, NULL, NULL },
};

static void describe_params(const struct ood_param *params, struct ood_buf *out)
{
	size_t n = params ? ood_param_count(params) : 0;

	if (n)
		ood_buf_str(out, "\nParameters\n");
	for (size_t i = 0; i < n; i++) {
		size_t before = out->n;
		ood_buf_str(out, "  ");
		ood_param_describe(&params[i], out);
		while (out->n < before + 28 && !out->failed)
			ood_buf_char(out, ' ');
		ood_buf_printf(out, " %s\n", params[i].help);
	}
}

static void describe_entry(const struct ood_registry *registry,
			   const struct ood_entry *e, struct ood_buf *out)
{
	ood_buf_printf(out, "%s %s - %s\n", registry->one, e->name, e->brief);
	if (e->needs)
		ood_buf_printf(out, "\nNeeds    %s\n", e->needs);
	if (e->formula)
		ood_buf_printf(out, "Formula  %s\n", e->formula);
	if (e->cite)
		ood_buf_printf(out, "Source   %s\n", e->cite);
	if (e->aliases)
		ood_buf_printf(out, "Also     %s\n", e->aliases);
	describe_params(e->params, out);
}

/* Also by an alias: "ebo", or "odin0=msp:T=1000". */
static bool is_named(const struct ood_entry *e, const char *name)
{
	size_t n = strlen(name);

	if (!strcmp(e->name, name))
		return true;
	for (const char *at = e->aliases; at && *at;) {
		size_t length = strcspn(at, " ");
		if (length >= n && !memcmp(at, name, n) &&
		    (length == n || at[n] == '='))
			return true;
		at += length + strspn(at + length, " ");
	}
	return false;
}

bool ood_describe(const char *name, struct ood_buf *out)
{
	bool found = false;

	for (const struct ood_registry *r = ood_registries; r->name; r++) {
		struct ood_entry e;
		if (r->entry == command_entry)
			continue;
		for (size_t i = 0; r->entry(i, &e); i++) {
			if (!is_named(&e, name))
				continue;
			if (found)
				ood_buf_char(out, '\n');
			describe_entry(r, &e, out);
			found = true;
		}
	}
	return found;
}

const char *ood_describe_nearest(const char *name)
{
	const char *names[512];
	size_t n = 0;

	for (const struct ood_registry *r = ood_registries; r->name; r++) {
		struct ood_entry e;
		for (size_t i = 0; n < OOD_COUNT(names) - 1 && r->entry(i, &e);
		     i++)
			names[n++] = e.name;
	}
	names[n] = NULL;
	return ood_nearest(name, strlen(name), names);
}
