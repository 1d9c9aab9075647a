/*
 * table.c - a report for people: its shown fields and its tables
 */
#include "core/num.h"
#include "core/utf8.h"
#include "io/grid.h"
#include "report/report_own.h"

enum { DIGITS = 6 };

struct people {
	struct ood_buf *out;
	bool md;
	int digits;
	enum { NOTHING, FIELDS, TABLE } last; /* what stands above */
};

static void show_span(struct people *p, struct ood_span text)
{
	if (p->md)
		ood_grid_show_md(p->out, text.at, text.n);
	else
		ood_utf8_show(p->out, text.at, text.n);
}

static void show(struct people *p, const char *text)
{
	show_span(p, (struct ood_span){ text, strlen(text) });
}

/* Text of an item in buf; its own where it is text. */
static struct ood_span item_text(const struct people *p,
				 const struct ood_item *item,
				 char buf[OOD_NUM_MAX])
{
	struct ood_span text = { buf, 0 };

	if (ood_item_is_null(item))
		return (struct ood_span){ "-", 1 };
	switch (item->kind) {
	case OOD_ITEM_REAL:
		text.n = item->exact ? ood_num_format(buf, item->real)
				     : ood_num_format_digits(buf, item->real,
							     p->digits);
		break;
	case OOD_ITEM_INT:
		text.n = ood_num_format_int(buf, item->integer);
		break;
	case OOD_ITEM_BOOL:
		text.at = item->integer ? "yes" : "no";
		text.n = strlen(text.at);
		break;
	case OOD_ITEM_TEXT:
		text.at = item->text;
		text.n = strlen(item->text);
		break;
	case OOD_ITEM_NULL:
		break;
	}
	return text;
}

/* Numbers stand right: columns with a number and no words. */
static bool is_numeric(const struct ood_table *table, size_t column)
{
	bool some = false;

	for (size_t row = 0; row < table->n_rows; row++) {
		struct ood_item item = ood_table_item(table, row, column);
		if (ood_item_is_number(&item))
			some = true;
		else if (!ood_item_is_null(&item))
			return false;
	}
	return some;
}

/* status and reason tell nothing where all is well. */
static bool is_shown(const struct ood_table *table, size_t column)
{
	if (ood_table_hidden(table, column))
		return false;
	if (column < table->n_columns)
		return true;
	for (size_t row = 0; row < table->n_rows; row++) {
		struct ood_item item = ood_table_item(table, row, column);
		if (!ood_item_is_null(&item) &&
		    !(item.kind == OOD_ITEM_TEXT && !strcmp(item.text, "ok")))
			return true;
	}
	return false;
}

static void fill_grid(const struct people *p, const struct ood_table *table,
		      struct ood_grid *grid, const bool *shown)
{
	size_t width = ood_table_width(table);
	char buf[OOD_NUM_MAX];

	for (size_t c = 0; c < width; c++)
		if (shown[c])
			ood_grid_column(grid, ood_table_name(table, c),
					is_numeric(table, c));
	for (size_t row = 0; row < table->n_rows; row++) {
		for (size_t c = 0; c < width; c++) {
			struct ood_item item = ood_table_item(table, row, c);
			struct ood_span text = item_text(p, &item, buf);
			if (shown[c])
				ood_grid_cell(grid, text.at, text.n);
		}
	}
}

static void add_grid(struct people *p, const struct ood_table *table)
{
	struct ood_grid grid = { .md = p->md };
	size_t width = ood_table_width(table);
	bool *shown = ood_calloc(width, sizeof(*shown));

	if (shown) {
		for (size_t c = 0; c < width; c++)
			shown[c] = is_shown(table, c);
		fill_grid(p, table, &grid, shown);
		ood_grid_print(&grid, p->out);
	}
	if (!shown || grid.failed)
		p->out->failed = true;
	ood_grid_free(&grid);
	ood_free(shown);
}

static void add_table(struct people *p, const struct ood_table *table)
{
	if (!table || !(table->n_rows || table->n_notes))
		return;
	if (p->last != NOTHING)
		ood_buf_char(p->out, '\n');
	p->last = TABLE;
	if (table->title) {
		ood_buf_str(p->out, p->md ? "### " : "");
		show(p, table->title);
		ood_buf_str(p->out, p->md ? "\n\n" : "\n");
	}
	if (table->n_rows)
		add_grid(p, table);
	for (size_t i = 0; i < table->n_notes; i++) {
		/* Markdown would take the line as one more row. */
		if (p->md && (i || table->n_rows))
			ood_buf_char(p->out, '\n');
		if (table->notes[i])
			show(p, table->notes[i]);
		ood_buf_char(p->out, '\n');
	}
}

static void add_field(struct people *p, const struct ood_entry *entry)
{
	char buf[OOD_NUM_MAX];
	struct ood_span text = item_text(p, &entry->item, buf);

	if (p->last == TABLE)
		ood_buf_char(p->out, '\n');
	p->last = FIELDS;
	ood_buf_str(p->out, p->md ? "- " : "");
	show(p, entry->key);
	ood_buf_str(p->out, ": ");
	show_span(p, text);
	ood_buf_char(p->out, '\n');
}

static bool is_wanted(const struct ood_entry *entry, const char *name)
{
	return !entry->table || !entry->table->quiet ||
	       (name && !strcmp(name, entry->key));
}

int ood_render_table(struct ood_rendering *r, struct ood_err *err)
{
	int digits = r->render->digits;
	struct people p = {
		.out = r->out,
		.md = !strcmp(r->render->format, "md"),
		.digits = digits > 0 ? OOD_MIN(digits, 17) : DIGITS,
	};

	(void)err;
	for (size_t i = 0; i < r->report->n_entries; i++) {
		const struct ood_entry *entry = &r->report->entries[i];
		if (entry->kind == OOD_ENTRY_TABLE &&
		    is_wanted(entry, r->render->table))
			add_table(&p, entry->table);
		else if (entry->kind == OOD_ENTRY_FIELD && entry->shown)
			add_field(&p, entry);
	}
	return OOD_OK;
}
