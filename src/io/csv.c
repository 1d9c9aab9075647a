/*
 * csv.c - reader of delimited text: CSV, TSV, columns between blanks
 *
 * The columns are the members. RFC 4180 with what Excel, pandas, R and
 * np.savetxt write; what is not plainly a table is refused with its line.
 */
#include "io/csv.h"

#include "core/err.h"

static int name_file(const struct ood_reader *reader, struct ood_err *err)
{
	return ood_err_where(err, ood_source_name(reader->source), NULL);
}

/* ---------------------------------------------------- open, close --- */

static void csv_close(struct ood_reader *reader)
{
	struct ood_csv *csv = reader->own;

	if (!csv)
		return;
	ood_csv_record_close(&csv->record);
	ood_csv_block_close(&csv->block);
	ood_free(csv->text.bytes);
	ood_free(csv->names);
	ood_free(csv->header);
	ood_free(csv->lines);
	ood_free(csv);
	ood_free(reader->members);
	reader->own = NULL;
	reader->members = NULL;
	reader->n_members = 0;
	reader->header = (struct ood_span){ NULL, 0 };
}

int ood_csv_open(struct ood_reader *reader, char delimiter, size_t step,
		 struct ood_err *err)
{
	struct ood_csv *csv = ood_calloc(1, sizeof(*csv));
	int rc;

	if (!csv)
		return ood_fail_memory(err, sizeof(*csv));
	reader->own = csv;
	reader->records = true;
	reader->rows = UINT64_MAX;
	csv->text = (struct ood_csv_text){ .source = reader->source,
					   .step = step,
					   .line = 1,
					   .live = reader->read->live };
	rc = ood_dialect_open(&csv->dialect, reader->read, delimiter, err);
	ood_csv_record_open(&csv->record, &csv->text, &csv->dialect);
	if (!rc)
		rc = ood_csv_head(reader, err);
	if (rc == OOD_INPUT)
		name_file(reader, err);
	if (rc)
		csv_close(reader);
	return rc;
}

static int csv_open(struct ood_reader *reader, struct ood_err *err)
{
	return ood_csv_open(reader, ',', OOD_CSV_STEP, err);
}

static int tsv_open(struct ood_reader *reader, struct ood_err *err)
{
	return ood_csv_open(reader, '\t', OOD_CSV_STEP, err);
}

/* ----------------------------------------------------------- bind --- */

static int check_pick(const struct ood_reader *reader,
		      const struct ood_pick *pick, struct ood_err *err)
{
	if (pick->path)
		return ood_fail(err, OOD_USAGE,
				"path %s: only JSON has paths, a table has "
				"columns",
				pick->path);
	if (pick->layout && strcmp(pick->layout, "nc"))
		return ood_fail(err, OOD_USAGE,
				"--layout %s: a text table is rows and "
				"columns (nc)",
				pick->layout);
	if (!pick->n)
		return ood_fail(err, OOD_INPUT, "no columns to take");
	if (pick->kind == OOD_PICK_WORD && pick->n > 1)
		return ood_fail(err, OOD_INPUT,
				"%zu columns where one value a row is wanted",
				pick->n);
	for (size_t i = 0; i < pick->n; i++)
		if (pick->member[i] >= reader->n_members)
			return ood_fail(err, OOD_BUG, "no member %zu",
					pick->member[i]);
	return OOD_OK;
}

static int csv_bind(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	int rc = OOD_OK;

	for (size_t i = 0; !rc && i < reader->n_picks; i++) {
		reader->width[i] = reader->picks[i].n;
		rc = check_pick(reader, &reader->picks[i], err);
	}
	if (!rc)
		rc = ood_csv_check_names(reader, err);
	if (!rc)
		rc = ood_csv_block_open(&csv->block, reader, err);
	return rc ? name_file(reader, err) : OOD_OK;
}

/* ----------------------------------------------------------- rows --- */

static int refuse_count(const struct ood_csv *csv, struct ood_err *err)
{
	const struct ood_csv_record *r = &csv->record;

	ood_fail(err, OOD_INPUT,
		 "expected %zu field%s as in line %llu, found %zu",
		 csv->n_columns, csv->n_columns == 1 ? "" : "s",
		 (unsigned long long)csv->first_line, r->n);
	return ood_err_at(err, OOD_PLACE_LINE, r->line, 0);
}

static int store_numbers(const struct ood_reader *reader,
			 const struct ood_csv_run *run, struct ood_err *err)
{
	const struct ood_csv *csv = reader->own;
	double *x = ood_csv_block_real(&csv->block, run, csv->block.n);

	for (size_t i = 0; i < run->n; i++) {
		size_t m = run->first + i;
		struct ood_span cell = ood_csv_record_cell(&csv->record, m);

		if (ood_dialect_number(&csv->dialect, cell.at, cell.n, &x[i]) ==
		    OOD_NUM_OK)
			continue;
		ood_dialect_refuse(&csv->dialect, cell,
				   !reader->members[m].numeric, err);
		return ood_err_at(err, OOD_PLACE_LINE,
				  csv->record.cells[m].line, m + 1);
	}
	return OOD_OK;
}

static int keep(struct ood_csv *csv, struct ood_span text,
		struct ood_span *copy, struct ood_err *err)
{
	copy->n = text.n;
	copy->at = ood_csv_arena_keep(&csv->block.arenas[0], text.at, text.n);
	return copy->at ? OOD_OK : ood_fail_memory(err, text.n);
}

/* Puts the record that was read into the block, or refuses it. */
static int store(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	struct ood_csv_block *b = &csv->block;
	const struct ood_csv_record *r = &csv->record;
	struct ood_span raw = { csv->text.bytes + csv->text.from, r->size };
	int rc = OOD_OK;

	if (r->n != csv->n_columns)
		return refuse_count(csv, err);
	for (size_t i = 0; !rc && i < b->n_runs; i++) {
		const struct ood_csv_run *run = &b->runs[i];

		if (run->kind == OOD_PICK_REAL)
			rc = store_numbers(reader, run, err);
		else
			rc = keep(csv, ood_csv_record_cell(r, run->first),
				  &b->parts[run->pick].words[b->n], err);
	}
	if (!rc && b->keep_records)
		rc = keep(csv, raw, &b->records[b->n], err);
	b->lines[b->n] = r->line;
	b->n += !rc;
	return rc;
}

/* One record by libcsv; *more is false if there is none to be had. */
static int next_record(struct ood_reader *reader, size_t rows, bool *more,
		       struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	struct ood_csv_record *r = &csv->record;
	enum ood_csv_got got;
	int rc = ood_csv_record_read(r, csv->block.n == 0, &got, err);

	*more = !rc && got == OOD_CSV_GOT;
	if (!*more)
		return rc;
	rc = ood_csv_block_reserve(&csv->block, 1, rows, err);
	if (!rc)
		rc = store(reader, err);
	if (rc)
		return rc;
	ood_csv_text_take(&csv->text, r->size, r->lines);
	csv->rest -= OOD_MIN(csv->rest, r->size);
	return OOD_OK;
}

/* Plain rows at hand, or more text; *more is false if there is neither. */
static int next_rows(struct ood_csv *csv, size_t rows, bool *more,
		     struct ood_err *err)
{
	size_t before = csv->block.n;
	int rc = ood_csv_fast(csv, rows, &csv->rest, err);

	*more = true;
	if (rc || csv->rest || csv->block.n > before)
		return rc;
	*more = !csv->text.eof && !(before && ood_csv_text_waits(&csv->text));
	return *more ? ood_csv_text_fill(&csv->text, err) : OOD_OK;
}

static int csv_next(struct ood_reader *reader, size_t rows,
		    struct ood_chunk *chunk, struct ood_err *err)
{
	struct ood_csv *csv = reader->own;
	bool more = true;
	int rc = OOD_OK;

	ood_csv_block_clear(&csv->block);
	while (!rc && more && csv->block.n < rows) {
		if (csv->rest || csv->plain)
			rc = next_record(reader, rows, &more, err);
		else
			rc = next_rows(csv, rows, &more, err);
	}
	if (rc)
		return name_file(reader, err);
	ood_csv_block_show(&csv->block, chunk);
	return OOD_OK;
}

static void csv_place(const struct ood_reader *reader, size_t pick, size_t row,
		      size_t col, struct ood_err *err)
{
	const struct ood_csv *csv = reader->own;
	const struct ood_pick *p = &reader->picks[pick];
	uint64_t line = row < csv->block.n ? csv->block.lines[row] : 0;

	ood_err_at(err, OOD_PLACE_LINE, line,
		   col < p->n ? p->member[col] + 1 : 0);
	name_file(reader, err);
}

/* -------------------------------------------------------- formats --- */

const struct ood_format ood_format_csv = {
	.name = "csv",
	.brief = "delimited text, with or without a header",
	.can_read = true,
	.can_write = true,
	.open = csv_open,
	.bind = csv_bind,
	.next = csv_next,
	.place = csv_place,
	.close = csv_close,
};

const struct ood_format ood_format_tsv = {
	.name = "tsv",
	.brief = "text delimited by tabs",
	.can_read = true,
	.can_write = true,
	.open = tsv_open,
	.bind = csv_bind,
	.next = csv_next,
	.place = csv_place,
	.close = csv_close,
};
