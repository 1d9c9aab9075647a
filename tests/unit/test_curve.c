/*
 * test_curve.c - the walk along two sorted samples
 */
#include <check.h>

#include "core/rng.h"
#include "math/curve.h"
#include "math/order.h"

static void check_vertex(const struct ood_vertex *v, double score, size_t fp,
			 size_t tp)
{
	ck_assert_double_eq(v->score, score);
	ck_assert_uint_eq(v->fp, fp);
	ck_assert_uint_eq(v->tp, tp);
}

START_TEST(vertices_go_down_and_ties_move_together)
{
	static const double id[] = { 1, 2, 2, 5 }, ood[] = { 2, 3, 5, 5, 7 };
	struct ood_curve c = { id, ood, 4, 5 };
	struct ood_vertex v = ood_curve_start();

	check_vertex(&v, INFINITY, 0, 0);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 7, 0, 1);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 5, 1, 3);
	ck_assert_uint_eq(v.dfp, 1);
	ck_assert_uint_eq(v.dtp, 2);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 3, 1, 4);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 2, 3, 5);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 1, 4, 5);
	ck_assert_uint_eq(v.dfp, 1);
	ck_assert_uint_eq(v.dtp, 0);
	ck_assert(!ood_curve_next(&c, &v));
}
END_TEST

START_TEST(infinite_scores_are_vertices_of_their_own)
{
	static const double id[] = { -INFINITY, -INFINITY, 0 };
	static const double ood[] = { -INFINITY, INFINITY };
	struct ood_curve c = { id, ood, 3, 2 };
	struct ood_vertex v = ood_curve_start();

	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, INFINITY, 0, 1);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 0, 1, 1);
	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, -INFINITY, 3, 2);
	ck_assert_uint_eq(v.dfp, 2);
	ck_assert_uint_eq(v.dtp, 1);
	ck_assert(!ood_curve_next(&c, &v));
}
END_TEST

START_TEST(one_side_may_be_empty)
{
	static const double x[] = { 1, 1 };
	struct ood_curve c = { x, NULL, 2, 0 }, d = { NULL, x, 0, 2 };
	struct ood_curve none = { NULL, NULL, 0, 0 };
	struct ood_vertex v = ood_curve_start();

	ck_assert(ood_curve_next(&c, &v));
	check_vertex(&v, 1, 2, 0);
	ck_assert(!ood_curve_next(&c, &v));
	v = ood_curve_start();
	ck_assert(ood_curve_next(&d, &v));
	check_vertex(&v, 1, 0, 2);
	ck_assert(!ood_curve_next(&d, &v));
	v = ood_curve_start();
	ck_assert(!ood_curve_next(&none, &v));
}
END_TEST

/* Counts by definition, for every vertex. */
START_TEST(counts_are_those_of_the_definition)
{
	enum { N = 300, M = 170 };
	double id[N], ood[M];
	struct ood_curve c = { id, ood, N, M };
	struct ood_vertex v = ood_curve_start(), at;

	for (size_t i = 0; i < N; i++)
		id[i] = floor(90 * ood_rng_uniform(1, OOD_RNG_TEST, i, 0));
	for (size_t i = 0; i < M; i++)
		ood[i] = floor(90 * ood_rng_uniform(1, OOD_RNG_TEST, i, 1));
	ck_assert(ood_sort(id, N) && ood_sort(ood, M));
	for (double last = INFINITY; ood_curve_next(&c, &v); last = v.score) {
		size_t fp = 0, tp = 0, dfp = 0, dtp = 0;

		for (size_t i = 0; i < N; i++) {
			fp += id[i] >= v.score;
			dfp += id[i] == v.score;
		}
		for (size_t i = 0; i < M; i++) {
			tp += ood[i] >= v.score;
			dtp += ood[i] == v.score;
		}
		ck_assert_double_lt(v.score, last);
		check_vertex(&v, v.score, fp, tp);
		ck_assert_uint_eq(v.dfp, dfp);
		ck_assert_uint_eq(v.dtp, dtp);
		at = ood_curve_at(&c, v.score);
		ck_assert(at.fp == fp && at.tp == tp && at.dfp == dfp &&
			  at.dtp == dtp && at.score == v.score);
	}
	ck_assert_uint_eq(v.fp, N);
	ck_assert_uint_eq(v.tp, M);
	at = ood_curve_at(&c, 10.5);
	ck_assert_uint_eq(at.dfp + at.dtp, 0);
	at = ood_curve_at(&c, INFINITY);
	check_vertex(&at, INFINITY, 0, 0);
}
END_TEST

Suite *suite_curve(void);
Suite *suite_curve(void)
{
	Suite *s = suite_create("curve");
	TCase *c = tcase_create("curve");

	tcase_add_test(c, vertices_go_down_and_ties_move_together);
	tcase_add_test(c, infinite_scores_are_vertices_of_their_own);
	tcase_add_test(c, one_side_may_be_empty);
	tcase_add_test(c, counts_are_those_of_the_definition);
	suite_add_tcase(s, c);
	return s;
}
