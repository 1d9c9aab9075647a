/*
 * fuzz_csv.c - any bytes as a text table, by both paths
 *
 * The fast path and libcsv alone must agree in rows, sums of bits and the
 * sentence of a refusal.
 */
#include <stdio.h>
#include <unistd.h>

#include "io/csv.h"

int ood_fuzz_csv(const uint8_t *data, size_t n);

struct outcome {
	size_t rows;
	uint64_t hash; /* of all values and records */
	char error[OOD_ERR_TEXT_MAX];
};

/* FNV-1a */
static void mix(struct outcome *o, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < n; i++)
		o->hash = (o->hash ^ b[i]) * 0x100000001b3;
}

static void mix_row(struct outcome *o, const struct ood_chunk *chunk,
		    size_t n_picks, size_t row)
{
	for (size_t p = 0; p < n_picks; p++) {
		const struct ood_column *c = &chunk->columns[p];
		const double *x = c->view.data;

		if (c->vec.words)
			mix(o, c->vec.words[row].at, c->vec.words[row].n);
		for (size_t k = 0; k < c->view.cols; k++)
			mix(o, &x[row * c->view.stride + k], sizeof(*x));
	}
	if (chunk->records)
		mix(o, chunk->records[row].at, chunk->records[row].n);
}

#define COLUMNS_MAX 4096

struct picks {
	struct ood_pick pick[COLUMNS_MAX];
	size_t number[COLUMNS_MAX];
	size_t n;
};

static int read_rows(struct ood_reader *reader, size_t n_picks,
		     struct outcome *o, struct ood_err *err)
{
	struct ood_chunk chunk;

	for (;;) {
		int rc = ood_reader_next(reader, 5, &chunk, err);

		if (rc || !chunk.n)
			return rc;
		for (size_t i = 0; i < chunk.n; i++) {
			ood_reader_place(reader, 0, i, 0, err);
			mix_row(o, &chunk, n_picks, i);
		}
		o->rows += chunk.n;
	}
}

/* All columns as one matrix of numbers, or each as words. */
static void choose(struct picks *p, size_t n, bool words)
{
	p->n = words ? n : 1;
	for (size_t i = 0; i < n; i++)
		p->number[i] = i;
	for (size_t i = 0; i < p->n; i++)
		p->pick[i] = (struct ood_pick){
			.kind = words ? OOD_PICK_WORD : OOD_PICK_REAL,
			.n = words ? 1 : n,
			.member = &p->number[i],
		};
}

static int read_bound(struct ood_reader *reader, bool words, struct outcome *o,
		      struct ood_err *err)
{
	static struct picks picks;
	bool records;
	size_t n;
	int rc;

	ood_reader_members(reader, &n, &records);
	if (n > COLUMNS_MAX)
		return OOD_OK;
	choose(&picks, n, words);
	rc = ood_reader_bind(reader, picks.pick, picks.n, err);
	return rc ? rc : read_rows(reader, picks.n, o, err);
}

static void run(const char *path, const struct ood_read *read, unsigned way,
		struct outcome *o)
{
	struct ood_reader *reader;
	struct ood_err err = { .code = OOD_OK };
	int rc = ood_reader_open(&reader, path, read, &err);

	*o = (struct outcome){ .hash = 0xcbf29ce484222325 };
	if (!rc) {
		((struct ood_csv *)reader->own)->plain = way & 1;
		rc = read_bound(reader, way & 2, o, &err);
	}
	if (rc)
		ood_err_text(&err, o->error, sizeof(o->error));
	ood_reader_close(reader);
}

static void compare(const char *path, const struct ood_read *read)
{
	struct outcome a, b;

	for (unsigned way = 0; way < 4; way += 2) {
		run(path, read, way, &a);
		run(path, read, way + 1, &b);
		if (strcmp(a.error, b.error) ||
		    (!*a.error && (a.rows != b.rows || a.hash != b.hash)))
			abort();
	}
}

int ood_fuzz_csv(const uint8_t *data, size_t n)
{
	static const struct ood_read reads[] = {
		{ .input_format = "csv" },
		{ .input_format = "csv",
		  .missing = "usual",
		  .keep_records = true },
		{ .input_format = "csv", .delimiter = "space" },
		{ .input_format = "csv",
		  .delimiter = ";",
		  .decimal = ",",
		  .header = OOD_HEADER_NO },
	};
	char path[256];
	const char *dir = getenv("TMPDIR");
	FILE *f;
	int fd;

	snprintf(path, sizeof(path), "%s/ood-fuzz-XXXXXX",
		 dir && *dir ? dir : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return 0;
	f = fdopen(fd, "wb");
	if (f && fwrite(data, 1, n, f) == n && !fclose(f))
		for (size_t i = 0; i < OOD_COUNT(reads); i++)
			compare(path, &reads[i]);
	unlink(path);
	return 0;
}
