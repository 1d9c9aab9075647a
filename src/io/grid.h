/*
 * grid.h - cells of text in aligned columns, for people
 *
 * Numbers stand right, words left, two blanks apart; or as a Markdown table.
 * Control bytes and bytes that are not UTF-8 are shown as escapes. Width is
 * counted in characters (code points).
 */
#ifndef OOD_IO_GRID_H
#define OOD_IO_GRID_H

#include "core/base.h"
#include "core/mem.h"

struct ood_grid_column {
	size_t at, n; /* the name, in grid->names */
	size_t chars; /* of the name */
	size_t width; /* of the column, in characters */
	bool right;
};

struct ood_grid_cell {
	size_t at, n; /* in grid->text */
	size_t width;
};

/* All zero (but md) is an empty grid. */
struct ood_grid {
	bool md;
	bool started; /* the heading is out and widths are fixed */
	bool failed;  /* memory ran out */
	struct ood_grid_column *columns;
	size_t n_columns, room_columns;
	struct ood_grid_cell *cells; /* row by row */
	size_t n_cells, room_cells;
	struct ood_buf names, text;
};

/* One more column; all of them before the first cell. */
void ood_grid_column(struct ood_grid *grid, const char *name, bool right);
/* The next cell, from left to right and row by row. */
void ood_grid_cell(struct ood_grid *grid, const char *at, size_t n);

/*
 * Adds the rows so far to `out` and forgets them; the first time with the
 * heading, and then the widths are fixed: later cells that are wider stick
 * out of their column.
 */
void ood_grid_print(struct ood_grid *grid, struct ood_buf *out);
void ood_grid_free(struct ood_grid *grid);

/* ood_utf8_show(), and what renderers of Markdown take as markup stands behind
 * a backslash. Returns the characters added. */
size_t ood_grid_show_md(struct ood_buf *to, const char *at, size_t n);

#endif
