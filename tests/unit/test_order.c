/*
 * test_order.c - sorting and bisection
 *
 * The judge is the C library's qsort.
 */
#include <check.h>
#include <float.h>
#include <omp.h>

#include "core/rng.h"
#include "math/order.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Kinds of data: uniform, ties, all magnitudes and signs, sorted, equal. */
static double draw(int kind, size_t i)
{
	uint64_t bits = ood_rng_bits(3, OOD_RNG_TEST, i, (uint32_t)kind);
	double u = (double)(bits >> 11) * 0x1p-53;
	double x;

	switch (kind) {
	case 0:
		return 20 * u - 10;
	case 1:
		return floor(20 * u) - 10;
	case 2:
		memcpy(&x, &bits, sizeof(x));
		return isnan(x) ? INFINITY : x;
	case 3:
		return (double)i;
	case 4:
		return (double)(float)u;
	default:
		return 1.5;
	}
}

enum { KINDS = 6 };

static bool same_bits(const double *a, const double *b, size_t n)
{
	/* -0 and 0 compare equal for the judge */
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i] || signbit(a[i]) != (a[i] < 0))
			return false;
	return true;
}

static void check_sort(int kind, size_t n)
{
	double *x = malloc(n * sizeof(*x)), *y = malloc(n * sizeof(*y));

	ck_assert(x && y);
	for (size_t i = 0; i < n; i++)
		x[i] = y[i] = draw(kind, i);
	ck_assert(ood_sort(x, n));
	qsort(y, n, sizeof(*y), compare);
	ck_assert_msg(same_bits(x, y, n), "kind %d, n %zu", kind, n);
	free(x);
	free(y);
}

START_TEST(scores_come_out_ascending)
{
	static const size_t sizes[] = { 1,  2,	 3,    47,     48,    49,
					50, 300, 5000, 100001, 400000 };

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < OOD_COUNT(sizes); i++)
			check_sort(kind, sizes[i]);
	ck_assert(ood_sort(NULL, 0));
}
END_TEST

START_TEST(special_values_have_their_places)
{
	double x[] = { INFINITY, -0.0, 5e-324,	 0.0,	  -5e-324, -INFINITY,
		       DBL_MAX,	 1,    -DBL_MAX, DBL_MIN, -1 };
	double want[] = { -INFINITY, -DBL_MAX, -1, -5e-324, 0,	     0,
			  5e-324,    DBL_MIN,  1,  DBL_MAX, INFINITY };

	ck_assert(ood_sort(x, OOD_COUNT(x)));
	ck_assert_mem_eq(x, want, sizeof(want));
}
END_TEST

START_TEST(minus_zero_is_stored_as_zero_even_if_sorted)
{
	double x[] = { -1, 0.0, -0.0, -0.0, 3 };
	double want[] = { -1, 0.0, 0.0, 0.0, 3 };

	ck_assert(ood_sort(x, OOD_COUNT(x)));
	ck_assert_mem_eq(x, want, sizeof(want));
}
END_TEST

static void check_index(int kind, size_t n)
{
	double *x = malloc(n * sizeof(*x));
	size_t *order = malloc(n * sizeof(*order));
	bool *seen = calloc(n, 1), right = true;

	ck_assert(x && order && seen);
	for (size_t i = 0; i < n; i++)
		x[i] = draw(kind, i);
	ck_assert(ood_sort_index(x, n, order));
	for (size_t i = 0; i < n; i++) {
		right = right && order[i] < n && !seen[order[i]];
		if (right)
			seen[order[i]] = true;
	}
	for (size_t i = 1; right && i < n; i++) {
		double a = x[order[i - 1]], b = x[order[i]];

		right = a < b || (a == b && order[i - 1] < order[i]);
	}
	ck_assert_msg(right, "kind %d, n %zu", kind, n);
	free(x);
	free(order);
	free(seen);
}

START_TEST(indices_are_stable)
{
	static const size_t sizes[] = { 1, 2, 48, 49, 1000, 100001, 400000 };
	double zeros[] = { 0.0, -0.0, 0.0, -0.0 };
	size_t order[4], want[4] = { 0, 1, 2, 3 };

	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < OOD_COUNT(sizes); i++)
			check_index(kind, sizes[i]);
	ck_assert(ood_sort_index(zeros, 4, order));
	ck_assert_mem_eq(order, want, sizeof(want));
}
END_TEST

START_TEST(any_number_of_threads_gives_the_same_order)
{
	enum { N = 600000 };
	double *x = malloc(N * sizeof(*x));
	size_t *one = malloc(N * sizeof(*one)),
	       *more = malloc(N * sizeof(*one));
	int threads = omp_get_max_threads();

	ck_assert(x && one && more);
	for (size_t i = 0; i < N; i++)
		x[i] = draw(1, i);
	omp_set_num_threads(1);
	ck_assert(ood_sort_index(x, N, one));
	for (int t = 2; t <= 5; t++) {
		omp_set_num_threads(t);
		ck_assert(ood_sort_index(x, N, more));
		ck_assert_int_eq(memcmp(one, more, N * sizeof(*one)), 0);
	}
	omp_set_num_threads(threads);
	free(x);
	free(one);
	free(more);
}
END_TEST

START_TEST(bisection_counts_what_is_below_and_up_to)
{
	double x[40];

	for (size_t n = 0; n <= 40; n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = (double)(i / 3);
		for (double v = -1; v <= 15; v += 0.5) {
			size_t below = 0, upto = 0;

			for (size_t i = 0; i < n; i++) {
				below += x[i] < v;
				upto += x[i] <= v;
			}
			ck_assert_uint_eq(ood_count_below(x, n, v), below);
			ck_assert_uint_eq(ood_count_upto(x, n, v), upto);
		}
	}
	ck_assert_uint_eq(ood_count_upto(x, 40, INFINITY), 40);
	ck_assert_uint_eq(ood_count_below(x, 40, -INFINITY), 0);
}
END_TEST

Suite *suite_order(void);
Suite *suite_order(void)
{
	Suite *s = suite_create("order");
	TCase *c = tcase_create("order");

	tcase_set_timeout(c, 60);
	tcase_add_test(c, scores_come_out_ascending);
	tcase_add_test(c, special_values_have_their_places);
	tcase_add_test(c, minus_zero_is_stored_as_zero_even_if_sorted);
	tcase_add_test(c, indices_are_stable);
	tcase_add_test(c, any_number_of_threads_gives_the_same_order);
	tcase_add_test(c, bisection_counts_what_is_below_and_up_to);
	suite_add_tcase(s, c);
	return s;
}
