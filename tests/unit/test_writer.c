/*
 * test_writer.c - rows out as text: exact bytes of each format
 */
#include <math.h>

#include "core/err.h"
#include "core/mem.h"
#include "rows.h"

static void expect(const char *format, const struct rows *r, const char *text)
{
	struct scratch s;
	struct ood_err err;

	ck_assert_int_eq(write_all(format, r, r->rows ? 1 : 0, &s, &err),
			 OOD_OK);
	ck_assert_str_eq(scratch_read(&s), text);
	scratch_close(&s);
}

static const struct ood_field plain_fields[] = {
	{ .name = "row", .kind = OOD_FIELD_INT },
	{ .name = "label", .kind = OOD_FIELD_WORD, .bare = true },
	{ .name = "msp", .kind = OOD_FIELD_REAL, .score = true },
};
static const int64_t plain_ints[] = { 1, 2, 3 };
static const struct ood_span plain_words[] = { { "7", 1 },
					       { "cat", 3 },
					       { "1e999", 5 } };
static const double plain_reals[] = { 0.1, -0.0, INFINITY };
static const uint8_t plain_blank[] = { 0, 0, 1 };
static const struct ood_cells plain_cells[] = {
	{ .ints = plain_ints },
	{ .words = plain_words },
	{ .reals = plain_reals, .stride = 1 },
};
static const struct rows plain = { plain_fields, 3, plain_cells, 3 };

START_TEST(csv_has_a_heading_and_a_line_a_row)
{
	expect("csv", &plain, "row,label,msp\n1,7,0.1\n2,cat,0\n3,1e999,inf\n");
}
END_TEST

START_TEST(tsv_differs_in_the_delimiter_alone)
{
	expect("tsv", &plain,
	       "row\tlabel\tmsp\n1\t7\t0.1\n2\tcat\t0\n3\t1e999\tinf\n");
}
END_TEST

START_TEST(json_lines_hold_one_object_a_row)
{
	expect("jsonl", &plain,
	       "{\"row\":1,\"label\":7,\"msp\":0.1}\n"
	       "{\"row\":2,\"label\":\"cat\",\"msp\":0}\n"
	       "{\"row\":3,\"label\":\"1e999\",\"msp\":\"inf\"}\n");
}
END_TEST

START_TEST(json_is_one_array_of_objects)
{
	expect("json", &plain,
	       "[\n{\"row\":1,\"label\":7,\"msp\":0.1},\n"
	       "{\"row\":2,\"label\":\"cat\",\"msp\":0},\n"
	       "{\"row\":3,\"label\":\"1e999\",\"msp\":\"inf\"}\n]\n");
}
END_TEST

START_TEST(table_is_aligned_for_people)
{
	expect("table", &plain,
	       "row  label  msp\n"
	       "  1      7  0.1\n"
	       "  2    cat    0\n"
	       "  3  1e999  inf\n");
}
END_TEST

START_TEST(md_is_a_table_in_source_too)
{
	expect("md", &plain,
	       "| row | label | msp |\n"
	       "| --: | ----: | --: |\n"
	       "|   1 |     7 | 0.1 |\n"
	       "|   2 |   cat |   0 |\n"
	       "|   3 | 1e999 | inf |\n");
}
END_TEST

START_TEST(no_rows_leave_the_heading)
{
	struct rows none = { plain_fields, 3, NULL, 0 };

	expect("csv", &none, "row,label,msp\n");
	expect("tsv", &none, "row\tlabel\tmsp\n");
	expect("jsonl", &none, "");
	expect("json", &none, "[]\n");
	expect("table", &none, "row  label  msp\n");
	expect("md", &none, "| row | label | msp |\n| --: | ----: | --: |\n");
}
END_TEST

START_TEST(blank_cells_are_empty_null_or_a_dash)
{
	struct ood_cells cells[3];
	struct rows r = { plain_fields, 3, cells, 3 };

	memcpy(cells, plain_cells, sizeof(cells));
	cells[1].blank = cells[2].blank = plain_blank;
	expect("csv", &r, "row,label,msp\n1,7,0.1\n2,cat,0\n3,,\n");
	expect("jsonl", &r,
	       "{\"row\":1,\"label\":7,\"msp\":0.1}\n"
	       "{\"row\":2,\"label\":\"cat\",\"msp\":0}\n"
	       "{\"row\":3,\"label\":null,\"msp\":null}\n");
	expect("table", &r,
	       "row  label  msp\n"
	       "  1      7  0.1\n"
	       "  2    cat    0\n"
	       "  3      -    -\n");
}
END_TEST

/* RFC 4180; blanks at the ends for readers that trim them. */
START_TEST(csv_quotes_where_it_has_to)
{
	static const struct ood_field field = { .name = "a,b",
						.kind = OOD_FIELD_WORD };
	static const struct ood_span words[] = {
		{ "plain it's", 10 }, { "a,b", 3 },   { "say \"x\"", 7 },
		{ "two\nlines", 9 },  { " lead", 5 }, { "", 0 },
		{ "tab\tin", 6 },
	};
	struct ood_cells cells = { .words = words };
	struct rows r = { &field, 1, &cells, 7 };

	expect("csv", &r,
	       "\"a,b\"\nplain it's\n\"a,b\"\n\"say \"\"x\"\"\"\n"
	       "\"two\nlines\"\n\" lead\"\n\"\"\ntab\tin\n");
	expect("tsv", &r,
	       "a,b\nplain it's\na,b\n\"say \"\"x\"\"\"\n"
	       "\"two\nlines\"\n\" lead\"\n\"\"\n\"tab\tin\"\n");
}
END_TEST

START_TEST(json_escapes_what_it_has_to)
{
	static const struct ood_field field = { .name = "q\"",
						.kind = OOD_FIELD_WORD };
	static const struct ood_span words[] = {
		{ "a\"b\\c/", 6 },
		{ "\n\t\r\b\f\x01", 6 },
		{ "nul\0!", 5 },
		{ "12", 2 },
		{ "caf\xC3\xA9 \xF0\x9F\x90\xB1", 10 },
	};
	struct ood_cells cells = { .words = words };
	struct rows r = { &field, 1, &cells, 5 };

	expect("jsonl", &r,
	       "{\"q\\\"\":\"a\\\"b\\\\c/\"}\n"
	       "{\"q\\\"\":\"\\n\\t\\r\\b\\f\\u0001\"}\n"
	       "{\"q\\\"\":\"nul\\u0000!\"}\n"
	       "{\"q\\\"\":\"12\"}\n"
	       "{\"q\\\"\":\"caf\xC3\xA9 \xF0\x9F\x90\xB1\"}\n");
}
END_TEST

START_TEST(only_numbers_of_json_go_bare)
{
	static const struct ood_field field = { .name = "l",
						.kind = OOD_FIELD_WORD,
						.bare = true };
	static const struct ood_span words[] = {
		{ "007", 3 },
		{ "-1.50", 5 },
		{ "+1", 2 },
		{ "nan", 3 },
		{ "", 0 },
		{ "1 ", 2 },
		{ "12345678901234567890", 20 },
	};
	struct ood_cells cells = { .words = words };
	struct rows r = { &field, 1, &cells, 7 };

	expect("jsonl", &r,
	       "{\"l\":\"007\"}\n{\"l\":-1.50}\n{\"l\":\"+1\"}\n"
	       "{\"l\":\"nan\"}\n{\"l\":\"\"}\n{\"l\":\"1 \"}\n"
	       "{\"l\":12345678901234567890}\n");
}
END_TEST

START_TEST(nan_and_infinities_have_names)
{
	static const struct ood_field field = { .name = "x" };
	static const double x[] = { NAN, INFINITY, -INFINITY, -0.0, 1e22 };
	struct ood_cells cells = { .reals = x, .stride = 1 };
	struct rows r = { &field, 1, &cells, 5 };

	expect("csv", &r, "x\nnan\ninf\n-inf\n0\n1e22\n");
	expect("jsonl", &r,
	       "{\"x\":\"nan\"}\n{\"x\":\"inf\"}\n{\"x\":\"-inf\"}\n"
	       "{\"x\":0}\n{\"x\":1e22}\n");
}
END_TEST

START_TEST(matrices_are_many_columns_or_a_list)
{
	static const struct ood_field fields[] = {
		{ .name = "id", .kind = OOD_FIELD_WORD },
		{ .name = "logit", .width = 3 },
	};
	static const struct ood_span ids[] = { { "a", 1 }, { "b", 1 } };
	static const double x[] = { 1, 2.5, NAN, 99, 4, -5, 6, 99 };
	static const uint8_t blank[] = { 0, 1 };
	struct ood_cells cells[] = { { .words = ids },
				     { .reals = x, .stride = 4 } };
	struct rows r = { fields, 2, cells, 2 };

	expect("csv", &r,
	       "id,logit_0,logit_1,logit_2\na,1,2.5,nan\nb,4,-5,6\n");
	expect("jsonl", &r,
	       "{\"id\":\"a\",\"logit\":[1,2.5,\"nan\"]}\n"
	       "{\"id\":\"b\",\"logit\":[4,-5,6]}\n");
	expect("table", &r,
	       "id  logit_0  logit_1  logit_2\n"
	       "a         1      2.5      nan\n"
	       "b         4       -5        6\n");
	cells[1].blank = blank;
	expect("csv", &r, "id,logit_0,logit_1,logit_2\na,1,2.5,nan\nb,,,\n");
	expect("json", &r,
	       "[\n{\"id\":\"a\",\"logit\":[1,2.5,\"nan\"]},\n"
	       "{\"id\":\"b\",\"logit\":null}\n]\n");
}
END_TEST

START_TEST(wide_matrices_stay_whole)
{
	enum { WIDTH = 5000 };
	const struct ood_field field = { .name = "f", .width = WIDTH };
	double *x = ood_calloc(2 * WIDTH, sizeof(*x));
	struct ood_cells cells = { .reals = x, .stride = WIDTH };
	struct rows r = { &field, 1, &cells, 2 };
	struct scratch s;
	struct ood_err err;
	size_t commas = 0, lines = 0;

	for (size_t i = 0; i < 2 * WIDTH; i++)
		x[i] = (double)i + 0.5;
	ck_assert_int_eq(write_all("csv", &r, 1, &s, &err), OOD_OK);
	for (const char *p = scratch_read(&s); *p; p++) {
		commas += *p == ',';
		lines += *p == '\n';
	}
	ck_assert_uint_eq(lines, 3);
	ck_assert_uint_eq(commas, 3 * (WIDTH - 1));
	ck_assert_ptr_nonnull(strstr(s.text, ",f_4999\n0.5,1.5,"));
	ck_assert_ptr_nonnull(strstr(s.text, ",9999.5\n"));
	scratch_close(&s);
	ood_free(x);
}
END_TEST

/* Latin-1: CSV keeps the bytes, JSON cannot hold them. */
START_TEST(bytes_that_are_not_utf8_are_refused_by_json_alone)
{
	static const struct ood_field field = { .name = "label",
						.kind = OOD_FIELD_WORD };
	static const struct ood_span words[] = { { "a", 1 }, { "caf\xE9", 4 } };
	struct ood_cells cells = { .words = words };
	struct rows r = { &field, 1, &cells, 2 };
	struct scratch s;
	struct ood_err err;
	char text[OOD_ERR_TEXT_MAX];

	expect("csv", &r, "label\na\ncaf\xE9\n");
	expect("table", &r, "label\na\ncaf\\xE9\n");
	ck_assert_int_eq(write_all("jsonl", &r, 1, &s, &err), OOD_INPUT);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)),
			 "row 2: label \"caf\\xE9\" is not UTF-8, which JSON "
			 "asks for (convert the input, e.g. iconv -f latin1 "
			 "-t utf-8; or write -f csv, which keeps the bytes)");
	ck_assert_str_eq(scratch_read(&s), "{\"label\":\"a\"}\n");
	scratch_close(&s);
}
END_TEST

START_TEST(equal_names_are_refused)
{
	static const struct ood_field fields[] = { { .name = "msp" },
						   { .name = "x" },
						   { .name = "msp" } };
	struct rows r = { fields, 3, NULL, 0 };
	struct scratch s;
	struct ood_err err;

	ck_assert_int_eq(write_all("csv", &r, 0, &s, &err), OOD_USAGE);
	ck_assert_str_eq(err.what, "two columns would be named \"msp\"");
	ood_sink_abandon(s.sink);
	scratch_close(&s);
}
END_TEST

START_TEST(control_bytes_do_not_reach_a_terminal)
{
	static const struct ood_field field = { .name = "id",
						.kind = OOD_FIELD_WORD };
	static const struct ood_span words[] = { { "\x1B[31m", 5 },
						 { "a|b*", 4 },
						 { "\xC2\x9B x", 4 } };
	struct ood_cells cells = { .words = words };
	struct rows r = { &field, 1, &cells, 3 };

	expect("table", &r, "id\n\\x1B[31m\na|b*\n\\xC2\\x9B x\n");
	expect("md", &r,
	       "| id           |\n| ------------ |\n| \\\\x1B\\[31m   |\n"
	       "| a\\|b\\*       |\n| \\\\xC2\\\\x9B x |\n");
}
END_TEST

START_TEST(width_is_counted_in_characters)
{
	static const struct ood_field fields[] = {
		{ .name = "id", .kind = OOD_FIELD_WORD },
		{ .name = "n", .kind = OOD_FIELD_INT },
	};
	static const struct ood_span words[] = {
		{ "\xC3\xA9\xC3\xA9\xC3\xA9", 6 }, { "e", 1 }
	};
	static const int64_t ints[] = { 1, 2 };
	struct ood_cells cells[] = { { .words = words }, { .ints = ints } };
	struct rows r = { fields, 2, cells, 2 };

	expect("table", &r, "id   n\n\xC3\xA9\xC3\xA9\xC3\xA9  1\ne    2\n");
}
END_TEST

START_TEST(formats_go_by_name_and_extension)
{
	ck_assert_str_eq(ood_format_find("csv")->name, "csv");
	ck_assert_ptr_null(ood_format_find("xml"));
	ck_assert_str_eq(ood_format_of_path("a/b.c/x.ndjson")->name, "jsonl");
	ck_assert_str_eq(ood_format_of_path("x.TSV")->name, "tsv");
	ck_assert_str_eq(ood_format_of_path("x.csv.npz")->name, "npz");
	ck_assert_str_eq(ood_format_of_path("x.txt")->name, "table");
	ck_assert_str_eq(ood_format_of_path("x.md")->name, "md");
	ck_assert_ptr_null(ood_format_of_path("x.csv/y"));
	ck_assert_ptr_null(ood_format_of_path(".csv"));
	ck_assert_ptr_null(ood_format_of_path("x.table"));
	ck_assert_ptr_null(ood_format_of_path("x"));
}
END_TEST

Suite *suite_writer(void);
Suite *suite_writer(void)
{
	Suite *s = suite_create("writer");
	TCase *t = tcase_create("text");

	tcase_add_test(t, csv_has_a_heading_and_a_line_a_row);
	tcase_add_test(t, tsv_differs_in_the_delimiter_alone);
	tcase_add_test(t, json_lines_hold_one_object_a_row);
	tcase_add_test(t, json_is_one_array_of_objects);
	tcase_add_test(t, table_is_aligned_for_people);
	tcase_add_test(t, md_is_a_table_in_source_too);
	tcase_add_test(t, no_rows_leave_the_heading);
	tcase_add_test(t, blank_cells_are_empty_null_or_a_dash);
	tcase_add_test(t, csv_quotes_where_it_has_to);
	tcase_add_test(t, json_escapes_what_it_has_to);
	tcase_add_test(t, only_numbers_of_json_go_bare);
	tcase_add_test(t, nan_and_infinities_have_names);
	tcase_add_test(t, matrices_are_many_columns_or_a_list);
	tcase_add_test(t, wide_matrices_stay_whole);
	tcase_add_test(t, bytes_that_are_not_utf8_are_refused_by_json_alone);
	tcase_add_test(t, equal_names_are_refused);
	tcase_add_test(t, control_bytes_do_not_reach_a_terminal);
	tcase_add_test(t, width_is_counted_in_characters);
	tcase_add_test(t, formats_go_by_name_and_extension);
	suite_add_tcase(s, t);
	return s;
}
