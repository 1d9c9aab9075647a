/*
 * test_json_path.c - paths into records, as in jq
 */
#include "json_read.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static void reads(const char *picks, const char *text, const char *dump)
{
	struct json_result r;

	json_read_all_ways(&r, text, strlen(text),
			   &(struct json_how){ .picks = picks });
	ck_assert_str_eq(r.error, "");
	ck_assert_str_eq(r.dump.text, dump);
	json_result_free(&r);
}

static void refuses(const char *picks, const char *text, const char *error)
{
	struct json_result r;

	json_read_all_ways(&r, text, strlen(text),
			   &(struct json_how){ .picks = picks });
	ck_assert_str_eq(r.error, error);
	ck_assert_int_eq(r.code, OOD_INPUT);
	json_result_free(&r);
}

START_TEST(a_path_gathers_one_row_however_the_object_is_laid_out)
{
	reads("r:.runs[].z", "{\"runs\":[{\"z\":5},{\"z\":6}]}", "5 6\n");
	reads("r:.runs[].z",
	      "{\n \"runs\": [\n  {\"z\": 5},\n  {\"z\": 6}\n ]\n}\n",
	      "5 6\n");
	reads("r:.runs[].z", "{\"runs\":\n[{\"z\":[1,2]},{\"z\":[3,4]}]}",
	      "1 2\n3 4\n");
	refuses("r:.runs[].z", "{\"runs\":\n[{\"z\":5},{\"y\":6}]}",
		":2:10: no key \"z\" in this object");
}
END_TEST

START_TEST(a_path_to_one_row_makes_the_line_a_record)
{
	static const char one[] = "{\"outputs\":[{\"logits\":[1,2]}]}\n";

	reads("r:.outputs[0].logits", one, "1 2\n");
	reads("r:.outputs[0].logits[]", one, "1 2\n");
	reads("r:.outputs[0].logits w:labels",
	      "{\"outputs\":[{\"logits\":[1,2]}],\"labels\":[3]}", "1 2|3\n");
	reads("r:.outputs[].logits[]", one, "1 2\n");
	reads("r:.t[].v", "{\"t\":[{\"v\":3},{\"v\":5}]}", "3 5\n");
	/* The rows of a list are rows. */
	reads("r:.outputs[].logits", one, "1 2\n");
	reads("r:.data", "{\"data\":[[1,2],[3,4]]}", "1 2\n3 4\n");
}
END_TEST

/* The shape of OpenAI's and vLLM's answers. */
static const char answers[] =
	"{\"id\":\"a\",\"choices\":[{\"logprobs\":{\"content\":["
	"{\"top_logprobs\":[{\"token\":\"x\",\"logprob\":-0.5},"
	"{\"token\":\"y\",\"logprob\":-1.5}]},"
	"{\"top_logprobs\":[{\"logprob\":-2,\"token\":\"z\"},"
	"{\"token\":\"w\",\"logprob\":-3}]}]}}]}\n"
	"{\"choices\":[{\"logprobs\":{\"content\":["
	"{\"top_logprobs\":[{\"token\":\"x\",\"logprob\":-4},"
	"{\"token\":\"y\",\"logprob\":-5}]},"
	"{\"top_logprobs\":[{\"token\":\"z\",\"logprob\":-6},"
	"{\"token\":\"w\",\"logprob\":-7}]}]}}],\"id\":\"b\"}\n";

START_TEST(keys_and_indices_lead_into_a_record)
{
	reads("r:.outputs[0].logits w:.meta.id",
	      "{\"outputs\":[{\"logits\":[1,2]},{\"logits\":[9,9,9]}],"
	      "\"meta\":{\"id\":7}}\n"
	      "{\"meta\":{\"x\":0,\"id\":8},\"outputs\":[{\"logits\":[3,4]}]}"
	      "\n",
	      "1 2|7\n3 4|8\n");
	reads("r:.outputs[1][0] r:.outputs[1] r:.outputs[0]",
	      "{\"outputs\":[5,[1,2]]}\n{\"outputs\":[6,[3,4]]}\n",
	      "1|1 2|5\n3|3 4|6\n");
}
END_TEST

START_TEST(odd_keys_stand_in_quotes)
{
	reads("r:.[\"a.b[0]\"] r:.\"a.b[0]\" r:.[\"\\u00e9\"].x[\"y\"]",
	      "{\"a.b[0]\":1,\"\xC3\xA9\":{\"x\":{\"y\":2}}}\n"
	      "{\"a.b[0]\":3,\"\\u00e9\":{\"x\":{\"y\":4}}}\n",
	      "1|1|2\n3|3|4\n");
}
END_TEST

START_TEST(empty_brackets_gather_a_list)
{
	reads("w:id "
	      "r:.choices[0].logprobs.content[].top_logprobs[].logprob",
	      answers, "a|-0.5 -1.5 -2 -3\nb|-4 -5 -6 -7\n");
	reads("r:.x[] r:.x", "{\"x\":[1,2]}\n{\"x\":[3,4]}",
	      "1 2|1 2\n3 4|3 4\n");
	refuses("r:.x[].y",
		"{\"x\":[{\"y\":1},{\"y\":2}]}\n{\"x\":[{\"y\":3}]}",
		":2: .x[].y: 1 value in the row, expected 2 as in the first");
	refuses("r:.x[].y", "{\"x\":[{\"y\":1}]}\n{\"x\":[{\"y\":[2]}]}",
		":2:1: .x[].y: expected a number, found a list");
}
END_TEST

START_TEST(a_list_of_records_is_entered_with_or_without_brackets)
{
	const char *text = "[{\"a\":{\"z\":[1,2]}},{\"a\":{\"z\":[3,4]}}]";

	reads("r:.a.z", text, "1 2\n3 4\n");
	reads("r:.[].a.z", text, "1 2\n3 4\n");
	reads("r:.[1]", "[[1,2],[3,4]]", "2\n4\n");
}
END_TEST

START_TEST(a_path_leads_to_the_rows_of_an_object)
{
	const char *text =
		"{\"meta\": {\"logits\": \"no\"}, \"out\": {\"v\": 1, "
		"\"logits\": [[1, 2], [3, 4]]},\n \"runs\": "
		"[{\"z\": 5, \"id\": \"a\"}, {\"id\": \"b\", \"z\": 6}]}";

	reads("r:.out.logits w:.runs[].id w:.runs[].z", text,
	      "1 2|a|5\n3 4|b|6\n");
	refuses("r:.out.scores", text,
		"[.out.scores]: no such path in the file");
	refuses("r:.out.v", text,
		"[.out.v]: the path leads to a number, not to a list of rows");
}
END_TEST

START_TEST(a_path_that_a_record_lacks_is_refused)
{
	refuses("r:.a.b", "{\"a\":{\"b\":1}}\n{\"a\":{\"c\":1}}",
		":2:6: no key \"b\" in this object");
	refuses("r:.a[2]", "{\"a\":[1,2,3]}\n{\"a\":[1,2]}",
		":2:6: no item [2] in this list of 2");
	refuses("r:.a.b", "{\"a\":{\"b\":1}}\n{\"a\":[1]}",
		":2:6: expected an object, found a list");
	refuses("r:.a[0]", "{\"a\":[1]}\n{\"a\":{\"b\":1}}",
		":2:6: expected a list, found an object");
	refuses("r:.q", "{\"a\":1}\n{\"a\":[1]}",
		":1:1: no key \"q\" in this object");
	refuses("w:.a[]", "{\"a\":1}\n{\"a\":[1]}",
		": [] gathers a list where one value a row is wanted");
}
END_TEST

START_TEST(what_is_no_path_is_refused)
{
	static const char *const bad[] = {
		".a..b",   ".a[",    ".a[1",  ".a[-1]",	  ".a[x]",
		".a b",	   ".[\"a]", ".a|.b", ".a[\"x\"", ".a.",
		".a[1:2]", ".a?",    "a",
	};

	for (size_t i = 0; i < OOD_COUNT(bad); i++) {
		struct ood_json_path path;
		struct ood_err err;

		ck_assert_int_eq(ood_json_path_parse(&path, bad[i], &err),
				 OOD_USAGE);
		ck_assert_ptr_nonnull(strstr(err.what, bad[i]));
	}
}
END_TEST

START_TEST(many_columns_in_any_order_are_found)
{
	struct ood_buf text = { 0 }, picks = { 0 }, want = { 0 };
	enum { COLUMNS = 60, ROWS = 9 };

	/* The order of the keys rotates from record to record. */
	for (int r = 0; r < ROWS; r++) {
		ood_buf_str(&text, r ? ",{" : "[{");
		for (int c = 0; c < COLUMNS; c++) {
			int k = (c + 7 * r) % COLUMNS;
			ood_buf_printf(&text, "%s\"c%d\":%d", c ? "," : "", k,
				       100 * r + k);
		}
		ood_buf_str(&text, "}");
	}
	ood_buf_str(&text, "]");
	for (int c = COLUMNS; c-- > 0;)
		ood_buf_printf(&picks, "%sc%d", c == COLUMNS - 1 ? "r:" : ",",
			       c);
	for (int r = 0; r < ROWS; r++)
		for (int c = COLUMNS; c-- > 0;)
			ood_buf_printf(&want, "%d%s", 100 * r + c,
				       c ? " " : "\n");
	reads(picks.text, text.text, want.text);
	ood_buf_free(&text);
	ood_buf_free(&picks);
	ood_buf_free(&want);
}
END_TEST

Suite *suite_json_path(void);

Suite *suite_json_path(void)
{
	Suite *s = suite_create("json_path");
	TCase *all = tcase_create("all");

	tcase_set_timeout(all, 60);
	tcase_add_test(all, keys_and_indices_lead_into_a_record);
	tcase_add_test(all, odd_keys_stand_in_quotes);
	tcase_add_test(all, empty_brackets_gather_a_list);
	tcase_add_test(all,
		       a_list_of_records_is_entered_with_or_without_brackets);
	tcase_add_test(all, a_path_leads_to_the_rows_of_an_object);
	tcase_add_test(all, a_path_that_a_record_lacks_is_refused);
	tcase_add_test(all, what_is_no_path_is_refused);
	tcase_add_test(all,
		       a_path_gathers_one_row_however_the_object_is_laid_out);
	tcase_add_test(all, a_path_to_one_row_makes_the_line_a_record);
	tcase_add_test(all, many_columns_in_any_order_are_found);
	suite_add_tcase(s, all);
	return s;
}
