/*
 * test_setspec.c - the grammar of a SET: rules 1 to 5 of ood(1)
 */
#include <check.h>
#include <stdio.h>
#include <sys/stat.h>

#include "io/set_spec.h"
#include "set_text.h"

/* Terms as "ROLE=PATH:MEMBER" a word, or "CODE: sentence". */
static const char *terms_of(const char *set)
{
	static char text[2048];
	struct ood_terms terms;
	struct ood_err err = { 0 };
	size_t at = 0;

	text[0] = '\0';
	if (ood_terms_parse(set, &terms, &err)) {
		char sentence[OOD_ERR_TEXT_MAX];

		snprintf(text, sizeof(text), "%d: %s", err.code,
			 ood_err_text(&err, sentence, sizeof(sentence)));
		return text;
	}
	for (size_t i = 0; i < terms.n; i++) {
		const struct ood_term *t = &terms.at[i];
		const char *role = t->bare ? "" : ood_role_name(t->word.role);

		at += (size_t)snprintf(
			text + at, sizeof(text) - at, "%s%s%s%.*u%s%s%s%s",
			i ? " " : "", role, t->word.layer ? "." : "",
			t->word.layer ? 1 : 0, t->word.layer,
			t->bare ? "" : "=", t->path, t->member ? ":" : "",
			t->member ? t->member : "");
	}
	ood_terms_free(&terms);
	return text;
}

static void expect_terms(const char *set, const char *text)
{
	ck_assert_str_eq(terms_of(set), text);
}

static void expect_code(const char *set, int code, const char *words)
{
	const char *text = terms_of(set);

	ck_assert_msg(text[0] == '0' + code && text[1] == ':', "%s", text);
	expect_words(text, words);
}

START_TEST(rule_1_a_file_is_itself_whatever_its_name_holds)
{
	folder_put("lr=0.1,seed=2.npy", "");
	folder_put("logits=a,labels=b", "");
	folder_put("x:y", "");
	folder_put("a*?.npy", "");
	folder_put("m+n", "");
	folder_put("lr=0.1,seed=2/test_logits.npy", "");
	expect_terms("lr=0.1,seed=2.npy", "lr=0.1,seed=2.npy");
	expect_terms("logits=a,labels=b", "logits=a,labels=b");
	expect_terms("x:y", "x:y");
	expect_terms("a*?.npy", "a*?.npy");
	expect_terms("m+n", "m+n");
	expect_terms("lr=0.1,seed=2/test",
		     "logits=lr=0.1,seed=2/test_logits.npy");
}
END_TEST

START_TEST(rule_1_a_fifo_is_a_file_and_dash_is_standard_input)
{
	ck_assert_int_eq(mkfifo("logits=pipe", 0600), 0);
	expect_terms("logits=pipe", "logits=pipe");
	expect_terms("-", "-");
	expect_terms("logits=-,labels=-", "logits=- labels=-");
	expect_terms("-:logits", "-:logits");
}
END_TEST

START_TEST(rule_2_lists_are_cut_at_commas_before_a_role_alone)
{
	folder_put("a,b.npy", "");
	folder_put("c,x=1.npy", "");
	folder_put("d", "");
	expect_terms("logits=a,b.npy,labels=d", "logits=a,b.npy labels=d");
	expect_terms("logits=c,x=1.npy,features.2=d",
		     "logits=c,x=1.npy features.1=d");
	expect_terms("label=d,id=d,score=d,group=d,conf=d",
		     "labels=d ids=d scores=d groups=d confidence=d");
	expect_terms("head-weights=d,token-logprobs=d",
		     "head-weights=d token-logprobs=d");
}
END_TEST

START_TEST(rule_2_every_role_is_a_reserved_word)
{
	char set[64], want[64];

	folder_put("d", "");
	for (int r = 0; r < OOD_ROLES; r++) {
		const char *role = ood_role_name((enum ood_role)r);

		snprintf(set, sizeof(set), "%s=d", role);
		snprintf(want, sizeof(want), "%s=d", role);
		expect_terms(set, want);
		ck_assert_ptr_nonnull(strstr(OOD_ROLE_WORDS, role));
	}
}
END_TEST

START_TEST(rule_2_mistakes_in_lists_are_named)
{
	folder_put("a", "");
	expect_code("logit=a", 2, "\"logit\"|did you mean logits");
	expect_code("wibble=a", 2, "\"wibble\"|not a role|logits probs");
	expect_code("logits=a,wibble=a", 2, "\"wibble\"|not a role");
	expect_code("a,labels=a", 2, "logits=FILE,labels=FILE");
	expect_code("logits=a,logits=a", 2, "logits|twice");
	expect_code("label=a,labels=a", 2, "labels|twice");
	expect_code("logits=", 2, "no file after");
	expect_code("", 2, "empty");
}
END_TEST

static void expect_split(const char *text, const char *name, const char *set)
{
	struct ood_err err;
	const char *rest;
	char *got;

	ck_assert_int_eq(ood_set_name_split(text, &got, &rest, &err), OOD_OK);
	ck_assert_str_eq(got ? got : "(none)", name);
	ck_assert_str_eq(rest, set);
	ood_free(got);
}

static void expect_no_name(const char *text)
{
	struct ood_err err;
	const char *rest;
	char *got;

	ck_assert_int_eq(ood_set_name_split(text, &got, &rest, &err),
			 OOD_USAGE);
	ck_assert_ptr_null(got);
}

START_TEST(rule_2_a_name_stands_before_the_first_equals_sign)
{
	folder_put("lr=0.1,seed=2/test_logits.npy", "");
	folder_put("n=1", "");
	expect_split("near/tin=scores=tin.npz", "near/tin", "scores=tin.npz");
	expect_split("a.b_c+d-1=x", "a.b_c+d-1", "x");
	expect_split("scores=tin.npz", "(none)", "scores=tin.npz");
	expect_split("tin.npz", "(none)", "tin.npz");
	expect_split("lr=0.1,seed=2/test", "(none)", "lr=0.1,seed=2/test");
	expect_split("n=1", "(none)", "n=1");
	expect_split("n=2", "n", "2");
	expect_split("x=n=1", "x", "n=1");
}
END_TEST

START_TEST(rule_2_names_that_reports_use_or_cannot_write_are_refused)
{
	expect_no_name("mean=x");
	expect_no_name("all=x");
	expect_no_name("a/b/c=x");
	expect_no_name("/a=x");
	expect_no_name("a/=x");
	expect_no_name("a b=x");
	expect_no_name("=x");
	expect_no_name("\xc3\xa9=x");
}
END_TEST

START_TEST(rule_3_a_member_follows_the_last_colon)
{
	folder_put("a.npz", "");
	folder_put("b:c.npz", "");
	folder_put("b:c.npz:d", "");
	expect_terms("a.npz:logits", "a.npz:logits");
	expect_terms("b:c.npz:x", "b:c.npz:x");
	expect_terms("b:c.npz:d", "b:c.npz:d");
	expect_terms("logits=a.npz:z,labels=a.npz:y",
		     "logits=a.npz:z labels=a.npz:y");
	expect_terms("a.npz:.outputs[0].logits", "a.npz:.outputs[0].logits");
	expect_terms("a.npz:.\"p:q\"", "a.npz:.\"p:q\"");
	expect_code("a.npz:", 2, "no member after the colon");
	expect_code("zz.npz:logits", 4, "zz.npz|no such file");
}
END_TEST

START_TEST(rule_4_a_prefix_stands_for_its_files_by_role)
{
	static const char *const names[] = {
		"p/t_logits.npy", "p/t_labels.csv.gz",	"p/t_inputs.npy",
		"p/t_ids.txt",	  "p/t_features.2.npz", "p/tt_probs.npy",
		"p/t_probs.npy~", "p/t_groups.jsonl",	"p/t.npy",
	};

	for (size_t i = 0; i < OOD_COUNT(names); i++)
		folder_put(names[i], "");
	expect_terms("p/t", "logits=p/t_logits.npy features.1=p/t_features.2"
			    ".npz labels=p/t_labels.csv.gz "
			    "groups=p/t_groups.jsonl");
	expect_terms("labels=p/t", "labels=p/t_labels.csv.gz");
	expect_code("probs=p/t", 4, "p/t_probs");
	expect_code("p/u", 4, "p/u|no such file");
}
END_TEST

START_TEST(rule_4_a_folder_stands_for_the_files_of_roles_in_it)
{
	folder_put("d/logits.npy", "");
	folder_put("d/label.tsv", "");
	folder_put("d/other.npy", "");
	folder_put("e/other.npy", "");
	expect_terms("d/", "logits=d/logits.npy labels=d/label.tsv");
	expect_terms("d", "logits=d/logits.npy labels=d/label.tsv");
	expect_terms("labels=d/", "labels=d/label.tsv");
	expect_code("e/", 4, "no such file");
}
END_TEST

START_TEST(rule_4_two_files_for_a_role_are_refused)
{
	folder_put("t_logits.npy", "");
	folder_put("t_logits.csv.gz", "");
	folder_put("u_label.npy", "");
	folder_put("u_labels.npy", "");
	expect_code("t", 3,
		    "two files for logits|t_logits.csv.gz|t_logits.npy");
	expect_code("u", 3, "two files for labels|u_label.npy|u_labels.npy");
	expect_terms("logits=t_logits.npy,labels=u_label.npy",
		     "logits=t_logits.npy labels=u_label.npy");
}
END_TEST

START_TEST(rule_4_what_is_not_there_is_no_such_file)
{
	expect_code("nothing here.npy", 4, "nothing here.npy|no such file");
	expect_code("logits=nothing.npy", 4, "nothing.npy|no such file");
	expect_code("x/lr=0.1/test", 4, "x/lr=0.1/test|no such file");
}
END_TEST

START_TEST(rule_5_ensembles_and_patterns_are_reserved)
{
	folder_put("a.npy", "");
	folder_put("b.npy", "");
	expect_code("a.npy+b.npy", 2, "'+'|members");
	expect_code("logits=a.npy+b.npy", 2, "'+'|members");
	expect_code("*.npy", 2, "reserved");
	expect_code("logits=?.npy", 2, "reserved");
	expect_code("x+y.npy", 4, "no such file");
}
END_TEST

Suite *suite_setspec(void);

Suite *suite_setspec(void)
{
	Suite *s = suite_create("setspec");
	TCase *t = tcase_create("setspec");

	tcase_add_checked_fixture(t, folder_enter, folder_leave);
	tcase_add_test(t, rule_1_a_file_is_itself_whatever_its_name_holds);
	tcase_add_test(t, rule_1_a_fifo_is_a_file_and_dash_is_standard_input);
	tcase_add_test(t, rule_2_lists_are_cut_at_commas_before_a_role_alone);
	tcase_add_test(t, rule_2_every_role_is_a_reserved_word);
	tcase_add_test(t, rule_2_mistakes_in_lists_are_named);
	tcase_add_test(t, rule_2_a_name_stands_before_the_first_equals_sign);
	tcase_add_test(
		t, rule_2_names_that_reports_use_or_cannot_write_are_refused);
	tcase_add_test(t, rule_3_a_member_follows_the_last_colon);
	tcase_add_test(t, rule_4_a_prefix_stands_for_its_files_by_role);
	tcase_add_test(t, rule_4_a_folder_stands_for_the_files_of_roles_in_it);
	tcase_add_test(t, rule_4_two_files_for_a_role_are_refused);
	tcase_add_test(t, rule_4_what_is_not_there_is_no_such_file);
	tcase_add_test(t, rule_5_ensembles_and_patterns_are_reserved);
	suite_add_tcase(s, t);
	return s;
}
