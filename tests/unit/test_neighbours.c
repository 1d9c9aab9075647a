/*
 * test_neighbours.c - nearest rows are those of brute force in double, to the
 * bit, whatever chooses the candidates
 */
#include "core/mem.h"
#include "fitrows.h"
#include "math/neighbours.h"
#include "math/vector.h"

/* ------------------------------------------------------------- reference --- */

struct pair {
	double cost;
	size_t row;
};

static int by_cost(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	if (p->cost != q->cost)
		return p->cost < q->cost ? -1 : 1;
	return p->row < q->row ? -1 : 1;
}

struct problem {
	const char *name;
	size_t n, queries, d, k;
	double *x, *q;
	double *scale; /* n, for inner products */
	size_t *self;  /* queries */
	bool overflow; /* of inner products of the rows as they are */
};

static bool is_zero(const double *x, size_t d)
{
	return ood_norm(x, d) == 0;
}

static double cost_of(enum ood_near kind, const double *q, const double *x,
		      size_t d)
{
	if (kind == OOD_NEAR_DOT)
		return -ood_dot(q, x, d);
	if (kind == OOD_NEAR_DISTANCE)
		return ood_distance2(q, x, d);
	return is_zero(q, d) || is_zero(x, d) ? 1 : ood_distance2(q, x, d) / 2;
}

/* All rows of one query, in order. */
static void brute(const struct problem *p, struct ood_near_options options,
		  size_t query, struct pair *to)
{
	size_t d = p->d;
	bool unit = options.unit || options.kind == OOD_NEAR_COSINE;
	double *u = ood_malloc(d, sizeof(*u)), *v = ood_malloc(d, sizeof(*v));

	memcpy(u, p->q + query * d, d * sizeof(*u));
	if (unit)
		ood_unit(u, d, u);
	for (size_t i = 0; i < p->n; i++) {
		memcpy(v, p->x + i * d, d * sizeof(*v));
		if (unit)
			ood_unit(v, d, v);
		to[i] = (struct pair){ cost_of(options.kind, u, v, d), i };
		if (options.scale)
			to[i].cost *= options.scale[i];
		if (p->self && p->self[query] == i)
			to[i].cost = INFINITY; /* behind all others */
	}
	qsort(to, p->n, sizeof(*to), by_cost);
	ood_free(u);
	ood_free(v);
}

/* ---------------------------------------------------------------- checks --- */

struct answer {
	double *value;
	size_t *which;
};

static struct answer find(const struct problem *p,
			  const struct ood_neighbours *index, size_t at,
			  size_t n, bool last)
{
	size_t width = last ? 1 : p->k;
	struct answer a = { ood_malloc(n * width, sizeof(*a.value)),
			    ood_malloc(n * width, sizeof(*a.which)) };
	const struct ood_near_query query = {
		.x = p->q + at * p->d,
		.n = n,
		.k = p->k,
		.last = last,
		.self = p->self ? p->self + at : NULL,
	};

	ck_assert_msg(
		!ood_neighbours_find(index, &query, a.value, a.which, &one_err),
		"%s", one_err.what);
	return a;
}

static void answer_free(struct answer *a)
{
	ood_free(a->value);
	ood_free(a->which);
}

static void check_query(const struct problem *p,
			struct ood_near_options options, size_t i,
			const struct answer *all, const struct answer *last)
{
	struct pair *want = ood_malloc(p->n, sizeof(*want));
	const bool dot = options.kind == OOD_NEAR_DOT;

	brute(p, options, i, want);
	for (size_t j = 0; j < p->k; j++) {
		double value = dot ? -want[j].cost : want[j].cost;
		size_t at = i * p->k + j;

		ck_assert_msg(all->which[at] == want[j].row &&
				      all->value[at] == value,
			      "%s, kind %d%s, engine %d, query %zu: %zu is row "
			      "%zu at %.17g, not row %zu at %.17g",
			      p->name, options.kind,
			      options.unit ? " unit" : "", options.engine, i, j,
			      all->which[at], all->value[at], want[j].row,
			      value);
	}
	ck_assert_uint_eq(last->which[i], want[p->k - 1].row);
	ck_assert(last->value[i] == all->value[i * p->k + p->k - 1]);
	ood_free(want);
}

static void check_options(const struct problem *p,
			  struct ood_near_options options)
{
	struct ood_bank bank = { 0 };
	struct ood_neighbours *index;

	ck_assert_int_eq(ood_bank_add(&bank, p->x, p->n, p->d, &one_err),
			 OOD_OK);
	ck_assert_int_eq(ood_neighbours_make(&index, &bank, options, &one_err),
			 OOD_OK);
	struct answer all = find(p, index, 0, p->queries, false),
		      last = find(p, index, 0, p->queries, true),
		      alone = find(p, index, p->queries - 1, 1, false);
	for (size_t i = 0; i < p->queries; i++)
		check_query(p, options, i, &all, &last);
	ck_assert_mem_eq(alone.which, all.which + (p->queries - 1) * p->k,
			 p->k * sizeof(size_t));
	answer_free(&all);
	answer_free(&last);
	answer_free(&alone);
	ood_neighbours_free(index);
	ood_bank_free(&bank);
}

/* With every engine, and every kind that it is meant for. */
static void check(const struct problem *p)
{
	for (int engine = OOD_NEAR_AUTO; engine <= OOD_NEAR_DOUBLES; engine++) {
		for (int kind = OOD_NEAR_DISTANCE; kind <= OOD_NEAR_DOT; kind++)
			for (int unit = p->overflow && kind == OOD_NEAR_DOT;
			     unit < 2; unit++)
				check_options(p, (struct ood_near_options){
							 .kind = kind,
							 .unit = unit,
							 .engine = engine });
		check_options(p,
			      (struct ood_near_options){ .kind = OOD_NEAR_DOT,
							 .unit = true,
							 .scale = p->scale,
							 .engine = engine });
	}
}

/* -------------------------------------------------------------- problems --- */

static struct problem make(const char *name, size_t n, size_t queries, size_t d,
			   size_t k)
{
	struct problem p = { .name = name,
			     .n = n,
			     .queries = queries,
			     .d = d,
			     .k = k,
			     .x = ood_calloc(n * d, sizeof(double)),
			     .q = ood_calloc(queries * d, sizeof(double)),
			     .scale = ood_calloc(n, sizeof(double)) };

	logit_state = 40;
	for (size_t i = 0; i < n * d; i++)
		p.x[i] = logit();
	for (size_t i = 0; i < queries * d; i++)
		p.q[i] = logit();
	for (size_t i = 0; i < n; i++)
		p.scale[i] = logit() + 3; /* some are negative */
	return p;
}

static void drop(struct problem *p)
{
	ood_free(p->x);
	ood_free(p->q);
	ood_free(p->scale);
	ood_free(p->self);
}

/* All numbers to a x + b. */
static void shift(struct problem *p, double a, double b)
{
	for (size_t i = 0; i < p->n * p->d; i++)
		p->x[i] = p->x[i] * a + b;
	for (size_t i = 0; i < p->queries * p->d; i++)
		p->q[i] = p->q[i] * a + b;
}

static void copy_row(const struct problem *p, double *to, size_t from)
{
	memcpy(to, p->x + from * p->d, p->d * sizeof(*to));
}

START_TEST(random_rows)
{
	static const size_t features[] = { 1, 2, 3, 17, 64, 70, 200 };
	struct problem p =
		make("random", 2500, 20, features[_i], _i == 1 ? 1 : 9);

	check(&p);
	drop(&p);
}
END_TEST

START_TEST(rows_that_are_floats)
{
	struct problem p = make("floats", 1500, 9, 65, 50);

	for (size_t i = 0; i < p.n * p.d; i++)
		p.x[i] = (double)(float)p.x[i];
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(rows_far_from_the_origin_or_of_any_size)
{
	static const double a[] = { 1,	    1,	   1e-3,   1e-30, 1e30,
				    1e-150, 1e150, 1e-200, 1e200, 1e-310 },
			    b[] = { 1e6, -1e12, 1e6, 0, 0, 0, 0, 0, 0, 0 };
	struct problem p = make("shifted", 1200, 6, 66, 7);

	ck_assert_uint_eq(OOD_COUNT(a), OOD_COUNT(b));
	shift(&p, a[_i], b[_i]);
	p.overflow = a[_i] > 1e150;
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(duplicates_and_ties)
{
	struct problem p = make("duplicates", 3000, 8, 64, 40);

	/* 60 rows 50 times; queries at some of them. */
	for (size_t i = 60; i < p.n; i++)
		copy_row(&p, p.x + i * p.d, i * 7 % 60);
	for (size_t i = 0; i < 4; i++)
		copy_row(&p, p.q + i * p.d, i);
	check(&p);
	/* Small integers: many equal distances that are no duplicates. */
	for (size_t i = 0; i < p.n * p.d; i++)
		p.x[i] = rint(p.x[i] / 4);
	for (size_t i = 0; i < p.queries * p.d; i++)
		p.q[i] = rint(p.q[i] / 4);
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(more_candidates_than_a_list_holds)
{
	struct problem p = make("one place", 6000, 5, 64, 3);

	/* Half of the rows are one, and the others differ from it in the last
	 * places. */
	for (size_t i = 1; i < p.n; i++) {
		copy_row(&p, p.x + i * p.d, 0);
		if (i % 2)
			p.x[i * p.d + i % p.d] *= 1 + 1e-15 * (double)(i % 9);
	}
	copy_row(&p, p.q, 0);
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(rows_nearer_than_codes_can_tell)
{
	struct problem p = make("close", 6000, 5, 64, 3);

	for (size_t i = 0; i < p.n * p.d; i++)
		p.x[i] = 3 + p.x[i] * 1e-4;
	for (size_t i = 0; i < p.queries * p.d; i++)
		p.q[i] = 3 + p.q[i] * 1e-4;
	p.x[5] = 1000; /* the range of the centred rows is that of one */
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(outliers_in_the_bank_and_far_queries)
{
	struct problem p = make("outliers", 1200, 8, 64, 5);

	for (size_t j = 0; j < p.d; j++) {
		p.x[j] *= 1e9;
		p.x[p.d + j] *= 1e25;
		p.x[2 * p.d + j] *= 1e-20;
		p.q[j] *= 1e9;
		p.q[p.d + j] *= 1e15;
		p.q[2 * p.d + j] *= 1e160;
		p.q[3 * p.d + j] *= 1e-25;
		p.q[4 * p.d + j] *= 1e-180;
	}
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(rows_whose_products_are_below_the_range_of_float)
{
	struct problem p = make("below", 1000, 4, 64, 5);

	shift(&p, 1e-6, 0);
	/* Two opposite ones set the unit, and leave the centre near 0. */
	for (size_t j = 0; j < p.d; j++) {
		p.x[j] = 1e20;
		p.x[p.d + j] = -1e20;
	}
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(zero_rows)
{
	struct problem p = make("zeros", 1200, 6, 64, 5);

	memset(p.x, 0, 20 * p.d * sizeof(*p.x));
	memset(p.x + 900 * p.d, 0, 3 * p.d * sizeof(*p.x));
	memset(p.q, 0, p.d * sizeof(*p.q));
	memset(p.q + 3 * p.d, 0, 2 * p.d * sizeof(*p.q));
	/* One is nearer to 0 than to the others' directions. */
	for (size_t j = 0; j < p.d; j++)
		p.q[p.d + j] *= -1;
	check(&p);
	memset(p.x, 0, p.n * p.d * sizeof(*p.x));
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(few_rows_and_all_of_them)
{
	struct problem p = make("all", 47, 5, 64, 47);

	check(&p);
	p.k = p.n = 1;
	check(&p);
	p.n = 30;
	p.k = 3;
	check(&p);
	drop(&p);
	p = make("many of many", 2000, 3, 64, 240);
	check(&p);
	p.k = 2000;
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(a_query_leaves_itself_out)
{
	struct problem p = make("self", 1000, 12, 64, 4);

	p.self = ood_malloc(p.queries, sizeof(*p.self));
	for (size_t i = 0; i < p.queries; i++) {
		p.self[i] = i % 3 ? i * 80 : SIZE_MAX;
		copy_row(&p, p.q + i * p.d, i * 80);
	}
	/* Zero twice, with other rows left out. */
	memset(p.q, 0, 2 * p.d * sizeof(*p.q));
	check(&p);
	p.n = 900;
	p.k = 899;
	check(&p);
	drop(&p);
}
END_TEST

START_TEST(many_queries_by_many_threads)
{
	struct problem p = make("blocks", 1100, 600, 64, 5);
	const struct ood_near_options options = { .unit = true };
	struct ood_bank bank = { 0 };
	struct ood_neighbours *index;
	struct answer one, parts[12];

	ood_bank_add(&bank, p.x, p.n, p.d, &one_err);
	ck_assert_int_eq(ood_neighbours_make(&index, &bank, options, &one_err),
			 OOD_OK);
	one = find(&p, index, 0, p.queries, false);
#pragma omp parallel for num_threads(3)
	for (size_t i = 0; i < 12; i++)
		parts[i] = find(&p, index, i * 50, 50, false);
	for (size_t i = 0; i < 12; i++) {
		ck_assert_mem_eq(parts[i].value, one.value + i * 50 * p.k,
				 50 * p.k * sizeof(double));
		answer_free(&parts[i]);
	}
	answer_free(&one);
	ood_neighbours_free(index);
	ood_bank_free(&bank);
	drop(&p);
}
END_TEST

Suite *suite_neighbours(void);

Suite *suite_neighbours(void)
{
	Suite *suite = suite_create("neighbours");
	TCase *tests = tcase_create("neighbours");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, random_rows, 0, 7);
	tcase_add_test(tests, rows_that_are_floats);
	tcase_add_loop_test(tests, rows_far_from_the_origin_or_of_any_size, 0,
			    10);
	tcase_add_test(tests, duplicates_and_ties);
	tcase_add_test(tests, more_candidates_than_a_list_holds);
	tcase_add_test(tests, rows_nearer_than_codes_can_tell);
	tcase_add_test(tests, outliers_in_the_bank_and_far_queries);
	tcase_add_test(tests, rows_whose_products_are_below_the_range_of_float);
	tcase_add_test(tests, zero_rows);
	tcase_add_test(tests, few_rows_and_all_of_them);
	tcase_add_test(tests, a_query_leaves_itself_out);
	tcase_add_test(tests, many_queries_by_many_threads);
	suite_add_tcase(suite, tests);
	return suite;
}
