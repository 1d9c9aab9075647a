/*
 * reader.c - opens a file by its content and hands it to its format
 */
#include "io/reader.h"

#include "core/err.h"
#include "core/mem.h"
#include "io/foreign.h"

#define OOD_FORMAT(symbol) extern const struct ood_format ood_format_##symbol;
#include "io/formats.def"
#undef OOD_FORMAT

const struct ood_format *const ood_formats[] = {
#define OOD_FORMAT(symbol) &ood_format_##symbol,
#include "io/formats.def"
#undef OOD_FORMAT
	NULL,
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A byte-order mark and blank bytes are nothing. */
static bool is_empty(const char *at, size_t n)
{
	size_t i = n >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3) ? 3 : 0;

	while (i < n && is_blank(at[i]))
		i++;
	return i == n;
}

/*
 * The first bytes: of a text at least a line that is not blank, so that one
 * JSON value a line can be told from one in all; but no more is waited for, as
 * the other end of a pipe may write the next record only later.
 */
static int peek_head(struct ood_source *source, const char **at, size_t *n,
		     struct ood_err *err)
{
	enum { MAGIC = 32 };
	size_t want = 1;

	for (;;) {
		int rc = ood_source_peek(source, want, at, n, err);
		if (rc)
			return rc;
		bool text = *n && (is_blank((*at)[0]) || (*at)[0] > ' ' ||
				   (*at)[0] == '\xEF');
		size_t skip = 0;
		while (text && skip < *n && is_blank((*at)[skip]))
			skip++;
		bool enough = text ? memchr(*at + skip, '\n', *n - skip) != NULL
				   : *n >= MAGIC;
		if (enough || *n < want || *n >= OOD_SOURCE_PEEK)
			return OOD_OK;
		want = *n + 1;
	}
}

static bool same_name(const char *name, const char *wanted)
{
	if (!strcmp(wanted, "ndjson"))
		wanted = "jsonl";
	return !strcmp(name, wanted);
}

static int find_named(const char *wanted, const struct ood_format **format,
		      struct ood_err *err)
{
	struct ood_buf names = { 0 };

	for (size_t i = 0; ood_formats[i]; i++) {
		if (!ood_formats[i]->can_read)
			continue;
		*format = ood_formats[i];
		if (same_name((*format)->name, wanted)) {
			ood_buf_free(&names);
			return OOD_OK;
		}
		ood_buf_printf(&names, "%s%s", names.n ? ", " : "",
			       (*format)->name);
	}
	ood_fail(err, OOD_USAGE, "unknown input format \"%.40s\" (%s)", wanted,
		 names.text ? names.text : "");
	ood_buf_free(&names);
	return OOD_USAGE;
}

/* NPY and ZIP cannot be taken for text, nor text for them. */
static int check_named(const struct ood_format *wanted,
		       const struct ood_format *found, struct ood_err *err)
{
	static const char *const binary[] = { "npy", "npz" };

	for (size_t i = 0; i < OOD_COUNT(binary); i++) {
		bool is = found && !strcmp(found->name, binary[i]);
		bool asked = !strcmp(wanted->name, binary[i]);
		if (is && !asked)
			return ood_fail(err, OOD_INPUT,
					"is %s, not %s as --input-format says",
					binary[i], wanted->name);
		if (asked && !is)
			return ood_fail(err, OOD_INPUT,
					"is not %s as --input-format says",
					wanted->name);
	}
	return OOD_OK;
}

static const struct ood_format *by_content(const char *at, size_t n)
{
	for (size_t i = 0; ood_formats[i]; i++)
		if (ood_formats[i]->can_read && ood_formats[i]->sniff &&
		    ood_formats[i]->sniff(at, n))
			return ood_formats[i];
	return NULL;
}

static int choose_format(struct ood_reader *reader, struct ood_err *err)
{
	const char *wanted = reader->read->input_format, *at;
	const struct ood_format *found;
	size_t n;
	int rc = peek_head(reader->source, &at, &n, err);

	if (rc)
		return rc;
	if (is_empty(at, n) && n < OOD_SOURCE_PEEK)
		return ood_fail(err, OOD_INPUT,
				n ? "is empty (blank)" : "is empty");
	rc = ood_foreign_refuse(at, n, err);
	if (rc)
		return rc;
	found = by_content(at, n);
	if (!wanted && found) {
		reader->format = found;
		return OOD_OK;
	}
	rc = find_named(wanted ? wanted : "csv", &reader->format, err);
	return rc ? rc : check_named(reader->format, found, err);
}

static uint64_t default_max_bytes(void)
{
	uint64_t half = ood_physical_memory() / 2;

	return half ? half : (uint64_t)1 << 30;
}

int ood_reader_open(struct ood_reader **out, const char *path,
		    const struct ood_read *read, struct ood_err *err)
{
	struct ood_reader *reader = ood_calloc(1, sizeof(*reader));

	*out = NULL;
	if (!reader)
		return ood_fail_memory(err, sizeof(*reader));
	reader->read = read;
	reader->rows = UINT64_MAX;
	reader->max_bytes =
		read->max_bytes ? read->max_bytes : default_max_bytes();
	int rc = ood_source_open(&reader->source, path, err);
	if (!rc && read->want_crc)
		ood_source_want_crc(reader->source);
	if (!rc)
		rc = choose_format(reader, err);
	if (!rc)
		rc = reader->format->open(reader, err);
	if (rc && reader->source)
		ood_err_where(err, ood_source_name(reader->source), NULL);
	if (rc)
		ood_reader_close(reader);
	else
		*out = reader;
	return rc;
}

void ood_reader_close(struct ood_reader *reader)
{
	if (!reader)
		return;
	if (reader->format)
		reader->format->close(reader);
	for (size_t i = 0; i < reader->n_members; i++)
		ood_free(reader->members[i].name);
	ood_free(reader->members);
	ood_free(reader->width);
	ood_source_close(reader->source);
	ood_free(reader);
}

const char *ood_reader_format(const struct ood_reader *reader)
{
	return reader->format->name;
}

struct ood_source *ood_reader_source(const struct ood_reader *reader)
{
	return reader->source;
}

const struct ood_member *ood_reader_members(const struct ood_reader *reader,
					    size_t *n, bool *records)
{
	*n = reader->n_members;
	*records = reader->records;
	return reader->members;
}

struct ood_span ood_reader_header(const struct ood_reader *reader)
{
	return reader->header;
}

int ood_reader_bind(struct ood_reader *reader, const struct ood_pick *picks,
		    size_t n, struct ood_err *err)
{
	assert(!reader->picks && n);
	reader->width = ood_calloc(n, sizeof(*reader->width));
	if (!reader->width)
		return ood_fail_memory(err, n * sizeof(*reader->width));
	reader->picks = picks;
	reader->n_picks = n;
	return reader->format->bind(reader, err);
}

size_t ood_reader_width(const struct ood_reader *reader, size_t pick)
{
	return reader->width[pick];
}

uint64_t ood_reader_rows(const struct ood_reader *reader)
{
	return reader->rows;
}

int ood_reader_next(struct ood_reader *reader, size_t rows,
		    struct ood_chunk *chunk, struct ood_err *err)
{
	memset(chunk, 0, sizeof(*chunk));
	return reader->format->next(reader, rows, chunk, err);
}

void ood_reader_place(const struct ood_reader *reader, size_t pick, size_t row,
		      size_t col, struct ood_err *err)
{
	reader->format->place(reader, pick, row, col, err);
}
