/*
 * csv_read.c - a whole text table, as one string
 */
#include "csv_read.h"

#include <check.h>
#include <stdio.h>
#include <unistd.h>

/* One pick a word column, one for all numbers. */
struct picks {
	struct ood_pick pick[64];
	size_t member[64];
	size_t *numbers;
	size_t n;
};

static void choose(struct picks *p, const struct ood_reader *reader,
		   const struct csv_how *how)
{
	size_t n = 0;

	p->n = 0;
	for (size_t i = 0; i < how->words && i < reader->n_members; i++) {
		p->member[i] = i;
		p->pick[p->n++] = (struct ood_pick){ .kind = OOD_PICK_WORD,
						     .n = 1,
						     .member = &p->member[i] };
	}
	p->numbers = malloc((reader->n_members + 1) * sizeof(size_t));
	ck_assert_ptr_nonnull(p->numbers);
	for (size_t i = how->words + how->skip; i < reader->n_members; i++)
		p->numbers[n++] = i;
	if (n)
		p->pick[p->n++] = (struct ood_pick){ .kind = OOD_PICK_REAL,
						     .n = n,
						     .member = p->numbers };
}

static void dump_row(struct csv_result *r, const struct ood_reader *reader,
		     const struct ood_chunk *chunk, size_t row)
{
	struct ood_err place = { .code = OOD_INPUT };

	reader->format->place(reader, 0, row, SIZE_MAX, &place);
	ck_assert_int_eq(place.place, OOD_PLACE_LINE);
	ck_assert_uint_eq(place.column, 0);
	ood_buf_int(&r->dump, (int64_t)place.line);
	for (size_t p = 0; p < reader->n_picks; p++) {
		const struct ood_column *c = &chunk->columns[p];
		const double *x = c->view.data;

		ood_buf_char(&r->dump, '|');
		if (c->vec.words)
			ood_buf_add(&r->dump, c->vec.words[row].at,
				    c->vec.words[row].n);
		for (size_t k = 0; k < c->view.cols; k++) {
			double v = x[row * c->view.stride + k];

			ood_buf_str(&r->dump, k ? " " : "");
			if (v == 0 && signbit(v))
				ood_buf_char(&r->dump, '-');
			ood_buf_num(&r->dump, v);
		}
	}
	if (chunk->records) {
		ood_buf_char(&r->dump, '|');
		ood_buf_add(&r->dump, chunk->records[row].at,
			    chunk->records[row].n);
	}
	ood_buf_char(&r->dump, '\n');
}

static int read_rows(struct csv_result *r, struct ood_reader *reader,
		     const struct csv_how *how, struct ood_err *err)
{
	size_t rows = how->rows ? how->rows : 100000;
	struct ood_chunk chunk;

	((struct ood_csv *)reader->own)->plain = how->plain;
	for (;;) {
		int rc = reader->format->next(reader, rows, &chunk, err);

		if (rc || !chunk.n)
			return rc;
		ck_assert_uint_le(chunk.n, rows);
		for (size_t i = 0; i < chunk.n; i++)
			dump_row(r, reader, &chunk, i);
		r->rows += chunk.n;
		if (chunk.n == rows || how->read.live)
			continue;
		rc = reader->format->next(reader, rows, &chunk, err);
		ck_assert_uint_eq(rc ? 0 : chunk.n, 0);
		return rc;
	}
}

static int read_open(struct csv_result *r, struct ood_reader *reader,
		     const struct csv_how *how, struct ood_err *err)
{
	struct picks picks;
	int rc;

	reader->format = how->tsv ? &ood_format_tsv : &ood_format_csv;
	rc = ood_csv_open(reader, how->tsv ? '\t' : ',',
			  how->step ? how->step : OOD_CSV_STEP, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < reader->n_members; i++) {
		ood_buf_str(&r->names, i ? "|" : "");
		ood_buf_str(&r->names, reader->members[i].name);
	}
	ood_buf_add(&r->header, reader->header.at, reader->header.n);
	choose(&picks, reader, how);
	reader->picks = picks.pick;
	reader->n_picks = picks.n;
	reader->width = calloc(picks.n + 1, sizeof(size_t));
	rc = reader->format->bind(reader, err);
	if (!rc)
		rc = read_rows(r, reader, how, err);
	reader->format->close(reader);
	free(reader->width);
	free(picks.numbers);
	return rc;
}

void csv_read(struct csv_result *r, const char *path, const struct csv_how *how)
{
	struct ood_reader reader = { .read = &how->read };
	struct ood_err err = { .code = OOD_OK };
	size_t n = strlen(path);

	*r = (struct csv_result){ .code = 0 };
	ck_assert_int_eq(ood_source_open(&reader.source, path, &err), 0);
	r->code = read_open(r, &reader, how, &err);
	r->note = reader.note;
	ood_source_close(reader.source);
	ood_buf_str(&r->names, "");
	ood_buf_str(&r->header, "");
	ood_buf_str(&r->dump, "");
	if (!r->code)
		return;
	ck_assert_int_eq(r->code, (int)err.code);
	ood_err_text(&err, r->error, sizeof(r->error));
	if (!strncmp(r->error, path, n))
		memmove(r->error, r->error + n, strlen(r->error + n) + 1);
}

void csv_result_free(struct csv_result *r)
{
	ood_buf_free(&r->dump);
	ood_buf_free(&r->names);
	ood_buf_free(&r->header);
}

void csv_file_make(char path[256], const char *bytes, size_t n)
{
	const char *dir = getenv("TMPDIR");
	FILE *f;
	int fd;

	snprintf(path, 256, "%s/ood-csv-XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	f = fdopen(fd, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	ck_assert_int_eq(fclose(f), 0);
}

void csv_file_drop(const char *path)
{
	unlink(path);
}

/* ------------------------------------------------------- all ways --- */

static void compare(const struct csv_result *a, const struct csv_result *b)
{
	ck_assert_str_eq(a->error, b->error);
	ck_assert_int_eq(a->code, b->code);
	/* What comes in front of an error depends on the buffer. */
	if (a->code)
		return;
	ck_assert_str_eq(a->names.text, b->names.text);
	ck_assert_str_eq(a->header.text, b->header.text);
	ck_assert_ptr_eq(a->note, b->note);
	ck_assert_uint_eq(a->dump.n, b->dump.n);
	ck_assert(!memcmp(a->dump.text, b->dump.text, a->dump.n));
}

static void try(const struct csv_result *r, const char *path,
		const struct csv_how *how)
{
	struct csv_result other;

	csv_read(&other, path, how);
	compare(r, &other);
	csv_result_free(&other);
}

void csv_read_all_ways(struct csv_result *r, const char *path,
		       const struct csv_how *how)
{
	static const size_t steps[] = { 1, 7, 4096, OOD_CSV_STEP };
	static const size_t blocks[] = { 1, 3, 100000 };

	csv_read(r, path, how);
	for (size_t s = 0; s < OOD_COUNT(steps); s++)
		for (unsigned way = 0; way < 4; way++)
			for (size_t b = 0; b < OOD_COUNT(blocks); b++) {
				struct csv_how h = *how;

				h.step = steps[s];
				h.rows = blocks[b];
				h.plain = way & 1;
				h.read.live = way & 2;
				try(r, path, &h);
			}
}

void csv_check_reads(const struct csv_how *how, const char *bytes, size_t n,
		     const char *dump)
{
	struct csv_result r;
	char path[256];

	csv_file_make(path, bytes, n);
	csv_read_all_ways(&r, path, how);
	ck_assert_str_eq(r.error, "");
	ck_assert_str_eq(r.dump.text, dump);
	csv_result_free(&r);
	csv_file_drop(path);
}

void csv_check_refuses(const struct csv_how *how, const char *bytes, size_t n,
		       const char *error)
{
	struct csv_result r;
	char path[256];

	csv_file_make(path, bytes, n);
	csv_read_all_ways(&r, path, how);
	ck_assert_str_eq(r.error, error);
	csv_result_free(&r);
	csv_file_drop(path);
}
