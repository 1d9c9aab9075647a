/*
 * test_labels.c - labels and the classes that they mean: rule 7 of ood(1)
 */
#include <check.h>
#include <stdio.h>

#include "io/labels.h"
#include "set_text.h"

Suite *suite_labels(void);

/* The three CSV columns are classes cat, dog and emu. */
static const char header[] = "label,logit_cat,logit_dog,logit_emu\n";

static void put(const char *name, const char *head, const char *const *labels)
{
	struct ood_buf text = { 0 };

	ood_buf_str(&text, head);
	for (; *labels; labels++)
		ood_buf_printf(&text, "%s,1,2,3\n", *labels);
	folder_put(name, text.text);
	ood_buf_free(&text);
}

START_TEST(integers_integral_floats_and_booleans_are_labels)
{
	const double reals[] = { 0, 2, -1 };
	const int64_t ints[] = { 9007199254740993, -1, 3 };
	const double z[] = { 1, 2, 3, 4, 5, 6 };

	put("a.csv", header,
	    (const char *const[]){ "2", "1.0", "-1", "true", "False", NULL });
	expect_set("a.csv", NULL,
		   "1: 1 2 3 label=2:2\n2: 1 2 3 label=1.0:1\n"
		   "3: 1 2 3 label=-1:-1\n4: 1 2 3 label=true:1\n"
		   "5: 1 2 3 label=False:0\n");
	folder_put_reals("z.npy", 3, 2, z);
	folder_put_reals("r.npy", 3, 0, reals);
	folder_put_ints("i.npy", 3, ints);
	expect_set("logits=z.npy,labels=r.npy", NULL,
		   "1: 1 2 label=0:0\n2: 3 4 label=2:2\n3: 5 6 label=-1:-1\n");
	expect_set("logits=z.npy,labels=i.npy", NULL,
		   "1: 1 2 label=9007199254740993:9007199254740993\n"
		   "2: 3 4 label=-1:-1\n3: 5 6 label=3:3\n");
}
END_TEST

START_TEST(halves_and_empty_cells_are_no_labels)
{
	const double reals[] = { 0, 0.5 };
	const double z[] = { 1, 2, 3, 4 };

	put("a.csv", header, (const char *const[]){ "0", "0.5", NULL });
	put("b.csv", header, (const char *const[]){ "0", "", NULL });
	folder_put_reals("z.npy", 2, 2, z);
	folder_put_reals("r.npy", 2, 0, reals);
	expect_refused("a.csv", NULL, 3, "a.csv:3:1|0.5|integer");
	expect_refused("b.csv", NULL, 3, "b.csv:3:1|empty");
	expect_refused("logits=z.npy,labels=r.npy", NULL, 3,
		       "r.npy|row 2|0.5|integer");
}
END_TEST

START_TEST(names_are_bound_by_the_header_not_by_sorting)
{
	folder_put("a.csv", "logit_emu,logit_cat,label\n"
			    "1,2,emu\n3,4,cat\n5,6,ood\n7,8,-1\n");
	expect_set("a.csv", NULL,
		   "1: 1 2 label=emu:0\n2: 3 4 label=cat:1\n"
		   "3: 5 6 label=ood:?\n4: 7 8 label=-1:-1\n");
	expect_words(set_warnings(), "label-unknown|1 label is none of|2 classes");
}
END_TEST

START_TEST(names_are_bound_by_the_option_or_a_file_of_names)
{
	const struct ood_read by_list = { .classes = "dog,cat" };
	const struct ood_read by_file = { .classes = "@names" };
	const struct ood_read short_list = { .classes = "dog" };
	const struct ood_read twice = { .classes = "dog,dog" };
	const struct ood_read hole = { .classes = "dog,,cat" };
	const struct ood_read none = { .classes = "@nothing" };

	folder_put("a.csv", "a,b,label\n1,2,cat\n3,4,dog\n");
	folder_put("b.csv", "a,b,label\n1,2,\"cat, big\"\n");
	folder_put("names", "dog\r\ncat, big\n");
	expect_set("a.csv", &by_list,
		   "1: 1 2 label=cat:1\n2: 3 4 label=dog:0\n");
	expect_set("b.csv", &by_file, "1: 1 2 label=cat, big:1\n");
	expect_refused("a.csv", &short_list, 3, "1 names|2 columns");
	expect_refused("a.csv", &twice, 3, "two classes|dog");
	expect_refused("a.csv", &hole, 2, "name 2 is empty");
	expect_refused("a.csv", &none, 4, "nothing|no such file");
}
END_TEST

START_TEST(names_that_nothing_binds_are_refused_ready_to_paste)
{
	const double z[] = { 1, 2, 3, 4, 5, 6 };

	folder_put("a.csv",
		   "logit_0,logit_1,label\n1,2,emu\n3,4,cat\n5,6,emu\n");
	folder_put("b.csv", "logit_0,logit_1,label\n1,2,\"a,b\"\n3,4,c\n");
	folder_put("l.csv", "label\nemu\ncat\nemu\n");
	folder_put_reals("z.npy", 3, 2, z);
	expect_refused("a.csv", NULL, 3,
		       "a.csv:2:3|--classes emu,cat|2 columns");
	expect_refused("b.csv", NULL, 3, "--classes @FILE|\"a,b\", \"c\"");
	expect_refused("logits=z.npy,labels=l.csv", NULL, 3,
		       "l.csv:2:1|--classes emu,cat");
}
END_TEST

START_TEST(names_of_plain_columns_bind_but_no_other_name_may_occur)
{
	folder_put("a.csv", "emu,cat,label\n1,2,cat\n");
	folder_put("b.csv", "emu,cat,label\n1,2,cat\n1,2,ood\n");
	expect_set("a.csv", NULL, "1: 1 2 label=cat:1\n");
	expect_refused("b.csv", NULL, 3, "no column has: ood|--classes");
}
END_TEST

START_TEST(features_and_scores_need_no_binding)
{
	const struct ood_read scores = { .as = "scores" };

	folder_put("f.csv", "feat_a,label\n1,emu\n2,cat\n");
	folder_put("s.csv", "energy,label\n1,emu\n2,cat\n");
	expect_set("f.csv", NULL, "1: | F 1 label=emu\n2: | F 2 label=cat\n");
	expect_set("s.csv", &scores,
		   "1: | S 1 label=emu\n2: | S 2 label=cat\n");
}
END_TEST

START_TEST(names_beside_typed_columns_are_only_echoed)
{
	const struct ood_read read = { .columns = "logit_0,logit_1" };
	const struct ood_read asked = { .columns = "logit_0,logit_1",
					.label_column = "label" };

	folder_put("a.csv", "logit_0,logit_1,label\n1,2,emu\n");
	expect_set("a.csv", &read, "1: 1 2 label=emu\n");
	expect_refused("a.csv", &asked, 3, "--classes emu");
}
END_TEST

START_TEST(missing_labels_are_dropped_only_when_asked)
{
	const struct ood_read skip = { .missing = "usual",
				       .nan = OOD_NAN_SKIP };
	const struct ood_read error = { .missing = "usual" };
	const struct ood_read keep = { .missing = "?,NA", .nan = OOD_NAN_KEEP };

	put("a.csv", header, (const char *const[]){ "0", "NA", "dog", NULL });
	expect_set("a.csv", &skip,
		   "1: 1 2 3 label=0:0\n3: 1 2 3 label=dog:1\n");
	expect_words(set_warnings(), "nan-skip|1 of 3");
	expect_refused("a.csv", &error, 3, "a.csv:3:1|label is missing");
	expect_set("a.csv", &keep,
		   "1: 1 2 3 label=0:0\n2: 1 2 3 label=NA:?\n"
		   "3: 1 2 3 label=dog:1\n");
}
END_TEST

START_TEST(columns_numbered_from_one_get_a_word)
{
	folder_put("a.csv", "logit_1,logit_2,label\n1,2,1\n");
	expect_set("a.csv", NULL, "1: 1 2 label=1:1\n");
	expect_words(set_warnings(), "class-numbers|from 0");
	folder_put("b.csv", "logit_0,logit_1,label\n1,2,1\n");
	expect_set("b.csv", NULL, "1: 1 2 label=1:1\n");
	ck_assert_str_eq(set_warnings(), "");
}
END_TEST

START_TEST(a_class_is_found_among_many)
{
	enum { N = 1000 };
	struct ood_classes c;
	struct ood_err err;
	char text[N][8];
	const char *names[N];

	for (int i = 0; i < N; i++) {
		snprintf(text[i], sizeof(text[i]), "c%d", i * 7919 % N);
		names[i] = text[i];
	}
	ck_assert_int_eq(ood_classes_set(&c, names, N, &err), OOD_OK);
	for (int i = 0; i < N; i++)
		ck_assert_int_eq(
			ood_classes_find(&c,
					 (struct ood_span){ names[i],
							    strlen(names[i]) }),
			i);
	ck_assert_int_eq(ood_classes_find(&c, (struct ood_span){ "c", 1 }), -1);
	ck_assert_int_eq(ood_classes_find(&c, (struct ood_span){ "c10000", 6 }),
			 -1);
	ood_classes_free(&c);
}
END_TEST

Suite *suite_labels(void)
{
	Suite *s = suite_create("labels");
	TCase *t = tcase_create("labels");

	tcase_add_checked_fixture(t, folder_enter, folder_leave);
	tcase_add_test(t, integers_integral_floats_and_booleans_are_labels);
	tcase_add_test(t, halves_and_empty_cells_are_no_labels);
	tcase_add_test(t, names_are_bound_by_the_header_not_by_sorting);
	tcase_add_test(t, names_are_bound_by_the_option_or_a_file_of_names);
	tcase_add_test(t, names_that_nothing_binds_are_refused_ready_to_paste);
	tcase_add_test(t,
		       names_of_plain_columns_bind_but_no_other_name_may_occur);
	tcase_add_test(t, features_and_scores_need_no_binding);
	tcase_add_test(t, names_beside_typed_columns_are_only_echoed);
	tcase_add_test(t, missing_labels_are_dropped_only_when_asked);
	tcase_add_test(t, columns_numbered_from_one_get_a_word);
	tcase_add_test(t, a_class_is_found_among_many);
	suite_add_tcase(s, t);
	return s;
}
