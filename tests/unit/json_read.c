/*
 * json_read.c - a whole JSON file, as one string
 */
#include "json_read.h"

#include <check.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PICKS = 8, MEMBERS = 64 };

struct picks {
	struct ood_pick pick[PICKS];
	size_t member[MEMBERS];
	char path[PICKS][256];
	size_t n, n_members;
};

static size_t find(const struct ood_reader *reader, const char *name, size_t n)
{
	for (size_t i = 0; i < reader->n_members; i++)
		if (strlen(reader->members[i].name) == n &&
		    !memcmp(reader->members[i].name, name, n))
			return i;
	ck_abort_msg("no member %.*s", (int)n, name);
	return 0;
}

/* One pick: "r:c1,c0". */
static void add_pick(struct picks *p, const struct ood_reader *reader,
		     const char *at, size_t n)
{
	struct ood_pick *pick = &p->pick[p->n];

	pick->kind = *at == 'w' ? OOD_PICK_WORD : OOD_PICK_REAL;
	at += 2;
	n -= 2;
	if (n && *at == '.') {
		memcpy(p->path[p->n], at, n);
		pick->path = p->path[p->n++];
		return;
	}
	pick->member = &p->member[p->n_members];
	for (const char *end = at + n; at <= end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		size_t length = (size_t)((comma ? comma : end) - at);

		p->member[p->n_members++] = find(reader, at, length);
		pick->n++;
		at += length + 1;
	}
	p->n++;
}

static void add_picks(struct picks *p, const struct ood_reader *reader,
		      const char *text)
{
	memset(p, 0, sizeof(*p));
	while (*text) {
		size_t n = strcspn(text, " ");

		add_pick(p, reader, text, n);
		text += n + (text[n] == ' ');
	}
}

static void list_members(struct json_result *r, const struct ood_reader *reader)
{
	for (size_t i = 0; i < reader->n_members; i++) {
		const struct ood_member *m = &reader->members[i];

		ck_assert_int_eq(m->dtype, OOD_TEXT);
		ood_buf_printf(&r->members, "%s%s:%u", i ? " " : "", m->name,
			       m->ndim);
		for (unsigned d = 1; d < m->ndim; d++)
			ood_buf_printf(&r->members, "(%llu)",
				       (unsigned long long)m->shape[d]);
		ood_buf_str(&r->members, m->numeric || !m->ndim ? "" : "s");
	}
	ood_buf_str(&r->members, reader->records ? " records" : "");
}

static void dump_row(struct json_result *r, const struct ood_reader *reader,
		     const struct ood_chunk *chunk, size_t row)
{
	for (size_t p = 0; p < reader->n_picks; p++) {
		const struct ood_column *c = &chunk->columns[p];
		const double *x = c->view.data;

		ood_buf_str(&r->dump, p ? "|" : "");
		if (c->vec.words)
			ood_buf_add(&r->dump, c->vec.words[row].at,
				    c->vec.words[row].n);
		for (size_t k = 0; k < c->view.cols; k++) {
			ood_buf_str(&r->dump, k ? " " : "");
			ood_buf_num(&r->dump, x[row * c->view.stride + k]);
		}
	}
	if (chunk->records) {
		ood_buf_char(&r->dump, '|');
		ood_buf_add(&r->dump, chunk->records[row].at,
			    chunk->records[row].n);
	}
	ood_buf_char(&r->dump, '\n');
}

static int read_rows(struct json_result *r, struct ood_reader *reader,
		     const struct json_how *how, struct ood_err *err)
{
	size_t rows = how->rows ? how->rows : 100000;
	struct ood_chunk chunk;

	for (;;) {
		memset(&chunk, 0, sizeof(chunk));
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

static int read_reader(struct json_result *r, struct ood_reader *reader,
		       const struct json_how *how, struct ood_err *err)
{
	const char *named = how->read.input_format;
	struct picks picks;
	int rc;

	reader->format = named && !strcmp(named, "jsonl") ? &ood_format_jsonl
							  : &ood_format_json;
	reader->max_bytes = how->read.max_bytes ? how->read.max_bytes : 1 << 28;
	reader->rows = UINT64_MAX;
	rc = ood_json_open(reader, how->step ? how->step : OOD_JSON_STEP, err);
	if (!rc) {
		snprintf(r->format, sizeof(r->format), "%s",
			 reader->format->name);
		list_members(r, reader);
		add_picks(&picks, reader, how->picks);
		reader->picks = picks.pick;
		reader->n_picks = picks.n;
		reader->width = calloc(picks.n + 1, sizeof(size_t));
		if (picks.n)
			rc = reader->format->bind(reader, err);
	}
	if (!rc && reader->n_picks)
		rc = read_rows(r, reader, how, err);
	reader->format->close(reader);
	for (size_t i = 0; i < reader->n_members; i++)
		ood_free(reader->members[i].name);
	ood_free(reader->members);
	free(reader->width);
	return rc;
}

/* ---------------------------------------------------------- the bytes --- */

static void write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t w = write(fd, text, n);
		if (w <= 0)
			return;
		text += w;
		n -= (size_t)w;
	}
}

/* A file, or the end of a pipe that a child fills; *pid of that. */
static void make_path(char path[256], const char *text, size_t n, pid_t *pid,
		      int *fd)
{
	const char *dir = getenv("TMPDIR");
	int ends[2];

	if (!pid) {
		snprintf(path, 256, "%s/ood-json-XXXXXX",
			 dir && *dir ? dir : "/tmp");
		*fd = mkstemp(path);
		ck_assert_int_ge(*fd, 0);
		write_all(*fd, text, n);
		return;
	}
	ck_assert_int_eq(pipe(ends), 0);
	*pid = fork();
	ck_assert_int_ge(*pid, 0);
	if (!*pid) {
		close(ends[0]);
		write_all(ends[1], text, n);
		_exit(0);
	}
	close(ends[1]);
	*fd = ends[0];
	snprintf(path, 256, "/dev/fd/%d", *fd);
}

void json_read(struct json_result *r, const char *text, size_t n,
	       const struct json_how *how)
{
	struct ood_reader reader = { .read = &how->read };
	struct ood_err err = { .code = OOD_OK };
	char path[256];
	pid_t pid = 0;
	int fd;

	make_path(path, text, n, how->pipe ? &pid : NULL, &fd);
	*r = (struct json_result){ .code = 0 };
	ck_assert_int_eq(ood_source_open(&reader.source, path, &err), 0);
	r->code = read_reader(r, &reader, how, &err);
	ood_source_close(reader.source);
	close(fd);
	if (pid)
		waitpid(pid, NULL, 0);
	else
		unlink(path);
	ood_buf_str(&r->members, "");
	ood_buf_str(&r->dump, "");
	if (!r->code)
		return;
	ck_assert_int_eq(r->code, (int)err.code);
	ood_err_text(&err, r->error, sizeof(r->error));
	size_t length = strlen(path);
	if (!strncmp(r->error, path, length))
		memmove(r->error, r->error + length,
			strlen(r->error + length) + 1);
}

void json_result_free(struct json_result *r)
{
	ood_buf_free(&r->members);
	ood_buf_free(&r->dump);
}

/* ----------------------------------------------------------- all ways --- */

static void compare(const struct json_result *a, const struct json_result *b)
{
	ck_assert_str_eq(a->error, b->error);
	ck_assert_int_eq(a->code, b->code);
	if (a->code)
		return;
	ck_assert_str_eq(a->format, b->format);
	ck_assert_str_eq(a->members.text, b->members.text);
	ck_assert_uint_eq(a->dump.n, b->dump.n);
	ck_assert(!memcmp(a->dump.text, b->dump.text, a->dump.n));
}

void json_read_all_ways(struct json_result *r, const char *text, size_t n,
			const struct json_how *how)
{
	static const size_t steps[] = { 1, 7, 4096 };
	static const size_t blocks[] = { 1, 3, 100000 };

	json_read(r, text, n, how);
	for (size_t s = 0; s < OOD_COUNT(steps); s++)
		for (size_t b = 0; b < OOD_COUNT(blocks); b++)
			for (int pipe = 0; pipe < 2; pipe++) {
				struct json_result other;
				struct json_how h = *how;

				h.step = steps[s];
				h.rows = blocks[b];
				h.pipe = pipe;
				json_read(&other, text, n, &h);
				compare(r, &other);
				json_result_free(&other);
			}
}
