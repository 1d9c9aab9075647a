/*
 * test_csv_cells.c - numbers, rows and columns of text tables; handed files
 *
 * Each case is read in all the ways of csv_read_all_ways().
 */
#include "csv_read.h"

#include <check.h>
#include <stdio.h>

/* -------------------------------------------------------- numbers --- */

START_TEST(numbers_in_all_spellings)
{
	READS(PLAIN, "+1.5,.5,5.,1E+2, 3 ,-0,0012,1e-400\n",
	      "1|1.5 0.5 5 100 3 -0 12 0\n");
	READS(PLAIN, "inf,-inf,Infinity,nan,NaN,Inf,-Inf,INF\n",
	      "1|inf -inf inf nan nan inf -inf inf\n");
	READS(PLAIN,
	      "123456789.125000000000000000000000000000000000000000000000000"
	      "000,0.30000000000000004\n",
	      "1|123456789.125 0.30000000000000004\n");
	READS(PLAIN, "\t1\t, 2\n", "1|1 2\n");
}
END_TEST

#define EXPECTED(place, text, remedy)                                          \
	place ": expected a number, found " text remedy

START_TEST(what_is_no_number_is_quoted_whole)
{
	REFUSES(PLAIN, "a,b\n1,2\n0x1p3,2\n",
		EXPECTED(":3:1", "\"0x1p3\"", ""));
	REFUSES(PLAIN, "a,b\n1,2\n1,1_000\n",
		EXPECTED(":3:2", "\"1_000\"", ""));
	REFUSES(PLAIN, "a,b\n1,2\n1.5f,1\n", EXPECTED(":3:1", "\"1.5f\"", ""));
	REFUSES(PLAIN, "a,b\n1,2\n12%,1\n", EXPECTED(":3:1", "\"12%\"", ""));
	REFUSES(PLAIN, "a,b\n1,2\n1.5 2.5,1\n",
		EXPECTED(":3:1", "\"1.5 2.5\"", ""));
	REFUSES(PLAIN, "a,b\n1,2\n\"1,234.5\",1\n",
		EXPECTED(":3:1", "\"1,234.5\"", ""));
	REFUSES(PLAIN, "a,b\n1,2\n\"1,5\",1\n",
		EXPECTED(":3:1", "\"1,5\"", " (--decimal comma)"));
	REFUSES(PLAIN, "a,b\n1,2\n1,1e400\n",
		":3:2: \"1e400\" is larger than a double can hold");
}
END_TEST

START_TEST(missing_values_are_refused_with_the_remedy)
{
	REFUSES(PLAIN, "1,2\n3,NA\n",
		EXPECTED(":2:2", "\"NA\"",
			 " (--missing NA --nan skip drops such rows)"));
	REFUSES(PLAIN, "1,2\n3,\n",
		EXPECTED(":2:2", "an empty cell",
			 " (--missing usual --nan skip drops such rows)"));
	REFUSES(PLAIN, "1,2\n3,-\n",
		EXPECTED(":2:2", "\"-\"",
			 " (--missing - --nan skip drops such rows)"));
}
END_TEST

START_TEST(missing_values_that_are_named_read_as_nan)
{
	READS(OPTION(.missing = "usual"),
	      "a,b,c\nNA,N/A,null\n, None ,-\n\"\",\"NA\",1\n",
	      "2|nan nan nan\n3|nan nan nan\n4|nan nan 1\n");
	READS(OPTION(.missing = "n/a,?"), "a,b\nn/a,?\n", "2|nan nan\n");
	READS(OPTION(.missing = "-9999"), "a,b\n-9999,1\n", "2|-9999 1\n");
	READS(OPTION(.missing = ""), "a,b\n,1\n", "2|nan 1\n");
	REFUSES(OPTION(.missing = "NA"), "a,b\nNA,1\nna,2\n",
		EXPECTED(":3:1", "\"na\"",
			 " (--missing na --nan skip drops such rows)"));
	/* In the first row it does not make a column of text. */
	REFUSES(PLAIN, "a,b\n1,NA\n",
		EXPECTED(":2:2", "\"NA\"",
			 " (--missing NA --nan skip drops such rows)"));
	REFUSES(PLAIN, "a,b\n1, None \n2,x\n",
		EXPECTED(":2:2", "\"None\"",
			 " (--missing None --nan skip drops such rows)"));
	/* A first row with a missing value is no header then. */
	READS(OPTION(.missing = "NA"), "NA,1\n2,3\n", "1|nan 1\n2|2 3\n");
}
END_TEST

START_TEST(nul_bytes_are_refused)
{
	static const char nul[] = "NUL byte in a cell (binary data, or UTF-16: "
				  "re-save as UTF-8)";
	char error[128];

	snprintf(error, sizeof(error), ":2:2: %s", nul);
	REFUSES(PLAIN,
		"1,2\n3,4\0"
		"5\n6,7\n",
		error);
	REFUSES(HOW(.words = 2), "1,2\n3,4\0\n6,7\n", error);
	REFUSES(HOW(.words = 1, .skip = 1),
		"1,2\n3,\0"
		"4\n6,7\n",
		error);
}
END_TEST

/* -------------------------------------------------- rows, columns --- */

START_TEST(rows_of_another_length_are_refused)
{
	REFUSES(PLAIN, "a,b,c\n1,2,3\n4,5\n",
		":3: expected 3 fields as in line 1, found 2");
	REFUSES(PLAIN, "a,b\n1,2\n\n4,5,6\n",
		":4: expected 2 fields as in line 1, found 3");
	REFUSES(PLAIN, "a,b\n1,2,\n",
		":2: expected 2 fields as in line 1, found 3");
	REFUSES(PLAIN, "1\n2,3\n",
		":2: expected 1 field as in line 1, found 2");
	REFUSES(HOW(.words = 1, .skip = 2), "a,b,c\n1,2,3\n4,5\n",
		":3: expected 3 fields as in line 1, found 2");
}
END_TEST

START_TEST(a_column_without_a_name_is_no_number)
{
	REFUSES(PLAIN, ",0,1\n0,1,2\n",
		":1:1: column 1 has no name: pandas to_csv without "
		"index=False? (--id-column '#1' takes it as ids)");
	READS(HOW(.words = 1), ",0,1\n0,1,2\n", "2|0|1 2\n");
	REFUSES(PLAIN, "a,b,\n0,1,\n",
		":1:3: the last column has no name and is empty: each line "
		"ends in a delimiter (--columns names those to use)");
	REFUSES(PLAIN, "a,b,\n0,1,2\n",
		":1:3: column 3 has no name: pandas to_csv without "
		"index=False? (--id-column '#3' takes it as ids)");
}
END_TEST

START_TEST(a_name_given_twice_is_refused_when_taken)
{
	REFUSES(PLAIN, "a,b,a\n0,1,2\n",
		":1:3: columns 1 and 3 are both named \"a\"");
	READS(HOW(.words = 1, .skip = 2), "c,a,a,b\n0,1,2,3\n", "2|0|3\n");
}
END_TEST

START_TEST(latin1_passes_through)
{
	READS(HOW(.words = 1), "id,a\ncaf\xE9,1\n", "2|caf\xE9|1\n");
}
END_TEST

/* --------------------------------------------------- handed files --- */

static void check_file(const char *name, const struct csv_how *how,
		       const char *expected)
{
	struct csv_result r;
	char path[256];

	snprintf(path, sizeof(path), "tests/data/cases/%s", name);
	csv_read_all_ways(&r, path, how);
	ck_assert_str_eq(r.code ? r.error : r.dump.text, expected);
	csv_result_free(&r);
}

START_TEST(handed_files_that_are_good)
{
	check_file("h23.csv", HOW(.words = 2),
		   "2|img0|dog|-5.1484375 -3.4921875 -6.6875\n"
		   "3|img1|cat, big|4.1796875 -1.5625 -6.9375\n"
		   "4|img2|dog|-1.8046875 -0.953125 4.546875\n"
		   "5|img3|dog|-5.9609375 -0.1484375 4.1171875\n");
	check_file("h25.csv", PLAIN,
		   "2|5.625 4.5390625\n3|-1.53125 -3.9140625\n"
		   "4|5.6640625 0.6015625\n");
	check_file("h26.csv",
		   OPTION(.delimiter = "semicolon", .decimal = "comma"),
		   "2|-4.984375 0.5546875 -6.953125\n"
		   "3|0.046875 -6.71875 -3.625\n4|3.2578125 -5.859375 2.125\n");
	check_file("h29.csv", OPTION(.header = OOD_HEADER_NO),
		   "1|1.5 0.5 5 100\n2|3 -0 0 1e-320\n"
		   "3|12 1e22 123456789.125 -2.5\n");
	check_file("h42.csv", OPTION(.header = OOD_HEADER_NO),
		   "1|1e30 0 0\n2|2 2 2\n3|-1e30 -1e30 0\n4|5e-324 0 -5e-324\n"
		   "5|45 0 0\n6|700 0 -700\n7|0.1 0.2 0.3\n"
		   "8|-1000.25 -1001.5 -999\n");
	check_file("h43.csv", OPTION(.header = OOD_HEADER_NO),
		   "1|1 2 3\n2|-inf -inf -inf\n3|4 5 6\n");
	check_file("h46.csv", OPTION(.header = OOD_HEADER_NO),
		   "1|0.5 0.25 0.25\n2|1 0 0\n3|0.125 0.375 0.5\n"
		   "4|0.3333333333333333 0.3333333333333333 "
		   "0.3333333333333333\n");
	check_file("h47.csv", OPTION(.header = OOD_HEADER_NO),
		   "1|70 20 10\n2|5 5 90\n");
}
END_TEST

START_TEST(handed_files_that_are_bad)
{
	check_file("h24.csv", PLAIN,
		   ":1:1: column 1 has no name: pandas to_csv without "
		   "index=False? (--id-column '#1' takes it as ids)");
	check_file("h26.csv", PLAIN,
		   ":1: looks like ';' with decimal comma (--delimiter "
		   "semicolon --decimal comma)");
	check_file("h27.csv", PLAIN,
		   ":4: expected 3 fields as in line 1, found 2");
	check_file("h28.csv", OPTION(.header = OOD_HEADER_NO),
		   EXPECTED(":6:2", "\"NA\"",
			    " (--missing NA --nan skip drops such rows)"));
	check_file("h30.csv", OPTION(.header = OOD_HEADER_NO),
		   ":2:1: \"1e400\" is larger than a double can hold");
	check_file("h31.csv", OPTION(.header = OOD_HEADER_NO),
		   ":2:2: NUL byte in a cell (binary data, or UTF-16: re-save "
		   "as UTF-8)");
	check_file("h32.csv", HOW(.words = 1),
		   ":3:1: quote opened here is never closed");
}
END_TEST

START_TEST(gzip_is_undone_and_a_cut_file_refused)
{
	struct csv_result r;
	char path[256], bytes[1024];
	size_t n;
	FILE *f;

	csv_read_all_ways(&r, "tests/data/cases/h21.csv.gz", PLAIN);
	ck_assert_str_eq(r.error, "");
	ck_assert_uint_eq(r.rows, 6);
	csv_result_free(&r);
	f = fopen("tests/data/cases/h22.csv.gz", "rb");
	ck_assert_ptr_nonnull(f);
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	for (size_t cut = 1; cut < n - 10; cut += 50) {
		csv_file_make(path, bytes, n - cut);
		csv_read_all_ways(&r, path, PLAIN);
		ck_assert_int_eq(r.code, OOD_INPUT);
		csv_result_free(&r);
		csv_file_drop(path);
	}
}
END_TEST

START_TEST(one_line_of_2500_values)
{
	struct csv_result r;

	csv_read_all_ways(&r, "tests/data/cases/h33.csv", PLAIN);
	ck_assert_uint_eq(r.rows, 1);
	ck_assert(!strncmp(r.dump.text, "1|-8 -5.6875 -3.375 ", 20));
	csv_result_free(&r);
}
END_TEST

Suite *suite_csv_cells(void);

Suite *suite_csv_cells(void)
{
	Suite *s = suite_create("csv_cells");
	TCase *t = tcase_create("cells");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, numbers_in_all_spellings);
	tcase_add_test(t, what_is_no_number_is_quoted_whole);
	tcase_add_test(t, missing_values_are_refused_with_the_remedy);
	tcase_add_test(t, missing_values_that_are_named_read_as_nan);
	tcase_add_test(t, nul_bytes_are_refused);
	tcase_add_test(t, rows_of_another_length_are_refused);
	tcase_add_test(t, a_column_without_a_name_is_no_number);
	tcase_add_test(t, a_name_given_twice_is_refused_when_taken);
	tcase_add_test(t, latin1_passes_through);
	tcase_add_test(t, handed_files_that_are_good);
	tcase_add_test(t, handed_files_that_are_bad);
	tcase_add_test(t, gzip_is_undone_and_a_cut_file_refused);
	tcase_add_test(t, one_line_of_2500_values);
	suite_add_tcase(s, t);
	return s;
}
