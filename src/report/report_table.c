/*
 * report_table.c - a table of a report: rows of named cells
 */
#include "core/mem.h"
#include "report/report_own.h"

static const char *const tail_names[2] = { "status", "reason" };

/* 0 or 1 for a column of the tail, else -1. */
static int tail_of(const char *column)
{
	for (int t = 0; t < 2; t++)
		if (!strcmp(column, tail_names[t]))
			return t;
	return -1;
}

void ood_table_row(struct ood_table *table)
{
	if (!table ||
	    !ood_report_grow(table->report, &table->rows, table->n_rows,
			     &table->room_rows, sizeof(*table->rows)))
		return;
	table->rows[table->n_rows++] =
		(struct ood_table_row){ .first = table->n_cells };
}

size_t ood_table_width(const struct ood_table *table)
{
	return table->n_columns + (table->has_tail ? 2 : 0);
}

const char *ood_table_name(const struct ood_table *table, size_t column)
{
	return column < table->n_columns
		       ? table->columns[column].name
		       : tail_names[column - table->n_columns];
}

bool ood_table_hidden(const struct ood_table *table, size_t column)
{
	return column < table->n_columns
		       ? table->columns[column].hidden
		       : table->hide_tail[column - table->n_columns];
}

size_t ood_table_find(const struct ood_table *table, const char *column)
{
	for (size_t c = 0; c < ood_table_width(table); c++)
		if (!strcmp(ood_table_name(table, c), column))
			return c;
	return SIZE_MAX;
}

/* The number of a column, made where there is none; SIZE_MAX without memory. */
static size_t column_of(struct ood_table *table, const char *name)
{
	size_t c = ood_table_find(table, name);

	if (c != SIZE_MAX)
		return c;
	char *own = ood_report_copy(table->report, name);
	if (!own ||
	    !ood_report_grow(table->report, &table->columns, table->n_columns,
			     &table->room_columns, sizeof(*table->columns))) {
		ood_free(own);
		return SIZE_MAX;
	}
	table->columns[table->n_columns] =
		(struct ood_table_column){ .name = own };
	return table->n_columns++;
}

static struct ood_table_cell *cell_of(const struct ood_table *table, size_t row,
				      size_t column)
{
	size_t end = row + 1 < table->n_rows ? table->rows[row + 1].first
					     : table->n_cells;

	for (size_t i = table->rows[row].first; i < end; i++)
		if (table->cells[i].column == column)
			return &table->cells[i];
	return NULL;
}

static void replace(struct ood_table *table, struct ood_item *at,
		    struct ood_item item)
{
	struct ood_item own = ood_report_own(table->report, item);

	ood_report_drop(at);
	*at = own;
}

static void set_cell(struct ood_table *table, size_t column,
		     struct ood_item item)
{
	struct ood_table_cell *cell = cell_of(table, table->n_rows - 1, column);

	if (!cell) {
		if (!ood_report_grow(table->report, &table->cells,
				     table->n_cells, &table->room_cells,
				     sizeof(*cell)))
			return;
		cell = &table->cells[table->n_cells++];
		*cell = (struct ood_table_cell){ .column = column };
	}
	replace(table, &cell->item, item);
}

void ood_table_set(struct ood_table *table, const char *column,
		   struct ood_item item)
{
	int tail = tail_of(column);

	if (!table || !table->n_rows)
		return;
	if (tail >= 0) {
		table->has_tail = true;
		replace(table, &table->rows[table->n_rows - 1].tail[tail],
			item);
		return;
	}
	size_t c = column_of(table, column);
	if (c != SIZE_MAX)
		set_cell(table, c, item);
}

struct ood_item ood_table_item(const struct ood_table *table, size_t row,
			       size_t column)
{
	if (column < table->n_columns) {
		const struct ood_table_cell *cell = cell_of(table, row, column);
		return cell ? cell->item : ood_item_null();
	}
	struct ood_item item = table->rows[row].tail[column - table->n_columns];
	bool status = column == table->n_columns;
	return status && item.kind == OOD_ITEM_NULL ? ood_item_text("ok")
						    : item;
}

/* Two reasons in a row stand side by side. */
static void add_reason(struct ood_table *table, const char *reason)
{
	const struct ood_item *now = &table->rows[table->n_rows - 1].tail[1];
	struct ood_buf both = { 0 };

	if (now->kind != OOD_ITEM_TEXT) {
		ood_table_set(table, "reason", ood_item_text(reason));
		return;
	}
	if (!reason || strstr(now->text, reason))
		return;
	ood_buf_printf(&both, "%s; %s", now->text, reason);
	if (both.failed)
		table->report->failed = true;
	else
		ood_table_set(table, "reason", ood_item_text(both.text));
	ood_buf_free(&both);
}

void ood_table_value(struct ood_table *table, const char *column,
		     const struct ood_value *value)
{
	if (!table || !table->n_rows)
		return;
	ood_table_set(table, column, ood_item_real(value->x));
	table->has_tail = true;
	if (value->status == OOD_STATUS_OK)
		return;
	if (table->rows[table->n_rows - 1].tail[0].kind == OOD_ITEM_NULL)
		ood_table_set(table, "status",
			      ood_item_text(ood_status_name(value->status)));
	add_reason(table, value->reason);
}

void ood_table_hide(struct ood_table *table, const char *column)
{
	int tail = tail_of(column);

	if (!table)
		return;
	if (tail >= 0) {
		table->hide_tail[tail] = true;
		return;
	}
	size_t c = column_of(table, column);
	if (c != SIZE_MAX)
		table->columns[c].hidden = true;
}

void ood_table_note(struct ood_table *table, const char *note)
{
	if (table &&
	    ood_report_grow(table->report, &table->notes, table->n_notes,
			    &table->room_notes, sizeof(*table->notes)))
		table->notes[table->n_notes++] =
			ood_report_copy(table->report, note);
}

void ood_table_quiet(struct ood_table *table)
{
	if (table)
		table->quiet = true;
}

void ood_table_apart(struct ood_table *table, const char *key)
{
	if (!table || table->apart)
		return;
	table->apart = ood_report_copy(table->report, key);
	table->n_first = table->n_rows;
}

void ood_table_free(struct ood_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n_columns; i++)
		ood_free(table->columns[i].name);
	for (size_t i = 0; i < table->n_cells; i++)
		ood_report_drop(&table->cells[i].item);
	for (size_t i = 0; i < table->n_rows; i++) {
		ood_report_drop(&table->rows[i].tail[0]);
		ood_report_drop(&table->rows[i].tail[1]);
	}
	for (size_t i = 0; i < table->n_notes; i++)
		ood_free(table->notes[i]);
	ood_free(table->columns);
	ood_free(table->cells);
	ood_free(table->rows);
	ood_free(table->notes);
	ood_free(table->title);
	ood_free(table->apart);
	ood_free(table);
}
