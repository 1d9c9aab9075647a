/*
 * test_array.c - rows of NPY arrays: types, orders, layouts, vectors
 */
#include <check.h>
#include <stdio.h>

#include "array_file.h"
#include "core/err.h"
#include "core/num.h"
#include "io/widen.h"

#define F4_2X3 "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"

static const float six[] = { 1, -2.5F, 3, 4, 5, 6 };
static const char six_rows[] = "1 -2.5 3\n4 5 6\n";

/* The bytes of a value in a type and either order. */
static void put_value(struct ood_buf *b, const void *x, size_t size, bool big)
{
	const char *at = x;

	for (size_t i = 0; i < size; i++)
		ood_buf_char(b, at[big ? size - 1 - i : i]);
}

START_TEST(all_real_types_in_both_orders_widen_exactly)
{
	const uint16_t half[] = { 0x7BFF, 0x8001, 0xC500 };
	const float f4[] = { 0.1F, -1e-45F, 3e38F };
	const double f8[] = { 0.1, -5e-324, 1e308 };
	const int16_t i2[] = { -32768, 0, 32767 };
	const int32_t i4[] = { INT32_MIN, 0, INT32_MAX };
	const int64_t i8[] = { -((int64_t)1 << 53), 3, (int64_t)1 << 62 };
	const uint16_t u2[] = { 0, 1, 65535 };
	const uint32_t u4[] = { 0, 1, UINT32_MAX };
	const uint64_t u8[] = { 0, 1, (uint64_t)1 << 63 };
	const int8_t i1[] = { -128, 0, 127 };
	const uint8_t u1[] = { 0, 1, 255 };
	const struct {
		const char *descr;
		const void *x;
		size_t size;
		const char *rows;
		enum ood_dtype to;
	} types[] = {
		{ "f2", half, 2, "65504 -5.960464477539063e-8 -5\n", OOD_F4 },
		{ "f4", f4, 4,
		  "0.10000000149011612 -1.401298464324817e-45 "
		  "3.0000000054977558e38\n",
		  OOD_F4 },
		{ "f8", f8, 8, "0.1 -5e-324 1e308\n", OOD_F8 },
		{ "i1", i1, 1, "-128 0 127\n", OOD_F4 },
		{ "i2", i2, 2, "-32768 0 32767\n", OOD_F4 },
		{ "i4", i4, 4, "-2147483648 0 2147483647\n", OOD_F8 },
		{ "i8", i8, 8, "-9007199254740992 3 4611686018427388000\n",
		  OOD_F8 },
		{ "u1", u1, 1, "0 1 255\n", OOD_F4 },
		{ "u2", u2, 2, "0 1 65535\n", OOD_F4 },
		{ "u4", u4, 4, "0 1 4294967295\n", OOD_F8 },
		{ "u8", u8, 8, "0 1 9223372036854775808\n", OOD_F8 },
	};
	char header[128], want[160];

	for (size_t i = 0; i < OOD_COUNT(types) * 2; i++) {
		bool big = i % 2;
		size_t t = i / 2;
		struct ood_buf data = { 0 };
		for (size_t k = 0; k < 3; k++)
			put_value(&data,
				  (const char *)types[t].x + k * types[t].size,
				  types[t].size, big);
		snprintf(header, sizeof(header),
			 "{'descr': '%c%s', 'fortran_order': False, 'shape': "
			 "(1, 3)}",
			 big ? '>' : '<', types[t].descr);
		struct ood_buf file = npy_of(1, header, data.text, data.n);
		struct array_result r;
		array_read_all_ways(&r, &file, &(struct array_how){ 0 });
		/* Through our own shortest digits, in either notation. */
		snprintf(want, sizeof(want), "%s", types[t].rows);
		ck_assert_msg(r.code == 0, "%s: %s", header, r.error);
		ck_assert_int_eq(r.dtype, types[t].to);
		const char *got = r.dump.text, *stop = NULL, *wanted = want;
		for (int k = 0; k < 3; k++) {
			double a, b;
			ood_num_scan_text(got, got + strlen(got), '.', &stop,
					  &a);
			got = stop + 1;
			ood_num_scan_text(wanted, wanted + strlen(wanted), '.',
					  &stop, &b);
			wanted = stop + 1;
			ck_assert_msg(a == b, "%s", header);
		}
		array_result_free(&r);
		ood_buf_free(&file);
		ood_buf_free(&data);
	}
}
END_TEST

START_TEST(integers_that_a_double_does_not_hold_are_refused)
{
	const int64_t x[] = { 1, 2, 3, 9007199254740993 };
	struct ood_buf file = npy_of(
		1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2)}",
		x, sizeof(x));

	expect_refusal(&file, &(struct array_how){ 0 },
		       "row 2, column 2: integer 9007199254740993 is not "
		       "exact");
	ood_buf_free(&file);
	const uint64_t y[] = { 1, UINT64_MAX };
	file = npy_of(1,
		      "{'descr': '<u8', 'fortran_order': False, 'shape': (2,)}",
		      y, sizeof(y));
	expect_refusal(&file, &(struct array_how){ .word = true },
		       "row 2, column 1: integer 18446744073709551615 is "
		       "larger than 2^63 - 1");
	ood_buf_free(&file);
}
END_TEST

START_TEST(halves_agree_with_the_scalar_conversion)
{
	for (uint32_t h = 0; h < 65536; h++) {
		uint16_t bits = (uint16_t)h;
		float x, y = ood_num_half(bits);
		ood_widen(OOD_F2, false, &bits, 1, OOD_F4, &x);
		ck_assert(x == y || (isnan(x) && isnan(y)));
		ck_assert(!signbit(x) == !signbit(y));
	}
}
END_TEST

START_TEST(fortran_order_is_transposed)
{
	static const float columns[] = { 1, 4, -2.5F, 5, 3, 6 };
	struct ood_buf file = npy_of(
		1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}",
		columns, sizeof(columns));

	expect_rows(&file, &(struct array_how){ 0 }, six_rows);
	ood_buf_free(&file);
}
END_TEST

START_TEST(a_stream_in_fortran_order_is_held_up_to_max_bytes)
{
	struct ood_buf file = npy_of(
		1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}",
		six, sizeof(six));
	struct array_how how = { .pipe = true, .max_bytes = 23 };
	struct array_result r;

	array_read(&r, file.text, file.n, &how);
	ck_assert_int_eq(r.code, OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(r.error, "--max-bytes 23"));
	how.max_bytes = 24;
	array_result_free(&r);
	array_read(&r, file.text, file.n, &how);
	ck_assert_int_eq(r.code, OOD_OK);
	array_result_free(&r);
	ood_buf_free(&file);
}
END_TEST

/* One image of 2 classes, 2 rows, 3 columns: class c, y, x is 100c + 10y + x;
 * a second adds 1000. */
static void fill_pixels(float *to, const char *layout)
{
	const size_t size[] = { ['n'] = 2, ['c'] = 2, ['y'] = 2, ['x'] = 3 };
	const float weight[] = {
		['n'] = 1000, ['c'] = 100, ['y'] = 10, ['x'] = 1
	};
	size_t total = 1;

	for (const char *a = layout; *a; a++)
		total *= size[(int)*a];
	for (size_t i = 0; i < total; i++) {
		size_t left = i;
		to[i] = 0;
		for (size_t k = strlen(layout); k-- > 0;) {
			int a = layout[k];
			to[i] += (float)(left % size[a]) * weight[a];
			left /= size[a];
		}
	}
}

START_TEST(layouts_make_pixels_into_rows)
{
	static const struct {
		const char *layout, *axes, *shape;
		bool images;
	} cases[] = {
		{ "chw", "cyx", "(2, 2, 3)", false },
		{ "hwc", "yxc", "(2, 3, 2)", false },
		{ "nchw", "ncyx", "(2, 2, 2, 3)", true },
		{ "nhwc", "nyxc", "(2, 2, 3, 2)", true },
	};
	static const char one[] = "0 100\n1 101\n2 102\n10 110\n11 111\n"
				  "12 112\n";
	static const char two[] = "1000 1100\n1001 1101\n1002 1102\n"
				  "1010 1110\n1011 1111\n1012 1112\n";
	char header[128], want[256];
	float data[24];

	for (size_t i = 0; i < OOD_COUNT(cases) * 2; i++) {
		size_t c = i / 2;
		char axes[8] = "";
		bool fortran = i % 2;
		size_t n = strlen(cases[c].axes);
		/* In Fortran order the first axis runs fastest. */
		for (size_t k = 0; k < n; k++)
			axes[k] = cases[c].axes[fortran ? n - 1 - k : k];
		fill_pixels(data, axes);
		snprintf(header, sizeof(header),
			 "{'descr': '<f4', 'fortran_order': %s, 'shape': %s}",
			 fortran ? "True" : "False", cases[c].shape);
		snprintf(want, sizeof(want), "%s%s", one,
			 cases[c].images ? two : "");
		struct ood_buf file =
			npy_of(1, header, data, cases[c].images ? 96 : 48);
		expect_rows(&file,
			    &(struct array_how){ .layout = cases[c].layout },
			    want);
		ood_buf_free(&file);
	}
}
END_TEST

START_TEST(maps_of_labels_are_vectors_of_pixels)
{
	static const uint8_t labels[] = { 1, 2, 3, 4, 5, 6 };
	static const char want[] = "1\n2\n3\n4\n5\n6\n";
	static const char *const cases[][2] = {
		{ "chw", "(2, 3)" },	    { "hwc", "(2, 3)" },
		{ "chw", "(1, 2, 3)" },	    { "nchw", "(1, 2, 3)" },
		{ "nhwc", "(2, 1, 3)" },    { "nchw", "(2, 1, 1, 3)" },
		{ "nhwc", "(1, 2, 3, 1)" }, { "nchw", "(6,)" },
	};
	char header[128];

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		struct array_how how = { .word = true, .layout = cases[i][0] };
		snprintf(header, sizeof(header),
			 "{'descr': '|u1', 'fortran_order': False, 'shape': "
			 "%s}",
			 cases[i][1]);
		struct ood_buf file = npy_of(1, header, labels, 6);
		expect_rows(&file, &how, want);
		ood_buf_free(&file);
	}
}
END_TEST

START_TEST(layouts_that_do_not_fit_are_refused)
{
	struct ood_buf file = npy_of(1, F4_2X3, six, sizeof(six));
	struct array_result r;

	expect_refusal(&file, &(struct array_how){ .layout = "chw" },
		       "2-d array of shape (2, 3) where three axes");
	array_read(&r, file.text, file.n,
		   &(struct array_how){ .layout = "mnc" });
	ck_assert_int_eq(r.code, OOD_USAGE);
	array_read(&r, file.text, file.n,
		   &(struct array_how){ .layout = "cwh" });
	ck_assert_int_eq(r.code, OOD_USAGE);
	expect_refusal(&file, &(struct array_how){ .word = true },
		       "one value a row");
	ood_buf_free(&file);
}
END_TEST

START_TEST(vectors_keep_integers_reals_and_words)
{
	static const int64_t ints[] = { -1, 9007199254740993 };
	static const uint32_t text[] = { 'a', 0xE9, 0, 0x1F600, 0, 0 };
	struct array_how word = { .word = true };
	struct ood_buf file = npy_of(
		1, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}",
		ints, sizeof(ints));

	expect_rows(&file, &word, "-1\n9007199254740993\n");
	ood_buf_free(&file);
	file = npy_of(
		1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 1)}",
		six, sizeof(six));
	expect_rows(&file, &word, "1\n-2.5\n3\n4\n5\n6\n");
	ood_buf_free(&file);
	file = npy_of(1,
		      "{'descr': '<U3', 'fortran_order': False, 'shape': (2,)}",
		      text, sizeof(text));
	expect_rows(&file, &word, "a\xC3\xA9\n\xF0\x9F\x98\x80\n");
	ood_buf_free(&file);
	file = npy_of(1,
		      "{'descr': '|S3', 'fortran_order': False, 'shape': (2,)}",
		      "cat\0\0\0", 6);
	expect_rows(&file, &word, "cat\n\n");
	ood_buf_free(&file);
	file = npy_of(1,
		      "{'descr': '?', 'fortran_order': False, 'shape': (3,)}",
		      "\0\1\1", 3);
	expect_rows(&file, &word, "0\n1\n1\n");
	ood_buf_free(&file);
}
END_TEST

START_TEST(characters_that_are_none_are_refused_with_their_row)
{
	static const uint32_t text[] = { 'a', 0x110000, 0xD800 };
	struct ood_buf file = npy_of(
		1, "{'descr': '<U1', 'fortran_order': False, 'shape': (3,)}",
		text, sizeof(text));

	expect_refusal(&file, &(struct array_how){ .word = true },
		       "row 2: U+110000 is not a character");
	ood_buf_free(&file);
}
END_TEST

/* Larger than all inner buffers, with every value known. */
START_TEST(large_arrays_agree_in_blocks_and_streams)
{
	enum { ROWS = 4001, COLS = 33 };
	float *x = ood_malloc(ROWS * COLS, sizeof(*x));
	struct array_result r;

	for (int i = 0; i < ROWS * COLS; i++)
		x[i] = (float)i;
	for (int fortran = 0; fortran < 2; fortran++) {
		struct ood_buf file = npy_of(
			1,
			fortran ? "{'descr': '<f4', 'fortran_order': True, "
				  "'shape': (4001, 33)}"
				: "{'descr': '<f4', 'fortran_order': False, "
				  "'shape': (4001, 33)}",
			x, ROWS * COLS * sizeof(*x));
		array_read_all_ways(&r, &file, &(struct array_how){ 0 });
		ck_assert_uint_eq(r.rows, ROWS);
		char last[32], *end = r.dump.text + r.dump.n;
		snprintf(last, sizeof(last), " %d\n", ROWS * COLS - 1);
		ck_assert_str_eq(end - strlen(last), last);
		array_result_free(&r);
		ood_buf_free(&file);
	}
	ood_free(x);
}
END_TEST

START_TEST(place_names_row_and_column_of_the_file)
{
	struct ood_buf file = npy_of(1, F4_2X3, six, sizeof(six));
	struct ood_read read = { 0 };
	struct ood_err err = { 0 };
	struct ood_reader *reader;
	struct ood_chunk chunk;
	size_t member = 0;
	struct ood_pick pick = { .n = 1, .member = &member };
	char path[256], text[OOD_ERR_TEXT_MAX];

	file_make(path, file.text, file.n);
	ck_assert_int_eq(ood_reader_open(&reader, path, &read, &err), 0);
	ck_assert_str_eq(ood_reader_format(reader), "npy");
	ck_assert_int_eq(ood_reader_bind(reader, &pick, 1, &err), 0);
	ck_assert_int_eq(ood_reader_next(reader, 1, &chunk, &err), 0);
	ck_assert_int_eq(ood_reader_next(reader, 1, &chunk, &err), 0);
	ck_assert_uint_eq((uintptr_t)chunk.columns[0].view.data % 64, 0);
	ood_fail(&err, OOD_INPUT, "found inf");
	ood_reader_place(reader, 0, 0, 2, &err);
	ood_err_text(&err, text, sizeof(text));
	ck_assert_str_eq(text + strlen(path), ": row 2, column 3: found inf");
	ood_reader_close(reader);
	file_drop(path);
	ood_buf_free(&file);
}
END_TEST

Suite *suite_array(void);

Suite *suite_array(void)
{
	Suite *s = suite_create("array");
	TCase *t = tcase_create("array");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, all_real_types_in_both_orders_widen_exactly);
	tcase_add_test(t, integers_that_a_double_does_not_hold_are_refused);
	tcase_add_test(t, halves_agree_with_the_scalar_conversion);
	tcase_add_test(t, fortran_order_is_transposed);
	tcase_add_test(t, a_stream_in_fortran_order_is_held_up_to_max_bytes);
	tcase_add_test(t, layouts_make_pixels_into_rows);
	tcase_add_test(t, maps_of_labels_are_vectors_of_pixels);
	tcase_add_test(t, layouts_that_do_not_fit_are_refused);
	tcase_add_test(t, vectors_keep_integers_reals_and_words);
	tcase_add_test(t, characters_that_are_none_are_refused_with_their_row);
	tcase_add_test(t, large_arrays_agree_in_blocks_and_streams);
	tcase_add_test(t, place_names_row_and_column_of_the_file);
	suite_add_tcase(s, t);
	return s;
}
