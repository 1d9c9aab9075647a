/*
 * fuzz_json.c - any bytes as JSON and JSON Lines
 *
 * Read in large and in tiny steps, which must agree in rows, bits and the
 * sentence of a refusal.
 */
#include <stdio.h>
#include <unistd.h>

#include "io/json.h"

int ood_fuzz_json(const uint8_t *data, size_t n);

enum { PICKS = 64 };

struct outcome {
	size_t rows;
	uint64_t hash; /* of all values and records */
	char error[OOD_ERR_TEXT_MAX];
};

/* What is taken from the file. */
enum wish { NUMBERS, WORDS, PATHS, WISHES };

struct picks {
	struct ood_pick pick[PICKS];
	size_t member[PICKS];
	size_t n;
};

static void mix(struct outcome *o, const void *bytes, size_t n)
{
	o->hash = o->hash * 31 + ood_json_hash(bytes, n);
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

static void choose(struct picks *p, const struct ood_reader *reader,
		   enum wish wish)
{
	static const char *const paths[] = { ".a", ".b[].c", ".[1]", ".a.b" };

	memset(p, 0, sizeof(*p));
	if (wish == PATHS) {
		size_t k = reader->n_members % OOD_COUNT(paths);
		p->pick[p->n++] = (struct ood_pick){ .path = paths[k] };
		return;
	}
	for (size_t i = 0; i < reader->n_members && p->n < PICKS; i++) {
		p->member[p->n] = i;
		p->pick[p->n] = (struct ood_pick){
			.kind = wish == WORDS ? OOD_PICK_WORD : OOD_PICK_REAL,
			.n = 1,
			.member = &p->member[p->n],
		};
		/* Lists of unlike lengths: the first alone. */
		p->n++;
		if (!reader->records)
			break;
	}
}

static int read_rows(struct ood_reader *reader, struct outcome *o,
		     struct ood_err *err)
{
	struct ood_chunk chunk;

	for (;;) {
		memset(&chunk, 0, sizeof(chunk));
		int rc = reader->format->next(reader, 5, &chunk, err);
		if (rc || !chunk.n)
			return rc;
		for (size_t i = 0; i < chunk.n; i++) {
			struct ood_err place = { .code = OOD_INPUT };
			reader->format->place(reader, 0, i, 0, &place);
			mix_row(o, &chunk, reader->n_picks, i);
		}
		o->rows += chunk.n;
	}
}

static int read_picks(struct ood_reader *reader, enum wish wish,
		      struct outcome *o, struct ood_err *err)
{
	struct picks picks;

	choose(&picks, reader, wish);
	reader->picks = picks.pick;
	reader->n_picks = picks.n;
	reader->width = calloc(PICKS, sizeof(size_t));
	int rc = picks.n ? reader->format->bind(reader, err) : OOD_OK;
	if (!rc && picks.n)
		rc = read_rows(reader, o, err);
	reader->format->close(reader);
	return rc;
}

static void read_file(const char *path, const struct ood_read *read,
		      size_t step, enum wish wish, struct outcome *o)
{
	struct ood_reader reader = { .read = read, .max_bytes = 1 << 24 };
	struct ood_err err;

	*o = (struct outcome){ 0 };
	reader.format = read->input_format && read->input_format[4]
				? &ood_format_jsonl
				: &ood_format_json;
	if (ood_source_open(&reader.source, path, &err))
		return;
	int rc = ood_json_open(&reader, step, &err);
	if (rc)
		reader.format->close(&reader);
	else
		rc = read_picks(&reader, wish, o, &err);
	if (rc)
		ood_err_text(&err, o->error, sizeof(o->error));
	for (size_t i = 0; i < reader.n_members; i++)
		ood_free(reader.members[i].name);
	ood_free(reader.members);
	free(reader.width);
	ood_source_close(reader.source);
}

static void compare(const char *path, const struct ood_read *read,
		    enum wish wish)
{
	struct outcome large, tiny;

	read_file(path, read, 8192, wish, &large);
	read_file(path, read, 3, wish, &tiny);
	if (strcmp(large.error, tiny.error) ||
	    (!*large.error &&
	     (large.rows != tiny.rows || large.hash != tiny.hash))) {
		fprintf(stderr, "large: %zu rows, %s\ntiny: %zu rows, %s\n",
			large.rows, large.error, tiny.rows, tiny.error);
		abort();
	}
}

int ood_fuzz_json(const uint8_t *data, size_t n)
{
	static const char *const told[] = { NULL, "json", "jsonl" };
	char path[] = "/tmp/ood-fuzz-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		return 0;
	for (size_t t = 0; t < OOD_COUNT(told); t++)
		for (int wish = 0; wish < WISHES; wish++) {
			struct ood_read read = {
				.input_format = told[t],
				.keep_records = wish == WORDS,
				.missing = wish == WORDS ? "null" : NULL,
			};
			compare(path, &read, (enum wish)wish);
		}
	close(fd);
	unlink(path);
	return 0;
}
