/*
 * test_npz.c - archives of arrays, good and hostile
 */
#include <check.h>
#include <stdio.h>

#include "array_file.h"
#include "core/err.h"

#define F4_2X3 "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"

static const float six[] = { 1, -2.5F, 3, 4, 5, 6 };
static const char six_rows[] = "1 -2.5 3\n4 5 6\n";

static struct ood_buf the_array(void)
{
	return npy_of(1, F4_2X3, six, sizeof(six));
}

/* Archives with the array as their first member, which p changes. */
static struct ood_buf archive(struct zip_part p)
{
	struct ood_buf npy = the_array();

	p.name = p.name ? p.name : "logits.npy";
	p.data = npy.text;
	p.n = npy.n;
	struct zip_part parts[] = {
		p, { .name = "meta.json", .data = "{}", .n = 2 }
	};
	struct ood_buf zip = zip_of(parts, 2);
	ood_buf_free(&npy);
	return zip;
}

static void accepts(struct zip_part p)
{
	struct ood_buf zip = archive(p);

	expect_rows(&zip, &(struct array_how){ .member = "logits" }, six_rows);
	ood_buf_free(&zip);
}

static void refuses(struct zip_part p, const char *words)
{
	struct ood_buf zip = archive(p);

	expect_refusal(&zip, &(struct array_how){ 0 }, words);
	ood_buf_free(&zip);
}

START_TEST(stored_and_deflated_members_are_read)
{
	accepts((struct zip_part){ 0 });
	accepts((struct zip_part){ .deflated = true });
	accepts((struct zip_part){ .descriptor = true });
	accepts((struct zip_part){ .deflated = true, .descriptor = true });
	accepts((struct zip_part){ .zip64 = true });
	accepts((struct zip_part){ .deflated = true, .zip64 = true });
}
END_TEST

START_TEST(methods_and_encryption_are_refused_by_name)
{
	refuses((struct zip_part){ .method = 12 },
		"[logits]: compressed by method 12 (bzip2)");
	refuses((struct zip_part){ .method = 93 }, "method 93 (zstd)");
	refuses((struct zip_part){ .flags = 1 }, "[logits]: encrypted member");
}
END_TEST

START_TEST(wrong_checksums_are_refused)
{
	refuses((struct zip_part){ .crc = 1 }, "[logits]: CRC mismatch");
	refuses((struct zip_part){ .crc = 1, .deflated = true },
		"[logits]: CRC mismatch");
}
END_TEST

START_TEST(rows_not_read_in_order_are_checked_too)
{
	struct ood_buf npy = npy_of(
		1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}",
		six, sizeof(six));
	struct zip_part p = { .name = "x.npy", .data = npy.text, .n = npy.n };
	struct ood_buf zip = zip_of(&p, 1);

	expect_rows(&zip, &(struct array_how){ 0 }, "1 3 5\n-2.5 4 6\n");
	ood_buf_free(&zip);
	p.crc = 1;
	zip = zip_of(&p, 1);
	expect_refusal(&zip, &(struct array_how){ 0 }, "CRC mismatch");
	ood_buf_free(&zip);
	ood_buf_free(&npy);
}
END_TEST

START_TEST(claimed_sizes_are_not_believed)
{
	refuses((struct zip_part){ .size = 4000000000u },
		"a stored member of 93 bytes claims a size of 4000000000");
	refuses((struct zip_part){ .size = 4000000000u, .deflated = true },
		"[logits]: claims a size of 4000000000 bytes, too large");
	refuses((struct zip_part){ .size = 94, .deflated = true },
		"size mismatch: the member claims 94 bytes and unpacks to 93");
	refuses((struct zip_part){ .size = 92, .deflated = true }, "truncated");
}
END_TEST

START_TEST(places_outside_and_overlaps_are_refused)
{
	struct ood_buf npy = the_array();

	refuses((struct zip_part){ .shift = 100000 }, "outside the file");
	refuses((struct zip_part){ .shift = 1 }, "no header of member");
	struct zip_part twice[] = {
		{ .name = "a.npy", .data = npy.text, .n = npy.n },
		{ .name = "b.npy", .data = npy.text, .n = npy.n },
	};
	twice[1].shift = -(int64_t)(30 + strlen("a.npy") + npy.n);
	struct ood_buf zip = zip_of(twice, 2);
	expect_refusal(&zip, &(struct array_how){ 0 }, "members overlap");
	ood_buf_free(&zip);
	ood_buf_free(&npy);
}
END_TEST

START_TEST(equal_names_are_refused)
{
	struct ood_buf npy = the_array();
	struct zip_part twice[] = {
		{ .name = "a\n.npy", .data = npy.text, .n = npy.n },
		{ .name = "a\n.npy", .data = npy.text, .n = npy.n },
	};
	struct ood_buf zip = zip_of(twice, 2);

	expect_refusal(&zip, &(struct array_how){ 0 },
		       "two members are named a\\n.npy");
	ood_buf_free(&zip);
	ood_buf_free(&npy);
}
END_TEST

START_TEST(an_archive_cut_anywhere_is_refused)
{
	struct ood_buf zip = archive((struct zip_part){ .deflated = true });

	for (size_t whole = zip.n; zip.n > whole - 40; zip.n--)
		if (zip.n != whole)
			expect_refusal(&zip, &(struct array_how){ 0 },
				       "truncated, its directory is missing");
	zip.n = 5;
	expect_refusal(&zip, &(struct array_how){ 0 }, "corrupt ZIP archive");
	ood_buf_free(&zip);
}
END_TEST

START_TEST(damaged_packed_data_are_refused)
{
	struct ood_buf zip = archive((struct zip_part){ .deflated = true });

	for (size_t i = 40; i < 80; i += 7) {
		struct array_result r;
		zip.text[i] ^= 0x55;
		array_read(&r, zip.text, zip.n, &(struct array_how){ 0 });
		ck_assert_msg(r.code == OOD_INPUT, "byte %zu", i);
		array_result_free(&r);
		zip.text[i] ^= 0x55;
	}
	ood_buf_free(&zip);
}
END_TEST

START_TEST(bytes_after_the_array_of_a_member_are_refused)
{
	struct ood_buf npy = the_array();

	ood_buf_str(&npy, "xyz");
	for (int deflated = 0; deflated < 2; deflated++) {
		struct zip_part p = { .name = "logits.npy",
				      .data = npy.text,
				      .n = npy.n,
				      .deflated = deflated };
		struct ood_buf zip = zip_of(&p, 1);
		expect_refusal(&zip, &(struct array_how){ 0 },
			       "bytes after the array");
		ood_buf_free(&zip);
	}
	ood_buf_free(&npy);
}
END_TEST

START_TEST(a_bad_member_is_refused_only_when_asked_for)
{
	struct ood_buf npy = the_array();
	struct ood_buf object = npy_of(
		1, "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}",
		"pickle", 6);
	struct zip_part parts[] = {
		{ .name = "o.npy", .data = object.text, .n = object.n },
		{ .name = "bad.npy", .data = "text", .n = 4 },
		{ .name = "../up.npy", .data = npy.text, .n = npy.n },
		{ .name = "folder/", .data = "", .n = 0 },
		{ .name = "locked.npy",
		  .data = npy.text,
		  .n = npy.n,
		  .flags = 1 },
		{ .name = "good.npy", .data = npy.text, .n = npy.n },
	};
	struct ood_buf zip = zip_of(parts, OOD_COUNT(parts));

	expect_rows(&zip, &(struct array_how){ .member = "good" }, six_rows);
	expect_rows(&zip, &(struct array_how){ .member = "../up" }, six_rows);
	expect_refusal(&zip, &(struct array_how){ .member = "o" },
		       "[o]: dtype '|O': object array");
	expect_refusal(&zip, &(struct array_how){ .member = "bad" },
		       "[bad]: not an NPY array");
	expect_refusal(&zip, &(struct array_how){ .member = "locked" },
		       "[locked]: encrypted");
	ood_buf_free(&zip);
	ood_buf_free(&object);
	ood_buf_free(&npy);
}
END_TEST

START_TEST(plain_members_are_their_bytes)
{
	struct ood_buf zip = archive((struct zip_part){ 0 });

	expect_rows(&zip,
		    &(struct array_how){ .member = "meta.json", .word = true },
		    "123\n125\n");
	ood_buf_free(&zip);
}
END_TEST

START_TEST(pytorch_and_excel_archives_are_named)
{
	struct zip_part torch = { .name = "archive/data.pkl",
				  .data = "x",
				  .n = 1 };
	struct zip_part excel = { .name = "xl/workbook.xml",
				  .data = "x",
				  .n = 1 };
	struct ood_buf zip = zip_of(&torch, 1);

	expect_refusal(&zip, &(struct array_how){ 0 },
		       "PyTorch file: loading it may run code");
	ood_buf_free(&zip);
	zip = zip_of(&excel, 1);
	expect_refusal(&zip, &(struct array_how){ 0 }, "Excel");
	ood_buf_free(&zip);
}
END_TEST

START_TEST(a_piped_archive_is_held_up_to_max_bytes)
{
	struct ood_buf zip = archive((struct zip_part){ 0 });
	struct array_how how = { .pipe = true, .max_bytes = 200 };
	struct array_result r;

	array_read(&r, zip.text, zip.n, &how);
	ck_assert_int_eq(r.code, OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(r.error, "NPZ needs a file"));
	ood_buf_free(&zip);
}
END_TEST

START_TEST(picks_have_equal_rows)
{
	struct ood_buf npy = the_array();
	struct ood_buf three = npy_of(
		1, "{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}",
		"\1\2\3", 3);
	struct zip_part parts[] = {
		{ .name = "logits.npy", .data = npy.text, .n = npy.n },
		{ .name = "labels.npy", .data = three.text, .n = three.n },
	};
	struct ood_buf zip = zip_of(parts, 2);
	struct ood_read read = { 0 };
	struct ood_reader *reader;
	struct ood_err err = { 0 };
	size_t members[] = { 0, 1 };
	const struct ood_pick picks[] = {
		{ .kind = OOD_PICK_REAL, .n = 1, .member = &members[0] },
		{ .kind = OOD_PICK_WORD, .n = 1, .member = &members[1] },
	};
	char path[256];

	file_make(path, zip.text, zip.n);
	ck_assert_int_eq(ood_reader_open(&reader, path, &read, &err), 0);
	ck_assert_int_eq(ood_reader_bind(reader, picks, 2, &err), OOD_INPUT);
	ck_assert_str_eq(err.what, "logits has 2 rows, labels has 3");
	ood_reader_close(reader);
	file_drop(path);
	ood_buf_free(&zip);
	ood_buf_free(&three);
	ood_buf_free(&npy);
}
END_TEST

START_TEST(members_larger_than_all_buffers_are_read)
{
	enum { N = 300007 };
	double *x = ood_malloc(N, sizeof(*x));
	struct array_result r;

	for (int i = 0; i < N; i++)
		x[i] = i;
	struct ood_buf npy = npy_of(
		1,
		"{'descr': '<f8', 'fortran_order': False, 'shape': (300007,)}",
		x, N * sizeof(*x));
	for (int deflated = 0; deflated < 2; deflated++) {
		struct zip_part p = { .name = "x.npy",
				      .data = npy.text,
				      .n = npy.n,
				      .deflated = deflated };
		struct ood_buf zip = zip_of(&p, 1);
		struct array_how how = { .word = true, .rows = 100000 };
		array_read(&r, zip.text, zip.n, &how);
		ck_assert_msg(!r.code, "%s", r.error);
		ck_assert_uint_eq(r.rows, N);
		ck_assert_str_eq(r.dump.text + r.dump.n - 7, "300006\n");
		array_result_free(&r);
		ood_buf_free(&zip);
	}
	ood_buf_free(&npy);
	ood_free(x);
}
END_TEST

Suite *suite_npz(void);

Suite *suite_npz(void)
{
	Suite *s = suite_create("npz");
	TCase *t = tcase_create("npz");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, stored_and_deflated_members_are_read);
	tcase_add_test(t, methods_and_encryption_are_refused_by_name);
	tcase_add_test(t, wrong_checksums_are_refused);
	tcase_add_test(t, rows_not_read_in_order_are_checked_too);
	tcase_add_test(t, claimed_sizes_are_not_believed);
	tcase_add_test(t, places_outside_and_overlaps_are_refused);
	tcase_add_test(t, equal_names_are_refused);
	tcase_add_test(t, an_archive_cut_anywhere_is_refused);
	tcase_add_test(t, damaged_packed_data_are_refused);
	tcase_add_test(t, bytes_after_the_array_of_a_member_are_refused);
	tcase_add_test(t, a_bad_member_is_refused_only_when_asked_for);
	tcase_add_test(t, plain_members_are_their_bytes);
	tcase_add_test(t, pytorch_and_excel_archives_are_named);
	tcase_add_test(t, a_piped_archive_is_held_up_to_max_bytes);
	tcase_add_test(t, picks_have_equal_rows);
	tcase_add_test(t, members_larger_than_all_buffers_are_read);
	suite_add_tcase(s, t);
	return s;
}
