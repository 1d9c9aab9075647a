/*
 * test_csv.c - what text tables hold, and what is refused
 *
 * Each case is read in all the ways of csv_read_all_ways().
 */
#include "csv_read.h"

#include <check.h>
#include <stdio.h>

static void check_reads(const struct csv_how *how, const char *bytes, size_t n,
			const char *dump)
{
	struct csv_result r;
	char path[256];

	csv_file_make(path, bytes, n);
	csv_read_all_ways(&r, path, how);
	ck_assert_str_eq(r.error, "");
	ck_assert_str_eq(r.dump.text, dump);
	csv_result_free(&r);
	csv_file_drop(path);
}

static void check_refuses(const struct csv_how *how, const char *bytes,
			  size_t n, const char *error)
{
	struct csv_result r;
	char path[256];

	csv_file_make(path, bytes, n);
	csv_read_all_ways(&r, path, how);
	ck_assert_str_eq(r.error, error);
	csv_result_free(&r);
	csv_file_drop(path);
}

/* how: fields of struct csv_how, or 0 for none. */
#define HOW(...) (&(struct csv_how){ __VA_ARGS__ })
#define PLAIN HOW(.skip = 0)
#define OPTION(...) HOW(.read = { __VA_ARGS__ })
#define READS(how, bytes, dump) check_reads(how, bytes, sizeof(bytes) - 1, dump)
#define REFUSES(how, bytes, error)                                             \
	check_refuses(how, bytes, sizeof(bytes) - 1, error)

/* --------------------------------------------------- lines, header --- */

START_TEST(a_header_names_the_columns)
{
	struct csv_result r;
	char path[256];
	static const char text[] = "id, logit_a ,\"logit, b\"\nx,1,2\n";

	csv_file_make(path, text, sizeof(text) - 1);
	csv_read_all_ways(&r, path, HOW(.words = 1));
	ck_assert_str_eq(r.names.text, "id|logit_a|logit, b");
	ck_assert_str_eq(r.header.text, "id, logit_a ,\"logit, b\"");
	ck_assert_str_eq(r.dump.text, "2|x|1 2\n");
	csv_result_free(&r);
	csv_file_drop(path);
}
END_TEST

START_TEST(columns_without_a_header_are_numbered)
{
	struct csv_result r;
	char path[256];

	csv_file_make(path, "1,2\n3,4\n", 8);
	csv_read_all_ways(&r, path, PLAIN);
	ck_assert_str_eq(r.names.text, "#1|#2");
	ck_assert_str_eq(r.header.text, "");
	ck_assert_str_eq(r.dump.text, "1|1 2\n2|3 4\n");
	ck_assert_ptr_null(r.note);
	csv_result_free(&r);
	csv_file_drop(path);
}
END_TEST

START_TEST(one_cell_that_is_no_number_makes_a_header)
{
	READS(PLAIN, "1,b\n3,4\n", "2|3 4\n");
	READS(OPTION(.header = OOD_HEADER_YES), "1,2\n3,4\n", "2|3 4\n");
	READS(OPTION(.header = OOD_HEADER_NO), "inf,nan\n3,4\n",
	      "1|inf nan\n2|3 4\n");
	READS(PLAIN, "a,b\n", "");
	REFUSES(OPTION(.header = OOD_HEADER_NO), "a,b\n3,4\n",
		":1:1: expected a number, found \"a\" in a column of text "
		"(--columns names those to use)");
}
END_TEST

static const char *note_of(const char *text, enum ood_header header)
{
	struct csv_how how = { .read = { .header = header } };
	struct csv_result r;
	const char *note;
	char path[256];

	csv_file_make(path, text, strlen(text));
	csv_read_all_ways(&r, path, &how);
	note = r.note;
	csv_result_free(&r);
	csv_file_drop(path);
	return note;
}

START_TEST(a_header_of_numbers_is_told)
{
	ck_assert_ptr_nonnull(note_of("0,1,2\n5,6,7\n", OOD_HEADER_AUTO));
	ck_assert_ptr_null(note_of("0,1,2\n5,6,7\n", OOD_HEADER_NO));
	ck_assert_ptr_null(note_of("0,1,3\n5,6,7\n", OOD_HEADER_AUTO));
	ck_assert_ptr_null(note_of("0\n1\n", OOD_HEADER_AUTO));
	ck_assert_ptr_nonnull(note_of("a,1,2\n5,6,7\n", OOD_HEADER_AUTO));
	ck_assert_ptr_null(note_of("a,1,2\n5,6,7\n", OOD_HEADER_YES));
	ck_assert_ptr_null(note_of("a,b,c\n5,6,7\n", OOD_HEADER_AUTO));
}
END_TEST

START_TEST(lines_end_in_lf_crlf_or_cr)
{
	READS(PLAIN, "a,b\n1,2\n3,4", "2|1 2\n3|3 4\n");
	READS(PLAIN, "a,b\r\n1,2\r\n3,4\r\n", "2|1 2\n3|3 4\n");
	READS(PLAIN, "a,b\r1,2\r3,4", "2|1 2\n3|3 4\n");
	READS(PLAIN, "a,b\r1,2\r3,4\r", "2|1 2\n3|3 4\n");
	READS(PLAIN, "a,b\r\r\n\r1,2\n\r3,4\r\n", "4|1 2\n6|3 4\n");
}
END_TEST

START_TEST(blank_lines_are_skipped_and_counted)
{
	READS(PLAIN, "\n \na,b\n\n1,2\n  \t\n\n3,4\n\n\n", "5|1 2\n8|3 4\n");
}
END_TEST

START_TEST(a_byte_order_mark_is_no_part_of_a_name)
{
	struct csv_result r;
	char path[256];
	static const char text[] = "\xEF\xBB\xBF\"a\",b\r\n1,2\r\n";

	csv_file_make(path, text, sizeof(text) - 1);
	csv_read_all_ways(&r, path, PLAIN);
	ck_assert_str_eq(r.names.text, "a|b");
	ck_assert_str_eq(r.header.text, "\"a\",b");
	csv_result_free(&r);
	csv_file_drop(path);
	READS(PLAIN,
	      "\xEF\xBB\xBF"
	      "1,2\n",
	      "1|1 2\n");
}
END_TEST

START_TEST(utf16_is_refused_by_name)
{
	REFUSES(PLAIN,
		"\xFF\xFE"
		"1\0,\0"
		"2\0",
		": UTF-16 text; re-save as UTF-8");
	REFUSES(PLAIN,
		"\xFE\xFF\0"
		"1\0,\0"
		"2",
		": UTF-16 text; re-save as UTF-8");
	REFUSES(PLAIN,
		"1\0,\0"
		"2\0\n\0",
		": UTF-16 text; re-save as UTF-8");
}
END_TEST

START_TEST(a_file_without_a_record_is_empty)
{
	REFUSES(PLAIN, "", ": empty: no data");
	REFUSES(PLAIN, "\n \r\n\n", ": empty: no data");
	REFUSES(PLAIN, "\xEF\xBB\xBF\n", ": empty: no data");
	REFUSES(OPTION(.delimiter = "space"), "# x\n#\n", ": empty: no data");
}
END_TEST

/* ------------------------------------------------------- dialects --- */

START_TEST(other_delimiters_are_read_when_asked_for)
{
	READS(OPTION(.delimiter = "tab"), "a\tb\n1\t 2 \n", "2|1 2\n");
	READS(HOW(.tsv = true), "a\tb\n1\t2\n", "2|1 2\n");
	READS(OPTION(.delimiter = "|"), "a|b\n1|2\n", "2|1 2\n");
	READS(OPTION(.delimiter = "pipe"), "1|2\n", "1|1 2\n");
	READS(OPTION(.delimiter = "semicolon"), "1;2\n", "1|1 2\n");
	READS(OPTION(.delimiter = ";", .decimal = "comma"), "a;b\n1,5;-,25e1\n",
	      "2|1.5 -2.5\n");
}
END_TEST

START_TEST(blanks_separate_what_savetxt_wrote)
{
	struct csv_how how = { .read = { .delimiter = "space" } };

	READS(&how,
	      "# a b\n1.000000000000000000e+00 2.5e+00\n\n  3 \t  4  \n"
	      " # note\n5 6",
	      "2|1 2.5\n4|3 4\n6|5 6\n");
	REFUSES(&how, "1 2\n# note\n3\n",
		":3: expected 2 fields as in line 1, found 1");
	REFUSES(&how, "1 2\n\"3\" 4\n",
		":2:1: expected a number, found \"\"3\"\"");
	how.words = 1;
	how.read.header = OOD_HEADER_NO;
	READS(&how, "a\"b 2\n  c,d 3\n", "1|a\"b|2\n2|c,d|3\n");
}
END_TEST

START_TEST(another_delimiter_is_never_guessed)
{
	REFUSES(PLAIN, "a\tb\n1\t2\n",
		":1: line has tabs and no comma (--delimiter tab)");
	REFUSES(PLAIN, "\n\"a\"\t\"b\"\n1\t2\n",
		":2: line has tabs and no comma (--delimiter tab)");
	REFUSES(PLAIN, "a;b\n1;2\n",
		":1: line has ';' and no comma (--delimiter semicolon)");
	REFUSES(PLAIN, "\"\";\"a\"\n\"1\";2,5\n",
		":1: looks like ';' with decimal comma (--delimiter semicolon "
		"--decimal comma)");
	REFUSES(PLAIN, "1,5;2,5\n",
		":1: looks like ';' with decimal comma (--delimiter semicolon "
		"--decimal comma)");
	REFUSES(PLAIN, "a|b\n1|2\n",
		":1: line has '|' and no comma (--delimiter '|')");
	REFUSES(PLAIN, "1 2 3\n",
		":1: 3 numbers between blanks and no comma (--delimiter "
		"space)");
	REFUSES(PLAIN, "# a b\n1 2\n",
		":1: looks like a comment of np.savetxt (--delimiter space, "
		"or --delimiter comma)");
	READS(HOW(.words = 1), "label\n\"a;b\"\n", "2|a;b\n");
	READS(HOW(.words = 1, .read = { .delimiter = "comma" }),
	      "label\na;b\tc\n", "2|a;b\tc\n");
}
END_TEST

START_TEST(a_delimiter_that_numbers_hold_is_bad_usage)
{
	REFUSES(OPTION(.delimiter = "e"), "1e2\n",
		"--delimiter \"e\" cannot separate cells (comma, semicolon, "
		"tab, space, pipe, or one byte)");
	REFUSES(OPTION(.decimal = "comma"), "1\n",
		"--decimal comma needs another delimiter (--delimiter "
		"semicolon)");
	REFUSES(OPTION(.decimal = "x"), "1\n",
		"--decimal \"x\" is not point or comma");
}
END_TEST

/* --------------------------------------------------------- quotes --- */

START_TEST(quoted_cells_hold_anything)
{
	READS(HOW(.words = 1),
	      "id,a\n\"x,\"\"y\"\"\",\"1.5\"\n \" b \" , 2\n\"\",3\n",
	      "2|x,\"y\"|1.5\n3| b |2\n4||3\n");
}
END_TEST

START_TEST(lines_in_quotes_are_counted)
{
	struct csv_how how = { .words = 1 };

	READS(&how, "id,a\n\"x\r\n\n y\",1\nz,2\n", "2|x\r\n\n y|1\n5|z|2\n");
	REFUSES(&how, "id,a\n\"x\n\ny\",q\nz,2\n",
		":4:2: expected a number, found \"q\" in a column of text "
		"(--columns names those to use)");
	REFUSES(&how, "id,a\nw,0\n\"x\n\ny\",q\nz,2\n",
		":5:2: expected a number, found \"q\" (--missing q --nan skip "
		"drops such rows)");
	how.read.keep_records = true;
	READS(&how, "id,a\n\"x\r\ny\" ,1\r\n z, 2\r\n",
	      "2|x\r\ny|1|\"x\r\ny\" ,1\n4|z|2| z, 2\n");
}
END_TEST

START_TEST(a_quote_that_is_not_closed_is_refused_where_it_opens)
{
	struct csv_how how = { .words = 1 };

	REFUSES(&how, "id,a\nx,1\n\"y,2\nz,3\n",
		":3:1: quote opened here is never closed");
	REFUSES(&how, "id,a\n\"x\n\",\"1\nz,3\n",
		":3:2: quote opened here is never closed");
	REFUSES(&how, "id,a\n\"x\nq\"y,1\n",
		":2:1: text after the closing quote of a cell (a quote inside "
		"a cell is doubled)");
	REFUSES(&how, "id,a\nx,1\ny\"z\",2\n",
		":3:1: quote inside a cell that does not begin with one "
		"(quote the cell and double the quote)");
	/* Not taken as a number or word: refused all the same. */
	how.skip = 1;
	REFUSES(&how, "id,a,b\nx,1,2\ny,2\"3,4\n",
		":3:2: quote inside a cell that does not begin with one "
		"(quote the cell and double the quote)");
}
END_TEST

START_TEST(a_quoted_cell_is_at_most_a_mebibyte)
{
	size_t n = OOD_CSV_CELL_MAX;
	char *text = malloc(n + 64), path[256];
	struct csv_result r;

	ck_assert_ptr_nonnull(text);
	memcpy(text, "id,a\n\"", 6);
	memset(text + 6, 'x', n);
	memcpy(text + 6 + n, "\",1\n", 4);
	csv_file_make(path, text, n + 10);
	csv_read(&r, path, HOW(.words = 1));
	ck_assert_str_eq(r.error, ":2:1: cell longer than 1 MiB (is its quote "
				  "closed?)");
	csv_result_free(&r);
	csv_file_drop(path);
	/* The closing quote stands in the buffer for a while, too. */
	memcpy(text + 5 + n - 1, "\",1\n", 4);
	csv_file_make(path, text, n + 8);
	csv_read(&r, path, HOW(.words = 1));
	ck_assert_str_eq(r.error, "");
	ck_assert_uint_eq(r.rows, 1);
	csv_result_free(&r);
	csv_file_drop(path);
	free(text);
}
END_TEST

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
		":1:3: column 3 has no name: a comma at the end of each line? "
		"(--columns names those to use)");
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

	snprintf(path, sizeof(path), "tests/data/%s", name);
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

	csv_read_all_ways(&r, "tests/data/h21.csv.gz", PLAIN);
	ck_assert_str_eq(r.error, "");
	ck_assert_uint_eq(r.rows, 6);
	csv_result_free(&r);
	f = fopen("tests/data/h22.csv.gz", "rb");
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

	csv_read_all_ways(&r, "tests/data/h33.csv", PLAIN);
	ck_assert_uint_eq(r.rows, 1);
	ck_assert(!strncmp(r.dump.text, "1|-8 -5.6875 -3.375 ", 20));
	csv_result_free(&r);
}
END_TEST

Suite *suite_csv(void);

Suite *suite_csv(void)
{
	Suite *s = suite_create("csv");
	TCase *t = tcase_create("tables");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_header_names_the_columns);
	tcase_add_test(t, columns_without_a_header_are_numbered);
	tcase_add_test(t, one_cell_that_is_no_number_makes_a_header);
	tcase_add_test(t, a_header_of_numbers_is_told);
	tcase_add_test(t, lines_end_in_lf_crlf_or_cr);
	tcase_add_test(t, blank_lines_are_skipped_and_counted);
	tcase_add_test(t, a_byte_order_mark_is_no_part_of_a_name);
	tcase_add_test(t, utf16_is_refused_by_name);
	tcase_add_test(t, a_file_without_a_record_is_empty);
	tcase_add_test(t, other_delimiters_are_read_when_asked_for);
	tcase_add_test(t, blanks_separate_what_savetxt_wrote);
	tcase_add_test(t, another_delimiter_is_never_guessed);
	tcase_add_test(t, a_delimiter_that_numbers_hold_is_bad_usage);
	tcase_add_test(t, quoted_cells_hold_anything);
	tcase_add_test(t, lines_in_quotes_are_counted);
	tcase_add_test(t, a_quote_that_is_not_closed_is_refused_where_it_opens);
	tcase_add_test(t, a_quoted_cell_is_at_most_a_mebibyte);
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
