/*
 * render.c - a report in the format that was asked for
 */
#include "core/err.h"
#include "report/report_own.h"

static const struct {
	const char *name;
	int (*render)(struct ood_rendering *r, struct ood_err *err);
} formats[] = {
	{ "table", ood_render_table },
	{ "md", ood_render_table },
	{ "json", ood_render_json },
	{ "csv", ood_render_csv },
	{ "tsv", ood_render_csv },
	{ "jsonl", ood_render_jsonl },
	{ "metrics", ood_render_metrics },
	{ "openmetrics", ood_render_openmetrics },
};

static int refuse_format(const char *name, struct ood_err *err)
{
	struct ood_buf list = { 0 };
	char quoted[OOD_QUOTE_MAX];

	for (size_t i = 0; i < OOD_COUNT(formats); i++)
		ood_buf_printf(&list, "%s%s", i ? ", " : "", formats[i].name);
	ood_fail(err, OOD_USAGE,
		 "unknown format of a report \"%s\" (there are %s)",
		 ood_quote(quoted, sizeof(quoted), name, strlen(name)),
		 list.text ? list.text : "");
	ood_buf_free(&list);
	return OOD_USAGE;
}

int ood_report_check_format(const char *name, struct ood_err *err)
{
	for (size_t i = 0; i < OOD_COUNT(formats); i++)
		if (!strcmp(formats[i].name, name))
			return OOD_OK;
	return refuse_format(name, err);
}

static int refuse_table(const struct ood_report *report, const char *key,
			struct ood_err *err)
{
	struct ood_buf list = { 0 };
	char quoted[OOD_QUOTE_MAX];

	for (size_t i = 0; i < report->n_entries; i++)
		if (report->entries[i].kind == OOD_ENTRY_TABLE)
			ood_buf_printf(&list, "%s%s", list.n ? ", " : "",
				       report->entries[i].key);
	ood_fail(err, OOD_USAGE, "this report has no table \"%s\" (%s%s)",
		 ood_quote(quoted, sizeof(quoted), key, strlen(key)),
		 list.n ? "there are " : "it has none",
		 list.n ? list.text : "");
	ood_buf_free(&list);
	return OOD_USAGE;
}

/* The table of this key, or the first (with rows); NULL if there is none. */
static const struct ood_table *find_table(const struct ood_report *report,
					  const char *key, bool with_rows)
{
	for (size_t i = 0; i < report->n_entries; i++) {
		const struct ood_entry *e = &report->entries[i];
		if (e->kind == OOD_ENTRY_TABLE && e->table &&
		    (!key || !strcmp(e->key, key)) &&
		    (!with_rows || e->table->n_rows))
			return e->table;
	}
	return NULL;
}

static bool has_fields(const struct ood_report *report)
{
	for (size_t i = 0; i < report->n_entries; i++)
		if (report->entries[i].kind == OOD_ENTRY_FIELD)
			return true;
	return false;
}

int ood_report_choose(const struct ood_report *report, const char *key,
		      const struct ood_table **table, struct ood_err *err)
{
	*table = NULL;
	if (key && !*key)
		return OOD_OK;
	if (key) {
		*table = find_table(report, key, false);
		return *table ? OOD_OK : refuse_table(report, key, err);
	}
	*table = find_table(report, NULL, true);
	if (!*table && !has_fields(report))
		*table = find_table(report, NULL, false);
	return OOD_OK;
}

static int send(const struct ood_buf *out, struct ood_sink *sink,
		struct ood_err *err)
{
	if (out->failed)
		return ood_fail_memory(err, out->room);
	return out->n ? ood_sink_write(sink, out->text, out->n, err) : OOD_OK;
}

int ood_report_write(const struct ood_report *report,
		     const struct ood_render *render, struct ood_sink *sink,
		     struct ood_err *err)
{
	struct ood_buf out = { 0 };
	struct ood_rendering r = { report, render, &out };
	int code = -1;

	if (!report || report->failed)
		return ood_fail(err, OOD_SYSTEM, "out of memory");
	for (size_t i = 0; i < OOD_COUNT(formats) && code < 0; i++)
		if (!strcmp(formats[i].name, render->format))
			code = formats[i].render(&r, err);
	if (code < 0)
		code = refuse_format(render->format, err);
	if (!code)
		code = send(&out, sink, err);
	ood_buf_free(&out);
	return code;
}
