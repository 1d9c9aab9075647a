/*
 * report_json.c - a report as one JSON object, or a table as JSON Lines
 */
#include "report/report_json.h"

#include <stdio.h>

#include "core/utf8.h"

#define OOD_TOOL "ood"

/* File names may hold any bytes but 0, JSON may not: what is not UTF-8 is
 * shown as \xHH. Only for words and paths, which nothing is looked up by. */
static void add_shown(struct ood_tree *tree, cJSON *to, const char *key,
		      const char *text)
{
	struct ood_buf shown = { 0 };

	if (!text || ood_utf8_valid(text, strlen(text)) == strlen(text)) {
		ood_tree_text(tree, to, key, text);
		return;
	}
	ood_utf8_show(&shown, text, strlen(text));
	if (shown.failed)
		tree->failed = true;
	else
		ood_tree_text(tree, to, key, shown.text);
	ood_buf_free(&shown);
}

static void add_pairs(struct ood_tree *tree, cJSON *to,
		      const struct ood_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++)
		ood_tree_item(tree, to, pairs->at[i].key, &pairs->at[i].item);
}

static void add_row(struct ood_tree *tree, cJSON *to,
		    const struct ood_table *table, size_t row)
{
	for (size_t c = 0; c < ood_table_width(table); c++) {
		struct ood_item item = ood_table_item(table, row, c);
		ood_tree_item(tree, to, ood_table_name(table, c), &item);
	}
}

static void add_input(struct ood_tree *tree, cJSON *to,
		      const struct ood_report_input *input)
{
	char crc[16];

	ood_tree_text(tree, to, "set", input->set);
	ood_tree_text(tree, to, "role", input->role);
	add_shown(tree, to, "path", input->path);
	ood_tree_text(tree, to, "format", input->format);
	ood_tree_text(tree, to, "dtype", input->dtype);
	cJSON *shape = ood_tree_array(tree, to, "shape");
	for (unsigned d = 0; d < input->ndim; d++)
		ood_tree_uint(tree, shape, NULL, input->shape[d]);
	ood_tree_uint(tree, to, "rows", input->rows);
	ood_tree_uint(tree, to, "skipped", input->skipped);
	snprintf(crc, sizeof(crc), "%08lx", (unsigned long)input->crc32);
	ood_tree_text(tree, to, "crc32", input->crc32 ? crc : NULL);
}

static void add_head(struct ood_tree *tree, cJSON *root,
		     const struct ood_report *report)
{
	cJSON *at;

	ood_tree_text(tree, root, "schema", report->schema);
	at = ood_tree_object(tree, root, "tool");
	ood_tree_text(tree, at, "name", OOD_TOOL);
	ood_tree_text(tree, at, "version", OOD_VERSION);
	at = ood_tree_array(tree, root, "command");
	for (size_t i = 0; i < report->n_words; i++)
		add_shown(tree, at, NULL, report->words[i]);
	ood_tree_text(tree, root, "run", report->run);
	ood_tree_uint(tree, root, "seed", report->seed);
	at = ood_tree_object(tree, root, "conventions");
	add_pairs(tree, at, &report->conventions);
	at = ood_tree_array(tree, root, "inputs");
	for (size_t i = 0; i < report->n_inputs; i++)
		add_input(tree, ood_tree_object(tree, at, NULL),
			  &report->inputs[i]);
	at = ood_tree_array(tree, root, "warnings");
	for (size_t i = 0; i < report->n_warnings; i++) {
		const struct ood_report_warning *w = &report->warnings[i];
		cJSON *one = ood_tree_object(tree, at, NULL);
		ood_tree_text(tree, one, "code", w->code);
		add_shown(tree, one, "text", w->text);
		ood_tree_uint(tree, one, "count", w->count);
	}
}

static void add_rows(struct ood_tree *tree, cJSON *root, const char *key,
		     const struct ood_table *table, size_t from, size_t to)
{
	cJSON *at = ood_tree_array(tree, root, key);

	for (size_t i = from; i < to; i++)
		add_row(tree, ood_tree_object(tree, at, NULL), table, i);
}

static void add_table(struct ood_tree *tree, cJSON *root, const char *key,
		      const struct ood_table *table)
{
	size_t n = table ? table->n_rows : 0;
	size_t first = table && table->apart ? table->n_first : n;

	add_rows(tree, root, key, table, 0, first);
	if (table && table->apart)
		add_rows(tree, root, table->apart, table, first, n);
}

static void add_entry(struct ood_tree *tree, cJSON *root,
		      const struct ood_entry *entry)
{
	cJSON *at;

	switch (entry->kind) {
	case OOD_ENTRY_FIELD:
		ood_tree_item(tree, root, entry->key, &entry->item);
		break;
	case OOD_ENTRY_OBJECT:
		at = ood_tree_object(tree, root, entry->key);
		add_pairs(tree, at, &entry->pairs);
		break;
	case OOD_ENTRY_LIST:
		at = ood_tree_array(tree, root, entry->key);
		for (size_t i = 0; i < entry->pairs.n; i++)
			ood_tree_item(tree, at, NULL, &entry->pairs.at[i].item);
		break;
	case OOD_ENTRY_TABLE:
		add_table(tree, root, entry->key, entry->table);
		break;
	}
}

int ood_render_json(struct ood_rendering *r, struct ood_err *err)
{
	struct ood_tree tree = { 0 };
	cJSON *root = ood_tree_object(&tree, NULL, NULL);

	add_head(&tree, root, r->report);
	for (size_t i = 0; i < r->report->n_entries; i++)
		add_entry(&tree, root, &r->report->entries[i]);
	return ood_tree_print(&tree, root, true, r->out, err);
}

static int fields_line(struct ood_rendering *r, struct ood_err *err)
{
	struct ood_tree tree = { 0 };
	cJSON *root = ood_tree_object(&tree, NULL, NULL);

	for (size_t i = 0; i < r->report->n_entries; i++)
		if (r->report->entries[i].kind == OOD_ENTRY_FIELD)
			add_entry(&tree, root, &r->report->entries[i]);
	return ood_tree_print(&tree, root, false, r->out, err);
}

int ood_render_jsonl(struct ood_rendering *r, struct ood_err *err)
{
	const struct ood_table *table;
	int code = ood_report_choose(r->report, r->render->table, &table, err);

	if (!code && !table)
		return fields_line(r, err);
	for (size_t i = 0; !code && i < table->n_rows; i++) {
		struct ood_tree tree = { 0 };
		cJSON *root = ood_tree_object(&tree, NULL, NULL);
		add_row(&tree, root, table, i);
		code = ood_tree_print(&tree, root, false, r->out, err);
	}
	return code;
}
