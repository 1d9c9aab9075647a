/*
 * test_set.c - what is read of a SET: rules 3 to 9 of ood(1)
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "array_file.h"
#include "set_text.h"

Suite *suite_set(void);

static const double six[] = { 1, 2, 3, 4, 5, 6 };
static const int64_t three[] = { 0, 1, -1 };
static const struct ood_read as_scores = { .as = "scores" };
static const struct ood_read as_probs = { .as = "probs" };
static const struct ood_read as_features = { .as = "features" };

/* An NPZ of doubles; shape "3, 2" or "3,". */
struct member {
	const char *name, *descr, *shape;
	const void *at;
	size_t n;
};

static void put_npz(const char *path, const struct member *members, size_t n)
{
	struct ood_buf arrays[8] = { { 0 } }, file;
	struct zip_part parts[8] = { { 0 } };
	char header[200], names[8][64];

	for (size_t i = 0; i < n; i++) {
		snprintf(header, sizeof(header),
			 "{'descr': '%s', 'fortran_order': False, 'shape': "
			 "(%s), }",
			 members[i].descr, members[i].shape);
		arrays[i] = npy_of(1, header, members[i].at, members[i].n);
		snprintf(names[i], sizeof(names[i]), "%s.npy", members[i].name);
		parts[i] = (struct zip_part){ .name = names[i],
					      .data = arrays[i].text,
					      .n = arrays[i].n };
	}
	file = zip_of(parts, n);
	folder_put_bytes(path, file.text, file.n);
	ood_buf_free(&file);
	for (size_t i = 0; i < n; i++)
		ood_buf_free(&arrays[i]);
}

#define REALS(name, shape, count)                                              \
	{                                                                      \
		name, "<f8", shape, six, (count) * sizeof(double)              \
	}
#define INTS(name, shape, count)                                               \
	{                                                                      \
		name, "<i8", shape, three, (count) * sizeof(int64_t)           \
	}

START_TEST(rule_3_members_are_named_and_a_name_that_is_not_there_is_refused)
{
	const struct member m[] = { REALS("logits", "3, 2", 6),
				    REALS("z", "3, 2", 6), INTS("y", "3,", 3) };
	const struct ood_read logits = { .as = "logits" };

	put_npz("a.npz", m, 3);
	expect_set("a.npz", NULL, "1: 1 2\n2: 3 4\n3: 5 6\n");
	expect_set("features=a.npz:z,labels=a.npz:y", NULL,
		   "1: | F 1 2 label=0:0\n2: | F 3 4 label=1:1\n"
		   "3: | F 5 6 label=-1:-1\n");
	expect_set("a.npz:z", &as_features,
		   "1: | F 1 2\n2: | F 3 4\n3: | F 5 6\n");
	expect_set("a.npz:z", &logits, "1: 1 2\n2: 3 4\n3: 5 6\n");
	expect_refused("a.npz:zz", NULL, 3,
		       "\"zz\"|logits float64 (3, 2)|y int64 (3,)");
	expect_refused("a.npz:.z", NULL, 3, ".z|JSON");
}
END_TEST

START_TEST(rule_3_a_path_into_json_records)
{
	folder_put("a.jsonl", "{\"o\":[{\"z\":[1,2]}],\"y\":1}\n"
			      "{\"o\":[{\"z\":[3,4]}],\"y\":0}\n");
	expect_set("logits=a.jsonl:.o[0].z,labels=a.jsonl:.y", NULL,
		   "1: 1 2 label=1:1\n2: 3 4 label=0:0\n");
	expect_set("a.jsonl:.o[0].z", NULL, "1: 1 2\n2: 3 4\n");
}
END_TEST

/* Standard input can only be read once: two roles, one pass. */
START_TEST(rule_3_several_roles_of_one_stream_are_read_once)
{
	const int old = dup(STDIN_FILENO);
	int in;

	folder_put("a.csv", "x,a,b\n1,2,3\n0,4,5\n");
	in = open("a.csv", O_RDONLY);
	ck_assert_int_ge(dup2(in, STDIN_FILENO), 0);
	expect_set(
		"features=-:a,labels=-:x,weights=-:b", NULL,
		"1: | F 2 label=1:1 weight=3\n2: | F 4 label=0:0 weight=5\n");
	ck_assert_int_eq(lseek(STDIN_FILENO, 0, SEEK_SET), 0);
	expect_refused("- -", NULL, 2, "standard input");
	dup2(old, STDIN_FILENO);
	close(in);
	close(old);
}
END_TEST

START_TEST(rule_4_a_prefix_is_read_side_by_side)
{
	folder_put_reals("t_logits.npy", 3, 2, six);
	folder_put_ints("t_labels.npy", 3, three);
	folder_put("t_ids.csv", "name\nx\ny\nz\n");
	folder_put("t_probs.txt", "what is this");
	expect_set("t", NULL,
		   "1: 1 2 id=x label=0:0\n2: 3 4 id=y label=1:1\n"
		   "3: 5 6 id=z label=-1:-1\n");
	expect_set("labels=t", NULL,
		   "1: label=0:0\n2: label=1:1\n3: label=-1:-1\n");
}
END_TEST

START_TEST(unequal_numbers_of_rows_name_both_files_and_both_counts)
{
	folder_put_reals("z.npy", 3, 2, six);
	folder_put_reals("w.npy", 2, 2, six);
	folder_put("four.csv", "y\n0\n1\n2\n3\n");
	folder_put("two.csv", "y\n0\n1\n");
	expect_refused("logits=z.npy,labels=four.csv", NULL, 3,
		       "z.npy: 3 rows|four.csv has 4");
	expect_refused("logits=z.npy,labels=two.csv", NULL, 3,
		       "z.npy: 3 rows|two.csv has 2");
	expect_refused("labels=two.csv,ids=four.csv", NULL, 3,
		       "two.csv: 2 rows|four.csv has 4");
	expect_refused("logits=z.npy,features=w.npy", NULL, 3,
		       "z.npy: 3 rows|w.npy has 2");
}
END_TEST

START_TEST(rule_5_sets_are_joined_in_order)
{
	folder_put_reals("a.npy", 3, 2, six);
	folder_put("b.csv", "x,y\n7,8\n");
	folder_put("c.csv", "x,y,z\n7,8,9\n");
	expect_set("a.npy b.csv a.npy", NULL,
		   "1: 1 2\n2: 3 4\n3: 5 6\n1: 7 8\n1: 1 2\n2: 3 4\n3: 5 6\n");
	expect_refused("a.npy c.csv", NULL, 3, "c.csv|3|a.npy|2");
	folder_put("d.csv", "logit_a,logit_b\n1,2\n");
	folder_put("e.csv", "logit_b,logit_a\n1,2\n");
	folder_put("f.csv", "logit_a,logit_b,label\n1,2,0\n");
	expect_refused("d.csv e.csv", NULL, 3, "e.csv|classes|d.csv");
	expect_refused("d.csv f.csv", NULL, 3, "f.csv|labels|d.csv");
}
END_TEST

START_TEST(a_joined_file_that_changes_before_its_turn_is_refused)
{
	const struct ood_read read = { .header = OOD_HEADER_YES };
	const char *const specs[] = { "a.csv", "b.csv" };
	struct ood_set *set;
	struct ood_block block;
	struct ood_err err;

	folder_put("a.csv", "p,q\n1,2\n");
	folder_put("b.csv", "p,q\n3,4\n");
	ck_assert_int_eq(ood_set_open_all(&set, specs, 2, &read, &err), OOD_OK);
	ck_assert_int_eq(ood_set_next(set, &block, &err), OOD_OK);
	ck_assert_uint_eq(block.n, 1);
	folder_put("b.csv", "q,p\n3,4\n");
	ck_assert_int_eq(ood_set_next(set, &block, &err), OOD_INPUT);
	expect_words(err.where, "b.csv");
	expect_words(err.what, "changed");
	ood_set_close(set);
}
END_TEST

START_TEST(rule_6_a_bare_matrix_is_what_as_says)
{
	const struct ood_read bad = { .as = "matrix" };
	const double probs[] = { 0.5, 0.5, 0.25, 0.75 };

	folder_put_reals("a.npy", 3, 2, six);
	folder_put_reals("v.npy", 3, 0, six);
	folder_put_reals("p.npy", 2, 2, probs);
	expect_set("a.npy", NULL, "1: 1 2\n2: 3 4\n3: 5 6\n");
	expect_set("a.npy", &as_features,
		   "1: | F 1 2\n2: | F 3 4\n3: | F 5 6\n");
	expect_set("a.npy", &as_scores, "1: | S 1 2\n2: | S 3 4\n3: | S 5 6\n");
	expect_set("v.npy", &as_scores, "1: | S 1\n2: | S 2\n3: | S 3\n");
	expect_set("p.npy", &as_probs, "1: 0.5 0.5\n2: 0.25 0.75\n");
	expect_refused("v.npy", NULL, 3, "v.npy|(3,)");
	expect_refused("a.npy", &bad, 2, "--as|matrix");
}
END_TEST

START_TEST(rule_6_an_npz_is_taken_by_members_that_are_roles)
{
	const struct member roles[] = { REALS("features", "3, 2", 6),
					REALS("features.2", "3, 1", 3),
					REALS("logits", "3, 2", 6),
					INTS("label", "3,", 3),
					REALS("other", "2, 2", 4) };
	const struct member lone[] = { REALS("arr_0", "3, 2", 6),
				       INTS("labels", "3,", 3) };
	const struct member two[] = { REALS("train", "3, 2", 6),
				      REALS("test", "3, 2", 6) };
	const struct member openood[] = { INTS("pred", "3,", 3),
					  REALS("conf", "3,", 3),
					  INTS("label", "3,", 3) };
	const struct member own[] = { INTS("label", "3,", 3),
				      INTS("pred", "3,", 3),
				      REALS("confidence", "3,", 3),
				      REALS("scores.msp", "3,", 3),
				      REALS("scores.energy:T=2", "3,", 3) };

	put_npz("roles.npz", roles, 5);
	expect_set("roles.npz", NULL,
		   "1: 1 2 | F 1 2 | F+ 1 label=0:0\n"
		   "2: 3 4 | F 3 4 | F+ 2 label=1:1\n"
		   "3: 5 6 | F 5 6 | F+ 3 label=-1:-1\n");
	put_npz("lone.npz", lone, 2);
	expect_set("lone.npz", NULL,
		   "1: 1 2 label=0:0\n2: 3 4 label=1:1\n3: 5 6 label=-1:-1\n");
	put_npz("two.npz", two, 2);
	expect_refused("two.npz", NULL, 3,
		       "train float64 (3, 2)|test float64 (3, 2)");
	put_npz("openood.npz", openood, 3);
	expect_set("openood.npz", NULL,
		   "1: | S -1 label=0:0 pred=0\n2: | S -2 label=1:1 pred=1\n"
		   "3: | S -3 label=-1:-1 pred=-1\n");
	put_npz("own.npz", own, 5);
	expect_set("own.npz", NULL,
		   "1: | S 1 1 label=0:0 pred=0\n2: | S 2 2 label=1:1 pred=1\n"
		   "3: | S 3 3 label=-1:-1 pred=-1\n");
	ck_assert_str_eq(
		set_text_chosen("own.npz", NULL, "energy:T=2 confidence"),
		"1: | S 1 -1 label=0:0 pred=0\n"
		"2: | S 2 -2 label=1:1 pred=1\n"
		"3: | S 3 -3 label=-1:-1 pred=-1\n");
}
END_TEST

START_TEST(rule_6_a_table_is_taken_by_the_names_of_columns)
{
	folder_put("a.csv", "id,logit_b,junk,feat_x,logit_a,label,weight,"
			    "weights,group,correct,pred\n"
			    "r1,1,oops,9,2,0,7,8,g,True,1\n");
	folder_put("p.csv", "prob_a,prob_b\n0.25,0.75\n");
	folder_put("f.csv", "feature_1,feature_0\n1,2\n");
	folder_put("s.csv", "id,score_a,score_b,junk\nx,1,2,3\n");
	folder_put("j.jsonl", "{\"id\":7,\"logits\":[1,2],\"label\":\"x\","
			      "\"features\":[5]}\n");
	expect_set("a.csv", NULL,
		   "1: 1 2 | F 9 id=r1 label=0:0 pred=1 correct=1 group=g "
		   "weight=8\n");
	expect_set("p.csv", NULL, "1: 0.25 0.75\n");
	expect_set("f.csv", NULL, "1: | F 1 2\n");
	expect_set("s.csv", NULL, "1: | S 1 2 id=x\n");
	const struct ood_read classes = { .classes = "x,y" };
	expect_set("j.jsonl", &classes, "1: 1 2 | F 5 id=7 label=x:0\n");
}
END_TEST

START_TEST(rule_6_without_a_role_all_columns_not_reserved_are_the_matrix)
{
	folder_put("a.csv", "row,x,id,y,group,iou,tp,target\n"
			    "9,1,i,2,g,5,6,7\n");
	folder_put("n.csv", "1,2\n3,4\n");
	folder_put("t.csv", "x,y\n1,2\n3,dog\n");
	folder_put("r.jsonl", "{\"b\":1,\"a\":2}\n{\"a\":4,\"b\":3}\n");
	expect_set("a.csv", NULL, "1: 1 2 id=i group=g\n");
	expect_set("a.csv", &as_features, "1: | F 1 2 id=i group=g\n");
	expect_set("n.csv", NULL, "1: 1 2\n2: 3 4\n");
	expect_refused("t.csv", NULL, 3, "t.csv:3:2|dog");
	expect_set("r.jsonl", NULL, "1: 1 2\n2: 3 4\n");
}
END_TEST

/* Each reserved column beside one that is not. */
START_TEST(rule_6_reserved_columns_are_never_features_or_scores)
{
	static const char *const names[] = {
		"row",	      "id",	 "label",  "group", "pred",
		"confidence", "correct", "weight", "fold",  "decision",
		"image",      "segment", "class",  "row0",  "col0",
		"row1",	      "col1",	 "iou",	   "iou0",  "iou_hat",
		"tp",	      "target",
	};
	char text[100];

	for (size_t i = 0; i < OOD_COUNT(names); i++) {
		snprintf(text, sizeof(text), "%s,x\n1,2\n", names[i]);
		folder_put("a.csv", text);
		expect_words(set_text("a.csv", &as_features), "| F 2");
		ck_assert_ptr_null(
			strstr(set_text("a.csv", &as_features), "| F 1"));
		expect_words(set_text("a.csv", &as_scores), "| S 2");
	}
}
END_TEST

START_TEST(rule_6_in_a_set_of_scores_other_numeric_columns_are_scores)
{
	const struct ood_read id = { .as = "scores", .higher_id = true };

	folder_put("a.csv", "id,label,pred,pred_name,confidence,msp,energy,"
			    "note,decision\nx,0,1,cat,0.75,1,2,hm,ood\n");
	folder_put("c.csv", "label,confidence\n1,0.25\n");
	folder_put("inf.csv", "msp\ninf\n-inf\n");
	expect_set("a.csv", &as_scores, "1: | S 1 2 id=x label=0:0 pred=1\n");
	expect_set("scores=a.csv", NULL, "1: | S 1 2\n");
	expect_set("a.csv", &id, "1: | S -1 -2 id=x label=0:0 pred=1\n");
	ck_assert_str_eq(set_text_chosen("a.csv", &as_scores, "energy msp"),
			 "1: | S 2 1 id=x label=0:0 pred=1\n");
	ck_assert_str_eq(set_text_chosen("a.csv", &as_scores, "confidence"),
			 "1: | S -0.75 id=x label=0:0 pred=1\n");
	expect_words(set_text_chosen("a.csv", &as_scores, "enrgy"),
		     "2:|\"enrgy\"|msp energy");
	expect_set("c.csv", &as_scores, "1: | S -0.25 label=1:1\n");
	expect_set("scores=c.csv:confidence", &id, "1: | S -0.25\n");
	expect_set("inf.csv", &as_scores, "1: | S inf\n2: | S -inf\n");
}
END_TEST

START_TEST(the_extra_column_is_no_score_and_no_feature)
{
	folder_put("a.csv", "msp,is_ood,energy\n1,0,2\n3,1,4\n");
	ck_assert_str_eq(set_text_extra("a.csv", &as_scores, "is_ood"),
			 "1: | S 1 2 extra=0\n2: | S 3 4 extra=1\n");
	ck_assert_str_eq(set_text_extra("a.csv", NULL, "is_ood"),
			 "1: 1 2 extra=0\n2: 3 4 extra=1\n");
	folder_put("b.csv", "logit_a,logit_b,site\n1,2,x\n");
	ck_assert_str_eq(set_text_extra("b.csv", NULL, "site"),
			 "1: 1 2 extra=x\n");
	ck_assert_str_eq(set_text_extra("b.csv", NULL, "logit_b"),
			 "1: 1 2 extra=2\n");
	expect_words(set_text_extra("b.csv", NULL, "sight"),
		     "3:|b.csv|\"sight\"|site");
}
END_TEST

START_TEST(a_column_without_a_name_is_refused_unless_it_is_the_id)
{
	const struct ood_read id = { .id_column = "#1" };
	const struct ood_read columns = { .columns = "a,b" };

	folder_put("a.csv", ",a,b\n0,1,2\n");
	expect_refused("a.csv", NULL, 3, "a.csv:1:1|column 1|--id-column '#1'");
	expect_set("a.csv", &id, "1: 1 2 id=0\n");
	expect_set("a.csv", &columns, "1: 1 2\n");
}
END_TEST

static void add_reading(TCase *t)
{
	tcase_add_test(
		t,
		rule_3_members_are_named_and_a_name_that_is_not_there_is_refused);
	tcase_add_test(t, rule_3_a_path_into_json_records);
	tcase_add_test(t, rule_3_several_roles_of_one_stream_are_read_once);
	tcase_add_test(t, rule_4_a_prefix_is_read_side_by_side);
	tcase_add_test(t,
		       unequal_numbers_of_rows_name_both_files_and_both_counts);
	tcase_add_test(t, rule_5_sets_are_joined_in_order);
	tcase_add_test(t,
		       a_joined_file_that_changes_before_its_turn_is_refused);
	tcase_add_test(t, rule_6_a_bare_matrix_is_what_as_says);
	tcase_add_test(t, rule_6_an_npz_is_taken_by_members_that_are_roles);
	tcase_add_test(t, rule_6_a_table_is_taken_by_the_names_of_columns);
	tcase_add_test(
		t,
		rule_6_without_a_role_all_columns_not_reserved_are_the_matrix);
	tcase_add_test(t, rule_6_reserved_columns_are_never_features_or_scores);
	tcase_add_test(
		t, rule_6_in_a_set_of_scores_other_numeric_columns_are_scores);
	tcase_add_test(t, the_extra_column_is_no_score_and_no_feature);
	tcase_add_test(t,
		       a_column_without_a_name_is_refused_unless_it_is_the_id);
}

Suite *suite_set(void)
{
	Suite *s = suite_create("set");
	TCase *t = tcase_create("set");

	tcase_add_checked_fixture(t, folder_enter, folder_leave);
	add_reading(t);
	suite_add_tcase(s, t);
	return s;
}
