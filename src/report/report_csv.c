/*
 * report_csv.c - one table of a report as CSV or TSV
 */
#include "core/num.h"
#include "io/writer.h"
#include "report/report_own.h"

static void add_item(struct ood_buf *out, const struct ood_item *item,
		     char delim)
{
	if (ood_item_is_null(item))
		return;
	switch (item->kind) {
	case OOD_ITEM_REAL:
		ood_buf_num(out, item->real);
		break;
	case OOD_ITEM_INT:
		ood_buf_int(out, item->integer);
		break;
	case OOD_ITEM_BOOL:
		ood_buf_str(out, item->integer ? "true" : "false");
		break;
	case OOD_ITEM_TEXT:
		ood_csv_quote(out, item->text, strlen(item->text), delim);
		break;
	case OOD_ITEM_NULL:
		break;
	}
}

static void add_table(struct ood_buf *out, const struct ood_table *table,
		      char delim)
{
	size_t width = ood_table_width(table);

	for (size_t c = 0; c < width; c++) {
		const char *name = ood_table_name(table, c);
		if (c)
			ood_buf_char(out, delim);
		ood_csv_quote(out, name, strlen(name), delim);
	}
	if (width)
		ood_buf_char(out, '\n');
	for (size_t row = 0; row < table->n_rows; row++) {
		size_t start = out->n;
		for (size_t c = 0; c < width; c++) {
			struct ood_item item = ood_table_item(table, row, c);
			if (c)
				ood_buf_char(out, delim);
			add_item(out, &item, delim);
		}
		ood_csv_end_line(out, start);
	}
}

/* The fields as a table of one row. */
static void add_fields(struct ood_buf *out, const struct ood_report *report,
		       char delim)
{
	for (int line = 0; line < 2; line++) {
		size_t start = out->n, cells = 0;
		for (size_t i = 0; i < report->n_entries; i++) {
			const struct ood_entry *e = &report->entries[i];
			if (e->kind != OOD_ENTRY_FIELD)
				continue;
			if (cells++)
				ood_buf_char(out, delim);
			if (line)
				add_item(out, &e->item, delim);
			else
				ood_csv_quote(out, e->key, strlen(e->key),
					      delim);
		}
		if (cells)
			ood_csv_end_line(out, start);
	}
}

int ood_render_csv(struct ood_rendering *r, struct ood_err *err)
{
	char delim = strcmp(r->render->format, "tsv") ? ',' : '\t';
	const struct ood_table *table;
	int code = ood_report_choose(r->report, r->render->table, &table, err);

	if (code)
		return code;
	if (table)
		add_table(r->out, table, delim);
	else
		add_fields(r->out, r->report, delim);
	return OOD_OK;
}
