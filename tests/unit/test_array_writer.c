/*
 * test_array_writer.c - NPY and NPZ files written by us
 *
 * Headers are compared with the bytes that numpy.lib.format 1.24 writes, but
 * for the padding to 128; the rest is read back by the reader.
 */
#include <check.h>
#include <stdio.h>
#include <unistd.h>

#include "array_file.h"
#include "core/err.h"
#include "io/writer.h"

static const double ab[] = { 1, 2, -0.5, INFINITY, 3, 4 };
static const int64_t pred[] = { 5, -7, 9007199254740993 };
static const struct ood_span words[] = { { "x", 1 },
					 { "\xC3\xA9\xF0\x9F\x98\x80", 6 },
					 { "", 0 } };
static const struct ood_span numbers[] = { { "3", 1 },
					   { "-1", 2 },
					   { "12", 2 } };
static const uint8_t blank[] = { 0, 1, 0 };

static const struct ood_field fields[] = {
	{ .name = "id", .kind = OOD_FIELD_WORD },
	{ .name = "label", .kind = OOD_FIELD_WORD, .bare = true },
	{ .name = "pred", .kind = OOD_FIELD_INT },
	{ .name = "msp", .kind = OOD_FIELD_REAL, .score = true },
	{ .name = "energy", .kind = OOD_FIELD_REAL, .score = true },
};

static const struct ood_cells cells[] = {
	{ .words = words },
	{ .words = numbers },
	{ .ints = pred },
	{ .reals = ab, .stride = 2 },
	{ .reals = ab + 1, .stride = 2 },
};

/* Writes three rows of these to a temporary file or a pipe; its bytes. */
static struct ood_buf written(const char *format, uint64_t rows, bool piped,
			      const struct ood_cells *what, unsigned ndim)
{
	struct ood_writer_options o = { .format = ood_format_find(format),
					.rows = rows,
					.ndim = ndim,
					.shape = { 1, 1, 3 } };
	struct ood_writer *writer;
	struct ood_sink *sink;
	struct ood_err err = { 0 };
	char path[256], piece[65536], name[32];
	struct ood_buf b = { 0 };
	int ends[2];

	file_make(path, "", 0);
	ck_assert_int_eq(pipe(ends), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
	ck_assert_int_eq(ood_sink_open(&sink, piped ? name : path, &err), 0);
	close(ends[1]);
	int rc = ood_writer_open(&writer, sink, &o, fields, 5, &err);
	if (!rc)
		rc = ood_writer_put(writer, 3, what, &err);
	if (!rc)
		rc = ood_writer_finish(writer, &err);
	ck_assert_msg(!rc, "%s", err.what);
	ck_assert_int_eq(ood_sink_commit(sink, &err), 0);
	if (piped)
		ood_buf_add(&b, piece,
			    (size_t)read(ends[0], piece, sizeof(piece)));
	else
		b = file_bytes(path);
	close(ends[0]);
	file_drop(path);
	return b;
}

START_TEST(npy_is_the_same_with_rows_known_or_not_and_to_a_pipe)
{
	static const char head[] =
		"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': "
		"False, 'shape': (3, 2), }";
	struct ood_buf known = written("npy", 3, false, cells, 0);

	ck_assert_uint_eq(known.n, 128 + sizeof(ab));
	ck_assert(!memcmp(known.text, head, sizeof(head) - 1));
	ck_assert_int_eq(known.text[127], '\n');
	ck_assert(!memcmp(known.text + 128, ab, sizeof(ab)));
	for (int way = 0; way < 3; way++) {
		struct ood_buf other =
			written("npy", way ? UINT64_MAX : 3, way < 2, cells, 0);
		ck_assert_uint_eq(other.n, known.n);
		ck_assert(!memcmp(other.text, known.text, known.n));
		ood_buf_free(&other);
	}
	expect_rows(&known, &(struct array_how){ 0 }, "1 2\n-0.5 inf\n3 4\n");
	ood_buf_free(&known);
}
END_TEST

START_TEST(npy_takes_columns_from_anywhere_and_blanks_as_nan)
{
	const double other[] = { 7, 8, 9 };
	struct ood_cells c[5];

	memcpy(c, cells, sizeof(c));
	c[4] = (struct ood_cells){ .reals = other,
				   .stride = 1,
				   .blank = blank };
	struct ood_buf b = written("npy", 3, false, c, 0);
	expect_rows(&b, &(struct array_how){ 0 }, "1 7\n-0.5 nan\n3 9\n");
	ood_buf_free(&b);
}
END_TEST

START_TEST(maps_keep_the_shape_of_the_image)
{
	struct ood_buf b = written("npy", UINT64_MAX, false, cells, 3);

	ck_assert_ptr_nonnull(strstr(b.text + 10, "'shape': (1, 1, 3, 2), }"));
	expect_rows(&b, &(struct array_how){ .layout = "nhwc" },
		    "1 2\n-0.5 inf\n3 4\n");
	ood_buf_free(&b);
	b = written("npz", UINT64_MAX, false, cells, 3);
	expect_rows(&b,
		    &(struct array_how){ .member = "scores.msp",
					 .word = true,
					 .layout = "nhwc" },
		    "1\n-0.5\n3\n");
	ood_buf_free(&b);
}
END_TEST

START_TEST(npz_holds_every_field_in_its_type)
{
	static const char *const members[][2] = {
		{ "id", "x\n\xC3\xA9\xF0\x9F\x98\x80\n\n" },
		{ "label", "3\n-1\n12\n" },
		{ "pred", "5\n-7\n9007199254740993\n" },
		{ "scores.msp", "1\n-0.5\n3\n" },
		{ "scores.energy", "2\ninf\n4\n" },
	};
	struct ood_buf b = written("npz", 3, false, cells, 0);
	struct ood_buf again = written("npz", UINT64_MAX, true, cells, 0);

	for (size_t i = 0; i < OOD_COUNT(members); i++)
		expect_rows(&b,
			    &(struct array_how){ .member = members[i][0],
						 .word = true },
			    members[i][1]);
	ck_assert_uint_eq(b.n, again.n);
	ck_assert(!memcmp(b.text, again.text, b.n));
	ood_buf_free(&b);
	ood_buf_free(&again);
}
END_TEST

START_TEST(npz_keeps_labels_that_are_no_plain_integers_as_text)
{
	static const struct ood_span odd[] = { { "007", 3 },
					       { "1", 1 },
					       { "2", 1 } };
	struct ood_cells c[5];

	memcpy(c, cells, sizeof(c));
	c[1] = (struct ood_cells){ .words = odd };
	c[2].blank = blank;
	struct ood_buf b = written("npz", 3, false, c, 0);
	expect_rows(&b, &(struct array_how){ .member = "label", .word = true },
		    "007\n1\n2\n");
	expect_rows(&b, &(struct array_how){ .member = "pred", .word = true },
		    "5\nnan\n9007199254740992\n");
	ood_buf_free(&b);
}
END_TEST

START_TEST(words_that_are_not_utf8_do_not_go_into_an_npz)
{
	static const struct ood_span latin[] = { { "\xE9", 1 } };
	const struct ood_field id = { .name = "id", .kind = OOD_FIELD_WORD };
	const struct ood_cells c = { .words = latin };
	struct ood_writer_options o = { .format = ood_format_find("npz"),
					.rows = 1 };
	struct ood_writer *writer;
	struct ood_sink *sink;
	struct ood_err err;

	ck_assert_int_eq(ood_sink_open(&sink, "/dev/null", &err), 0);
	ck_assert_int_eq(ood_writer_open(&writer, sink, &o, &id, 1, &err), 0);
	ck_assert_int_eq(ood_writer_put(writer, 1, &c, &err), OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(err.what, "id \"\\xE9\" is not UTF-8"));
	ood_writer_abandon(writer);
	o.format = ood_format_find("npy");
	ck_assert_int_eq(ood_writer_open(&writer, sink, &o, &id, 1, &err),
			 OOD_USAGE);
	ood_sink_abandon(sink);
}
END_TEST

START_TEST(models_are_archives_that_read_back)
{
	static const char meta[] = "{\"a\":1}";
	const struct ood_npz_array arrays[] = {
		{ "0/mean", OOD_F8, 2, { 3, 2 }, ab },
		{ "0/n", OOD_I8, 1, { 3 }, pred },
		{ "meta.json", OOD_U1, 1, { sizeof(meta) - 1 }, meta },
		{ "none", OOD_F8, 2, { 0, 2 }, ab },
	};
	struct ood_sink *sink;
	struct ood_err err;
	char path[256];

	file_make(path, "", 0);
	ck_assert_int_eq(ood_sink_open(&sink, path, &err), 0);
	ck_assert_int_eq(ood_npz_write(sink, arrays, 4, &err), 0);
	ck_assert_int_eq(ood_sink_commit(sink, &err), 0);
	struct ood_buf b = file_bytes(path);
	expect_rows(&b, &(struct array_how){ .member = "0/mean" },
		    "1 2\n-0.5 inf\n3 4\n");
	expect_rows(&b, &(struct array_how){ .member = "0/n", .word = true },
		    "5\n-7\n9007199254740993\n");
	expect_rows(&b, &(struct array_how){ .member = "none" }, "");
	/* Stored, and not as an array: its text stands in the file. */
	expect_rows(&b,
		    &(struct array_how){ .member = "meta.json", .word = true },
		    "123\n34\n97\n34\n58\n49\n125\n");
	ood_buf_free(&b);
	file_drop(path);
}
END_TEST

Suite *suite_array_writer(void);

Suite *suite_array_writer(void)
{
	Suite *s = suite_create("array_writer");
	TCase *t = tcase_create("array_writer");

	tcase_add_test(t, npy_is_the_same_with_rows_known_or_not_and_to_a_pipe);
	tcase_add_test(t, npy_takes_columns_from_anywhere_and_blanks_as_nan);
	tcase_add_test(t, maps_keep_the_shape_of_the_image);
	tcase_add_test(t, npz_holds_every_field_in_its_type);
	tcase_add_test(t, npz_keeps_labels_that_are_no_plain_integers_as_text);
	tcase_add_test(t, words_that_are_not_utf8_do_not_go_into_an_npz);
	tcase_add_test(t, models_are_archives_that_read_back);
	suite_add_tcase(s, t);
	return s;
}
