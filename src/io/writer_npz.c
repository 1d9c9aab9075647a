/*
 * writer_npz.c - rows to an NPZ: an array a field
 *
 * Columns are held until the last row: the archive is written one member
 * after another. Integers are int64 (float64 with NaN if some are blank),
 * words a fixed width of UCS-4.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "core/utf8.h"
#include "io/npy.h"
#include "io/pile.h"
#include "io/writer_own.h"
#include "io/zip_out.h"

struct column {
	struct ood_pile values;	 /* double or int64_t; of words their UTF-8 */
	struct ood_pile lengths; /* of words: size_t each */
	struct ood_pile blanks;	 /* of integers: uint64_t, rows from 0 */
	bool integers;		 /* bare words: all are integers so far */
	size_t longest;		 /* of words, in characters */
};

struct state {
	struct column *columns;
	uint64_t rows;
	uint64_t bytes; /* held */
};

static int open_npz(struct ood_writer *writer, struct ood_err *err)
{
	struct state *s = ood_calloc(1, sizeof(*s));

	writer->own = s;
	if (s)
		s->columns = ood_calloc(writer->n, sizeof(*s->columns));
	if (!s || !s->columns)
		return ood_fail_memory(err, writer->n * sizeof(*s->columns));
	for (size_t f = 0; f < writer->n; f++)
		s->columns[f].integers = writer->fields[f].bare;
	return OOD_OK;
}

static void free_npz(struct ood_writer *writer)
{
	struct state *s = writer->own;

	for (size_t f = 0; s && s->columns && f < writer->n; f++) {
		ood_pile_free(&s->columns[f].values);
		ood_pile_free(&s->columns[f].lengths);
		ood_pile_free(&s->columns[f].blanks);
	}
	if (s)
		ood_free(s->columns);
	ood_free(s);
}

/* ------------------------------------------------------- holding --- */

static void add_reals(struct column *c, size_t rows, size_t width,
		      const struct ood_cells *cells)
{
	double *to = ood_pile_reserve(&c->values, rows * width * sizeof(*to));

	for (size_t i = 0; to && i < rows; i++, to += width) {
		bool blank = ood_cell_blank(cells, i);
		for (size_t k = 0; k < width; k++)
			to[k] = blank ? (double)NAN
				      : cells->reals[i * cells->stride + k];
	}
}

static void add_ints(struct column *c, uint64_t first, size_t rows,
		     const struct ood_cells *cells)
{
	ood_pile_add(&c->values, cells->ints, rows * sizeof(int64_t));
	for (size_t i = 0; cells->blank && i < rows; i++) {
		uint64_t row = first + i;
		if (cells->blank[i])
			ood_pile_add(&c->blanks, &row, sizeof(row));
	}
}

/* Digits that int64 gives back as they stand: no +1, 007, -0. */
static bool is_integer(struct ood_span w, int64_t *x)
{
	char again[OOD_NUM_MAX];

	return w.n && w.n < OOD_NUM_MAX && ood_num_parse_int(w.at, w.n, x) &&
	       ood_num_format_int(again, *x) == w.n &&
	       !memcmp(again, w.at, w.n);
}

static bool add_word(struct column *c, struct ood_span w)
{
	size_t chars = 0, n = 1;
	int64_t x;

	for (size_t i = 0; i < w.n && n; i += n, chars++)
		n = ood_utf8_length(w.at + i, w.n - i);
	c->longest = OOD_MAX(c->longest, chars);
	c->integers = c->integers && is_integer(w, &x);
	ood_pile_add(&c->values, w.at, w.n);
	ood_pile_add(&c->lengths, &w.n, sizeof(w.n));
	return n != 0;
}

static int add_words(struct column *c, size_t rows, const char *name,
		     const struct ood_cells *cells, struct ood_err *err)
{
	char shown[OOD_QUOTE_MAX];

	for (size_t i = 0; i < rows; i++) {
		struct ood_span w = cells->words[i];
		if (ood_cell_blank(cells, i))
			w = (struct ood_span){ "", 0 };
		if (!add_word(c, w))
			return ood_fail(
				err, OOD_INPUT,
				"%s \"%s\" is not UTF-8 and cannot go "
				"into an NPZ",
				name,
				ood_quote(shown, sizeof(shown), w.at, w.n));
	}
	return OOD_OK;
}

static int fail_large(const struct ood_writer *writer, struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"an NPZ is held in memory until its end, and exceeds "
			"--max-bytes %llu (-f npy or csv is not)",
			(unsigned long long)writer->options.max_bytes);
}

static bool is_large(const struct ood_writer *writer, uint64_t bytes)
{
	return writer->options.max_bytes && bytes > writer->options.max_bytes;
}

static int put_npz(struct ood_writer *writer, size_t rows,
		   const struct ood_cells *cells, struct ood_err *err)
{
	struct state *s = writer->own;
	uint64_t held = 0;
	int rc = OOD_OK;

	for (size_t f = 0; f < writer->n && !rc; f++) {
		const struct ood_field *field = &writer->fields[f];
		struct column *c = &s->columns[f];
		if (field->kind == OOD_FIELD_REAL)
			add_reals(c, rows, ood_field_width(field), &cells[f]);
		else if (field->kind == OOD_FIELD_INT)
			add_ints(c, s->rows, rows, &cells[f]);
		else
			rc = add_words(c, rows, field->name, &cells[f], err);
		held += c->values.bytes + c->lengths.bytes + c->blanks.bytes;
		if (c->values.failed || c->lengths.failed || c->blanks.failed)
			return ood_fail_memory(err, (size_t)held);
	}
	s->rows += rows;
	return rc ? rc : is_large(writer, held) ? fail_large(writer, err) : rc;
}

/* ------------------------------------------------------- writing --- */

/* Walks over a pile in the steps in which it was filled. */
struct walk {
	const struct ood_pile *pile;
	size_t piece, at;
};

static char *step(struct walk *w, size_t n)
{
	while (w->at == w->pile->pieces[w->piece].n &&
	       w->piece + 1 < w->pile->n) {
		w->piece++;
		w->at = 0;
	}
	char *at = w->pile->pieces[w->piece].at + w->at;
	w->at += n;
	return at;
}

/* Integers of which some are blank. */
static void ints_to_reals(struct column *c, uint64_t rows)
{
	struct walk values = { .pile = &c->values };
	struct walk blanks = { .pile = &c->blanks };
	uint64_t left = c->blanks.bytes / sizeof(uint64_t), next = UINT64_MAX;

	for (uint64_t i = 0; i < rows; i++) {
		char *at = step(&values, sizeof(int64_t));
		int64_t x;
		if (left && next == UINT64_MAX)
			memcpy(&next, step(&blanks, sizeof(next)),
			       sizeof(next));
		memcpy(&x, at, sizeof(x));
		double real = i == next ? (double)NAN : (double)x;
		memcpy(at, &real, sizeof(real));
		if (i == next) {
			next = UINT64_MAX;
			left--;
		}
	}
}

static uint32_t take_utf8(const unsigned char *at, size_t n)
{
	static const unsigned char lead[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
	uint32_t x = at[0] & lead[n];

	for (size_t i = 1; i < n; i++)
		x = x << 6 | (at[i] & 0x3F);
	return x;
}

static void put_ucs4(char *to, struct ood_span w)
{
	for (size_t k = 0, n; k < w.n; k += n, to += 4) {
		n = ood_utf8_length(w.at + k, w.n - k);
		uint32_t u = take_utf8((const void *)(w.at + k), n);
		memcpy(to, &u, sizeof(u));
	}
}

/* The column's words, of `size` bytes each, as UCS-4 or int64. */
static void words_to_array(const struct column *c, uint64_t rows, size_t size,
			   struct ood_pile *array)
{
	struct walk lengths = { .pile = &c->lengths };
	struct walk text = { .pile = &c->values };

	for (uint64_t i = 0; i < rows && !array->failed; i++) {
		char *to = ood_pile_reserve(array, size);
		struct ood_span w;
		int64_t x = 0;
		memcpy(&w.n, step(&lengths, sizeof(w.n)), sizeof(w.n));
		w.at = step(&text, w.n);
		if (!to)
			return;
		memset(to, 0, size);
		if (!c->integers)
			put_ucs4(to, w);
		else if (is_integer(w, &x))
			memcpy(to, &x, sizeof(x));
	}
}

static int write_words(struct ood_writer *writer, struct ood_zip_out *zip,
		       struct column *c, struct ood_zip_array *array,
		       struct ood_err *err)
{
	struct state *s = writer->own;
	size_t chars = OOD_MAX(c->longest, (size_t)1), bytes;
	size_t size = c->integers ? sizeof(int64_t) : 4 * chars;
	struct ood_buf descr = { 0 };
	struct ood_pile data = { 0 };
	int rc;

	if (c->integers)
		ood_buf_str(&descr, OOD_NPY_NATIVE "i8");
	else
		ood_buf_printf(&descr, OOD_NPY_NATIVE "U%zu", chars);
	if (!ood_mul((size_t)s->rows, size, &bytes) ||
	    is_large(writer, bytes)) {
		rc = fail_large(writer, err);
		goto out;
	}
	words_to_array(c, s->rows, size, &data);
	array->data = &data;
	array->descr = descr.text;
	rc = data.failed || descr.failed ? ood_fail_memory(err, bytes)
					 : ood_zip_out_array(zip, array, err);
out:
	ood_pile_free(&data);
	ood_buf_free(&descr);
	return rc;
}

static int write_column(struct ood_writer *writer, struct ood_zip_out *zip,
			size_t f, struct ood_err *err)
{
	struct state *s = writer->own;
	const struct ood_field *field = &writer->fields[f];
	struct column *c = &s->columns[f];
	struct ood_buf name = { 0 };
	uint64_t shape[5] = { s->rows };
	unsigned ndim = 1;

	if (writer->options.ndim) {
		ndim = writer->options.ndim;
		memcpy(shape, writer->options.shape, ndim * sizeof(*shape));
	}
	if (field->width)
		shape[ndim++] = field->width;
	ood_buf_printf(&name, "%s%s", field->score ? "scores." : "",
		       field->name);
	struct ood_zip_array array = {
		.name = name.text,
		.descr = OOD_NPY_NATIVE "f8",
		.ndim = ndim,
		.shape = shape,
		.data = &c->values,
	};
	if (field->kind == OOD_FIELD_INT && c->blanks.n)
		ints_to_reals(c, s->rows);
	else if (field->kind == OOD_FIELD_INT)
		array.descr = OOD_NPY_NATIVE "i8";
	int rc = name.failed ? ood_fail_memory(err, name.n)
		 : field->kind == OOD_FIELD_WORD
			 ? write_words(writer, zip, c, &array, err)
			 : ood_zip_out_array(zip, &array, err);
	ood_buf_free(&name);
	return rc;
}

static int finish_npz(struct ood_writer *writer, struct ood_err *err)
{
	struct state *s = writer->own;
	struct ood_zip_out zip = { .sink = writer->sink };
	uint64_t told = ood_map_rows(writer);
	int rc = OOD_OK;

	if (writer->options.ndim && told != s->rows)
		return ood_fail(err, OOD_BUG,
				"a map of %llu values where %llu were told",
				(unsigned long long)s->rows,
				(unsigned long long)told);
	for (size_t f = 0; f < writer->n && !rc; f++)
		rc = write_column(writer, &zip, f, err);
	if (!rc)
		rc = ood_zip_out_end(&zip, err);
	ood_zip_out_free(&zip);
	return rc;
}

const struct ood_writer_ops ood_writer_npz = {
	.open = open_npz,
	.put = put_npz,
	.finish = finish_npz,
	.release = free_npz,
};
