/*
 * test_csv.c - lines, headers, delimiters and quotes of text tables
 *
 * Each case is read in all the ways of csv_read_all_ways().
 */
#include "csv_read.h"

#include <check.h>
#include <stdio.h>

/* --------------------------------------------------- lines, header --- */

START_TEST(a_header_names_the_columns)
{
	struct csv_result r;
	char path[256];
	static const char text[] = "id, logit_a ,\"logit, b\"\nx,1,2\n";

	csv_file_make(path, text, sizeof(text) - 1);
	csv_read_all_ways(&r, path, HOW(.words = 1));
	ck_assert_str_eq(r.names.text, "id|logit_a|logit, b");
	ck_assert_str_eq(r.header.text, "id, logit_a ,\"logit, b\"\n");
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
	/* But of the header as --append copies it. */
	ck_assert_str_eq(r.header.text, "\xEF\xBB\xBF\"a\",b\r\n");
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
	      "2|x\r\ny|1|\"x\r\ny\" ,1\r\n\n4|z|2| z, 2\r\n\n");
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
	suite_add_tcase(s, t);
	return s;
}
