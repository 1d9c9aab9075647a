/*
 * test_idset.c - ids that occur twice
 */
#include <check.h>
#include <stdio.h>

#include "io/idset.h"

Suite *suite_idset(void);

static uint64_t add(struct ood_idset *set, const char *id, uint64_t row)
{
	uint64_t before;

	ck_assert(ood_idset_add(set, (struct ood_span){ id, strlen(id) }, row,
				&before));
	return before;
}

START_TEST(the_row_of_the_first_is_told)
{
	struct ood_idset set = { 0 };

	ck_assert_uint_eq(add(&set, "a", 1), 0);
	ck_assert_uint_eq(add(&set, "", 2), 0);
	ck_assert_uint_eq(add(&set, "ab", 3), 0);
	ck_assert_uint_eq(add(&set, "a", 4), 1);
	ck_assert_uint_eq(add(&set, "", 5), 2);
	ood_idset_free(&set);
}
END_TEST

START_TEST(many_are_kept)
{
	enum { N = 20000 };
	struct ood_idset set = { 0 };
	char id[32];

	for (int twice = 0; twice < 2; twice++)
		for (int i = 1; i <= N; i++) {
			snprintf(id, sizeof(id), "img-%d.png", i);
			ck_assert_uint_eq(add(&set, id, (uint64_t)i),
					  twice ? (uint64_t)i : 0);
		}
	ck_assert_uint_eq(set.n, N);
	ood_idset_free(&set);
}
END_TEST

Suite *suite_idset(void)
{
	Suite *s = suite_create("idset");
	TCase *t = tcase_create("idset");

	tcase_add_test(t, the_row_of_the_first_is_told);
	tcase_add_test(t, many_are_kept);
	suite_add_tcase(s, t);
	return s;
}
