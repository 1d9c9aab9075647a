/*
 * test_utf8.c - UTF-8 and what only looks like it
 */
#include <check.h>

#include "core/err.h"
#include "core/utf8.h"

/* The Unicode Standard, table 3-7, and its counterexamples. */
START_TEST(utf8_is_told_from_what_is_not)
{
	static const char *const good[] = { "",
					    "a",
					    "\xC2\x80",
					    "\xE0\xA0\x80",
					    "\xED\x9F\xBF",
					    "\xF4\x8F\xBF\xBF" };
	static const char *const bad[] = { "\x80",
					   "\xC0\x80",
					   "\xC1\xBF",
					   "\xE0\x9F\xBF",
					   "\xED\xA0\x80",
					   "\xF4\x90\x80\x80",
					   "\xF5\x80\x80\x80",
					   "\xE2\x82",
					   "\xC3" };

	for (size_t i = 0; i < OOD_COUNT(good); i++)
		ck_assert_uint_eq(ood_utf8_valid(good[i], strlen(good[i])),
				  strlen(good[i]));
	for (size_t i = 0; i < OOD_COUNT(bad); i++)
		ck_assert_uint_eq(ood_utf8_valid(bad[i], strlen(bad[i])), 0);
	ck_assert_uint_eq(ood_utf8_valid("ab\xFF"
					 "c",
					 4),
			  2);
}
END_TEST

START_TEST(what_cannot_be_shown_is_escaped)
{
	static const char text[] = "a\n\x7F\xC2\x85\xE9\xC3\xA9\\";
	struct ood_buf buf = { 0 };

	ck_assert_uint_eq(ood_utf8_show(&buf, text, sizeof(text) - 1), 21);
	ck_assert_str_eq(buf.text, "a\\n\\x7F\\xC2\\x85\\xE9\xC3\xA9\\");
	ood_buf_free(&buf);
}
END_TEST

/* A sentence may hold others' bytes, words in it are quoted already. */
START_TEST(sentences_of_errors_are_printable)
{
	struct ood_err err;
	char word[OOD_QUOTE_MAX], text[OOD_ERR_TEXT_MAX];

	ood_quote(word, sizeof(word), "a\\b\n", 4);
	ck_assert_str_eq(word, "a\\\\b\\n");
	ood_fail(&err, OOD_INPUT, "found \"%s\" and \x1B[m\xC2\x9B", word);
	ood_err_where(&err, "x\\y\t", NULL);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)),
			 "x\\\\y\\t: found \"a\\\\b\\n\" and "
			 "\\x1B[m\\xC2\\x9B");
	ck_assert_str_eq(ood_err_text(&err, text, 8), "x\\\\y\\t:");
}
END_TEST

Suite *suite_utf8(void);
Suite *suite_utf8(void)
{
	Suite *s = suite_create("utf8");
	TCase *t = tcase_create("utf8");

	tcase_add_test(t, utf8_is_told_from_what_is_not);
	tcase_add_test(t, what_cannot_be_shown_is_escaped);
	tcase_add_test(t, sentences_of_errors_are_printable);
	suite_add_tcase(s, t);
	return s;
}
