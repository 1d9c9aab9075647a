/*
 * test_json_bad.c - JSON that is refused, and the sentence it gets
 */
#include "json_read.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static void refuses_n(const char *picks, const char *text, size_t n,
		      const char *error)
{
	struct json_result r;

	json_read_all_ways(&r, text, n, &(struct json_how){ .picks = picks });
	ck_assert_str_eq(r.error, error);
	ck_assert_int_eq(r.code, OOD_INPUT);
	json_result_free(&r);
}

static void refuses(const char *picks, const char *text, const char *error)
{
	refuses_n(picks, text, strlen(text), error);
}

START_TEST(null_is_refused_by_row_and_column)
{
	refuses("r:c0,c1",
		"[{\"c0\": 1.5, \"c1\": 2}, {\"c0\": null, \"c1\": 3}]",
		": row 2, column 1: c0: expected a number, found null "
		"(--missing null reads it as NaN)");
	refuses("r:z", "{\"z\":[1,2]}\n\n{\"z\":[1,null]}\n",
		":3:2: z: expected a number, found null (--missing null reads "
		"it as NaN)");
	refuses("r:z", "{\"z\":[[1,2],[null,2]],\"k\":1}",
		"[z]: row 2, column 1: expected a number, found null "
		"(--missing null reads it as NaN)");
	refuses("w:y", "{\"y\":1}\n{\"y\":null}",
		":2:1: y: null (--missing null lets such values be empty)");
}
END_TEST

START_TEST(numbers_as_strings_are_refused_by_row_and_column)
{
	refuses("r:", "[[1, 2], [3, \"4.5\"]]",
		": row 2, column 2: expected a number, found the string "
		"\"4.5\" (write numbers without quotes)");
	refuses("r:a,b", "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":\"2\"}\n",
		":2:2: b: expected a number, found the string \"2\" (write "
		"numbers without quotes)");
}
END_TEST

START_TEST(what_is_no_number_is_named)
{
	refuses("r:", "[[1],[true]]",
		": row 2, column 1: expected a number, found true");
	refuses("r:", "[[1],[[2]]]",
		": row 2, column 1: expected a number, found a list");
	refuses("r:", "[[1],{\"a\":2}]",
		": row 2, column 1: expected a number, found an object");
	refuses("w:y", "{\"y\":1}\n{\"y\":[1,2]}",
		":2: y: expected one value, found a list");
}
END_TEST

START_TEST(ragged_rows_are_refused)
{
	refuses("r:", "[[1, 2, 3, 4], [5], [6, 7, 8, 9]]",
		": row 2: 1 value in the row, expected 4 as in the first");
	refuses("r:", "[1,2]\n[1,2,3]\n",
		":2: 3 values in the row, expected 2 as in the first");
	refuses("r:", "[[1],[]]",
		": row 2: 0 values in the row, expected 1 as in the first");
	refuses("r:", "[[],[]]", ": row 1: an empty list of numbers");
}
END_TEST

START_TEST(lists_and_numbers_do_not_mix)
{
	refuses("r:", "[[1],2]",
		": row 2: expected a list of 1 value as in the first row, "
		"found one without brackets");
	refuses("r:z", "{\"z\":[[1],2]}",
		"[z]: row 2: expected a list of 1 value as in the first row, "
		"found one without brackets");
	refuses("r:z", "{\"z\":1}\n{\"z\":[2]}\n",
		":2: z: expected one value as in the first row, found a list");
	refuses("w:", "[1,[2]]",
		": row 2: expected one value as in the first row, found a "
		"list");
	refuses("r:logits", "{\"logits\":[1,[2]]}",
		":1:2: logits: expected a number, found a list");
}
END_TEST

START_TEST(lists_of_one_object_need_equal_counts)
{
	refuses("r:z w:y", "{\"z\":[[1],[2],[3]],\"y\":[1,2]}",
		": z has 3 rows, y has 2");
}
END_TEST

#define LIKE " (JSON numbers are like -1.5 or 2e-3)"

START_TEST(numbers_that_only_lenient_parsers_take_are_refused)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "[[1, 01]]",
		  ":1:6: unexpected '01', expected a number" LIKE },
		{ "[[1.]]", ":1:3: unexpected '1.', expected a number" LIKE },
		{ "[[1e]]", ":1:3: unexpected '1e', expected a number" LIKE },
		{ "[[1],\n [+1]]",
		  ":2:3: unexpected '+1', expected a value" LIKE },
		{ "[[.5]]", ":1:3: unexpected '.5', expected a value" LIKE },
		{ "[[-]]", ":1:3: unexpected '-', expected a value" },
		{ "[[0x1p3]]",
		  ":1:3: unexpected '0x1p3', expected a number" LIKE },
		{ "[[nan]]", ":1:3: unexpected 'nan', expected a value" },
		{ "[[inf]]", ":1:3: unexpected 'inf', expected a value" },
		{ "[[True]]", ":1:3: unexpected 'True', expected a value" },
	};

	for (size_t i = 0; i < OOD_COUNT(cases); i++)
		refuses("r:", cases[i].text, cases[i].error);
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
	refuses("r:", "[[1],[1e999]]",
		":1:7: number 1e999 is too large for a double");
	refuses("r:", "[1]\n[-2e308]",
		":2:2: number -2e308 is too large for a double");
}
END_TEST

START_TEST(commas_comments_and_quotes_must_be_in_place)
{
	refuses("r:", "[[1, 2,]]", ":1:7: trailing comma before ']'");
	refuses("r:", "[[1],\n[2],]", ":2:4: trailing comma before ']'");
	refuses("r:z", "{\"z\":1}\n{\"z\":2,}\n",
		":2:7: trailing comma before '}'");
	refuses("r:", "[[1] [2]]", ":1:6: unexpected '[', expected ',' or ']'");
	refuses("r:", "[[1 2]]",
		":1:5: unexpected '2', expected ',' or ']'" LIKE);
	refuses("r:", "[,[1]]", ":1:2: unexpected ',', expected a value");
	refuses("r:", "[[1], // two\n[2]]",
		":1:7: unexpected '/', expected a value (JSON has no "
		"comments)");
	refuses("r:", "[['1']]",
		":1:3: unexpected ''', expected a value (JSON quotes with \")");
	refuses("r:", "[[1}]", ":1:4: unexpected '}', expected ',' or ']'");
	refuses("r:z", "{\"z\":1}\n{z:2}",
		":2:2: unexpected 'z', expected a key in quotes");
	refuses("r:z", "{\"z\":1}\n{\"z\" 2}",
		":2:6: unexpected '2', expected ':'" LIKE);
}
END_TEST

START_TEST(text_behind_the_value_is_refused)
{
	refuses("r:", "[[1, 2],\n [3, 4]] xyz\n",
		":2:10: unexpected text after the value");
	refuses("r:", "[[1],\n[2]]\n[[3]]",
		":3:1: another value after the end of the first (looks like "
		"JSON Lines, where each line is a whole value)");
	refuses("", "{\"z\":[[1]]} {\"z\":[[1]]}",
		":1:13: another value after the end of the first (looks like "
		"JSON Lines, where each line is a whole value)");
	refuses("r:z", "{\"z\":1}\n{\"z\":2} 3\n",
		":2:9: unexpected text after the value");
}
END_TEST

START_TEST(cut_files_are_refused)
{
	refuses("r:", "[[1, 2], [3, 4]",
		":1:16: the value ends too early, expected ',' or ']' (cut "
		"file?)");
	refuses("r:", "[[1, 2], [3,",
		":1:13: the value ends too early, expected a value (cut "
		"file?)");
	refuses("r:z", "{\"z\":[1]}\n{\"z\":[2",
		":2:8: the value ends too early, expected ',' or ']' (cut "
		"file?)");
	refuses("", "{\"z\":[[1]]",
		":1:11: the value ends too early, expected ',' or '}' (cut "
		"file?)");
	refuses("r:", "[[1],",
		":1:6: the value ends too early, expected a value (cut "
		"file?)");
}
END_TEST

START_TEST(keys_that_occur_twice_are_refused)
{
	refuses("r:z", "{\"z\":1,\"a\":2}\n{\"z\":1,\"z\":2}",
		":2:8: key \"z\" occurs twice");
	refuses("r:z", "{\"a\":1,\"z\":1,\"a\":2}\n{\"z\":1}",
		":1:14: key \"a\" occurs twice");
	refuses("r:z", "{\"z\":1,\"b\":1}\n{\"z\":1,\"q\":1,\"\\u0071\":2}",
		":2:14: key \"\\\\u0071\" occurs twice");
	refuses("", "{\"z\":[[1]],\n\"z\":[[2]]}",
		":2:1: key \"z\" occurs twice");
}
END_TEST

START_TEST(a_missing_key_is_refused_by_its_record)
{
	refuses("r:z w:id", "{\"z\":1,\"id\":2}\n\n{\"z\":1,\"ID\":2}",
		":3:1: no key \"id\" in this object");
	refuses("r:z w:id", "{\"z\":1,\"id\":2}\n{\"z\":1}",
		":2:1: no key \"id\" in this object");
	refuses("r:z", "{\"z\":1,\"id\":2}\n[1]",
		":2:1: expected an object, found a list");
}
END_TEST

START_TEST(strings_are_checked_wherever_they_stand)
{
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"\xC3(\"}",
		":2:7: byte 0xC3 is not UTF-8 (re-save the file as UTF-8)");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"\\ud800x\"}",
		":2:7: lone surrogate \\uD800 in a string");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"\\udc00\"}",
		":2:7: lone surrogate \\uDC00 in a string");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"b\\u0000\"}",
		":2:8: \\u0000 in a string");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"\\x41\"}",
		":2:7: bad escape in a string");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"\\u12g4\"}",
		":2:7: bad \\u escape in a string");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"\t\"}",
		":2:7: control byte 0x09 in a string (unclosed quote?)");
	refuses("w:y", "{\"y\":\"a\"}\n{\"y\":\"abc\n",
		":2:6: unclosed string");
	refuses("w:", "[\"a\",\n\"b\n", ":2:3: unclosed string");
	refuses("w:y", "{\"y\":1,\"t\":\"\"}\n{\"y\":1,\"t\":\"\xFF\"}",
		":2:13: byte 0xFF is not UTF-8 (re-save the file as UTF-8)");
	refuses_n("r:", "[[1],\0[2]]", 10,
		  ":1:6: unexpected '\\x00', expected a value");
}
END_TEST

static void repeat(struct ood_buf *buf, char c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ood_buf_char(buf, c);
}

START_TEST(depth_is_limited)
{
	struct ood_buf deep = { 0 };

	repeat(&deep, '[', 2000);
	repeat(&deep, ']', 2000);
	refuses("r:", deep.text, ":1:65: nested deeper than 64 levels");
	ood_buf_clear(&deep);
	ood_buf_str(&deep, "{\"z\":1,\"m\":0}\n{\"z\":2,\"m\":");
	repeat(&deep, '[', 2000);
	refuses("r:z", deep.text, ":2:75: nested deeper than 64 levels");
	ood_buf_free(&deep);
}
END_TEST

START_TEST(numbers_and_strings_are_limited)
{
	struct ood_buf text = { 0 };
	struct json_result r;

	ood_buf_str(&text, "[[0.");
	repeat(&text, '1', 1022);
	ood_buf_str(&text, "]]");
	json_read_all_ways(&r, text.text, text.n,
			   &(struct json_how){ .picks = "r:" });
	ck_assert_str_eq(r.error, "");
	json_result_free(&r);
	text.n -= 2;
	ood_buf_str(&text, "1]]");
	refuses("r:", text.text, ":1:3: a number longer than 1 KiB");

	ood_buf_clear(&text);
	ood_buf_str(&text, "[\"");
	repeat(&text, 'a', (1 << 20) + 1);
	ood_buf_str(&text, "\"]");
	json_read(&r, text.text, text.n, &(struct json_how){ .picks = "w:" });
	ck_assert_str_eq(r.error, ":1:2: a string longer than 1 MiB");
	json_result_free(&r);
	ood_buf_free(&text);
}
END_TEST

START_TEST(a_value_beyond_max_bytes_is_refused)
{
	struct ood_buf text = { 0 };
	struct json_result r;
	struct json_how how = { .picks = "r:", .read.max_bytes = 4096 };

	how.step = 1024;
	ood_buf_str(&text, "[[1");
	for (int i = 0; i < 20000; i++)
		ood_buf_str(&text, ",1");
	ood_buf_str(&text, "]]");
	json_read(&r, text.text, text.n, &how);
	ck_assert_str_eq(r.error, ": a value that needs more than 4096 bytes "
				  "in memory (--max-bytes)");
	json_result_free(&r);
	ood_buf_free(&text);
}
END_TEST

START_TEST(pandas_other_shapes_are_refused_with_advice)
{
	refuses("", "{\"c0\":{\"0\":1.5,\"1\":2},\"c1\":{\"0\":3,\"1\":4}}",
		": an object of objects, as pandas writes with "
		"orient='columns' or 'index' (use orient='records' or "
		"'split')");
	refuses("", "{\"schema\":{\"fields\":[]},\"data\":[{\"index\":0}]}",
		": an object of objects, as pandas writes with orient='table' "
		"(use orient='records' or 'split')");
}
END_TEST

START_TEST(shapes_that_fit_no_row_are_refused)
{
	refuses("r:", "[[[1,2],[3,4],[5,6]]]",
		": 3-d (?, 3, 2), expected rows of numbers (arrays of more "
		"dimensions are read from NPY)");
	refuses("w:", "[[1,2]]", ": 2-d (?, 2), expected one value a row");
	refuses("r:", "[1, 2, 3]",
		": 1-d list where a matrix N x C is wanted ([[1, 2]] is one "
		"row of two, [[1], [2]] two rows of one)");
	refuses("r:z", "{\"z\": [1, 2]}\n",
		"[z]: 1-d list where a matrix N x C is wanted ([[1, 2]] is one "
		"row of two, [[1], [2]] two rows of one; --input-format jsonl "
		"takes the object as one row)");
	refuses("r:logits", "{\"logits\":[1,2],\"labels\":[0,1]}",
		"[logits]: 1-d list where a matrix N x C is wanted ([[1, 2]] "
		"is one row of two, [[1], [2]] two rows of one; --input-format "
		"jsonl takes the object as one row)");
	refuses("r:.a[0].z", "{\n\"a\": [{\"z\": [1, 2]}]}",
		"[.a[0].z]: 1-d list where a matrix N x C is wanted ([[1, 2]] "
		"is one row of two, [[1], [2]] two rows of one)");
	refuses("r:m", "{\"m\":{\"a\":[1]},\"k\":[1]}",
		"[m]: an object or a single value, not a list of rows (a path "
		"names what is in it: FILE:.a.b)");
}
END_TEST

START_TEST(only_lists_and_objects_are_files)
{
	refuses("", "12", ":1:1: unexpected '12', expected '[' or '{'" LIKE);
	refuses("", " \n", ": empty: no value in it");
}
END_TEST

START_TEST(json_lines_are_not_one_value)
{
	struct json_how how = { .picks = "w:", .read.input_format = "json" };
	struct json_result r;
	const char *text = "[1,2]\n[3,4]\n";

	json_read_all_ways(&r, text, strlen(text), &how);
	ck_assert_str_eq(r.error,
			 ":2:1: another value after the end of the first "
			 "(looks like JSON Lines, where each line is a whole "
			 "value)");
	json_result_free(&r);
}
END_TEST

START_TEST(bad_files_of_every_kind_are_refused)
{
	static const struct {
		const char *file, *picks, *error;
	} cases[] = {
		{ "h38.json", "r:", ":1:65: nested deeper than 64 levels" },
		{ "h39.json", "r:", ":2:10: unexpected text after the value" },
		{ "h40.json", "r:",
		  ": row 2: 1 value in the row, expected 4 as in the first" },
		{ "h41.json", "r:c0,c1",
		  ": row 2, column 1: c0: expected a number, found null "
		  "(--missing null reads it as NaN)" },
	};
	static char text[1 << 16];

	for (size_t i = 0; i < OOD_COUNT(cases); i++) {
		char path[256];

		snprintf(path, sizeof(path), "tests/data/cases/%s", cases[i].file);
		FILE *f = fopen(path, "rb");
		ck_assert_ptr_nonnull(f);
		size_t n = fread(text, 1, sizeof(text), f);
		fclose(f);
		refuses_n(cases[i].picks, text, n, cases[i].error);
	}
}
END_TEST

Suite *suite_json_bad(void);

Suite *suite_json_bad(void)
{
	Suite *s = suite_create("json_bad");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 60);
	tcase_add_test(all, null_is_refused_by_row_and_column);
	tcase_add_test(all, numbers_as_strings_are_refused_by_row_and_column);
	tcase_add_test(all, what_is_no_number_is_named);
	tcase_add_test(all, ragged_rows_are_refused);
	tcase_add_test(all, lists_and_numbers_do_not_mix);
	tcase_add_test(all, lists_of_one_object_need_equal_counts);
	tcase_add_test(all, numbers_that_only_lenient_parsers_take_are_refused);
	tcase_add_test(all, numbers_out_of_range_are_refused);
	tcase_add_test(all, commas_comments_and_quotes_must_be_in_place);
	tcase_add_test(all, text_behind_the_value_is_refused);
	tcase_add_test(all, cut_files_are_refused);
	tcase_add_test(all, keys_that_occur_twice_are_refused);
	tcase_add_test(all, a_missing_key_is_refused_by_its_record);
	tcase_add_test(all, strings_are_checked_wherever_they_stand);
	tcase_add_test(all, depth_is_limited);
	tcase_add_test(all, numbers_and_strings_are_limited);
	tcase_add_test(all, a_value_beyond_max_bytes_is_refused);
	tcase_add_test(all, pandas_other_shapes_are_refused_with_advice);
	tcase_add_test(all, shapes_that_fit_no_row_are_refused);
	tcase_add_test(all, only_lists_and_objects_are_files);
	tcase_add_test(all, json_lines_are_not_one_value);
	tcase_add_test(all, bad_files_of_every_kind_are_refused);
	suite_add_tcase(s, all);
	return s;
}
