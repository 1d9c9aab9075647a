/*
 * drain.c - reads array files to their end, in every way
 */
#include "drain.h"

#include <stdio.h>
#include <unistd.h>

#include "core/mem.h"
#include "io/reader.h"

enum { PIPE_MAX = 60000, MEMBERS_MAX = 8, VALUES = 4096 };

struct outcome {
	int code;
	size_t rows;
	uint64_t hash;
};

static void mix(struct outcome *o, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < n; i++)
		o->hash = (o->hash ^ b[i]) * 0x100000001b3;
}

static void mix_row(struct outcome *o, const struct ood_column *c, size_t i)
{
	const struct ood_view *v = &c->view;
	size_t size = v->dtype == OOD_F4 ? sizeof(float) : sizeof(double);

	if (v->data)
		mix(o, (const char *)v->data + i * v->stride * size,
		    v->cols * size);
	if (c->vec.words)
		mix(o, c->vec.words[i].at, c->vec.words[i].n);
	if (c->vec.ints)
		mix(o, &c->vec.ints[i], sizeof(*c->vec.ints));
	if (c->vec.reals)
		mix(o, &c->vec.reals[i], sizeof(*c->vec.reals));
}

static void read_rows(struct ood_reader *reader, const struct ood_pick *pick,
		      struct outcome *o, struct ood_err *err)
{
	struct ood_chunk chunk;

	o->code = ood_reader_bind(reader, pick, 1, err);
	while (!o->code) {
		size_t width = ood_reader_width(reader, 0);
		size_t rows = width < VALUES ? VALUES / width : 1;
		o->code = ood_reader_next(reader, rows, &chunk, err);
		if (o->code || !chunk.n)
			break;
		for (size_t i = 0; i < chunk.n; i++)
			mix_row(o, &chunk.columns[0], i);
		o->rows += chunk.n;
	}
}

/* Member `number`; false if there are not so many. */
static bool read_member(const char *path, const uint8_t *data, size_t n,
			size_t number, const struct ood_pick *how,
			struct outcome *o)
{
	struct ood_read read = { .max_bytes = 1 << 26 };
	struct ood_pick pick = *how;
	struct ood_reader *reader;
	struct ood_err err;
	char name[32];
	int ends[2] = { -1, -1 };
	size_t members = 0;
	bool records;

	if (!path) {
		/* It all fits: nobody waits for the other end. */
		if (n > PIPE_MAX || pipe(ends) ||
		    write(ends[1], data, n) != (ssize_t)n)
			abort();
		close(ends[1]);
		snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	}
	*o = (struct outcome){ 0 };
	o->code = ood_reader_open(&reader, path ? path : name, &read, &err);
	if (ends[0] >= 0)
		close(ends[0]);
	if (!o->code)
		ood_reader_members(reader, &members, &records);
	pick.member = &number;
	if (number < members && !o->code)
		read_rows(reader, &pick, o, &err);
	ood_reader_close(reader);
	return number < members;
}

void drain_all(const uint8_t *data, size_t n)
{
	static const struct ood_pick picks[] = {
		{ .kind = OOD_PICK_REAL, .n = 1 },
		{ .kind = OOD_PICK_WORD, .n = 1 },
		{ .kind = OOD_PICK_REAL, .n = 1, .layout = "chw" },
		{ .kind = OOD_PICK_WORD, .n = 1, .layout = "nchw" },
	};
	char path[] = "/tmp/ood-fuzz-XXXXXX";
	int fd = mkstemp(path);
	bool more = true;

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	close(fd);
	for (size_t m = 0; m < MEMBERS_MAX && more; m++)
		for (size_t p = 0; p < OOD_COUNT(picks); p++) {
			struct outcome a, b;
			more = read_member(path, data, n, m, &picks[p], &a);
			if (n > PIPE_MAX)
				continue;
			read_member(NULL, data, n, m, &picks[p], &b);
			if (a.code != b.code ||
			    (!a.code && (a.rows != b.rows || a.hash != b.hash)))
				abort();
		}
	unlink(path);
}
