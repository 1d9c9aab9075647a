/*
 * writer_json.c - rows as JSON Lines, or as one JSON array of objects
 */
#include "core/err.h"
#include "core/num.h"
#include "core/utf8.h"
#include "io/writer_text.h"

static void add_escaped(struct ood_buf *buf, unsigned char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *short_form = c ? strchr(from, c) : NULL;

	if (short_form) {
		ood_buf_char(buf, '\\');
		ood_buf_char(buf, to[short_form - from]);
	} else {
		ood_buf_printf(buf, "\\u%04x", c);
	}
}

bool ood_json_quote(struct ood_buf *buf, const char *at, size_t n)
{
	size_t done = 0;

	if (ood_utf8_valid(at, n) < n)
		return false;
	ood_buf_char(buf, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)at[i];
		if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
			continue;
		ood_buf_add(buf, at + done, i - done);
		add_escaped(buf, c);
		done = i + 1;
	}
	ood_buf_add(buf, at + done, n - done);
	ood_buf_char(buf, '"');
	return true;
}

/* JSON has no word for NaN and infinities: they are strings. */
static char *put_real(char *p, double x)
{
	bool quotes = !isfinite(x);

	if (quotes)
		*p++ = '"';
	p += ood_num_format(p, x);
	if (quotes)
		*p++ = '"';
	return p;
}

static void add_reals(struct ood_buf *buf, const struct ood_cells *cells,
		      size_t row, const struct ood_field *field)
{
	size_t width = ood_field_width(field);
	const double *x = cells->reals + row * cells->stride;
	char *from = ood_buf_reserve(buf, width * (OOD_NUM_MAX + 3) + 2), *p;

	if (!from)
		return;
	p = from;
	if (field->width)
		*p++ = '[';
	for (size_t k = 0; k < width; k++) {
		if (k)
			*p++ = ',';
		p = put_real(p, x[k]);
	}
	if (field->width)
		*p++ = ']';
	buf->n += (size_t)(p - from);
}

/* A number as typed stays bare only where a reader gets a finite number. */
static bool is_number(struct ood_span word)
{
	const char *stop;
	double x;

	return word.n &&
	       ood_num_scan_json(word.at, word.at + word.n, &stop, &x) ==
		       OOD_NUM_OK &&
	       stop == word.at + word.n;
}

static bool add_value(struct ood_buf *buf, const struct ood_field *field,
		      const struct ood_cells *cells, size_t row)
{
	if (ood_cell_blank(cells, row)) {
		ood_buf_str(buf, "null");
		return true;
	}
	if (field->kind == OOD_FIELD_REAL) {
		add_reals(buf, cells, row, field);
	} else if (field->kind == OOD_FIELD_INT) {
		ood_buf_int(buf, cells->ints[row]);
	} else {
		struct ood_span word = cells->words[row];
		if (!field->bare || !is_number(word))
			return ood_json_quote(buf, word.at, word.n);
		ood_buf_add(buf, word.at, word.n);
	}
	return true;
}

static size_t json_row(const struct ood_text_block *block, size_t row,
		       struct ood_buf *buf)
{
	const struct ood_writer *writer = block->writer;
	const struct ood_text *text = writer->own;

	if (text->array)
		ood_buf_str(buf, block->before + row ? ",\n" : "[\n");
	for (size_t f = 0; f < writer->n; f++) {
		ood_buf_add(buf, text->keys[f].text, text->keys[f].n);
		if (!add_value(buf, &writer->fields[f], &block->cells[f], row))
			return f;
	}
	ood_buf_str(buf, text->array ? "}" : "}\n");
	return OOD_TEXT_DONE;
}

static int quote_keys(struct ood_writer *writer, struct ood_err *err)
{
	struct ood_text *text = writer->own;
	char quoted[OOD_QUOTE_MAX];

	text->keys = ood_calloc(writer->n, sizeof(*text->keys));
	if (!text->keys)
		return ood_fail_memory(err, writer->n * sizeof(*text->keys));
	for (size_t f = 0; f < writer->n; f++) {
		const char *name = writer->fields[f].name;
		struct ood_buf *key = &text->keys[f];
		ood_buf_char(key, f ? ',' : '{');
		if (!ood_json_quote(key, name, strlen(name)))
			return ood_fail(err, OOD_INPUT,
					"column \"%s\" is not UTF-8, which "
					"JSON asks for (write -f csv)",
					ood_quote(quoted, sizeof(quoted), name,
						  strlen(name)));
		ood_buf_char(key, ':');
		if (key->failed)
			return ood_fail_memory(err, strlen(name));
	}
	return OOD_OK;
}

static int json_open(struct ood_writer *writer, struct ood_err *err)
{
	int code = ood_text_open(writer, json_row, err);

	if (code)
		return code;
	((struct ood_text *)writer->own)->array =
		!strcmp(writer->options.format->name, "json");
	return quote_keys(writer, err);
}

static int json_finish(struct ood_writer *writer, struct ood_err *err)
{
	const struct ood_text *text = writer->own;
	const char *end = text->rows ? "\n]\n" : "[]\n";

	if (!text->array)
		return OOD_OK;
	return ood_sink_write(writer->sink, end, strlen(end), err);
}

const struct ood_writer_ops ood_writer_jsonl = {
	.open = json_open,
	.put = ood_text_put,
	.finish = json_finish,
	.release = ood_text_free,
};

const struct ood_writer_ops ood_writer_json = {
	.open = json_open,
	.put = ood_text_put,
	.finish = json_finish,
	.release = ood_text_free,
};
