/*
 * csv_fast.c - plain rows of a text table, by all threads
 *
 * Lines are cut by one thread (memchr) and parsed in place by all: numbers go
 * straight into the matrix of the block. A row is plain if each cell wanted as
 * a number is one (or a missing value) and the others hold no quote, CR or
 * NUL. The first row of a share that is not plain ends the share, the first of
 * all ends the block.
 */
#include "core/err.h"
#include "core/thread.h"
#include "io/csv.h"

/* Lines cut at once; bounds the table of lines to 1 MiB. */
#define LINES_MAX 32768

/* Below this the team costs more than it saves. */
#define TEAM_BYTES 65536

/* --------------------------------------------------------- cells --- */

struct cursor {
	const char *at, *end; /* rest of the line */
	size_t field;	      /* number of the cell at `at` */
	bool more;	      /* there is one */
};

struct style {
	char delimiter, decimal;
	bool blanks;
};

static inline bool ends_cell(const struct style *s, const char *at,
			     const char *end)
{
	return at == end || *at == s->delimiter || (s->blanks && *at == '\t');
}

/* Steps over what ends a cell, at q. */
static inline void step(struct cursor *c, const struct style *s, const char *q)
{
	c->field++;
	c->more = q < c->end;
	c->at = q + c->more;
	if (!s->blanks)
		return;
	while (c->at < c->end && ood_is_blank(*c->at))
		c->at++;
	c->more = c->at < c->end;
}

static const char *find_end(const struct cursor *c, const struct style *s)
{
	const char *q = c->at;

	if (!s->blanks) {
		q = memchr(c->at, s->delimiter, (size_t)(c->end - c->at));
		return q ? q : c->end;
	}
	while (!ends_cell(s, q, c->end))
		q++;
	return q;
}

/* Would libcsv take the cell as it stands? */
static bool is_plain(const char *at, size_t n, bool blanks)
{
	unsigned strange = 0;

	if (n > OOD_CSV_CELL_MAX / 2)
		return false;
	for (size_t i = 0; i < n; i++)
		strange |= (unsigned)(at[i] == '\0') |
			   (unsigned)(at[i] == '\r') |
			   (unsigned)((at[i] == '"') & !blanks);
	return !strange;
}

/* A number that is not at once followed by the end of its cell. */
static bool take_odd_number(struct cursor *c, const struct style *s,
			    const struct ood_dialect *d, double *x)
{
	const char *q = find_end(c, s);
	size_t n = (size_t)(q - c->at);

	if (!is_plain(c->at, n, s->blanks) ||
	    ood_dialect_number(d, c->at, n, x) != OOD_NUM_OK)
		return false;
	step(c, s, q);
	return true;
}

static inline bool take_numbers(struct cursor *c, const struct style *s,
				const struct ood_dialect *d, double *x,
				size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *q;

		if (!c->more)
			return false;
		if (ood_num_scan_text(c->at, c->end, s->decimal, &q, &x[i]) ==
			    OOD_NUM_OK &&
		    ends_cell(s, q, c->end) &&
		    (size_t)(q - c->at) <= OOD_CSV_CELL_MAX / 2)
			step(c, s, q);
		else if (!take_odd_number(c, s, d, &x[i]))
			return false;
	}
	return true;
}

static bool take_word(struct cursor *c, const struct style *s,
		      const struct ood_dialect *d, struct ood_csv_arena *arena,
		      struct ood_span *word)
{
	const char *q;

	if (!c->more)
		return false;
	q = find_end(c, s);
	if (!is_plain(c->at, (size_t)(q - c->at), s->blanks))
		return false;
	*word = ood_trim(d, c->at, (size_t)(q - c->at));
	word->at = ood_csv_arena_keep(arena, word->at, word->n);
	step(c, s, q);
	return word->at != NULL;
}

static bool skip_cells(struct cursor *c, const struct style *s, size_t to)
{
	while (c->more && c->field < to) {
		const char *q = find_end(c, s);

		if (!is_plain(c->at, (size_t)(q - c->at), s->blanks))
			return false;
		step(c, s, q);
	}
	return true;
}

/* ---------------------------------------------------------- rows --- */

static struct cursor begin(const struct ood_csv_line *line,
			   const struct style *s)
{
	struct cursor c = { line->at, line->at + line->n, 0, true };

	while (s->blanks && c.at < c.end && ood_is_blank(*c.at))
		c.at++;
	return c;
}

struct share {
	const struct ood_csv *csv;
	struct style style;
	struct ood_csv_arena *arena;
};

static bool take_run(const struct share *w, struct cursor *c,
		     const struct ood_csv_run *run, size_t row)
{
	const struct ood_csv_block *b = &w->csv->block;

	if (!skip_cells(c, &w->style, run->first))
		return false;
	if (run->kind == OOD_PICK_REAL)
		return take_numbers(c, &w->style, &w->csv->dialect,
				    ood_csv_block_real(b, run, row), run->n);
	return take_word(c, &w->style, &w->csv->dialect, w->arena,
			 &b->parts[run->pick].words[row]);
}

static bool keep_record(const struct share *w, const struct ood_csv_line *line,
			struct ood_span *record)
{
	record->at = ood_csv_arena_keep(w->arena, line->at, line->size);
	record->n = line->size;
	return record->at != NULL;
}

/* False if the row is not plain. */
static bool take_row(const struct share *w, const struct ood_csv_line *line,
		     size_t row)
{
	const struct ood_csv_block *b = &w->csv->block;
	struct cursor c = begin(line, &w->style);

	for (size_t i = 0; i < b->n_runs; i++) {
		const struct ood_csv_run *run = &b->runs[i];

		if (run->first < c.field) /* a member taken twice */
			c = begin(line, &w->style);
		if (!take_run(w, &c, run, row))
			return false;
	}
	if (!skip_cells(&c, &w->style, SIZE_MAX) ||
	    c.field != w->csv->n_columns)
		return false;
	return !b->keep_records || keep_record(w, line, &b->records[row]);
}

/* Parses lines [from, to); returns the first that is not plain, or to. */
static size_t take_rows(const struct ood_csv *csv, size_t from, size_t to,
			struct ood_csv_arena *arena)
{
	const struct ood_dialect *d = &csv->dialect;
	struct share w = { .csv = csv,
			   .style = { d->delimiter, d->decimal, d->blanks },
			   .arena = arena };
	size_t first = csv->block.n;

	while (from < to && take_row(&w, &csv->lines[from], first + from))
		from++;
	return from;
}

/* Room for the lines of the text, and for the one behind them. */
static int make_table(struct ood_csv *csv, struct ood_err *err)
{
	if (csv->lines)
		return OOD_OK;
	csv->n_lines = OOD_MIN(csv->text.room / 2 + 1, LINES_MAX);
	csv->lines = ood_malloc(csv->n_lines + 1, sizeof(*csv->lines));
	return csv->lines ? OOD_OK
			  : ood_fail_memory(err,
					    csv->n_lines * sizeof(*csv->lines));
}

/* Cuts up to `rows` lines; the one behind them says where and which line it
 * would be. */
static size_t cut_lines(struct ood_csv *csv, size_t rows)
{
	struct ood_csv_line *line = csv->lines;
	uint64_t number = csv->text.line;
	size_t size = 0, n = 0;

	while (n < rows && ood_csv_text_line(&csv->text, size, &line[n])) {
		size += line[n].size;
		line[n].number = number++;
		n += !ood_csv_line_is_void(&csv->dialect, &line[n]);
	}
	line[n].at = csv->text.bytes + csv->text.from + size;
	line[n].number = number;
	return n;
}

/* The first of n lines that is not plain; those in front are in the block. */
static size_t take_lines(struct ood_csv *csv, size_t n)
{
	int parts = (int)csv->block.n_arenas;
	bool team = csv->lines[n].at - csv->lines[0].at > TEAM_BYTES;
	size_t plain = n;

#pragma omp parallel for schedule(dynamic) reduction(min : plain) if (team)
	for (int p = 0; p < parts; p++) {
		size_t from, to, k;

		ood_share(n, 1, p, parts, &from, &to);
		k = take_rows(csv, from, to, &csv->block.arenas[p]);
		if (k < to)
			plain = OOD_MIN(plain, k);
	}
	for (size_t i = 0; i < plain; i++)
		csv->block.lines[csv->block.n + i] = csv->lines[i].number;
	return plain;
}

int ood_csv_fast(struct ood_csv *csv, size_t rows, size_t *rest,
		 struct ood_err *err)
{
	const struct ood_csv_line *line;
	size_t n, plain;
	int rc;

	rc = make_table(csv, err);
	if (rc)
		return rc;
	n = cut_lines(csv, OOD_MIN(rows - csv->block.n, csv->n_lines));
	rc = ood_csv_block_reserve(&csv->block, n, rows, err);
	if (rc)
		return rc;
	plain = take_lines(csv, n);
	csv->block.n += plain;
	line = &csv->lines[plain];
	*rest = (size_t)(csv->lines[n].at - line->at);
	ood_csv_text_take(&csv->text,
			  (size_t)(line->at - csv->text.bytes) - csv->text.from,
			  line->number - csv->text.line);
	return OOD_OK;
}
