/*
 * test_npy.c - NPY headers
 *
 * They are those of inputs seen in public reports, or one step off them.
 */
#include <check.h>
#include <stdio.h>

#include "array_file.h"

#define F4_2X3 "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"

static const float six[] = { 1, -2.5F, 3, 4, 5, 6 };
static const char six_rows[] = "1 -2.5 3\n4 5 6\n";

static void accepts(int version, const char *header)
{
	struct ood_buf file = npy_of(version, header, six, sizeof(six));

	expect_rows(&file, &(struct array_how){ 0 }, six_rows);
	ood_buf_free(&file);
}

static void refuses(const char *header, const char *words)
{
	struct ood_buf file = npy_of(1, header, six, sizeof(six));

	expect_refusal(&file, &(struct array_how){ 0 }, words);
	ood_buf_free(&file);
}

START_TEST(versions_1_2_and_3_are_read)
{
	accepts(1, F4_2X3);
	accepts(2, F4_2X3);
	accepts(3, F4_2X3);
}
END_TEST

START_TEST(other_versions_are_refused_by_number)
{
	struct ood_buf file = npy_of(1, F4_2X3, six, sizeof(six));

	file.text[6] = 4;
	expect_refusal(&file, &(struct array_how){ 0 },
		       "NPY version 4.0 is not supported (1.0, 2.0 and 3.0");
	file.text[6] = 2;
	file.text[7] = 1;
	expect_refusal(&file, &(struct array_how){ 0 }, "NPY version 2.1");
	ood_buf_free(&file);
}
END_TEST

START_TEST(spellings_of_other_writers_are_read)
{
	static const char *const headers[] = {
		F4_2X3 "                 \n",
		"{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}",
		("{ 'descr' : '<f4',\n 'fortran_order': False,\n\t'shape' : ( "
		 "2 , 3 ) , } \r\n"),
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L)}",
		"{'descr': '=f4', 'fortran_order': False, 'shape': (2, 3,)}",
		"{'descr': 'f4', 'fortran_order': False, 'shape': (2,3)}",
		"{'descr': '|f4', 'fortran_order': False, 'shape': (2,3)}",
	};

	for (size_t i = 0; i < OOD_COUNT(headers); i++)
		accepts(1, headers[i]);
}
END_TEST

START_TEST(what_is_not_the_grammar_is_refused)
{
	static const char *const cases[][2] = {
		{ F4_2X3 "\n ;", "unexpected byte \";\"" },
		{ "{'descr': '<f4' '', 'fortran_order': False, 'shape': "
		  "(2,3)}",
		  "unexpected byte" },
		{ "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': "
		  "(2,3)}",
		  "unexpected byte \"\\\\\"" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (0x2, "
		  "3)}",
		  "shape is not a tuple of integers: (0x2, 3)" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (1_0, "
		  "3)}",
		  "shape is not a tuple of integers: (1_0, 3)" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}",
		  "shape is not a tuple of integers: (6)" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
		  "shape is not a tuple of integers: 6" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}",
		  "shape is not a tuple of integers: [2, 3]" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, "
		  "3)}",
		  "shape is not a tuple of integers" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': ('2', "
		  "3)}",
		  "shape is not a tuple of integers" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': "
		  "(np.int64(2), 3)}",
		  "(np.int64(2), 3) (numpy 2's open_memmap wrote it so, "
		  "numpy#28334" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, "
		  "3)}",
		  "shape (-2, 3) has a negative dimension" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': "
		  "(99999999999999999999, 3)}",
		  "(99999999999999999999, 3) is too large" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': "
		  "(4294967296, 4294967296)}",
		  "(4294967296, 4294967296) of <f4 is too large" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (0, "
		  "4294967296, 4294967296, 4294967296)}",
		  "is too large" },
		{ "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
		  "fortran_order is neither True nor False" },
		{ "{'descr': '<f4', 'fortran_order': 'False', 'shape': "
		  "(2,3)}",
		  "fortran_order is neither True nor False" },
		{ "{'descr': '<f4', 'fortran_order': true, 'shape': (2,3)}",
		  "fortran_order is neither True nor False" },
		{ "{'descr': '<f4', 'shape': (2, 3)}",
		  "key 'fortran_order' is missing" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), "
		  "'x': 1}",
		  "unknown key 'x'" },
		{ "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
		  "'shape': (2, 3)}",
		  "key 'descr' is there twice" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
		  "ends where" },
		{ "{'descr': '<f4", "ends where the closing quote" },
		{ "", "ends where '{'" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} "
		  "# x",
		  "unexpected byte \"#\"" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		refuses(cases[i][0], cases[i][1]);
}
END_TEST

START_TEST(nul_padding_is_refused)
{
	struct ood_buf file = npy_of(1, F4_2X3 "  ", six, sizeof(six));

	file.text[10 + strlen(F4_2X3)] = 0;
	expect_refusal(&file, &(struct array_how){ 0 },
		       "NPY header: unexpected byte \"\\x00\"");
	ood_buf_free(&file);
}
END_TEST

START_TEST(elements_that_are_no_real_numbers_are_refused_by_name)
{
	static const char *const cases[][2] = {
		{ "'|O'", "object array (a Python pickle)" },
		{ "'O'", "object array (a Python pickle)" },
		{ "'|V2'", "bfloat16" },
		{ "'<V2'", "bfloat16" },
		{ "'bfloat16'", "bfloat16" },
		{ "'|V1'", "float8" },
		{ "'<f1'", "float8" },
		{ "'|V16'", "raw void" },
		{ "'<f16'", "long double" },
		{ "'<c8'", "dtype '<c8': complex64 is not a real number" },
		{ "'<c16'", "complex128" },
		{ "'<M8[s]'", "datetime64" },
		{ "'<m8[ns]'", "timedelta64" },
		{ "'float32'", "dtype 'float32': not known" },
		{ "'d'", "not known" },
		{ "'<f'", "not known" },
		{ "'<i3'", "not known" },
		{ "'<i04'", "not known" },
		{ "'<f99999999999999999999'", "not known" },
		{ "''", "not known" },
		{ "'<U0'", "not known" },
		{ "'<U2'", "strings of dtype '<U2' where numbers" },
		{ "'|S2'", "strings of dtype '|S2' where numbers" },
		{ "'|b1'", "booleans of dtype '|b1' where numbers" },
		{ "[('a', '<f4'), (\"b, c\", '<f4', (2,))]",
		  "structured dtype with fields a, b, c; save one" },
		{ "('<f4', (2,))", "subarray dtype" },
	};
	char header[256];

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		snprintf(header, sizeof(header),
			 "{'descr': %s, 'fortran_order': False, 'shape': (1, "
			 "1)}",
			 cases[i][0]);
		struct ood_buf file = npy_of(1, header, six,
					     strstr(header, "b1")    ? 1
					     : strstr(header, "|S2") ? 2
								     : 8);
		expect_refusal(&file, &(struct array_how){ 0 }, cases[i][1]);
		ood_buf_free(&file);
	}
}
END_TEST

START_TEST(shapes_that_are_no_matrix_are_refused_with_the_remedy)
{
	refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
		"1-d array of shape (6,) where a matrix N x C is wanted "
		"(reshape to (1, 6) if it is one row, to (6, 1) if it is one "
		"column)");
	refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3)}",
		"3-d array of shape (1, 2, 3)");
	struct ood_buf file = npy_of(
		1, "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 0)}",
		six, 0);
	expect_refusal(&file, &(struct array_how){ 0 }, "no columns");
	ood_buf_free(&file);
	file = npy_of(1,
		      "{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
		      six, 4);
	expect_refusal(&file, &(struct array_how){ 0 },
		       "0-d array of shape ()");
	ood_buf_free(&file);
}
END_TEST

START_TEST(no_rows_are_no_error)
{
	struct ood_buf file = npy_of(
		1, "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)}",
		six, 0);

	expect_rows(&file, &(struct array_how){ 0 }, "");
	ood_buf_free(&file);
}
END_TEST

START_TEST(sizes_are_checked_against_the_file)
{
	struct ood_buf file = npy_of(1, F4_2X3, six, sizeof(six) - 4);

	expect_refusal(&file, &(struct array_how){ 0 },
		       "truncated: shape (2, 3) of '<f4' needs 24 bytes, 20 "
		       "are there");
	ood_buf_free(&file);
	file = npy_of(1, F4_2X3, six, sizeof(six));
	ood_buf_str(&file, "abc");
	expect_refusal(&file, &(struct array_how){ 0 },
		       "3 bytes after the array");
	file.n -= 3;
	struct ood_buf second = npy_of(1, F4_2X3, six, sizeof(six));
	ood_buf_add(&file, second.text, second.n);
	expect_refusal(&file, &(struct array_how){ 0 },
		       "bytes after the array (another array starts there)");
	ood_buf_free(&file);
	ood_buf_free(&second);
	/* times 8 bytes this is 64, modulo 2^64 */
	file = npy_of(1,
		      "{'descr': '<f8', 'fortran_order': False, 'shape': "
		      "(2305843009213693960, 1)}",
		      six, sizeof(six));
	expect_refusal(&file, &(struct array_how){ 0 },
		       "shape (2305843009213693960, 1) of <f8 is too large");
	ood_buf_free(&file);
}
END_TEST

START_TEST(a_header_is_not_believed_beyond_the_file)
{
	struct ood_buf file = npy_of(1, F4_2X3, six, 0);
	struct ood_buf huge = npy_of(2, "{'descr': '<f4'", six, 0);

	file.n -= 10;
	expect_refusal(&file, &(struct array_how){ 0 }, "truncated NPY header");
	file.n = 7;
	expect_refusal(&file, &(struct array_how){ 0 }, "truncated NPY header");
	memcpy(huge.text + 8, "\xF0\xFF\xFF\xFF", 4);
	expect_refusal(&huge, &(struct array_how){ 0 },
		       "length 4294967280 is too long");
	ood_buf_free(&file);
	ood_buf_free(&huge);
}
END_TEST

Suite *suite_npy(void);

Suite *suite_npy(void)
{
	Suite *s = suite_create("npy");
	TCase *t = tcase_create("npy");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, versions_1_2_and_3_are_read);
	tcase_add_test(t, other_versions_are_refused_by_number);
	tcase_add_test(t, spellings_of_other_writers_are_read);
	tcase_add_test(t, what_is_not_the_grammar_is_refused);
	tcase_add_test(t, nul_padding_is_refused);
	tcase_add_test(t,
		       elements_that_are_no_real_numbers_are_refused_by_name);
	tcase_add_test(t,
		       shapes_that_are_no_matrix_are_refused_with_the_remedy);
	tcase_add_test(t, no_rows_are_no_error);
	tcase_add_test(t, sizes_are_checked_against_the_file);
	tcase_add_test(t, a_header_is_not_believed_beyond_the_file);
	suite_add_tcase(s, t);
	return s;
}
