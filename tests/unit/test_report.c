/*
 * test_report.c - reports: exact bytes of each rendering
 */
#include <math.h>

#include "core/err.h"
#include "report/report.h"
#include "scratch.h"

static int render(const struct ood_report *report, const char *format,
		  const char *table, struct scratch *s, struct ood_err *err)
{
	struct ood_render how = { .format = format, .table = table };

	scratch_open(s);
	return ood_report_write(report, &how, s->sink, err);
}

static void expect(const struct ood_report *report, const char *format,
		   const char *table, const char *text)
{
	struct scratch s;
	struct ood_err err;

	ck_assert_int_eq(render(report, format, table, &s, &err), OOD_OK);
	ck_assert_str_eq(scratch_read(&s), text);
	scratch_close(&s);
}

static void refused(const struct ood_report *report, const char *format,
		    const char *table, int code, const char *what)
{
	struct scratch s;
	struct ood_err err;

	ck_assert_int_eq(render(report, format, table, &s, &err), code);
	ck_assert_str_eq(err.what, what);
	ood_sink_abandon(s.sink);
	scratch_close(&s);
}

static struct ood_report *new_report(void)
{
	static char *const words[] = { "eval", "-s", "msp" };

	return ood_report_new("eval", 3, words);
}

/* Two scorers against two sets, one figure undefined. */
static struct ood_report *detection(void)
{
	struct ood_report *r = new_report();
	struct ood_table *t = ood_report_table(r, "detection", "Detection");
	struct ood_value good = { .x = 0.1 + 0.2 };
	struct ood_value none = { .x = NAN,
				  .status = OOD_STATUS_UNDEFINED,
				  .reason = "one side is empty" };

	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("msp"));
	ood_table_set(t, "ood", ood_item_text("near"));
	ood_table_set(t, "n_ood", ood_item_int(1234567));
	ood_table_value(t, "auroc", &good);
	ood_table_set(t, "ci_method", ood_item_text("delong-logit"));
	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("energy:T=2"));
	ood_table_set(t, "ood", ood_item_text("far/b"));
	ood_table_set(t, "n_ood", ood_item_int(0));
	ood_table_value(t, "auroc", &none);
	ood_table_hide(t, "ci_method");
	ood_table_note(t, "intervals: 95 %");
	return r;
}

#define HEAD                                                                   \
	"{\n"                                                                  \
	"  \"schema\": \"ood.eval/1\",\n"                                      \
	"  \"tool\": {\n"                                                      \
	"    \"name\": \"ood\",\n"                                             \
	"    \"version\": \"" OOD_VERSION "\"\n"                               \
	"  },\n"                                                               \
	"  \"command\": [\"ood\", \"eval\", \"-s\", \"msp\"],\n"

START_TEST(an_empty_report_has_its_head)
{
	struct ood_report *r = new_report();

	expect(r, "json", NULL,
	       HEAD "  \"run\": null,\n"
		    "  \"seed\": 0,\n"
		    "  \"conventions\": {},\n"
		    "  \"inputs\": [],\n"
		    "  \"warnings\": []\n"
		    "}\n");
	expect(r, "table", NULL, "");
	expect(r, "md", NULL, "");
	expect(r, "csv", NULL, "");
	ood_report_free(r);
}
END_TEST

START_TEST(the_head_says_where_figures_come_from)
{
	struct ood_report *r = new_report();
	struct ood_input input = { .role = "logits",
				   .path = "a/b.npy",
				   .format = "npy",
				   .dtype = "<f4",
				   .ndim = 2,
				   .shape = { 100, 10 },
				   .rows = 99,
				   .skipped = 1,
				   .crc32 = 0xBEEF };

	ood_report_run(r, "42");
	ood_report_seed(r, UINT64_C(9007199254740993));
	ood_report_convention(r, "positive", "ood");
	ood_report_input(r, "id", &input);
	ood_report_warning(r, "prob-sum", "largest deviation 2e-4", 3);
	expect(r, "json", NULL,
	       HEAD "  \"run\": \"42\",\n"
		    "  \"seed\": 9007199254740993,\n"
		    "  \"conventions\": {\n"
		    "    \"positive\": \"ood\"\n"
		    "  },\n"
		    "  \"inputs\": [\n"
		    "    {\n"
		    "      \"set\": \"id\",\n"
		    "      \"role\": \"logits\",\n"
		    "      \"path\": \"a/b.npy\",\n"
		    "      \"format\": \"npy\",\n"
		    "      \"dtype\": \"<f4\",\n"
		    "      \"shape\": [100, 10],\n"
		    "      \"rows\": 99,\n"
		    "      \"skipped\": 1,\n"
		    "      \"crc32\": \"0000beef\"\n"
		    "    }\n"
		    "  ],\n"
		    "  \"warnings\": [\n"
		    "    {\n"
		    "      \"code\": \"prob-sum\",\n"
		    "      \"text\": \"largest deviation 2e-4\",\n"
		    "      \"count\": 3\n"
		    "    }\n"
		    "  ]\n"
		    "}\n");
	ood_report_free(r);
}
END_TEST

#define PLAIN_HEAD                                                             \
	HEAD "  \"run\": null,\n"                                              \
	     "  \"seed\": 0,\n"                                                \
	     "  \"conventions\": {},\n"                                        \
	     "  \"inputs\": [],\n"                                             \
	     "  \"warnings\": [],\n"

START_TEST(json_holds_fields_objects_lists_and_tables_in_order)
{
	struct ood_report *r = new_report();
	struct ood_item words[] = { ood_item_text("id"), ood_item_text("ood") };

	ood_report_field(r, "threshold", ood_item_real(0.1 + 0.2), true);
	ood_report_field(r, "nan", ood_item_real(NAN), true);
	ood_report_field(r, "inf", ood_item_real(-INFINITY), false);
	ood_report_field(r, "ok", ood_item_bool(true), false);
	ood_report_field(r, "none", ood_item_text(NULL), false);
	ood_report_field_in(r, "before", "nll", ood_item_real(1e-7));
	ood_report_field_in(r, "before", "n", ood_item_int(INT64_MIN));
	ood_report_list(r, "words", words, 2);
	ood_report_field(r, "nan", ood_item_text("a\"b"), true);
	ood_report_table(r, "slices", NULL);
	expect(r, "json", NULL,
	       PLAIN_HEAD "  \"threshold\": 0.30000000000000004,\n"
			  "  \"nan\": \"a\\\"b\",\n"
			  "  \"inf\": \"-inf\",\n"
			  "  \"ok\": true,\n"
			  "  \"none\": null,\n"
			  "  \"before\": {\n"
			  "    \"nll\": 1e-7,\n"
			  "    \"n\": -9223372036854775808\n"
			  "  },\n"
			  "  \"words\": [\"id\", \"ood\"],\n"
			  "  \"slices\": []\n"
			  "}\n");
	expect(r, "csv", NULL,
	       "threshold,nan,inf,ok,none\n"
	       "0.30000000000000004,\"a\"\"b\",-inf,true,\n");
	expect(r, "jsonl", "",
	       "{\"threshold\":0.30000000000000004,\"nan\":\"a\\\"b\","
	       "\"inf\":\"-inf\",\"ok\":true,\"none\":null}\n");
	expect(r, "table", NULL, "threshold: 0.3\nnan: a\"b\n");
	expect(r, "md", NULL, "- threshold: 0.3\n- nan: a\"b\n");
	ood_report_free(r);
}
END_TEST

START_TEST(rows_have_every_column_status_last)
{
	struct ood_report *r = detection();

	expect(r, "json", NULL,
	       PLAIN_HEAD "  \"detection\": [\n"
			  "    {\n"
			  "      \"scorer\": \"msp\",\n"
			  "      \"ood\": \"near\",\n"
			  "      \"n_ood\": 1234567,\n"
			  "      \"auroc\": 0.30000000000000004,\n"
			  "      \"ci_method\": \"delong-logit\",\n"
			  "      \"status\": \"ok\",\n"
			  "      \"reason\": null\n"
			  "    },\n"
			  "    {\n"
			  "      \"scorer\": \"energy:T=2\",\n"
			  "      \"ood\": \"far/b\",\n"
			  "      \"n_ood\": 0,\n"
			  "      \"auroc\": null,\n"
			  "      \"ci_method\": null,\n"
			  "      \"status\": \"undefined\",\n"
			  "      \"reason\": \"one side is empty\"\n"
			  "    }\n"
			  "  ]\n"
			  "}\n");
	expect(r, "jsonl", "detection",
	       "{\"scorer\":\"msp\",\"ood\":\"near\",\"n_ood\":1234567,"
	       "\"auroc\":0.30000000000000004,\"ci_method\":\"delong-logit\","
	       "\"status\":\"ok\",\"reason\":null}\n"
	       "{\"scorer\":\"energy:T=2\",\"ood\":\"far/b\",\"n_ood\":0,"
	       "\"auroc\":null,\"ci_method\":null,\"status\":\"undefined\","
	       "\"reason\":\"one side is empty\"}\n");
	expect(r, "csv", NULL,
	       "scorer,ood,n_ood,auroc,ci_method,status,reason\n"
	       "msp,near,1234567,0.30000000000000004,delong-logit,ok,\n"
	       "energy:T=2,far/b,0,,,undefined,one side is empty\n");
	ood_report_free(r);
}
END_TEST

START_TEST(people_get_aligned_tables)
{
	struct ood_report *r = detection();

	ood_report_field(r, "scores", ood_item_int(2), true);
	expect(r, "table", NULL,
	       "Detection\n"
	       "scorer      ood      n_ood  auroc  status     reason\n"
	       "msp         near   1234567    0.3  ok         -\n"
	       "energy:T=2  far/b        0      -  undefined  one side is "
	       "empty\n"
	       "intervals: 95 %\n"
	       "\n"
	       "scores: 2\n");
	expect(r, "md", NULL,
	       "### Detection\n"
	       "\n"
	       "| scorer     | ood   |   n_ood | auroc | status    | reason "
	       "           |\n"
	       "| ---------- | ----- | ------: | ----: | --------- | -------"
	       "---------- |\n"
	       "| msp        | near  | 1234567 |   0.3 | ok        | -      "
	       "           |\n"
	       "| energy:T=2 | far/b |       0 |     - | undefined | one "
	       "side is empty |\n"
	       "\n"
	       "intervals: 95 %\n"
	       "\n"
	       "- scores: 2\n");
	ood_report_free(r);
}
END_TEST

START_TEST(digits_are_for_people_alone)
{
	struct ood_report *r = new_report();
	struct ood_table *t = ood_report_table(r, "t", NULL);
	struct ood_value value = { .x = 2.0 / 3 };
	struct ood_render how = { .format = "table", .digits = 3 };
	struct scratch s;
	struct ood_err err;

	ood_table_row(t);
	ood_table_value(t, "x", &value);
	expect(r, "table", NULL, "       x\n0.666667\n");
	expect(r, "csv", NULL, "x,status,reason\n0.6666666666666666,ok,\n");
	scratch_open(&s);
	ck_assert_int_eq(ood_report_write(r, &how, s.sink, &err), OOD_OK);
	ck_assert_str_eq(scratch_read(&s), "    x\n0.667\n");
	scratch_close(&s);
	ood_report_free(r);
}
END_TEST

START_TEST(two_reasons_stand_side_by_side)
{
	struct ood_report *r = new_report();
	struct ood_table *t = ood_report_table(r, "t", NULL);
	struct ood_value a = { NAN,	 NAN, NAN, NULL, OOD_STATUS_UNDEFINED,
			       "no ties" };
	struct ood_value b = { NAN,	 NAN, NAN, NULL, OOD_STATUS_INFEASIBLE,
			       "no rows" };

	ood_table_row(t);
	ood_table_value(t, "x", &a);
	ood_table_value(t, "y", &b);
	ood_table_value(t, "z", &a);
	expect(r, "csv", NULL,
	       "x,y,z,status,reason\n,,,undefined,no ties; no rows\n");
	ood_report_free(r);
}
END_TEST

START_TEST(csv_takes_the_first_table_with_rows)
{
	struct ood_report *r = new_report();
	struct ood_table *t;

	ood_report_table(r, "detection", NULL);
	t = ood_report_table(r, "selective", NULL);
	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("a,b"));
	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_null());
	expect(r, "csv", NULL, "scorer\n\"a,b\"\n\"\"\n");
	expect(r, "tsv", NULL, "scorer\na,b\n\"\"\n");
	expect(r, "csv", "detection", "");
	expect(r, "table", NULL, "scorer\na,b\n-\n");
	refused(r, "csv", "bins", OOD_USAGE,
		"this report has no table \"bins\" (there are detection, "
		"selective)");
	ood_report_free(r);
}
END_TEST

START_TEST(dvc_gets_nested_numbers)
{
	struct ood_report *r = detection();
	struct ood_table *t = ood_report_table(r, "means", NULL);

	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("msp"));
	ood_table_set(t, "ood", ood_item_text("mean"));
	ood_table_set(t, "auroc", ood_item_real(0.5));
	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("msp"));
	ood_table_set(t, "ood", ood_item_text("near"));
	ood_table_set(t, "slice", ood_item_text("site=a"));
	ood_table_set(t, "auroc", ood_item_real(0.25));
	expect(r, "metrics", NULL,
	       "{\n"
	       "  \"msp\": {\n"
	       "    \"near\": {\n"
	       "      \"n_ood\": 1234567,\n"
	       "      \"auroc\": 0.30000000000000004\n"
	       "    },\n"
	       "    \"mean\": {\n"
	       "      \"auroc\": 0.5\n"
	       "    },\n"
	       "    \"near[site=a]\": {\n"
	       "      \"auroc\": 0.25\n"
	       "    }\n"
	       "  },\n"
	       "  \"energy:T=2\": {\n"
	       "    \"far/b\": {\n"
	       "      \"n_ood\": 0\n"
	       "    }\n"
	       "  }\n"
	       "}\n");
	expect(r, "metrics", "means",
	       "{\n"
	       "  \"msp\": {\n"
	       "    \"mean\": {\n"
	       "      \"auroc\": 0.5\n"
	       "    },\n"
	       "    \"near[site=a]\": {\n"
	       "      \"auroc\": 0.25\n"
	       "    }\n"
	       "  }\n"
	       "}\n");
	ood_report_free(r);
}
END_TEST

/* Names are the user's: nothing in them is markup or ends a cell. */
START_TEST(names_are_no_markup)
{
	struct ood_report *r = new_report();
	struct ood_table *t;

	ood_report_field(r, "name", ood_item_text("a*b*<i>[x](y)\x1B|\n"),
			 true);
	t = ood_report_table(r, "detection", "[t]");
	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("s\r\x01\x7F\"\\"));
	ood_table_set(t, "ood", ood_item_text("a,b|\t\n"));
	ood_table_set(t, "auroc", ood_item_real(0.5));
	ood_table_note(t, "*note*");
	expect(r, "md", NULL,
	       "- name: a\\*b\\*\\<i>\\[x](y)\\\\x1B\\|\\\\n\n"
	       "\n"
	       "### \\[t]\n"
	       "\n"
	       "| scorer            | ood         | auroc |\n"
	       "| ----------------- | ----------- | ----: |\n"
	       "| s\\\\r\\\\x01\\\\x7F\"\\\\ | a,b\\|\\\\t\\\\n |   0.5 |\n"
	       "\n"
	       "\\*note\\*\n");
	expect(r, "table", NULL,
	       "name: a*b*<i>[x](y)\\x1B|\\n\n"
	       "\n"
	       "[t]\n"
	       "scorer         ood       auroc\n"
	       "s\\r\\x01\\x7F\"\\  a,b|\\t\\n    0.5\n"
	       "*note*\n");
	expect(r, "csv", "detection",
	       "scorer,ood,auroc\n\"s\r\x01\x7F\"\"\\\",\"a,b|\t\n\",0.5\n");
	expect(r, "tsv", "detection",
	       "scorer\tood\tauroc\n\"s\r\x01\x7F\"\"\\\"\t\"a,b|\t\n\"\t0."
	       "5\n");
	expect(r, "jsonl", "detection",
	       "{\"scorer\":\"s\\r\\u0001\\u007f\\\"\\\\\","
	       "\"ood\":\"a,b|\\t\\n\",\"auroc\":0.5}\n");
	expect(r, "openmetrics", NULL,
	       "# TYPE ood_auroc gauge\n"
	       "ood_auroc{scorer=\"s\\\\r\\\\x01\\\\x7F\\\"\\\\\","
	       "set=\"a,b|\\\\t\\n\"} 0.5\n"
	       "# EOF\n");
	ood_report_free(r);
}
END_TEST

/* OpenMetrics 1.0: families together, labels escaped, # EOF. */
START_TEST(openmetrics_has_a_gauge_a_metric)
{
	struct ood_report *r = detection();
	struct ood_table *t = ood_report_table(r, "means", NULL);

	ood_table_row(t);
	ood_table_set(t, "scorer", ood_item_text("a\"\\\n"));
	ood_table_set(t, "ood", ood_item_text("mean"));
	ood_table_set(t, "slice", ood_item_text("site=a"));
	ood_table_set(t, "auroc", ood_item_real(INFINITY));
	ood_table_set(t, "risk:coverage=0.9", ood_item_real(0.25));
	expect(r, "openmetrics", NULL,
	       "# TYPE ood_n_ood gauge\n"
	       "ood_n_ood{scorer=\"msp\",set=\"near\"} 1234567\n"
	       "ood_n_ood{scorer=\"energy:T=2\",set=\"far/b\"} 0\n"
	       "# TYPE ood_auroc gauge\n"
	       "ood_auroc{scorer=\"msp\",set=\"near\"} 0.30000000000000004\n"
	       "ood_auroc{scorer=\"a\\\"\\\\\\n\",set=\"mean\","
	       "slice=\"site=a\"} +Inf\n"
	       "# TYPE ood_risk_coverage_0_9 gauge\n"
	       "ood_risk_coverage_0_9{scorer=\"a\\\"\\\\\\n\",set=\"mean\","
	       "slice=\"site=a\"} 0.25\n"
	       "# EOF\n");
	ood_table_set(t, "risk:coverage_0.9", ood_item_real(0.25));
	refused(r, "openmetrics", NULL, OOD_USAGE,
		"\"risk:coverage=0.9\" and \"risk:coverage_0.9\" are one name "
		"for "
		"openmetrics (NAME=METRIC renames one)");
	ood_report_free(r);
}
END_TEST

START_TEST(what_cannot_be_rendered_is_refused)
{
	struct ood_report *r = new_report();

	refused(r, "html", NULL, OOD_USAGE,
		"unknown format of a report \"html\" (there are table, md, "
		"json, csv, tsv, jsonl, metrics, openmetrics)");
	refused(r, "csv", "bins", OOD_USAGE,
		"this report has no table \"bins\" (it has none)");
	refused(r, "metrics", NULL, OOD_USAGE,
		"format metrics needs a table with columns scorer and ood, as "
		"`ood eval` makes it");
	ood_report_field(r, "name", ood_item_text("caf\xE9"), true);
	refused(r, "json", NULL, OOD_INPUT,
		"\"caf\\xE9\" is not UTF-8, which JSON asks for (rename it, or "
		"write -f table)");
	expect(r, "csv", NULL, "name\ncaf\xE9\n");
	expect(r, "table", NULL, "name: caf\\xE9\n");
	ood_report_free(r);
}
END_TEST

/* File names may hold any bytes; a report must not fail for that. */
START_TEST(words_and_paths_that_are_not_utf8_are_shown)
{
	static char *const words[] = { "caf\xE9.npy" };
	struct ood_report *r = ood_report_new("info", 1, words);
	struct scratch s;
	struct ood_err err;

	ck_assert_int_eq(render(r, "json", NULL, &s, &err), OOD_OK);
	ck_assert_ptr_nonnull(
		strstr(scratch_read(&s),
		       "\"command\": [\"ood\", \"caf\\\\xE9.npy\"],\n"));
	scratch_close(&s);
	ood_report_free(r);
}
END_TEST

/* Without memory for a report there is none: calls on it do nothing. */
START_TEST(no_report_takes_every_call)
{
	struct ood_table *t = ood_report_table(NULL, "t", NULL);
	struct ood_value value = { .x = 1 };

	ck_assert_ptr_null(t);
	ood_report_run(NULL, "1");
	ood_report_seed(NULL, 1);
	ood_report_field(NULL, "a", ood_item_null(), true);
	ood_table_row(t);
	ood_table_set(t, "a", ood_item_null());
	ood_table_value(t, "a", &value);
	ood_table_hide(t, "a");
	ood_table_note(t, "a");
	refused(NULL, "json", NULL, OOD_SYSTEM, "out of memory");
	ood_report_free(NULL);
}
END_TEST

Suite *suite_report(void);
Suite *suite_report(void)
{
	Suite *s = suite_create("report");
	TCase *t = tcase_create("renderings");

	tcase_add_test(t, an_empty_report_has_its_head);
	tcase_add_test(t, the_head_says_where_figures_come_from);
	tcase_add_test(t, json_holds_fields_objects_lists_and_tables_in_order);
	tcase_add_test(t, rows_have_every_column_status_last);
	tcase_add_test(t, people_get_aligned_tables);
	tcase_add_test(t, digits_are_for_people_alone);
	tcase_add_test(t, two_reasons_stand_side_by_side);
	tcase_add_test(t, csv_takes_the_first_table_with_rows);
	tcase_add_test(t, dvc_gets_nested_numbers);
	tcase_add_test(t, names_are_no_markup);
	tcase_add_test(t, openmetrics_has_a_gauge_a_metric);
	tcase_add_test(t, what_cannot_be_rendered_is_refused);
	tcase_add_test(t, words_and_paths_that_are_not_utf8_are_shown);
	tcase_add_test(t, no_report_takes_every_call);
	suite_add_tcase(s, t);
	return s;
}
