/*
 * csv_head.c - header and columns of a text table
 *
 * Line 1 is a header if one of its cells is not a number (--header decides
 * otherwise). Columns without one are called #1, #2 ...
 */
#include "core/err.h"
#include "io/csv.h"
#include "io/missing.h"

#define NOTE_SEQUENCE                                                          \
	"line 1 is 0,1,2,... and was read as data (--header yes, if it "       \
	"names the columns)"
#define NOTE_MIXED                                                             \
	"line 1 mixes numbers and text and was read as the header "            \
	"(--header no, if it is data)"

/* ---------------------------------------------------- first bytes --- */

static int refuse_utf16(struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT, "UTF-16 text; re-save as UTF-8");
}

/* Strips a byte-order mark of UTF-8, refuses one of UTF-16. */
static int read_mark(struct ood_csv_text *t, struct ood_err *err)
{
	const unsigned char *b;
	int rc = OOD_OK;

	/* A live stream may begin with a line of two bytes. */
	while (!rc && !t->eof && t->to < 3 &&
	       (t->to < 2 || (unsigned char)t->bytes[0] >= 0xef))
		rc = ood_csv_text_fill(t, err);
	if (rc || t->to < 2)
		return rc;
	b = (const unsigned char *)t->bytes;
	if ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff))
		return refuse_utf16(err);
	if (!b[0] != !b[1])
		return refuse_utf16(err);
	if (t->to >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf) {
		ood_csv_text_take(t, 3, 0);
		t->mark = true;
	}
	return OOD_OK;
}

/* Makes the line `skip` bytes ahead visible; n = 0 where the file ends. */
static int see_line(struct ood_csv_text *t, size_t skip,
		    struct ood_csv_line *line, struct ood_err *err)
{
	*line = (struct ood_csv_line){ .at = "" };
	while (!ood_csv_text_line(t, skip, line) && !t->eof) {
		int rc = ood_csv_text_fill(t, err);

		if (rc)
			return rc;
	}
	return OOD_OK;
}

/* The first line that holds a record comes to the front. */
static int find_first(struct ood_csv *csv, struct ood_csv_line *line,
		      struct ood_err *err)
{
	for (;;) {
		int rc = see_line(&csv->text, 0, line, err);

		if (rc)
			return rc;
		if (!line->size)
			return ood_fail(err, OOD_INPUT, "empty: no data");
		if (!ood_csv_line_is_void(&csv->dialect, line))
			return OOD_OK;
		ood_csv_text_take(&csv->text, line->size, 1);
	}
}

/* Is the delimiter the right one? By the first two lines. */
static int check_delimiter(struct ood_csv *csv, struct ood_err *err)
{
	struct ood_csv_line line, next;
	int rc = find_first(csv, &line, err);

	if (!rc)
		rc = see_line(&csv->text, line.size, &next, err);
	/* Again: the bytes may have moved. */
	if (!rc)
		rc = see_line(&csv->text, 0, &line, err);
	if (rc)
		return rc;
	rc = ood_dialect_advise(&csv->dialect,
				(struct ood_span){ line.at, line.n },
				(struct ood_span){ next.at, next.n }, err);
	if (rc)
		ood_err_at(err, OOD_PLACE_LINE, csv->text.line, 0);
	return rc;
}

/* --------------------------------------------------------- header --- */

static bool is_number(const struct ood_csv *csv, struct ood_span cell)
{
	double x;

	return ood_dialect_number(&csv->dialect, cell.at, cell.n, &x) !=
	       OOD_NUM_BAD;
}

/* Is cell i the integer i, as pandas names columns that have no name? */
static bool is_index(struct ood_span cell, size_t i)
{
	char text[OOD_NUM_MAX];
	size_t n = ood_num_format_uint(text, i);

	return cell.n == n && !memcmp(cell.at, text, n);
}

static bool decide_header(struct ood_reader *reader)
{
	const struct ood_csv *csv = reader->own;
	const struct ood_csv_record *r = &csv->record;
	size_t numbers = 0, words = 0, indices = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct ood_span cell = ood_csv_record_cell(r, i);
		bool number = is_number(csv, cell);

		numbers += number;
		words += !number && cell.n;
		indices += is_index(cell, i);
	}
	if (reader->read->header != OOD_HEADER_AUTO)
		return reader->read->header == OOD_HEADER_YES;
	if (r->n > 1 && indices == r->n)
		reader->note = NOTE_SEQUENCE;
	if (words && numbers)
		reader->note = NOTE_MIXED;
	return numbers < r->n;
}

/* '#', seven digits, the end: more than enough for the end of a name. */
#define POSITION_MAX 9

/* All names in one piece: a million of them are no trouble then. */
static int alloc_members(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	const struct ood_csv_record *r = &csv->record;

	csv->names =
		ood_malloc(r->text.n + r->n * POSITION_MAX + OOD_NUM_MAX, 1);
	reader->members = ood_calloc(r->n, sizeof(*reader->members));
	if (!csv->names || !reader->members)
		return ood_fail_memory(err, r->n * sizeof(*reader->members));
	reader->n_members = csv->n_columns = r->n;
	csv->first_line = r->line;
	return OOD_OK;
}

static int read_names(struct ood_reader *reader, bool header,
		      struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	char *to;
	int rc = alloc_members(reader, err);

	if (rc)
		return rc;
	to = csv->names;
	for (size_t i = 0; i < csv->n_columns; i++) {
		struct ood_span cell = ood_csv_record_cell(&csv->record, i);
		struct ood_member *m = &reader->members[i];

		m->name = to;
		m->dtype = OOD_TEXT;
		m->ndim = 1;
		m->shape[0] = UINT64_MAX;
		if (header) {
			memcpy(to, cell.at, cell.n);
			to += cell.n;
		} else {
			*to++ = '#';
			to += ood_num_format_uint(to, i + 1);
		}
		*to++ = '\0';
	}
	return OOD_OK;
}

/* Keeps the header as it stands in the file, byte-order mark and all, and
 * takes it off the text. */
static int take_header(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	const struct ood_csv_record *r = &csv->record;
	const char *at = csv->text.bytes + csv->text.from;
	const size_t mark = csv->text.mark ? 3 : 0;

	csv->header = ood_malloc(mark + r->size, 1);
	if (!csv->header)
		return ood_fail_memory(err, r->size);
	memcpy(csv->header, "\xEF\xBB\xBF", mark);
	memcpy(csv->header + mark, at, r->size);
	reader->header = (struct ood_span){ csv->header, mark + r->size };
	ood_csv_text_take(&csv->text, r->size, r->lines);
	return OOD_OK;
}

/* Which columns are numeric? By the first record, which stays to be read; an
 * empty cell or an NA is a number that is missing. */
static int read_kinds(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	enum ood_csv_got got;
	int rc = ood_csv_record_read(&csv->record, true, &got, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < csv->n_columns; i++) {
		struct ood_span cell = { "", 0 };

		if (got == OOD_CSV_GOT && i < csv->record.n)
			cell = ood_csv_record_cell(&csv->record, i);
		reader->members[i].empty = !cell.n;
		reader->members[i].numeric =
			is_number(csv, cell) ||
			ood_missing_is_usual(
				ood_trim(&csv->dialect, cell.at, cell.n));
	}
	return OOD_OK;
}

int ood_csv_head(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	enum ood_csv_got got;
	bool header;
	int rc = read_mark(&csv->text, err);

	if (!rc)
		rc = check_delimiter(csv, err);
	if (!rc)
		rc = ood_csv_record_read(&csv->record, true, &got, err);
	if (rc)
		return rc;
	header = decide_header(reader);
	rc = read_names(reader, header, err);
	if (!rc && header)
		rc = take_header(reader, err);
	return rc ? rc : read_kinds(reader, err);
}

/* ---------------------------------------------------------- names --- */

static int refuse_nameless(const struct ood_reader *reader, size_t i,
			   struct ood_err *err)
{
	const struct ood_csv *csv = reader->own;

	if (i && i + 1 == csv->n_columns && reader->members[i].empty)
		ood_fail(err, OOD_INPUT,
			 "the last column has no name and is empty: each line "
			 "ends in a delimiter (--columns names those to use)");
	else
		ood_fail(err, OOD_INPUT,
			 "column %zu has no name: pandas to_csv without "
			 "index=False? (--id-column '#%zu' takes it as ids)",
			 i + 1, i + 1);
	return ood_err_at(err, OOD_PLACE_LINE, csv->first_line, i + 1);
}

static int refuse_twin(const struct ood_reader *reader, size_t i, size_t k,
		       struct ood_err *err)
{
	const struct ood_csv *csv = reader->own;
	char quoted[OOD_QUOTE_MAX];
	const char *name = reader->members[i].name;

	ood_fail(err, OOD_INPUT, "columns %zu and %zu are both named \"%s\"",
		 OOD_MIN(i, k) + 1, OOD_MAX(i, k) + 1,
		 ood_quote(quoted, sizeof(quoted), name, strlen(name)));
	return ood_err_at(err, OOD_PLACE_LINE, csv->first_line,
			  OOD_MAX(i, k) + 1);
}

static int by_name(const void *a, const void *b)
{
	const struct ood_member *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Sorted by name, twins are neighbours; one of them taken is one too many. */
static int check_twins(const struct ood_reader *reader,
		       const struct ood_member **sorted, const bool *taken,
		       struct ood_err *err)
{
	for (size_t s = 1; s < reader->n_members; s++) {
		size_t i = (size_t)(sorted[s - 1] - reader->members);
		size_t k = (size_t)(sorted[s] - reader->members);

		if (*sorted[s]->name && (taken[i] || taken[k]) &&
		    !strcmp(sorted[s - 1]->name, sorted[s]->name))
			return refuse_twin(reader, i, k, err);
	}
	return OOD_OK;
}

/* Notes which members are taken; a nameless one may only be words. */
static int mark_taken(const struct ood_reader *reader, bool *taken,
		      struct ood_err *err)
{
	for (size_t p = 0; p < reader->n_picks; p++) {
		const struct ood_pick *pick = &reader->picks[p];

		for (size_t i = 0; i < pick->n; i++) {
			size_t m = pick->member[i];

			taken[m] = true;
			if (pick->kind == OOD_PICK_REAL &&
			    !*reader->members[m].name)
				return refuse_nameless(reader, m, err);
		}
	}
	return OOD_OK;
}

int ood_csv_check_names(const struct ood_reader *reader, struct ood_err *err)
{
	size_t n = reader->n_members;
	const struct ood_member **sorted;
	bool *taken;
	int rc;

	if (!reader->header.at)
		return OOD_OK;
	sorted = ood_calloc(n, sizeof(struct ood_member *));
	taken = ood_calloc(n, sizeof(*taken));
	if (sorted && taken)
		rc = mark_taken(reader, taken, err);
	else
		rc = ood_fail_memory(err, n * sizeof(struct ood_member *));
	if (!rc) {
		for (size_t i = 0; i < n; i++)
			sorted[i] = &reader->members[i];
		qsort(sorted, n, sizeof(struct ood_member *), by_name);
		rc = check_twins(reader, sorted, taken, err);
	}
	ood_free(sorted);
	ood_free(taken);
	return rc;
}
