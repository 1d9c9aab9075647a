/*
 * grid.c - cells of text in aligned columns, for people
 */
#include "io/grid.h"

#include "core/utf8.h"

/* Cells beyond stick out: one long name must not pad every row. */
static const size_t WIDEST = 64;

static void add_char(struct ood_buf *buf, char c, size_t times)
{
	char *at = ood_buf_reserve(buf, times);

	if (!at)
		return;
	memset(at, c, times);
	at[times] = '\0';
	buf->n += times;
}

size_t ood_grid_show_md(struct ood_buf *to, const char *at, size_t n)
{
	struct ood_buf plain = { 0 };
	size_t shown = ood_utf8_show(&plain, at, n);

	for (size_t i = 0; i < plain.n; i++) {
		if (strchr("\\`*<|[", plain.text[i])) {
			ood_buf_char(to, '\\');
			shown++;
		}
		ood_buf_char(to, plain.text[i]);
	}
	to->failed |= plain.failed;
	ood_buf_free(&plain);
	return shown;
}

static size_t show(const struct ood_grid *grid, struct ood_buf *to,
		   const char *at, size_t n)
{
	ood_buf_reserve(to, n); /* empty text wants an address, too */
	return grid->md ? ood_grid_show_md(to, at, n)
			: ood_utf8_show(to, at, n);
}

void ood_grid_column(struct ood_grid *grid, const char *name, bool right)
{
	if (!ood_grow(&grid->columns, grid->n_columns, &grid->room_columns,
		      sizeof(*grid->columns))) {
		grid->failed = true;
		return;
	}
	struct ood_grid_column *column = &grid->columns[grid->n_columns++];
	column->right = right;
	column->at = grid->names.n;
	column->chars = show(grid, &grid->names, name, strlen(name));
	column->n = grid->names.n - column->at;
}

void ood_grid_cell(struct ood_grid *grid, const char *at, size_t n)
{
	if (grid->failed ||
	    !ood_grow(&grid->cells, grid->n_cells, &grid->room_cells,
		      sizeof(*grid->cells))) {
		grid->failed = true;
		return;
	}
	struct ood_grid_cell *cell = &grid->cells[grid->n_cells++];
	cell->at = grid->text.n;
	cell->width = show(grid, &grid->text, at, n);
	cell->n = grid->text.n - cell->at;
}

static void fix_widths(struct ood_grid *grid)
{
	/* A Markdown rule needs three characters. */
	size_t least = grid->md ? 3 : 0;

	for (size_t c = 0; c < grid->n_columns; c++)
		grid->columns[c].width = OOD_MAX(grid->columns[c].chars, least);
	for (size_t i = 0; i < grid->n_cells; i++) {
		size_t *width = &grid->columns[i % grid->n_columns].width;
		size_t cell = OOD_MIN(grid->cells[i].width, WIDEST);
		*width = OOD_MAX(*width, cell);
	}
}

static void print_cell(const struct ood_grid *grid, size_t c,
		       struct ood_span text, size_t width, struct ood_buf *out)
{
	const struct ood_grid_column *column = &grid->columns[c];
	size_t pad = column->width > width ? column->width - width : 0;
	bool last = c + 1 == grid->n_columns;

	if (grid->md)
		ood_buf_str(out, c ? " | " : "| ");
	else if (c)
		ood_buf_str(out, "  ");
	add_char(out, ' ', column->right ? pad : 0);
	ood_buf_add(out, text.at, text.n);
	/* No blanks at the end of a line. */
	add_char(out, ' ', column->right || (last && !grid->md) ? 0 : pad);
	if (last)
		ood_buf_str(out, grid->md ? " |\n" : "\n");
}

static void print_heading(const struct ood_grid *grid, struct ood_buf *out)
{
	for (size_t c = 0; c < grid->n_columns; c++) {
		const struct ood_grid_column *column = &grid->columns[c];
		struct ood_span name = { grid->names.text + column->at,
					 column->n };
		print_cell(grid, c, name, column->chars, out);
	}
	for (size_t c = 0; grid->md && c < grid->n_columns; c++) {
		ood_buf_str(out, c ? " | " : "| ");
		add_char(out, '-', grid->columns[c].width - 1);
		ood_buf_char(out, grid->columns[c].right ? ':' : '-');
	}
	if (grid->md)
		ood_buf_str(out, " |\n");
}

void ood_grid_print(struct ood_grid *grid, struct ood_buf *out)
{
	if (grid->failed || grid->names.failed || grid->text.failed ||
	    !grid->n_columns) {
		grid->failed = grid->failed || grid->n_columns;
		return;
	}
	if (!grid->started) {
		fix_widths(grid);
		print_heading(grid, out);
		grid->started = true;
	}
	for (size_t i = 0; i < grid->n_cells; i++) {
		const struct ood_grid_cell *cell = &grid->cells[i];
		struct ood_span text = { grid->text.text + cell->at, cell->n };
		print_cell(grid, i % grid->n_columns, text, cell->width, out);
	}
	grid->n_cells = 0;
	ood_buf_clear(&grid->text);
}

void ood_grid_free(struct ood_grid *grid)
{
	ood_free(grid->columns);
	ood_free(grid->cells);
	ood_buf_free(&grid->names);
	ood_buf_free(&grid->text);
	*grid = (struct ood_grid){ 0 };
}
