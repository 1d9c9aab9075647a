/*
 * test_json.c - what JSON files hold
 *
 * Each case is read in all the ways of json_read_all_ways(). Expected values
 * are the numbers as they stand in the text.
 */
#include "json_read.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/err.h"
#include "core/thread.h"

static void check_how(const struct json_how *how, const char *text,
		      const char *members, const char *dump)
{
	struct json_result r;

	json_read_all_ways(&r, text, strlen(text), how);
	ck_assert_str_eq(r.error, "");
	ck_assert_str_eq(r.members.text, members);
	ck_assert_str_eq(r.dump.text, dump);
	json_result_free(&r);
}

static void check(const char *picks, const char *text, const char *members,
		  const char *dump)
{
	check_how(&(struct json_how){ .picks = picks }, text, members, dump);
}

/* ------------------------------------------------------------- shapes --- */

START_TEST(a_list_of_lists_is_one_array)
{
	check("r:", "[[1, 2.5], [-3, 4e1]]", ":2(2)", "1 2.5\n-3 40\n");
	check("r:", "[\n [\n  1,\n  2\n ],\n [\n  3,\n  4\n ]\n]\n", ":2(2)",
	      "1 2\n3 4\n");
}
END_TEST

START_TEST(a_list_of_numbers_is_one_value_a_row)
{
	check("w:", "[0, 1, 9007199254740993]", ":1",
	      "0\n1\n9007199254740993\n");
	check("w:", "[0.5,\n-1]", ":1", "0.5\n-1\n");
	check("w:", "[\"cat\",\"dog\"]", ":1s", "cat\ndog\n");
	check("w: r:", "[[1], [2]]", ":2(1)", "1|1\n2|2\n");
}
END_TEST

START_TEST(an_object_of_lists_has_independent_arrays)
{
	check("r:logits w:labels",
	      "{\"logits\": [[1, 2], [3, 4]], \"labels\": [\"a\", \"b\"],\n"
	      " \"t\": 1.5, \"meta\": {\"x\": [1]}, \"none\": []}",
	      "logits:2(2) labels:1s t:0 meta:0 none:1", "1 2|a\n3 4|b\n");
	check("w:labels", "{\"logits\": [[1, 2], [3, 4]], \"labels\": [7]}",
	      "logits:2(2) labels:1", "7\n");
	check("r:x r:x", "{\"x\":[[1],[2]],\"n\":3}", "x:2(1) n:0",
	      "1|1\n2|2\n");
}
END_TEST

START_TEST(records_have_keys_as_members)
{
	check("w:id r:logits w:ok",
	      "[{\"id\": 1, \"logits\": [1, 2], \"ok\": true},\n"
	      " {\"id\": \"x\", \"logits\": [3, 4], \"ok\": false}]",
	      "id:1 logits:2(2) ok:1s records", "1|1 2|true\nx|3 4|false\n");
}
END_TEST

START_TEST(lines_of_records_have_keys_as_members)
{
	check("w:id r:logits",
	      "{\"id\": 1, \"logits\": [1, 2]}\n"
	      "{\"logits\": [3, 4], \"more\": {\"a\": [1]}, \"id\": 2}\n"
	      "{\"id\":3,\"logits\":[5,6]}",
	      "id:1 logits:2(2) records", "1|1 2\n2|3 4\n3|5 6\n");
}
END_TEST

START_TEST(lines_of_lists_are_rows)
{
	check("r:", "[1, 2]\n[3, 4]\n", ":2(2)", "1 2\n3 4\n");
	check("r:", "[1]\n[2]", ":2(1)", "1\n2\n");
}
END_TEST

START_TEST(one_record_on_a_line_is_a_row)
{
	check("w:id r:z", "{\"id\": 5, \"z\": [1, 2]}\n", "id:1 z:2(2) records",
	      "5|1 2\n");
	/* But a vector alone is no row, and a matrix is a matrix. */
	check("w:z", "{\"z\": [1, 2]}\n", "z:1", "1\n2\n");
	check("r:z", "{\"id\": 5, \"z\": [[1, 2]]}\n", "id:0 z:2(2)", "1 2\n");
}
END_TEST

START_TEST(one_row_under_a_role_is_a_record)
{
	check("r:logits", "{\"logits\":[1,2]}\n", "logits:2(2) records",
	      "1 2\n");
	check("r:logits w:labels", "{\"labels\":[0],\"logits\":[1,2]}",
	      "labels:2(1) logits:2(2) records", "1 2|0\n");
	check("r:features.2", "{\"features.2\":[1,2],\"probs\":[1]}",
	      "features.2:2(2) probs:2(1) records", "1 2\n");
	/* Scores are one a row, and a matrix is a matrix. */
	check("w:scores", "{\"scores\":[1,2]}\n", "scores:1", "1\n2\n");
	check("r:logits w:labels", "{\"logits\":[[1,2]],\"labels\":[0]}",
	      "logits:2(2) labels:1", "1 2|0\n");
}
END_TEST

START_TEST(the_words_for_infinity_and_nan_are_numbers)
{
	check("r:", "[[\"inf\",\"-inf\"],[\"nan\",1]]", ":2(2)",
	      "inf -inf\nnan 1\n");
	check("r:msp", "{\"msp\":\"inf\"}\n{\"msp\":2}\n", "msp:1 records",
	      "inf\n2\n");
}
END_TEST

START_TEST(the_format_is_what_was_found_or_told)
{
	static const struct {
		const char *text, *told, *format;
	} cases[] = {
		{ "[[1,2]]", NULL, "json" },
		{ "[1,2]\n[3,4]", NULL, "jsonl" },
		{ "{\"id\":1,\"z\":[1]}", NULL, "jsonl" },
		{ "{\"id\":1,\"z\":[1]}", "json", "json" },
		{ "[1,2]\n", "jsonl", "jsonl" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		struct json_how how = { .picks = "" };
		struct json_result r;

		how.read.input_format = cases[i].told;
		json_read_all_ways(&r, cases[i].text, strlen(cases[i].text),
				   &how);
		ck_assert_str_eq(r.error, "");
		ck_assert_str_eq(r.format, cases[i].format);
		json_result_free(&r);
	}
}
END_TEST

START_TEST(columns_of_records_go_by_name_in_the_order_asked)
{
	check("r:c1,c0", "[{\"c0\": 1, \"c1\": 2}, {\"c1\": 4, \"c0\": 3}]",
	      "c0:1 c1:1 records", "2 1\n4 3\n");
	check("r:b,v,a",
	      "{\"a\":1,\"b\":2,\"v\":[3,4]}\n"
	      "{\"v\":[7,8],\"a\":5,\"b\":6}\n",
	      "a:1 b:1 v:2(2) records", "2 3 4 1\n6 7 8 5\n");
}
END_TEST

START_TEST(pandas_split_is_read_by_its_data)
{
	check("r:data",
	      "{\"columns\":[\"a\",\"b\"],\"index\":[0,1],"
	      "\"data\":[[1.5,2],[3,4]]}",
	      "columns:1s index:1 data:2(2)", "1.5 2\n3 4\n");
}
END_TEST

START_TEST(byte_order_mark_crlf_blank_lines_and_no_last_line_end_are_fine)
{
	check("r:z",
	      "\xEF\xBB\xBF{\"z\":[1]}\r\n\r\n  \t\n{\"z\":[2]}\r\n\n"
	      "{\"z\":[3]}",
	      "z:2(1) records", "1\n2\n3\n");
	check("r:", "\xEF\xBB\xBF \n[[1],\r\n[2]]\r\n\n", ":2(1)", "1\n2\n");
}
END_TEST

START_TEST(no_rows_are_no_rows)
{
	check("r:", "[]", ":2(0)", "");
	check("r:z", "{\"z\":[], \"y\":[1]}", "z:1 y:1", "");
}
END_TEST

/* ------------------------------------------------------------- values --- */

START_TEST(python_writes_nan_and_infinity_as_tokens)
{
	check("r:", "[[NaN, Infinity, -Infinity]]", ":2(3)", "nan inf -inf\n");
	check("w:", "[NaN, -Infinity]", ":1", "NaN\n-Infinity\n");
}
END_TEST

START_TEST(numbers_are_read_to_the_last_bit)
{
	check("r:",
	      "[[0.1, 1e-400, 1.7976931348623157e308, 5e-324, -0, "
	      "0.30000000000000004, 1E+2, 123456789012345678901234567890"
	      "123456789012345678901234567890123456789012345678901234567"
	      "89012]]",
	      ":2(8)",
	      "0.1 0 1.7976931348623157e308 5e-324 0 "
	      "0.30000000000000004 100 1.2345678901234568e91\n");
}
END_TEST

START_TEST(words_keep_digits_and_lose_quotes)
{
	check("w:id",
	      "{\"id\":9007199254740993}\n{\"id\":\"a b\"}\n"
	      "{\"id\":\"\\u00e9\\\"\\\\\\/\\n\\ud83d\\ude00\"}\n"
	      "{\"id\":\"\xC3\xA9\"}\n{\"id\":1.50}\n{\"id\":\"\"}\n"
	      "{\"id\":true}\n",
	      "id:1 records",
	      "9007199254740993\na "
	      "b\n\xC3\xA9\"\\/\n\xF0\x9F\x98\x80\n\xC3\xA9\n"
	      "1.50\n\ntrue\n");
}
END_TEST

START_TEST(keys_are_compared_unescaped_and_by_case)
{
	check("r:caf\xC3\xA9",
	      "{\"caf\\u00e9\":1,\"CAF\xC3\xA9\":2}\n"
	      "{\"CAF\xC3\xA9\":4,\"caf\xC3\xA9\":3}\n",
	      "caf\xC3\xA9:1 CAF\xC3\xA9:1 records", "1\n3\n");
	check("r:a\"b", "{\"a\\\"b\" : 1, \"x\": 0}\n{\"a\\\"b\" : 2}\n",
	      "a\"b:1 x:1 records", "1\n2\n");
}
END_TEST

START_TEST(missing_values_are_nan_where_told)
{
	struct json_how how = { .picks = "r:", .read.missing = "null" };

	check_how(&how, "[[1, null], [null, 2]]", ":2(2)", "1 nan\nnan 2\n");
	how.read.missing = "n/a,usual";
	check_how(&how, "[[null, \"NA\"], [\"n/a\", 2]]", ":2(2)",
		  "nan nan\nnan 2\n");
	how.picks = "w:";
	check_how(&how, "[1, null]", ":1", "1\n\n");
}
END_TEST

START_TEST(records_keep_their_own_bytes)
{
	struct json_how how = { .picks = "r:z", .read.keep_records = true };

	check_how(&how, "{\"z\": 1,  \"t\": \"\\u00e9\"} \r\n\n{ \"z\":2}",
		  "z:1 t:1s records",
		  "1|{\"z\": 1,  \"t\": \"\\u00e9\"} \r\n\n2|{ \"z\":2}\n");
	/* A single one is a record too, whatever its keys. */
	check_how(&how, "{\"z\":[1,2]}\n", "z:2(2) records",
		  "1 2|{\"z\":[1,2]}\n\n");
}
END_TEST

START_TEST(a_live_stream_gives_the_same_rows)
{
	struct json_how how = { .picks = "w:id r:z", .read.live = true };

	check_how(&how, "{\"id\":1,\"z\":[1,2]}\n{\"id\":2,\"z\":[3,4]}\n",
		  "id:1 z:2(2) records", "1|1 2\n2|3 4\n");
}
END_TEST

/* ---------------------------------------------------------- given files --- */

static char *slurp(const char *name, size_t *n)
{
	char path[256];
	char *text = malloc(1 << 20);

	snprintf(path, sizeof(path), "tests/data/cases/%s", name);
	FILE *f = fopen(path, "rb");
	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(text);
	*n = fread(text, 1, (1 << 20) - 1, f);
	text[*n] = '\0';
	fclose(f);
	return text;
}

START_TEST(small_files_of_every_shape_read_as_their_writers_meant)
{
	static const struct {
		const char *file, *picks, *dump;
	} cases[] = {
		{ "h34.json", "r:",
		  "5.7890625 -7.421875 -1.7890625\n"
		  "7.953125 0.5078125 3.921875\n"
		  "1.296875 -3.796875 0.5078125\n" },
		{ "h35.ndjson", "w:id r:logits w:label",
		  "9007199254740993|-4.8203125 4.59375 -7.2109375|0\n"
		  "9007199254740992|-4.09375 4.125 -0.3046875|1\n"
		  "-9007199254740993|-7.6875 5.2265625 -0.296875|2\n" },
		{ "h36.json", "r:logits", "1 -inf 2.5\n-inf -3 -inf\n" },
		{ "h37.json", "r:c0,c1",
		  "0.5625 0.609375\n3.3671875 -0.1328125\n"
		  "7.734375 -4.53125\n" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		struct json_how how = { .picks = cases[i].picks };
		struct json_result r;
		size_t n;
		char *text = slurp(cases[i].file, &n);

		json_read_all_ways(&r, text, n, &how);
		ck_assert_str_eq(r.error, "");
		ck_assert_str_eq(r.dump.text, cases[i].dump);
		json_result_free(&r);
		free(text);
	}
}
END_TEST

/* ------------------------------------------------------ many rows --- */

/* Row r, column c: (7 r + c) / 8, exact in double. */
static void big_text(struct ood_buf *buf, const char *shape, size_t rows)
{
	bool lines = !strcmp(shape, "lines");
	bool object = !strcmp(shape, "object");

	ood_buf_str(buf, lines ? "" : object ? "{\"z\":[" : "[");
	for (size_t r = 0; r < rows; r++) {
		ood_buf_str(buf, !r ? "" : lines ? "\n" : ",\n ");
		if (!object)
			ood_buf_printf(buf, "{\"id\": \"r%zu\", \"z\": ", r);
		for (size_t c = 0; c < 5; c++) {
			ood_buf_str(buf, c ? ", " : "[");
			ood_buf_num(buf, (double)(7 * r + c) / 8);
		}
		ood_buf_str(buf, object ? "]" : "]}");
	}
	ood_buf_str(buf, lines ? "\n" : object ? "]}" : "]");
	ck_assert(!buf->failed);
}

static void expect_big(struct ood_buf *buf, bool ids, size_t rows)
{
	for (size_t r = 0; r < rows; r++) {
		if (ids)
			ood_buf_printf(buf, "r%zu|", r);
		for (size_t c = 0; c < 5; c++) {
			ood_buf_str(buf, c ? " " : "");
			ood_buf_num(buf, (double)(7 * r + c) / 8);
		}
		ood_buf_char(buf, '\n');
	}
}

START_TEST(rows_do_not_depend_on_threads_blocks_or_pipes)
{
	static const char *const shapes[] = { "lines", "list", "object" };
	enum { ROWS = 60000 };
	int threads = ood_threads();

	for (size_t s = 0; s < OOD_COUNT(shapes); s++) {
		bool ids = s < 2;
		struct ood_buf text = { 0 }, want = { 0 };

		big_text(&text, shapes[s], ROWS);
		expect_big(&want, ids, ROWS);
		for (int way = 0; way < 4; way++) {
			struct json_how how = {
				.picks = ids ? "w:id r:z" : "r:z",
				.pipe = way & 1,
				.rows = way & 2 ? 7001 : 0,
			};
			struct json_result r;

			ood_threads_set(way < 3 ? 3 : 1);
			json_read(&r, text.text, text.n, &how);
			ck_assert_str_eq(r.error, "");
			ck_assert_uint_eq(r.rows, ROWS);
			ck_assert_uint_eq(r.dump.n, want.n);
			ck_assert(!memcmp(r.dump.text, want.text, want.n));
			json_result_free(&r);
		}
		ood_buf_free(&text);
		ood_buf_free(&want);
	}
	ood_threads_set(threads);
}
END_TEST

START_TEST(the_first_fault_is_told_whatever_the_threads)
{
	struct ood_buf text = { 0 };
	struct json_result r;
	int threads = ood_threads();

	big_text(&text, "lines", 20000);
	ood_buf_str(&text, "{\"id\":1,\"z\":[1,2,3]}\n");
	for (int i = 0; i < 20000; i++)
		ood_buf_str(&text, "{\"id\":01}\n");
	for (int t = 1; t < 5; t++) {
		ood_threads_set(t);
		json_read(&r, text.text, text.n,
			  &(struct json_how){ .picks = "w:id r:z" });
		ck_assert_str_eq(r.error,
				 ":20001: z: 3 values in the row, expected 5 "
				 "as in the first");
		json_result_free(&r);
	}
	ood_threads_set(threads);
	ood_buf_free(&text);
}
END_TEST

START_TEST(a_row_may_be_wider_than_the_window)
{
	struct ood_buf text = { 0 };
	struct json_result r;
	enum { WIDE = 300000 };

	for (int row = 0; row < 3; row++) {
		for (int c = 0; c < WIDE; c++)
			ood_buf_printf(&text, "%s%d.5", c ? "," : "[", c);
		ood_buf_str(&text, "]\n");
	}
	for (int pipe = 0; pipe < 2; pipe++) {
		json_read(&r, text.text, text.n,
			  &(struct json_how){ .picks = "r:", .pipe = pipe });
		ck_assert_str_eq(r.error, "");
		ck_assert_str_eq(r.format, "jsonl");
		ck_assert_str_eq(r.members.text, ":2(300000)");
		ck_assert_uint_eq(r.rows, 3);
		json_result_free(&r);
	}
	ood_buf_free(&text);
}
END_TEST

START_TEST(places_are_lines_or_rows)
{
	struct ood_read read = { 0 };
	struct ood_err err = { .code = OOD_INPUT };
	size_t member = 0;
	struct ood_pick pick = { .n = 1, .member = &member };
	struct ood_reader *reader;
	struct ood_chunk chunk;

	ck_assert_int_eq(
		ood_reader_open(&reader, "tests/data/cases/h36.json", &read, &err),
		0);
	ck_assert_int_eq(ood_reader_bind(reader, &pick, 1, &err), 0);
	ck_assert_uint_eq(ood_reader_width(reader, 0), 3);
	ck_assert_int_eq(ood_reader_next(reader, 1, &chunk, &err), 0);
	ck_assert_int_eq(ood_reader_next(reader, 1, &chunk, &err), 0);
	ood_fail(&err, OOD_INPUT, "x");
	ood_reader_place(reader, 0, 0, 2, &err);
	ck_assert_int_eq(err.place, OOD_PLACE_ROW);
	ck_assert_uint_eq(err.line, 2);
	ck_assert_uint_eq(err.column, 3);
	ck_assert_str_eq(err.where, "tests/data/cases/h36.json[logits]");
	ood_reader_close(reader);

	ck_assert_int_eq(
		ood_reader_open(&reader, "tests/data/cases/h35.ndjson", &read, &err),
		0);
	ck_assert_str_eq(ood_reader_format(reader), "jsonl");
	member = 1;
	ck_assert_int_eq(ood_reader_bind(reader, &pick, 1, &err), 0);
	ck_assert_int_eq(ood_reader_next(reader, 9, &chunk, &err), 0);
	ck_assert_uint_eq(chunk.n, 3);
	ood_fail(&err, OOD_INPUT, "x");
	ood_reader_place(reader, 0, 2, SIZE_MAX, &err);
	ck_assert_int_eq(err.place, OOD_PLACE_LINE);
	ck_assert_uint_eq(err.line, 3);
	ck_assert_uint_eq(err.column, 0);
	ood_reader_close(reader);
}
END_TEST

Suite *suite_json(void);

Suite *suite_json(void)
{
	Suite *s = suite_create("json");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 60);
	tcase_add_test(all, a_list_of_lists_is_one_array);
	tcase_add_test(all, a_list_of_numbers_is_one_value_a_row);
	tcase_add_test(all, an_object_of_lists_has_independent_arrays);
	tcase_add_test(all, records_have_keys_as_members);
	tcase_add_test(all, lines_of_records_have_keys_as_members);
	tcase_add_test(all, lines_of_lists_are_rows);
	tcase_add_test(all, one_record_on_a_line_is_a_row);
	tcase_add_test(all, one_row_under_a_role_is_a_record);
	tcase_add_test(all, the_words_for_infinity_and_nan_are_numbers);
	tcase_add_test(all, the_format_is_what_was_found_or_told);
	tcase_add_test(all, columns_of_records_go_by_name_in_the_order_asked);
	tcase_add_test(all, pandas_split_is_read_by_its_data);
	tcase_add_test(
		all,
		byte_order_mark_crlf_blank_lines_and_no_last_line_end_are_fine);
	tcase_add_test(all, no_rows_are_no_rows);
	tcase_add_test(all, python_writes_nan_and_infinity_as_tokens);
	tcase_add_test(all, numbers_are_read_to_the_last_bit);
	tcase_add_test(all, words_keep_digits_and_lose_quotes);
	tcase_add_test(all, keys_are_compared_unescaped_and_by_case);
	tcase_add_test(all, missing_values_are_nan_where_told);
	tcase_add_test(all, records_keep_their_own_bytes);
	tcase_add_test(all, a_live_stream_gives_the_same_rows);
	tcase_add_test(all,
		       small_files_of_every_shape_read_as_their_writers_meant);
	tcase_add_test(all, rows_do_not_depend_on_threads_blocks_or_pipes);
	tcase_add_test(all, the_first_fault_is_told_whatever_the_threads);
	tcase_add_test(all, a_row_may_be_wider_than_the_window);
	tcase_add_test(all, places_are_lines_or_rows);
	suite_add_tcase(s, all);
	return s;
}
