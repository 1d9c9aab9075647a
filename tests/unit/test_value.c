/*
 * test_value.c - figures and their standing
 */
#include <check.h>

#include "core/value.h"

START_TEST(a_figure_without_interval_says_so)
{
	struct ood_value v = ood_value_ok(0.5);

	ck_assert_double_eq(v.x, 0.5);
	ck_assert(isnan(v.lo) && isnan(v.hi));
	ck_assert_ptr_null(v.method);
	ck_assert_ptr_null(v.reason);
	ck_assert_str_eq(ood_status_name(v.status), "ok");
}
END_TEST

START_TEST(an_undefined_figure_is_nan_with_its_reason)
{
	struct ood_value v = ood_value_undefined("one class only");

	ck_assert(isnan(v.x) && isnan(v.lo) && isnan(v.hi));
	ck_assert_str_eq(v.reason, "one class only");
	ck_assert_str_eq(ood_status_name(v.status), "undefined");
}
END_TEST

START_TEST(every_status_has_its_word)
{
	ck_assert_str_eq(ood_status_name(OOD_STATUS_INFEASIBLE), "infeasible");
	ck_assert_str_eq(ood_status_name(OOD_STATUS_NOT_RESOLVABLE),
			 "not_resolvable");
}
END_TEST

Suite *suite_value(void);
Suite *suite_value(void)
{
	Suite *s = suite_create("value");
	TCase *c = tcase_create("value");

	tcase_add_test(c, a_figure_without_interval_says_so);
	tcase_add_test(c, an_undefined_figure_is_nan_with_its_reason);
	tcase_add_test(c, every_status_has_its_word);
	suite_add_tcase(s, c);
	return s;
}
