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
 * A share is this many values, some 0.2 ms of work: a thread that the system
 * stops for a while does not keep the others waiting, they take its shares.
 * SHARES of them (five megabytes of text) are formatted before they are
 * written. One share is not worth waking the team for.
 */
enum { SHARE_VALUES = 4096, SHARES = 64 };

int ood_text_open(struct ood_writer *writer, ood_text_row *row,
		  struct ood_err *err)
{
	struct ood_text *text = ood_calloc(1, sizeof(*text));

	writer->own = text;
	if (!text)
		return ood_fail_memory(err, sizeof(*text));
	text->row = row;
	text->n_shares = OOD_MAX(SHARES, 4 * (size_t)ood_threads());
	text->shares = ood_calloc(text->n_shares, sizeof(*text->shares));
	if (!text->shares)
		return ood_fail_memory(err, sizeof(*text->shares));
	return OOD_OK;
}

void ood_text_free(struct ood_writer *writer)
{
	struct ood_text *text = writer->own;

	if (!text)
		return;
	for (size_t p = 0; text->shares && p < text->n_shares; p++)
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
	char name[OOD_QUOTE_MAX], quoted[OOD_QUOTE_MAX];

	ood_fail(
		err, OOD_INPUT,
		"%s \"%s\" is not UTF-8, which JSON asks for (convert the "
		"input, e.g. iconv -f latin1 -t utf-8; or write -f csv, "
		"which keeps the bytes)",
		ood_quote(name, sizeof(name), field->name, strlen(field->name)),
		ood_quote(quoted, sizeof(quoted), word.at, word.n));
	return ood_err_at(err, OOD_PLACE_ROW,
			  block->before + share->bad_row + 1, 0);
}

/* Rows [from, to), `each` in a share: formatted by whoever has time, then
 * written one share after another. */
static int put_slab(const struct ood_text_block *block, size_t from, size_t to,
		    size_t each, struct ood_err *err)
{
	struct ood_writer *writer = block->writer;
	struct ood_text *text = writer->own;
	size_t n = (to - from + each - 1) / each;
	bool team = n > 1 && ood_threads() > 1;

#pragma omp parallel for schedule(dynamic, 1) if (team)
	for (size_t p = 0; p < n; p++) {
		size_t first = from + p * each;
		format_rows(block, first, OOD_MIN(to, first + each),
			    &text->shares[p]);
	}
	for (size_t p = 0; p < n; p++) {
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
	size_t values = 0, each;
	int code = OOD_OK;

	for (size_t f = 0; f < writer->n; f++)
		values += ood_field_width(&writer->fields[f]);
	each = OOD_MAX(SHARE_VALUES / values, (size_t)1);
	for (size_t from = 0; from < rows && !code;) {
		size_t n = OOD_MIN(rows - from, each * text->n_shares);
		code = put_slab(&block, from, from + n, each, err);
		from += n;
	}
	text->rows += rows;
	return code;
}
