/*
 * writer_csv.c - rows as CSV and TSV (RFC 4180, lines end in \n)
 */
#include "core/num.h"
#include "io/writer_text.h"

/*
 * RFC 4180 asks for quotes around delimiters, quotes and line ends. Blanks at
 * the ends are quoted, too: readers that trim them (libcsv) would lose them.
 */
static bool wants_quotes(const char *at, size_t n, char delim)
{
	if (n && (at[0] == ' ' || at[0] == '\t' || at[n - 1] == ' ' ||
		  at[n - 1] == '\t'))
		return true;
	for (size_t i = 0; i < n; i++)
		if (at[i] == delim || at[i] == '"' || at[i] == '\n' ||
		    at[i] == '\r')
			return true;
	return false;
}

void ood_csv_quote(struct ood_buf *buf, const char *at, size_t n, char delim)
{
	if (!wants_quotes(at, n, delim)) {
		ood_buf_add(buf, at, n);
		return;
	}
	ood_buf_char(buf, '"');
	for (size_t i = 0; i < n; i++) {
		if (at[i] == '"')
			ood_buf_char(buf, '"');
		ood_buf_char(buf, at[i]);
	}
	ood_buf_char(buf, '"');
}

static void add_reals(struct ood_buf *buf, const struct ood_cells *cells,
		      size_t row, size_t width, char delim)
{
	const double *x = cells->reals + row * cells->stride;
	char *start = ood_buf_reserve(buf, width * (OOD_NUM_MAX + 1)), *p;

	if (!start)
		return;
	p = start;
	for (size_t k = 0; k < width; k++) {
		if (k)
			*p++ = delim;
		p += ood_num_format(p, x[k]);
	}
	buf->n += (size_t)(p - start);
}

static void add_cell(struct ood_buf *buf, const struct ood_field *field,
		     const struct ood_cells *cells, size_t row, char delim)
{
	size_t width = ood_field_width(field);

	if (ood_cell_blank(cells, row)) {
		for (size_t k = 1; k < width; k++)
			ood_buf_char(buf, delim);
		return;
	}
	switch (field->kind) {
	case OOD_FIELD_REAL:
		add_reals(buf, cells, row, width, delim);
		break;
	case OOD_FIELD_INT:
		ood_buf_int(buf, cells->ints[row]);
		break;
	case OOD_FIELD_WORD:
		ood_csv_quote(buf, cells->words[row].at, cells->words[row].n,
			      delim);
		break;
	}
}

void ood_csv_end_line(struct ood_buf *buf, size_t start)
{
	ood_buf_str(buf, buf->n == start ? "\"\"\n" : "\n");
}

static size_t csv_row(const struct ood_text_block *block, size_t row,
		      struct ood_buf *buf)
{
	const struct ood_writer *writer = block->writer;
	char delim = ((const struct ood_text *)writer->own)->delim;
	size_t start = buf->n;

	for (size_t f = 0; f < writer->n; f++) {
		if (f)
			ood_buf_char(buf, delim);
		add_cell(buf, &writer->fields[f], &block->cells[f], row, delim);
	}
	ood_csv_end_line(buf, start);
	return OOD_TEXT_DONE;
}

static void add_name(struct ood_buf *buf, const struct ood_field *field,
		     char delim)
{
	size_t width = ood_field_width(field), n = strlen(field->name);
	struct ood_buf name = { 0 };

	ood_buf_add(&name, field->name, n);
	for (size_t k = 0; k < width; k++) {
		if (k)
			ood_buf_char(buf, delim);
		if (field->width) {
			name.n = n;
			ood_buf_char(&name, '_');
			ood_buf_int(&name, (int64_t)k);
		}
		if (name.failed)
			buf->failed = true;
		else
			ood_csv_quote(buf, name.text, name.n, delim);
	}
	ood_buf_free(&name);
}

/* The heading waits for the first rows: input that is refused before leaves
 * nothing on standard output. */
static int begin(struct ood_writer *writer, struct ood_err *err)
{
	struct ood_text *text = writer->own;
	struct ood_buf buf = { 0 };
	int code;

	if (text->started)
		return OOD_OK;
	for (size_t f = 0; f < writer->n; f++) {
		if (f)
			ood_buf_char(&buf, text->delim);
		add_name(&buf, &writer->fields[f], text->delim);
	}
	ood_csv_end_line(&buf, 0);
	text->started = true;
	code = ood_text_send(writer, &buf, err);
	ood_buf_free(&buf);
	return code;
}

static int csv_open(struct ood_writer *writer, struct ood_err *err)
{
	int code = ood_text_open(writer, csv_row, err);

	if (!code)
		((struct ood_text *)writer->own)->delim =
			strcmp(writer->options.format->name, "tsv") ? ','
								    : '\t';
	return code;
}

static int csv_put(struct ood_writer *writer, size_t rows,
		   const struct ood_cells *cells, struct ood_err *err)
{
	int code = begin(writer, err);

	return code ? code : ood_text_put(writer, rows, cells, err);
}

const struct ood_writer_ops ood_writer_csv = {
	.open = csv_open,
	.put = csv_put,
	.finish = begin,
	.release = ood_text_free,
};
