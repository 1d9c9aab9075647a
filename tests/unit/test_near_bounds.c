/*
 * test_near_bounds.c - what products of low precision say of costs in double
 * is true, for every pair of rows
 */
#include "core/mem.h"
#include "fitrows.h"
#include "math/linalg.h"
#include "math/near_layout.h"
#include "math/vector.h"

static double *random_rows(size_t n, size_t d)
{
	double *x = ood_malloc(n * d, sizeof(*x));

	for (size_t i = 0; i < n * d; i++)
		x[i] = logit();
	return x;
}

/* low <= cost <= high of all pairs, from the floats that BLAS makes; rows and
 * queries whose products add up errors of one sign. */
START_TEST(bounds_of_products_in_float_hold)
{
	enum { N = 96, Q = 8, D = 400 };
	static const struct ood_near_options options[] = {
		{ .kind = OOD_NEAR_DISTANCE },
		{ .kind = OOD_NEAR_DOT },
	};
	const struct ood_near_options *o = &options[_i];
	double *rows = random_rows(N, D), *queries = random_rows(Q, D);
	struct ood_near_layout l;
	struct ood_bank bank = { 0 };
	double norm[N], *x = ood_malloc(D, sizeof(*x));
	static float out[Q * N], q[Q * D];

	for (size_t i = 0; i < N * D; i++)
		rows[i] = 1 + ldexp(fabs(rows[i]), -20);
	for (size_t i = 0; i < Q * D; i++)
		queries[i] = (i / D % 2 ? -1 : 1) *
			     (1 + ldexp(fabs(queries[i]), -21));
	ood_bank_add(&bank, rows, N, D, &one_err);
	for (size_t i = 0; i < N; i++)
		norm[i] = ood_norm(rows + i * D, D);
	ck_assert_int_eq(ood_near_layout_make(&l, &bank, o, norm, &one_err),
			 OOD_OK);
	ck_assert_uint_eq(l.wide, D);
	struct ood_near_float f[Q];
	for (size_t i = 0; i < Q; i++) {
		memcpy(x, queries + i * D, D * sizeof(*x));
		ck_assert(ood_near_query_float(&l, x, q + i * D, &f[i]));
	}
	ood_products_float(
		&(struct ood_float_product){ q, l.row, Q, N, D, out });
	for (size_t i = 0; i < Q * N; i++) {
		size_t r = i % N, c = i / N;
		/* Both are of exponent 0, the queries' own for DOT. */
		const double *a = queries + c * D, *b = rows + r * D;
		double cost =
			l.dot ? -ood_dot(a, b, D) : ood_distance2(a, b, D);
		double mp = l.m * (double)out[i];

		ck_assert(f[c].low + l.low[r] - mp <= cost);
		ck_assert(f[c].high + l.high[r] - mp >= cost);
		/* They say something. */
		ck_assert(f[c].high + l.high[r] - f[c].low - l.low[r] < 0.5);
	}
	ood_near_layout_free(&l);
	ood_bank_free(&bank);
	ood_free(x);
	ood_free(rows);
	ood_free(queries);
}
END_TEST

START_TEST(bounds_of_products_of_bytes_hold)
{
	enum { N = 96, Q = 16, D = 80 };
	double *rows = random_rows(N, D), *queries = random_rows(Q, D);
	float *x = ood_malloc(N * D, sizeof(*x));
	static float q[Q * D], out[Q * N];
	struct ood_near_codes codes;
	struct ood_near_coded coded = { 0 };

	for (size_t i = 0; i < N * D; i++)
		x[i] = (float)ldexp(rows[i], (int)(i / D % 7) * 10 - 30);
	for (size_t i = 0; i < Q * D; i++)
		q[i] = (float)ldexp(queries[i], (int)(i / D % 5) * 5);
	/* One large entry, zeros, the largest codes. */
	x[3] = 1e4f;
	memset(x + D, 0, D * sizeof(*x));
	memset(q + D, 0, D * sizeof(*q));
	for (size_t j = 0; j < D; j++)
		x[2 * D + j] = q[2 * D + j] = j % 2 ? 1 : -1;
	ck_assert_int_eq(ood_near_codes_make(&codes, x, N, D, &one_err),
			 OOD_OK);
	ood_near_coded_make(&coded, Q, codes.groups, &one_err);
	for (size_t i = 0; i < Q; i++)
		ood_near_coded_put(&coded, i, codes.groups, q + i * D);
	if (ood_near_codes_work())
		ood_near_codes_product(
			&codes, &coded,
			&(struct ood_near_codes_tile){ 0, 2, Q, out });
	for (size_t i = 0; ood_near_codes_work() && i < Q * N; i++) {
		double dot = 0, size = 0;
		double spread =
			ood_near_codes_spread(&codes, i % N, &coded, i / N);

		for (size_t j = 0; j < D; j++) {
			double t = (double)x[i % N * D + j] *
				   (double)q[i / N * D + j];
			dot += t;
			size += fabs(t);
		}
		ck_assert((double)out[i] >= dot - 1e-14 * size);
		ck_assert((double)out[i] - spread <= dot + 1e-14 * size);
	}
	ood_near_codes_free(&codes);
	ood_near_coded_free(&coded);
	ood_free(x);
	ood_free(rows);
	ood_free(queries);
}
END_TEST

Suite *suite_near_bounds(void);

Suite *suite_near_bounds(void)
{
	Suite *suite = suite_create("near_bounds");
	TCase *tests = tcase_create("bounds");

	tcase_add_loop_test(tests, bounds_of_products_in_float_hold, 0, 2);
	tcase_add_test(tests, bounds_of_products_of_bytes_hold);
	suite_add_tcase(suite, tests);
	return suite;
}
