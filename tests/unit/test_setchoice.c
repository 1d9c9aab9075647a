/*
 * test_setchoice.c - what a set takes as scores, leaves unread or refuses
 */
#include <check.h>

#include "set_text.h"

Suite *suite_setchoice(void);

static const struct ood_read as_scores = { .as = "scores" };

START_TEST(a_confidence_is_the_score_where_the_truth_leaves_nothing_else)
{
	folder_put("c.csv", "y,conf\n1,.25\n0,.5\n");
	ck_assert_str_eq(set_text_extra("c.csv", &as_scores, "y"),
			 "1: | S -0.25 extra=1\n2: | S -0.5 extra=0\n");
	folder_put("d.csv", "y,conf,msp\n1,.25,3\n");
	ck_assert_str_eq(set_text_extra("d.csv", &as_scores, "y"),
			 "1: | S 3 extra=1\n");
}
END_TEST

START_TEST(chosen_scores_keep_their_order_beside_the_truth)
{
	static const char *const names[] = { "s2", "s" };
	struct ood_set *set;
	struct ood_err err;

	folder_put("b.csv", "y,s,t,s2\n1,2,3,4\n");
	ck_assert_int_eq(ood_set_open(&set, "b.csv", &as_scores, &err), 0);
	ck_assert_int_eq(ood_set_choose_scores(set, names, 2, &err), 0);
	ck_assert_int_eq(ood_set_extra(set, "y", &err), 0);
	ck_assert_uint_eq(ood_set_score_count(set), 2);
	ck_assert_str_eq(ood_set_score_name(set, 0), "s2");
	ck_assert_str_eq(ood_set_score_name(set, 1), "s");
	ood_set_close(set);
	/* The truth cannot be a score as well. */
	ck_assert_int_eq(ood_set_open(&set, "b.csv", &as_scores, &err), 0);
	ck_assert_int_eq(ood_set_choose_scores(set, names, 2, &err), 0);
	ck_assert_int_eq(ood_set_extra(set, "s", &err), OOD_USAGE);
	ood_set_close(set);
}
END_TEST

START_TEST(as_stored_no_score_is_negated_or_left_out)
{
	const struct ood_read stored = { .as = "scores",
					 .as_stored = true,
					 .higher_id = true };
	const struct ood_read logits = { .as_stored = true };

	folder_put("a.csv", "conf,msp\n.25,3\n");
	folder_put("z.csv", "logit_0,logit_1,confidence\n1,2,.75\n");
	expect_set("a.csv", &stored, "1: | S 3 0.25\n");
	expect_set("z.csv", &logits, "1: 1 2 | S 0.75\n");
	/* Names of classes stay names. */
	folder_put("n.jsonl", "{\"logits\":[1,2],\"label\":\"cat\"}\n");
	expect_set("n.jsonl", &logits, "1: 1 2 label=cat\n");
}
END_TEST

START_TEST(what_ood_score_wrote_is_scores)
{
	const struct ood_read logits = { .as = "logits" };

	folder_put("s.csv", "row,label,pred,pred_name,confidence,msp,score,"
			    "score_x,decision\n1,0,1,7,.5,.25,.75,3,id\n");
	folder_put("s.jsonl", "{\"row\":1,\"pred\":1,\"confidence\":0.5,"
			      "\"msp\":0.25,\"energy\":\"-inf\"}\n");
	folder_put("l.csv", "pred,confidence,logit_0,logit_1\n1,.5,3,4\n");
	folder_put("w.jsonl", "{\"pred\":1,\"confidence\":0.5,"
			      "\"outputs\":[3,4]}\n");
	expect_set("s.csv", NULL, "1: | S 0.25 0.75 3 label=0:0 pred=1\n");
	expect_set("s.jsonl", NULL, "1: | S 0.25 -inf pred=1\n");
	expect_set("s.csv:msp", NULL, "1: | S 0.25\n");
	/* Class scores that are named, or typed, are class scores. */
	expect_set("l.csv", NULL, "1: 3 4 pred=1\n");
	expect_set("w.jsonl", NULL, "1: 3 4 pred=1\n");
	expect_set("s.jsonl", &logits, "1: 0.25 -inf pred=1\n");
}
END_TEST

START_TEST(numbers_in_quotes_are_no_numbers)
{
	folder_put("s.json", "{\"scores\":[\"0.5\",\"0.6\"]}");
	folder_put("i.json", "{\"scores\":[\"inf\",\"-inf\",1]}");
	folder_put("w.json", "{\"logits\":[[1,2]],\"weights\":[\"2\"]}");
	folder_put("l.json", "{\"logits\":[[1,2]],\"labels\":[\"1\"]}");
	folder_put("m.json", "{\"scores\":[\"NA\",1]}");
	expect_refused("s.json", NULL, 3,
		       "s.json[scores]|row 1|string \"0.5\"|without quotes");
	expect_set("i.json", NULL, "1: | S inf\n2: | S -inf\n3: | S 1\n");
	expect_refused("w.json", NULL, 3, "w.json[weights]|string \"2\"");
	expect_set("l.json", NULL, "1: 1 2 label=1:1\n");
	expect_set("m.json",
		   &(struct ood_read){ .missing = "NA", .nan = OOD_NAN_SKIP },
		   "2: | S 1\n");
}
END_TEST

START_TEST(the_place_of_a_pixel_is_no_score)
{
	folder_put("p.csv", "image,y,x,pred,msp\n0,1,2,0,.5\n");
	folder_put("xy.csv", "y,x\n1,2\n");
	expect_set("p.csv", &as_scores, "1: | S 0.5 pred=0\n");
	expect_set("xy.csv", &as_scores, "1: | S 1 2\n");
	expect_set("xy.csv", NULL, "1: 1 2\n");
}
END_TEST

START_TEST(a_first_row_without_a_value_drops_no_score)
{
	const struct ood_read keep = { .as = "scores",
				       .missing = "usual",
				       .nan = OOD_NAN_SKIP };

	folder_put("a.csv", "a,b\n1,NA\n2,3\n");
	folder_put("a.jsonl", "{\"a\":1,\"b\":\"inf\"}\n{\"a\":1,\"b\":2}\n");
	expect_refused("a.csv", &as_scores, 3, "a.csv:2:2|\"NA\"|--missing NA");
	expect_set("a.csv", &keep, "2: | S 2 3\n");
	expect_set("a.jsonl", &as_scores, "1: | S 1 inf\n2: | S 1 2\n");
}
END_TEST

START_TEST(logprobs_are_complete_or_divided_by_their_sum)
{
	struct ood_read read = { .as = "logprobs", .header = OOD_HEADER_NO };

	folder_put("k.csv", "-0.6931471805599453,-0.6931471805599453\n"
			    "-0.5,-3\n");
	folder_put("z.csv", "2,1\n");
	folder_put("n.csv", "logprob_a,logprob_b\n0,-inf\n");
	expect_refused("k.csv", &read, 3, "k.csv:2|0.656|top-k|--renormalise");
	expect_refused("z.csv", &read, 3, "z.csv:1:1|2|log-probability");
	read.renormalise = true;
	expect_set("k.csv", &read,
		   "1: -0.6931471805599453 -0.6931471805599453\n2: -0.5 -3\n");
	read.renormalise = false;
	read.prob_tol = 0.5;
	expect_set("k.csv", &read,
		   "1: -0.6931471805599453 -0.6931471805599453\n2: -0.5 -3\n");
	expect_set("n.csv", NULL, "1: 0 -inf\n");
}
END_TEST

START_TEST(what_is_ignored_is_not_checked)
{
	static const double nan_row[] = { 1, NAN }, row[] = { 1, 2 };
	struct ood_block block;
	struct ood_set *set;
	struct ood_err err;

	folder_put_reals("t_logits.npy", 1, 2, row);
	folder_put_reals("t_features.npy", 1, 2, nan_row);
	folder_put("t_labels.csv", "label\ncat\n");
	expect_refused("t", NULL, 3, "t_features.npy|NaN");
	ck_assert_int_eq(ood_set_open(&set, "t", &(struct ood_read){ 0 }, &err),
			 0);
	ood_set_ignore(set, OOD_FEATURES);
	ood_set_ignore(set, OOD_LABELS);
	ck_assert_int_eq(ood_set_next(set, &block, &err), 0);
	ck_assert_uint_eq(block.n, 1);
	ck_assert_uint_eq(block.features[0].cols, 0);
	ood_set_close(set);
}
END_TEST

START_TEST(a_layout_that_is_none_is_refused_whatever_the_array)
{
	struct ood_read read = { .layout = "xyz" };

	folder_put("a.csv", "a,b\n1,2\n");
	folder_put("a.json", "[[1,2]]");
	expect_refused("a.csv", &read, 2, "--layout|xyz|nchw");
	expect_refused("a.json", &read, 2, "--layout|xyz");
	read.layout = "nmc";
	expect_refused("a.csv", &read, 2, "layout nmc|members");
}
END_TEST

START_TEST(as_is_a_role_of_matrices)
{
	struct ood_read read = { .as = "labels" };

	folder_put("a.csv", "a,b\n1,2\n");
	expect_refused("a.csv", &read, 2, "--as|\"labels\"|logits probs");
	read.as = "weights";
	expect_refused("a.csv", &read, 2, "--as|\"weights\"");
}
END_TEST

START_TEST(standard_input_is_found_in_a_set)
{
	folder_put("a.csv", "a,b\n1,2\n");
	ck_assert(ood_set_uses_stdin("-"));
	ck_assert(ood_set_uses_stdin("-:.a.b"));
	ck_assert(ood_set_uses_stdin("logits=a.csv,labels=-"));
	ck_assert(!ood_set_uses_stdin("a.csv"));
	ck_assert(!ood_set_uses_stdin("no-such"));
}
END_TEST

START_TEST(names_that_reports_use_are_refused_in_groups_too)
{
	static const char *const bad[] = { "mean=a",  "all=a",	  "a/mean=a",
					   "a/all=a", "mean/a=a", "all/a=a" };
	const char *set;
	struct ood_err err;
	char *name;

	for (size_t i = 0; i < OOD_COUNT(bad); i++)
		ck_assert_int_eq(ood_set_name_split(bad[i], &name, &set, &err),
				 OOD_USAGE);
	ck_assert_int_eq(ood_set_name_split("means/b=a", &name, &set, &err), 0);
	ck_assert_str_eq(name, "means/b");
	ood_free(name);
}
END_TEST

START_TEST(a_line_that_ends_in_a_comma_is_told_so)
{
	folder_put("a.csv", "a,b,\n1,2,\n");
	expect_refused("a.csv", NULL, 3,
		       "a.csv:1:3|last column|is empty|ends in a delimiter");
}
END_TEST

Suite *suite_setchoice(void)
{
	Suite *s = suite_create("setchoice");
	TCase *t = tcase_create("setchoice");

	tcase_add_checked_fixture(t, folder_enter, folder_leave);
	tcase_add_test(
		t,
		a_confidence_is_the_score_where_the_truth_leaves_nothing_else);
	tcase_add_test(t, chosen_scores_keep_their_order_beside_the_truth);
	tcase_add_test(t, as_stored_no_score_is_negated_or_left_out);
	tcase_add_test(t, what_ood_score_wrote_is_scores);
	tcase_add_test(t, numbers_in_quotes_are_no_numbers);
	tcase_add_test(t, the_place_of_a_pixel_is_no_score);
	tcase_add_test(t, a_first_row_without_a_value_drops_no_score);
	tcase_add_test(t, logprobs_are_complete_or_divided_by_their_sum);
	tcase_add_test(t, what_is_ignored_is_not_checked);
	tcase_add_test(t, a_layout_that_is_none_is_refused_whatever_the_array);
	tcase_add_test(t, as_is_a_role_of_matrices);
	tcase_add_test(t, standard_input_is_found_in_a_set);
	tcase_add_test(t, names_that_reports_use_are_refused_in_groups_too);
	tcase_add_test(t, a_line_that_ends_in_a_comma_is_told_so);
	suite_add_tcase(s, t);
	return s;
}
