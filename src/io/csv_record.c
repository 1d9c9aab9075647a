/*
 * csv_record.c - one record of a text table, by libcsv
 *
 * libcsv is strict here and fed line by line, which gives what it lacks: the
 * physical line of each cell, the end of a record, and blank lines that
 * vanish before it sees them (so that CSV_REPALL_NL is not needed). Its one
 * buffer is capped through its realloc hook.
 */
#include "core/err.h"
#include "io/csv.h"

/* The hook is not told the old size: it stands in front, on a line of its
 * own to keep the alignment. */
#define PREFIX 64

static void *cell_realloc(void *p, size_t n)
{
	char *old = p ? (char *)p - PREFIX : NULL, *grown;
	size_t used = 0;

	if (n > OOD_CSV_CELL_MAX)
		return NULL;
	if (old)
		memcpy(&used, old, sizeof(used));
	grown = ood_realloc(old, PREFIX + used, PREFIX + n, 1);
	if (!grown)
		return NULL;
	memcpy(grown, &n, sizeof(n));
	return grown + PREFIX;
}

static void cell_free(void *p)
{
	if (p)
		ood_free((char *)p - PREFIX);
}

static void parser_reset(struct ood_csv_record *r)
{
	csv_free(&r->parser);
	csv_init(&r->parser, CSV_STRICT | CSV_STRICT_FINI);
	csv_set_delim(&r->parser, (unsigned char)r->dialect->delimiter);
	csv_set_realloc_func(&r->parser, cell_realloc);
	csv_set_free_func(&r->parser, cell_free);
	csv_set_blk_size(&r->parser, 16384);
}

void ood_csv_record_open(struct ood_csv_record *r, struct ood_csv_text *text,
			 const struct ood_dialect *dialect)
{
	*r = (struct ood_csv_record){ .source = text, .dialect = dialect };
	csv_init(&r->parser, 0);
	csv_set_free_func(&r->parser, cell_free);
	parser_reset(r);
}

void ood_csv_record_close(struct ood_csv_record *r)
{
	csv_free(&r->parser);
	ood_buf_free(&r->text);
	ood_free(r->cells);
	r->cells = NULL;
}

/* --------------------------------------------------------- cells --- */

static void add_cell(struct ood_csv_record *r, const void *at, size_t n)
{
	/* One more than allowed tells that there are too many. */
	if (r->n > OOD_CSV_COLUMNS_MAX)
		return;
	if (!ood_grow(&r->cells, r->n, &r->room, sizeof(*r->cells))) {
		r->failed = true;
		return;
	}
	r->cells[r->n++] = (struct ood_csv_cell){ r->text.n, n, r->begun };
	ood_buf_add(&r->text, at, n);
	r->failed |= r->text.failed;
	/* The next one begins behind the delimiter just read. */
	r->begun = r->line + r->lines;
}

static void on_cell(void *at, size_t n, void *record)
{
	add_cell(record, at, n);
}

static void on_row(int terminator, void *record)
{
	(void)terminator;
	((struct ood_csv_record *)record)->ended = true;
}

/* What libcsv stopped at; the open cell is number r->n + 1. */
static int refuse_parse(struct ood_csv_record *r, struct ood_err *err)
{
	struct csv_parser *p = &r->parser;

	if (csv_error(p) == CSV_EPARSE && p->quoted)
		ood_fail(err, OOD_INPUT,
			 "text after the closing quote of a cell (a quote "
			 "inside a cell is doubled)");
	else if (csv_error(p) == CSV_EPARSE)
		ood_fail(err, OOD_INPUT,
			 "quote inside a cell that does not begin with one "
			 "(quote the cell and double the quote)");
	else if (csv_get_buffer_size(p) < OOD_CSV_CELL_MAX)
		return ood_fail_memory(err, OOD_CSV_CELL_MAX);
	else
		ood_fail(err, OOD_INPUT, "cell longer than %zu MiB%s",
			 OOD_CSV_CELL_MAX >> 20,
			 p->quoted ? " (is its quote closed?)" : "");
	return ood_err_at(err, OOD_PLACE_LINE, r->begun, r->n + 1);
}

static int refuse_unclosed(struct ood_csv_record *r, struct ood_err *err)
{
	ood_fail(err, OOD_INPUT, "quote opened here is never closed");
	return ood_err_at(err, OOD_PLACE_LINE, r->begun, r->n + 1);
}

static int take_line(struct ood_csv_record *r, const struct ood_csv_line *line,
		     struct ood_err *err)
{
	size_t n =
		csv_parse(&r->parser, line->at, line->size, on_cell, on_row, r);

	if (n < line->size)
		return refuse_parse(r, err);
	r->size += line->size;
	r->lines++;
	return OOD_OK;
}

/* Runs of blanks between words; no quotes. */
static void take_words(struct ood_csv_record *r,
		       const struct ood_csv_line *line)
{
	const char *at = line->at, *end = at + line->n;

	while (at < end) {
		const char *q = at;

		while (q < end && !ood_is_blank(*q))
			q++;
		if (q > at)
			add_cell(r, at, (size_t)(q - at));
		at = q + 1;
	}
	r->size = line->size;
	r->lines = 1;
	r->ended = true;
}

/* -------------------------------------------------------- record --- */

/* Makes the line visible that follows what was taken apart. */
static int see_line(struct ood_csv_record *r, bool patient,
		    struct ood_csv_line *line, enum ood_csv_got *got,
		    struct ood_err *err)
{
	while (!ood_csv_text_line(r->source, r->size, line)) {
		int rc;

		*got = OOD_CSV_END;
		if (r->source->eof)
			return OOD_OK;
		*got = OOD_CSV_WAIT;
		if (!patient && ood_csv_text_waits(r->source))
			return OOD_OK;
		rc = ood_csv_text_fill(r->source, err);
		if (rc)
			return rc;
	}
	*got = OOD_CSV_GOT;
	return OOD_OK;
}

/* The first line of a record; takes blank ones and comments off the text. */
static int see_first(struct ood_csv_record *r, bool patient,
		     struct ood_csv_line *line, enum ood_csv_got *got,
		     struct ood_err *err)
{
	for (;;) {
		int rc = see_line(r, patient, line, got, err);

		if (rc || *got != OOD_CSV_GOT ||
		    !ood_csv_line_is_void(r->dialect, line))
			return rc;
		ood_csv_text_take(r->source, line->size, 1);
	}
}

/* A whole record was read: limits that hold for all. */
static int check(const struct ood_csv_record *r, struct ood_err *err)
{
	if (r->failed)
		return ood_fail_memory(err, r->text.n);
	if (r->n > OOD_CSV_COLUMNS_MAX) {
		ood_fail(err, OOD_INPUT, "more than %d fields",
			 OOD_CSV_COLUMNS_MAX);
		return ood_err_at(err, OOD_PLACE_LINE, r->line, 0);
	}
	for (size_t i = 0; i < r->n; i++) {
		struct ood_span cell = ood_csv_record_cell(r, i);

		if (!cell.n || !memchr(cell.at, '\0', cell.n))
			continue;
		ood_fail(err, OOD_INPUT,
			 "NUL byte in a cell (binary data, or UTF-16: re-save "
			 "as UTF-8)");
		return ood_err_at(err, OOD_PLACE_LINE, r->cells[i].line, i + 1);
	}
	return OOD_OK;
}

/* Ends the last record of a file that does not end in a line end. */
static int finish(struct ood_csv_record *r, struct ood_err *err)
{
	if (csv_fini(&r->parser, on_cell, on_row, r))
		return refuse_unclosed(r, err);
	r->ended = true;
	return OOD_OK;
}

/* Takes lines apart until the record ends, or *got says why it does not. */
static int take(struct ood_csv_record *r, bool patient,
		struct ood_csv_line *line, enum ood_csv_got *got,
		struct ood_err *err)
{
	int rc = OOD_OK;

	if (r->dialect->blanks)
		take_words(r, line);
	while (!r->ended) {
		rc = take_line(r, line, err);
		if (rc || r->ended)
			return rc;
		rc = see_line(r, patient, line, got, err);
		if (rc || *got == OOD_CSV_WAIT)
			return rc;
		if (*got == OOD_CSV_END)
			return finish(r, err);
	}
	return rc;
}

int ood_csv_record_read(struct ood_csv_record *r, bool patient,
			enum ood_csv_got *got, struct ood_err *err)
{
	struct ood_csv_line line;
	int rc;

	ood_buf_clear(&r->text);
	r->n = r->size = 0;
	r->lines = 0;
	r->ended = r->failed = false;
	rc = see_first(r, patient, &line, got, err);
	if (rc || *got != OOD_CSV_GOT)
		return rc;
	r->line = r->begun = r->source->line;
	rc = take(r, patient, &line, got, err);
	if (rc || !r->ended) {
		parser_reset(r);
		return rc;
	}
	*got = OOD_CSV_GOT;
	return check(r, err);
}
