/*
 * test_source.c - bytes of files, pipes and gzip; formats told by content
 */
#include <check.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "array_file.h"
#include "core/err.h"
#include "io/source.h"

enum { LARGE = 700001 };

/* Bytes that neither repeat nor compress much. */
static struct ood_buf noise(size_t n)
{
	struct ood_buf b = { 0 };
	uint32_t x = 1;

	for (size_t i = 0; i < n; i++) {
		x = x * 1664525u + 1013904223u;
		ood_buf_char(&b, (char)(x >> 24));
	}
	b.text[0] = 'a';
	return b;
}

/* All of a source, asked for in pieces; the code of what went wrong. */
static int drain(const char *path, struct pipe_feed *pipe, size_t step,
		 struct ood_buf *out, struct ood_err *err)
{
	struct ood_source *src;
	char *piece = ood_malloc(step, 1);
	size_t got = 1;
	int rc = ood_source_open(&src, path, err);

	if (pipe)
		pipe_release(pipe);
	while (!rc && got) {
		rc = ood_source_read(src, piece, step, &got, err);
		if (!rc)
			ood_buf_add(out, piece, got);
	}
	ood_source_close(src);
	ood_free(piece);
	return rc;
}

static void same_bytes(const struct ood_buf *a, const struct ood_buf *b)
{
	ck_assert_uint_eq(a->n, b->n);
	ck_assert(!memcmp(a->text, b->text, a->n));
}

START_TEST(file_pipe_and_gzip_give_the_same_bytes)
{
	static const size_t steps[] = { 777, 65536, LARGE, LARGE + 1 };
	struct ood_buf plain = noise(LARGE);
	struct ood_buf packed = gzip_of(plain.text, plain.n);
	struct ood_err err;
	char path[256];

	for (size_t i = 0; i < 4 * OOD_COUNT(steps); i++) {
		const struct ood_buf *from = i & 1 ? &packed : &plain;
		struct ood_buf out = { 0 };
		struct pipe_feed pipe;
		int rc;
		if (i & 2) {
			pipe_make(&pipe, from->text, from->n);
			rc = drain(pipe.path, &pipe, steps[i / 4], &out, &err);
			pipe_drop(&pipe);
		} else {
			file_make(path, from->text, from->n);
			rc = drain(path, NULL, steps[i / 4], &out, &err);
			file_drop(path);
		}
		ck_assert_int_eq(rc, OOD_OK);
		same_bytes(&out, &plain);
		ood_buf_free(&out);
	}
	ood_buf_free(&plain);
	ood_buf_free(&packed);
}
END_TEST

START_TEST(peek_takes_nothing)
{
	struct ood_buf plain = noise(LARGE);
	struct ood_source *src;
	struct ood_err err;
	const char *at;
	char path[256], b[8];
	size_t got;

	file_make(path, plain.text, plain.n);
	ck_assert_int_eq(ood_source_open(&src, path, &err), 0);
	ck_assert_int_eq(ood_source_peek(src, 10, &at, &got, &err), 0);
	ck_assert_uint_ge(got, 10);
	ck_assert(!memcmp(at, plain.text, 10));
	ck_assert_int_eq(ood_source_read(src, b, 3, &got, &err), 0);
	ck_assert_int_eq(ood_source_peek(src, OOD_SOURCE_PEEK, &at, &got, &err),
			 0);
	ck_assert_uint_ge(got, OOD_SOURCE_PEEK);
	ck_assert(!memcmp(at, plain.text + 3, OOD_SOURCE_PEEK));
	ck_assert_int_eq(ood_source_read(src, b, 8, &got, &err), 0);
	ck_assert(!memcmp(b, plain.text + 3, 8));
	ck_assert_uint_eq(ood_source_size(src), LARGE);
	ck_assert_int_eq(ood_source_pread(src, b, 8, LARGE - 8, &err), 0);
	ck_assert(!memcmp(b, plain.text + LARGE - 8, 8));
	ck_assert_int_eq(ood_source_pread(src, b, 8, LARGE - 7, &err),
			 OOD_INPUT);
	ood_source_close(src);
	file_drop(path);
	ood_buf_free(&plain);
}
END_TEST

/* What a gzip file of these bytes gives. */
static int gunzip(const struct ood_buf *packed, struct ood_buf *out,
		  struct ood_err *err)
{
	char path[256];
	struct pipe_feed pipe;
	struct ood_buf again = { 0 };
	struct ood_err second;

	file_make(path, packed->text, packed->n);
	int rc = drain(path, NULL, 100, out, err);
	file_drop(path);
	pipe_make(&pipe, packed->text, packed->n);
	int rc2 = drain(pipe.path, &pipe, 4096, &again, &second);
	pipe_drop(&pipe);
	ck_assert_int_eq(rc, rc2);
	if (rc)
		ck_assert_str_eq(err->what, second.what);
	else
		same_bytes(out, &again);
	ood_buf_free(&again);
	return rc;
}

static void gunzip_refuses(const struct ood_buf *packed, const char *words)
{
	struct ood_buf out = { 0 };
	struct ood_err err;

	ck_assert_int_eq(gunzip(packed, &out, &err), OOD_INPUT);
	ck_assert_msg(strstr(err.what, words) != NULL, "%s", err.what);
	ood_buf_free(&out);
}

START_TEST(members_follow_each_other_and_zeros_may_end_them)
{
	struct ood_buf a = gzip_of("one\n", 4), b = gzip_of("two\n", 4),
		       none = gzip_of("", 0), out = { 0 };
	struct ood_err err;

	ood_buf_add(&a, none.text, none.n);
	ood_buf_add(&a, b.text, b.n);
	memset(ood_buf_reserve(&a, 600), 0, 600);
	a.n += 600;
	ck_assert_int_eq(gunzip(&a, &out, &err), OOD_OK);
	ck_assert_uint_eq(out.n, 8);
	ck_assert(!memcmp(out.text, "one\ntwo\n", 8));
	ood_buf_free(&a);
	ood_buf_free(&b);
	ood_buf_free(&none);
	ood_buf_free(&out);
}
END_TEST

START_TEST(gzip_cut_anywhere_is_refused)
{
	struct ood_buf a = gzip_of("a,b\n1,2\n3,4\n", 12);
	size_t whole = a.n;

	for (a.n = 1; a.n < whole; a.n++)
		gunzip_refuses(&a, "truncated gzip data");
	a.n = whole;
	ood_buf_add(&a, "\x1F", 1);
	gunzip_refuses(&a, "truncated gzip data");
	ood_buf_free(&a);
}
END_TEST

START_TEST(damaged_gzip_is_refused)
{
	struct ood_buf a = gzip_of("a,b\n1,2\n3,4\n", 12);

	a.text[a.n - 8] ^= 1;
	gunzip_refuses(&a, "(CRC mismatch)");
	a.text[a.n - 8] ^= 1;
	a.text[a.n - 1] ^= 1;
	gunzip_refuses(&a, "corrupt gzip data: incorrect length check");
	a.text[a.n - 1] ^= 1;
	a.text[2] = 7;
	gunzip_refuses(&a, "corrupt gzip data: unknown compression method");
	a.text[2] = 8;
	ood_buf_str(&a, "x");
	gunzip_refuses(&a, "bytes that are not gzip after the end");
	a.text[a.n - 1] = 0;
	ood_buf_str(&a, "x");
	gunzip_refuses(&a, "bytes that are not gzip after the end");
	a.n -= 2;
	ood_buf_str(&a, "\x1Fx");
	gunzip_refuses(&a, "bytes that are not gzip after the end");
	ood_buf_free(&a);
}
END_TEST

START_TEST(gzip_in_gzip_is_refused)
{
	struct ood_buf a = gzip_of("a,b\n", 4), b = gzip_of(a.text, a.n);

	gunzip_refuses(&b, "gzip inside gzip");
	ood_buf_free(&a);
	ood_buf_free(&b);
}
END_TEST

START_TEST(crc_is_that_of_the_file_as_it_is)
{
	struct ood_buf plain = noise(LARGE);
	struct ood_buf packed = gzip_of(plain.text, plain.n);
	uint32_t want = (uint32_t)crc32(0, (void *)packed.text, (uInt)packed.n);

	for (int piped = 0; piped < 2; piped++) {
		struct ood_source *src;
		struct pipe_feed pipe;
		struct ood_err err;
		uint32_t crc;
		char path[256], b[4096];
		size_t got = 1;
		if (piped)
			pipe_make(&pipe, packed.text, packed.n);
		else
			file_make(path, packed.text, packed.n);
		ck_assert_int_eq(
			ood_source_open(&src, piped ? pipe.path : path, &err),
			0);
		ood_source_want_crc(src);
		if (piped)
			pipe_release(&pipe);
		while (got)
			ck_assert_int_eq(
				ood_source_read(src, b, sizeof(b), &got, &err),
				0);
		ck_assert_int_eq(ood_source_crc(src, &crc, &err), 0);
		ck_assert_uint_eq(crc, want);
		ood_source_close(src);
		if (piped)
			pipe_drop(&pipe);
		else
			file_drop(path);
	}
	ood_buf_free(&plain);
	ood_buf_free(&packed);
}
END_TEST

START_TEST(missing_files_and_folders_are_system_errors)
{
	struct ood_source *src;
	struct ood_err err;
	char text[OOD_ERR_TEXT_MAX];

	ck_assert_int_eq(ood_source_open(&src, "/tmp/no such\x1b", &err),
			 OOD_SYSTEM);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)),
			 "/tmp/no such\\x1B: no such file");
	ck_assert_int_eq(ood_source_open(&src, "/tmp", &err), OOD_SYSTEM);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)),
			 "/tmp: is a folder, not a file");
}
END_TEST

/* ------------------------------------------------- by content --- */

static void content_refused(const void *bytes, size_t n, const char *words)
{
	struct array_result r;

	array_read(&r, bytes, n, &(struct array_how){ 0 });
	ck_assert_int_eq(r.code, OOD_INPUT);
	ck_assert_msg(strstr(r.error, words) != NULL, "\"%s\" lacks \"%s\"",
		      r.error, words);
	array_result_free(&r);
}

START_TEST(empty_and_blank_files_are_called_empty)
{
	content_refused("", 0, "is empty");
	content_refused("\n \r\n\t", 5, "is empty");
	content_refused("\xEF\xBB\xBF\n", 4, "is empty");
	struct array_result r;
	array_read(&r, "", 0, &(struct array_how){ .gzip = true });
	ck_assert_ptr_nonnull(strstr(r.error, "is empty"));
	array_read(&r, "", 0, &(struct array_how){ .pipe = true });
	ck_assert_ptr_nonnull(strstr(r.error, "is empty"));
}
END_TEST

START_TEST(formats_that_are_not_read_are_named)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *words;
	} cases[] = {
		{ "\x80\x02}q", 4,
		  "PyTorch or pickle file: loading it may run code, so it is "
		  "not read (in Python: np.save(\"logits.npy\", "
		  "t.float().cpu().numpy()))" },
		{ "\x80\x05\x95.", 4, "pickle" },
		{ "\x10\0\0\0\0\0\0\0{\"a\":1}", 15, "safetensors" },
		{ "\x89HDF\r\n\x1a\n....", 12, "HDF5" },
		{ "PAR1\x15\x04", 6, "Parquet" },
		{ "ARROW1\0\0", 8, "Arrow" },
		{ "MATLAB 5.0 MAT-file, Platform", 29, "MATLAB" },
		{ "\x28\xB5\x2F\xFD....", 8, "zstd -dc" },
		{ "\xFD"
		  "7zXZ\0",
		  6, "xz -dc" },
		{ "BZh91AY&SY..", 12, "bzip2 -dc" },
		{ "\xFF\xFE"
		  "1\0",
		  4, "UTF-16" },
		{ "\xFE\xFF\0"
		  "1",
		  4, "UTF-16" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		content_refused(cases[i].bytes, cases[i].n, cases[i].words);
}
END_TEST

START_TEST(text_that_begins_like_another_format_is_text)
{
	static const char *const texts[] = { "PAR1,PAR2\n1,2\n",
					     "BZh1,b\n1,2\n",
					     "ARROW1,b\n1,2\n" };
	struct array_result r;

	for (size_t i = 0; i < OOD_COUNT(texts); i++) {
		array_read(&r, texts[i], strlen(texts[i]),
			   &(struct array_how){ 0 });
		ck_assert_msg(!r.code, "%s", r.error);
		array_result_free(&r);
	}
}
END_TEST

START_TEST(a_named_format_must_be_the_one_there)
{
	struct ood_buf npy = npy_of(
		1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 1)}",
		"", 0);
	struct array_result r;

	array_read(&r, npy.text, npy.n,
		   &(struct array_how){ .input_format = "csv" });
	ck_assert_int_eq(r.code, OOD_INPUT);
	ck_assert_str_eq(r.error, ": is npy, not csv as --input-format says");
	array_read(&r, "a\n1\n", 4,
		   &(struct array_how){ .input_format = "npz" });
	ck_assert_int_eq(r.code, OOD_INPUT);
	array_read(&r, "a\n1\n", 4,
		   &(struct array_how){ .input_format = "hdf" });
	ck_assert_int_eq(r.code, OOD_USAGE);
	ck_assert_ptr_nonnull(strstr(r.error, "npy, npz, json, jsonl, csv"));
	ood_buf_free(&npy);
}
END_TEST

Suite *suite_source(void);

Suite *suite_source(void)
{
	Suite *s = suite_create("source");
	TCase *t = tcase_create("source");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, file_pipe_and_gzip_give_the_same_bytes);
	tcase_add_test(t, peek_takes_nothing);
	tcase_add_test(t, members_follow_each_other_and_zeros_may_end_them);
	tcase_add_test(t, gzip_cut_anywhere_is_refused);
	tcase_add_test(t, damaged_gzip_is_refused);
	tcase_add_test(t, gzip_in_gzip_is_refused);
	tcase_add_test(t, crc_is_that_of_the_file_as_it_is);
	tcase_add_test(t, missing_files_and_folders_are_system_errors);
	tcase_add_test(t, empty_and_blank_files_are_called_empty);
	tcase_add_test(t, formats_that_are_not_read_are_named);
	tcase_add_test(t, text_that_begins_like_another_format_is_text);
	tcase_add_test(t, a_named_format_must_be_the_one_there);
	suite_add_tcase(s, t);
	return s;
}
