/*
 * array_file.c - array files made byte by byte, and read as text
 */
#include "array_file.h"

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "core/err.h"

void file_make(char path[256], const void *bytes, size_t n)
{
	const char *folder = getenv("TMPDIR");

	snprintf(path, 256, "%s/ood-array-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

void file_drop(const char *path)
{
	unlink(path);
}

struct ood_buf file_bytes(const char *path)
{
	struct ood_buf b = { 0 };
	char piece[4096];
	size_t n;
	FILE *f = fopen(path, "rb");

	ck_assert_ptr_nonnull(f);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		ood_buf_add(&b, piece, n);
	fclose(f);
	return b;
}

/* ---------------------------------------------------------- pipes --- */

struct writing {
	pthread_t thread;
	int fd;
	const char *bytes;
	size_t n;
};

static void *write_pipe(void *own)
{
	struct writing *w = own;
	ssize_t r = 1;

	while (w->n && r > 0) {
		/* In odd pieces, so that blocks do not fall on them. */
		r = write(w->fd, w->bytes, OOD_MIN(w->n, (size_t)1013));
		if (r > 0) {
			w->bytes += r;
			w->n -= (size_t)r;
		}
	}
	close(w->fd);
	return NULL;
}

void pipe_make(struct pipe_feed *p, const void *bytes, size_t n)
{
	struct writing *w = ood_calloc(1, sizeof(*w));
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	p->fd = ends[0];
	snprintf(p->path, sizeof(p->path), "/dev/fd/%d", p->fd);
	w->fd = ends[1];
	w->bytes = bytes;
	w->n = n;
	p->thread = w;
	ck_assert_int_eq(pthread_create(&w->thread, NULL, write_pipe, w), 0);
}

void pipe_release(struct pipe_feed *p)
{
	close(p->fd);
}

void pipe_drop(struct pipe_feed *p)
{
	struct writing *w = p->thread;

	pthread_join(w->thread, NULL);
	ood_free(w);
}

/* ---------------------------------------------------------- files --- */

static struct ood_buf deflated(const void *bytes, size_t n, int window)
{
	z_stream z = { 0 };
	struct ood_buf out = { 0 };

	ck_assert_int_eq(
		deflateInit2(&z, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY),
		Z_OK);
	uLong room = deflateBound(&z, (uLong)n);
	z.next_out = (void *)ood_buf_reserve(&out, room);
	z.avail_out = (uInt)room;
	z.next_in = (void *)(uintptr_t)bytes;
	z.avail_in = (uInt)n;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	out.n = z.total_out;
	deflateEnd(&z);
	return out;
}

struct ood_buf gzip_of(const void *bytes, size_t n)
{
	return deflated(bytes, n, 16 + 15);
}

static void put(struct ood_buf *b, uint64_t x, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		ood_buf_char(b, (char)(x >> 8 * i & 0xFF));
}

struct ood_buf npy_of(int version, const char *header, const void *data,
		      size_t n)
{
	struct ood_buf b = { 0 };

	ood_buf_add(&b, "\x93NUMPY", 6);
	ood_buf_char(&b, (char)version);
	ood_buf_char(&b, 0);
	put(&b, strlen(header), version == 1 ? 2 : 4);
	ood_buf_str(&b, header);
	ood_buf_add(&b, data, n);
	return b;
}

static void put_sizes(struct ood_buf *b, uint32_t crc, uint64_t packed,
		      uint64_t size)
{
	put(b, crc, 4);
	put(b, packed, 4);
	put(b, size, 4);
}

static void put_extra(struct ood_buf *b, bool wide, uint64_t size,
		      uint64_t packed)
{
	if (!wide)
		return;
	put(b, 1, 2);
	put(b, 16, 2);
	put(b, size, 8);
	put(b, packed, 8);
}

/* One member to `file`, its entry to `directory`. */
static void put_part(const struct zip_part *p, struct ood_buf *file,
		     struct ood_buf *directory)
{
	struct ood_buf packed = { 0 };
	uint64_t at = file->n;
	size_t name = strlen(p->name);
	unsigned method = p->method ? p->method : p->deflated ? 8 : 0;
	unsigned flags = p->flags | (p->descriptor ? 8u : 0u);
	uint32_t crc = p->crc ? p->crc : (uint32_t)crc32_z(0, p->data, p->n);
	uint64_t size = p->size ? p->size : p->n;

	if (p->deflated)
		packed = deflated(p->data, p->n, -15);
	else
		ood_buf_add(&packed, p->data, p->n);
	uint64_t max = 0xFFFFFFFF;
	ood_buf_add(file, "PK\3\4", 4);
	put(file, 20, 2);
	put(file, flags, 2);
	put(file, method, 2);
	put(file, 0, 4);
	if (p->descriptor)
		put_sizes(file, 0, 0, 0);
	else
		put_sizes(file, crc, p->zip64 ? max : packed.n,
			  p->zip64 ? max : size);
	put(file, name, 2);
	put(file, p->zip64 ? 20 : 0, 2);
	ood_buf_str(file, p->name);
	put_extra(file, p->zip64, size, packed.n);
	ood_buf_add(file, packed.text, packed.n);
	if (p->descriptor) {
		put(file, 0x08074b50, 4);
		put_sizes(file, crc, packed.n, size);
	}
	ood_buf_add(directory, "PK\1\2", 4);
	put(directory, 20, 2);
	put(directory, 20, 2);
	put(directory, flags, 2);
	put(directory, method, 2);
	put(directory, 0, 4);
	put_sizes(directory, crc, p->zip64 ? max : packed.n,
		  p->zip64 ? max : size);
	put(directory, name, 2);
	put(directory, p->zip64 ? 20 : 0, 2);
	put(directory, 0, 8); /* comment, disk, attributes */
	put(directory, 0, 2);
	put(directory, (uint64_t)((int64_t)at + p->shift), 4);
	ood_buf_str(directory, p->name);
	put_extra(directory, p->zip64, size, packed.n);
	ood_buf_free(&packed);
}

struct ood_buf zip_of(const struct zip_part *parts, size_t n)
{
	struct ood_buf file = { 0 }, directory = { 0 };

	for (size_t i = 0; i < n; i++)
		put_part(&parts[i], &file, &directory);
	uint64_t at = file.n;
	ood_buf_add(&file, directory.text, directory.n);
	ood_buf_add(&file, "PK\5\6", 4);
	put(&file, 0, 4);
	put(&file, n, 2);
	put(&file, n, 2);
	put(&file, directory.n, 4);
	put(&file, at, 4);
	put(&file, 0, 2);
	ood_buf_free(&directory);
	return file;
}

/* -------------------------------------------------------- reading --- */

static void dump_row(struct array_result *r, const struct ood_column *c,
		     size_t i)
{
	const struct ood_view *v = &c->view;

	if (c->vec.words)
		ood_buf_add(&r->dump, c->vec.words[i].at, c->vec.words[i].n);
	else if (c->vec.ints)
		ood_buf_int(&r->dump, c->vec.ints[i]);
	else if (!v->data)
		ood_buf_num(&r->dump, c->vec.reals[i]);
	for (size_t k = 0; !c->vec.words && !c->vec.ints && k < v->cols; k++) {
		size_t at = i * v->stride + k;
		double x = v->dtype == OOD_F4
				   ? (double)((const float *)v->data)[at]
				   : ((const double *)v->data)[at];
		if (k)
			ood_buf_char(&r->dump, ' ');
		ood_buf_num(&r->dump, x);
	}
	ood_buf_char(&r->dump, '\n');
}

static size_t find_member(const struct ood_reader *reader, const char *name)
{
	size_t n;
	bool records;
	const struct ood_member *m = ood_reader_members(reader, &n, &records);

	for (size_t i = 0; i < n; i++)
		if (!name || !strcmp(m[i].name, name))
			return i;
	ck_abort_msg("no member %s", name);
	return 0;
}

static int read_rows(struct array_result *r, struct ood_reader *reader,
		     const struct array_how *how, struct ood_err *err)
{
	size_t member = find_member(reader, how->member);
	struct ood_pick pick = {
		.kind = how->word ? OOD_PICK_WORD : OOD_PICK_REAL,
		.n = 1,
		.member = &member,
		.layout = how->layout,
	};
	struct ood_chunk chunk;
	int rc = ood_reader_bind(reader, &pick, 1, err);

	if (rc)
		return rc;
	r->cols = ood_reader_width(reader, 0);
	while (!(rc = ood_reader_next(reader, how->rows ? how->rows : 4096,
				      &chunk, err)) &&
	       chunk.n) {
		r->dtype = chunk.columns[0].view.dtype;
		for (size_t i = 0; i < chunk.n; i++)
			dump_row(r, &chunk.columns[0], i);
		r->rows += chunk.n;
	}
	if (!rc && ood_reader_rows(reader) != UINT64_MAX)
		ck_assert_uint_eq(r->rows, ood_reader_rows(reader));
	return rc;
}

static void read_path(struct array_result *r, const char *path,
		      struct pipe_feed *pipe, const struct array_how *how)
{
	struct ood_read read = { .max_bytes = how->max_bytes,
				 .input_format = how->input_format };
	struct ood_err err = { 0 };
	struct ood_reader *reader;
	char text[OOD_ERR_TEXT_MAX];

	r->code = ood_reader_open(&reader, path, &read, &err);
	if (pipe)
		pipe_release(pipe);
	if (!r->code)
		r->code = read_rows(r, reader, how, &err);
	if (r->code) {
		ood_err_text(&err, text, sizeof(text));
		/* Every refusal names the file first. */
		ck_assert_msg(!strncmp(text, path, strlen(path)), "%s", text);
		snprintf(r->error, sizeof(r->error), "%s", text + strlen(path));
		ck_assert_int_eq(r->code, (int)err.code);
	}
	ood_reader_close(reader);
}

void array_read(struct array_result *r, const void *bytes, size_t n,
		const struct array_how *how)
{
	struct ood_buf packed = { 0 };
	struct pipe_feed pipe;
	char path[256];

	memset(r, 0, sizeof(*r));
	if (how->gzip) {
		packed = gzip_of(bytes, n);
		bytes = packed.text;
		n = packed.n;
	}
	if (how->pipe) {
		pipe_make(&pipe, bytes, n);
		read_path(r, pipe.path, &pipe, how);
		pipe_drop(&pipe);
	} else {
		file_make(path, bytes, n);
		read_path(r, path, NULL, how);
		file_drop(path);
	}
	ood_buf_free(&packed);
}

void array_result_free(struct array_result *r)
{
	ood_buf_free(&r->dump);
}

static bool same_dump(const struct array_result *a,
		      const struct array_result *b)
{
	return a->dump.n == b->dump.n &&
	       (!a->dump.n || !memcmp(a->dump.text, b->dump.text, a->dump.n));
}

void array_read_all_ways(struct array_result *r, const struct ood_buf *file,
			 const struct array_how *how)
{
	static const size_t rows[] = { 4096, 7, 1 };

	array_read(r, file->text, file->n, how);
	for (unsigned way = 0; way < 9; way++) {
		struct array_how other = *how;
		struct array_result again;
		other.rows = rows[way % 3];
		other.pipe = way / 3 == 1;
		other.gzip = way / 3 == 2;
		array_read(&again, file->text, file->n, &other);
		ck_assert_msg(r->code == again.code, "way %u: \"%s\", \"%s\"",
			      way, r->error, again.error);
		ck_assert_msg(r->code || same_dump(r, &again), "way %u differs",
			      way);
		ck_assert(r->code || r->dtype == again.dtype);
		array_result_free(&again);
	}
}

void expect_rows(const struct ood_buf *file, const struct array_how *how,
		 const char *dump)
{
	struct array_result r;

	array_read_all_ways(&r, file, how);
	ck_assert_msg(!r.code, "refused: %s", r.error);
	ck_assert_str_eq(r.dump.text ? r.dump.text : "", dump);
	array_result_free(&r);
}

void expect_refusal(const struct ood_buf *file, const struct array_how *how,
		    const char *words)
{
	struct array_result r;

	array_read_all_ways(&r, file, how);
	ck_assert_msg(r.code == OOD_INPUT, "code %d: %s", r.code, r.error);
	ck_assert_msg(strstr(r.error, words) != NULL, "\"%s\" lacks \"%s\"",
		      r.error, words);
	array_result_free(&r);
}
