/*
 * writer_table.c - rows as aligned columns or Markdown, for people
 *
 * The first rows are held until there are HELD of them, or a megabyte of text,
 * or no more; they fix the widths, and the rest flows. So the bytes do not
 * depend on how the rows were cut into blocks. Later cells that are wider
 * stick out of their column.
 */
#include "core/err.h"
#include "core/num.h"
#include "io/grid.h"
#include "io/writer_own.h"

enum { HELD = 1000, HELD_BYTES = 1 << 20, DIGITS = 6 };

struct table {
	struct ood_grid grid;
	struct ood_buf out;
	int digits;
};

static void add_columns(struct ood_grid *grid, const struct ood_field *field)
{
	bool right = field->kind != OOD_FIELD_WORD || field->bare;
	struct ood_buf name = { 0 };

	if (!field->width) {
		ood_grid_column(grid, field->name, right);
		return;
	}
	for (size_t k = 0; k < field->width && !name.failed; k++) {
		ood_buf_clear(&name);
		ood_buf_printf(&name, "%s_%zu", field->name, k);
		if (!name.failed)
			ood_grid_column(grid, name.text, right);
	}
	grid->failed |= name.failed;
	ood_buf_free(&name);
}

static int table_open(struct ood_writer *writer, struct ood_err *err)
{
	struct table *table = ood_calloc(1, sizeof(*table));
	int digits = writer->options.digits;

	writer->own = table;
	if (!table)
		return ood_fail_memory(err, sizeof(*table));
	table->grid.md = !strcmp(writer->options.format->name, "md");
	table->digits = digits > 0 ? OOD_MIN(digits, 17) : DIGITS;
	for (size_t f = 0; f < writer->n; f++)
		add_columns(&table->grid, &writer->fields[f]);
	return OOD_OK;
}

static void add_number(struct table *table, double x)
{
	char text[OOD_NUM_MAX];

	ood_grid_cell(&table->grid, text,
		      ood_num_format_digits(text, x, table->digits));
}

static void add_cells(struct table *table, const struct ood_field *field,
		      const struct ood_cells *cells, size_t row)
{
	bool blank = ood_cell_blank(cells, row);
	size_t width = ood_field_width(field);
	char text[OOD_NUM_MAX];

	for (size_t k = 0; k < width; k++) {
		if (blank)
			ood_grid_cell(&table->grid, "-", 1);
		else if (field->kind == OOD_FIELD_REAL)
			add_number(table,
				   cells->reals[row * cells->stride + k]);
		else if (field->kind == OOD_FIELD_INT)
			ood_grid_cell(
				&table->grid, text,
				ood_num_format_int(text, cells->ints[row]));
		else
			ood_grid_cell(&table->grid, cells->words[row].at,
				      cells->words[row].n);
	}
}

static int flush(struct ood_writer *writer, struct ood_err *err)
{
	struct table *table = writer->own;

	ood_buf_clear(&table->out);
	ood_grid_print(&table->grid, &table->out);
	if (table->grid.failed || table->out.failed)
		return ood_fail_memory(err, table->out.room);
	if (!table->out.n)
		return OOD_OK;
	return ood_sink_write(writer->sink, table->out.text, table->out.n, err);
}

static int table_put(struct ood_writer *writer, size_t rows,
		     const struct ood_cells *cells, struct ood_err *err)
{
	struct table *table = writer->own;
	struct ood_grid *grid = &table->grid;
	int code = OOD_OK;

	for (size_t row = 0; row < rows && !code; row++) {
		for (size_t f = 0; f < writer->n; f++)
			add_cells(table, &writer->fields[f], &cells[f], row);
		if (grid->failed || grid->text.n >= HELD_BYTES ||
		    grid->n_cells / grid->n_columns >= HELD)
			code = flush(writer, err);
	}
	/* Once the widths are fixed nothing has to wait. */
	return !code && grid->started ? flush(writer, err) : code;
}

static void table_free(struct ood_writer *writer)
{
	struct table *table = writer->own;

	if (!table)
		return;
	ood_grid_free(&table->grid);
	ood_buf_free(&table->out);
	ood_free(table);
}

const struct ood_writer_ops ood_writer_table = {
	.open = table_open,
	.put = table_put,
	.finish = flush,
	.release = table_free,
};
