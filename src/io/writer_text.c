/*
 * writer_text.c - rows to text by all threads, written in order
 */
#include "io/writer_text.h"

#include "core/err.h"
#include "core/thread.h"

/* One thread's part of a slab of rows. */
struct ood_text_share {
	struct ood_buf buf;
	size_t bad_row, bad_field; /* OOD_TEXT_DONE: none */
};

/*
 * Values that a thread formats before its text is written: half a megabyte of
 * text, which stays in the second-level cache; and the fewest for which it
 * pays to wake the team (some 100 us of work against 5 us).
 */
static const size_t SHARE_VALUES = 32768, TEAM_VALUES = 2048;

int ood_text_open(struct ood_writer *writer, ood_text_row *row,
		  struct ood_err *err)
{
	struct ood_text *text = ood_calloc(1, sizeof(*text));

	writer->own = text;
	if (!text)
		return ood_fail_memory(err, sizeof(*text));
	text->row = row;
	text->parts = ood_threads();
	text->shares = ood_calloc((size_t)text->parts, sizeof(*text->shares));
	if (!text->shares)
		return ood_fail_memory(err, sizeof(*text->shares));
	return OOD_OK;
}

void ood_text_free(struct ood_writer *writer)
{
	struct ood_text *text = writer->own;

	if (!text)
		return;
	for (int p = 0; text->shares && p < text->parts; p++)
		ood_buf_free(&text->shares[p].buf);
	for (size_t f = 0; text->keys && f < writer->n; f++)
		ood_buf_free(&text->keys[f]);
	ood_free(text->shares);
	ood_free(text->keys);
	ood_free(text);
	writer->own = NULL;
}

int ood_text_send(struct ood_writer *writer, const struct ood_buf *buf,
		  struct ood_err *err)
{
	if (buf->failed)
		return ood_fail_memory(err, buf->room);
	return buf->n ? ood_sink_write(writer->sink, buf->text, buf->n, err)
		      : OOD_OK;
}

/* A row that is refused leaves no bytes. */
static void format_rows(const struct ood_text_block *block, size_t from,
			size_t to, struct ood_text_share *share)
{
	const struct ood_text *text = block->writer->own;
	struct ood_buf buf = share->buf; /* not in a cache line with others' */
	size_t bad = OOD_TEXT_DONE, row = from;

	ood_buf_clear(&buf);
	for (; row < to && bad == OOD_TEXT_DONE; row++) {
		size_t start = buf.n;
		bad = text->row(block, row, &buf);
		if (bad != OOD_TEXT_DONE)
			buf.n = start;
	}
	share->buf = buf;
	share->bad_row = row - 1;
	share->bad_field = bad;
}

static int refuse(const struct ood_text_block *block,
		  const struct ood_text_share *share, struct ood_err *err)
{
	const struct ood_field *field =
		&block->writer->fields[share->bad_field];
	struct ood_span word =
		block->cells[share->bad_field].words[share->bad_row];
	char quoted[OOD_QUOTE_MAX];

	ood_fail(err, OOD_INPUT,
		 "%s \"%s\" is not UTF-8, which JSON asks for (convert the "
		 "input, e.g. iconv -f latin1 -t utf-8; or write -f csv, "
		 "which keeps the bytes)",
		 field->name,
		 ood_quote(quoted, sizeof(quoted), word.at, word.n));
	return ood_err_at(err, OOD_PLACE_ROW,
			  block->before + share->bad_row + 1, 0);
}

/* Rows [from, to): cut among `parts` threads, then written one after another. */
static int put_slab(const struct ood_text_block *block, size_t from, size_t to,
		    int parts, struct ood_err *err)
{
	struct ood_writer *writer = (struct ood_writer *)block->writer;
	struct ood_text *text = writer->own;

#pragma omp parallel for num_threads(parts) schedule(static, 1) if (parts > 1)
	for (int p = 0; p < parts; p++) {
		size_t first, last;
		ood_share(to - from, 1, p, parts, &first, &last);
		format_rows(block, from + first, from + last, &text->shares[p]);
	}
	for (int p = 0; p < parts; p++) {
		int code = ood_text_send(writer, &text->shares[p].buf, err);
		if (code)
			return code;
		if (text->shares[p].bad_field != OOD_TEXT_DONE)
			return refuse(block, &text->shares[p], err);
	}
	return OOD_OK;
}

int ood_text_put(struct ood_writer *writer, size_t rows,
		 const struct ood_cells *cells, struct ood_err *err)
{
	struct ood_text *text = writer->own;
	struct ood_text_block block = { writer, cells, text->rows };
	size_t values = 0;
	int team = OOD_MIN(text->parts, ood_threads()), code = OOD_OK;

	for (size_t f = 0; f < writer->n; f++)
		values += ood_field_width(&writer->fields[f]);
	size_t share = OOD_MAX(SHARE_VALUES / values, (size_t)1);
	for (size_t from = 0; from < rows && !code;) {
		size_t slab = OOD_MIN(rows - from, share * (size_t)team);
		bool small = slab < 2 || slab * values < TEAM_VALUES;
		code = put_slab(&block, from, from + slab, small ? 1 : team,
				err);
		from += slab;
	}
	text->rows += rows;
	return code;
}
