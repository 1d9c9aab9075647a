/*
 * test_writer_many.c - many rows out: numbers, threads, blocks
 */
#include <math.h>

#include "core/mem.h"
#include "core/num.h"
#include "core/thread.h"
#include "rows.h"

/* xorshift64*: any doubles will do, also subnormal and huge ones. */
static double any_double(uint64_t *state)
{
	double x;
	uint64_t bits;

	do {
		*state ^= *state >> 12;
		*state ^= *state << 25;
		*state ^= *state >> 27;
		bits = *state * UINT64_C(2685821657736338717);
		memcpy(&x, &bits, sizeof(x));
	} while (!isfinite(x) || (x == 0 && signbit(x)));
	return x;
}

/* 20000 rows: several slabs, each cut among the threads. */
enum { MANY = 20000 };

static void fill_many(double *x, int64_t *row)
{
	uint64_t state = 20240607;

	for (size_t i = 0; i < MANY; i++) {
		row[i] = (int64_t)i + 1;
		for (size_t k = 0; k < 3; k++)
			x[3 * i + k] = any_double(&state);
	}
}

static const struct ood_field many_fields[] = {
	{ .name = "row", .kind = OOD_FIELD_INT },
	{ .name = "x", .width = 3 },
};

START_TEST(doubles_read_back_equal)
{
	double *x = ood_malloc(3 * MANY, sizeof(*x));
	int64_t *row = ood_malloc(MANY, sizeof(*row));
	struct ood_cells cells[] = { { .ints = row },
				     { .reals = x, .stride = 3 } };
	struct rows r = { many_fields, 2, cells, MANY };
	struct scratch s;
	struct ood_err err;

	fill_many(x, row);
	ck_assert_int_eq(write_all("csv", &r, 1, &s, &err), OOD_OK);
	const char *p = strchr(scratch_read(&s), '\n') + 1;
	for (size_t i = 0; i < MANY; i++) {
		p = strchr(p, ',') + 1;
		for (size_t k = 0; k < 3; k++) {
			double y;
			ck_assert_int_eq(
				ood_num_scan_text(p, s.text + s.n, '.', &p, &y),
				OOD_NUM_OK);
			ck_assert(y == x[3 * i + k]);
			ck_assert_int_eq(*p++, k < 2 ? ',' : '\n');
		}
	}
	scratch_close(&s);
	ood_free(x);
	ood_free(row);
}
END_TEST

static void same_for_threads(const char *format, const struct rows *r)
{
	struct scratch one, three;
	struct ood_err err;

	ood_threads_set(1);
	ck_assert_int_eq(write_all(format, r, 1, &one, &err), OOD_OK);
	ood_threads_set(3);
	ck_assert_int_eq(write_all(format, r, 1, &three, &err), OOD_OK);
	ood_threads_set(0);
	scratch_read(&one);
	scratch_read(&three);
	ck_assert_uint_gt(one.n, MANY);
	ck_assert_uint_eq(one.n, three.n);
	ck_assert(!memcmp(one.text, three.text, one.n));
	scratch_close(&one);
	scratch_close(&three);
}

START_TEST(bytes_do_not_depend_on_threads)
{
	double *x = ood_malloc(3 * MANY, sizeof(*x));
	int64_t *row = ood_malloc(MANY, sizeof(*row));
	struct ood_cells cells[] = { { .ints = row },
				     { .reals = x, .stride = 3 } };
	struct rows r = { many_fields, 2, cells, MANY };

	fill_many(x, row);
	same_for_threads("csv", &r);
	same_for_threads("jsonl", &r);
	same_for_threads("json", &r);
	same_for_threads("table", &r);
	ood_free(x);
	ood_free(row);
}
END_TEST

/* The same row is refused by any team, and all rows before it are written. */
START_TEST(a_refused_row_is_the_same_for_all_threads)
{
	static const struct ood_field field = { .name = "w",
						.kind = OOD_FIELD_WORD };
	struct ood_span *words = ood_malloc(MANY, sizeof(*words));
	struct ood_cells cells = { .words = words };
	struct rows r = { &field, 1, &cells, MANY };

	for (size_t i = 0; i < MANY; i++)
		words[i] = (struct ood_span){ "\xFF", i < 12345 ? 0u : 1u };
	for (int threads = 1; threads < 5; threads++) {
		struct scratch s;
		struct ood_err err;
		ood_threads_set(threads);
		ck_assert_int_eq(write_all("jsonl", &r, 1, &s, &err),
				 OOD_INPUT);
		ck_assert_uint_eq(err.line, 12346);
		scratch_read(&s);
		ck_assert_uint_eq(s.n, 12345 * strlen("{\"w\":\"\"}\n"));
		scratch_close(&s);
	}
	ood_threads_set(0);
	ood_free(words);
}
END_TEST

/* Cut into blocks in any way: widths come from the first 1000 rows. */
START_TEST(bytes_do_not_depend_on_blocks)
{
	static const char *const formats[] = { "csv", "jsonl", "json", "table",
					       "md" };
	enum { ROWS = 1 << 11 };
	int64_t *row = ood_malloc(ROWS, sizeof(*row));
	const struct ood_field field = { .name = "r", .kind = OOD_FIELD_INT };

	for (size_t i = 0; i < ROWS; i++)
		row[i] = 3;
	for (size_t f = 0; f < OOD_COUNT(formats); f++) {
		struct ood_cells cells = { .ints = row };
		struct rows whole = { &field, 1, &cells, ROWS };
		struct rows cut = { &field, 1, &cells, ROWS / 32 };
		struct scratch a, b;
		struct ood_err err;
		ck_assert_int_eq(write_all(formats[f], &whole, 1, &a, &err),
				 OOD_OK);
		ck_assert_int_eq(write_all(formats[f], &cut, 32, &b, &err),
				 OOD_OK);
		ck_assert_str_eq(scratch_read(&a), scratch_read(&b));
		scratch_close(&a);
		scratch_close(&b);
	}
	ood_free(row);
}
END_TEST

Suite *suite_writer_many(void);
Suite *suite_writer_many(void)
{
	Suite *s = suite_create("writer_many");
	TCase *t = tcase_create("many");

	tcase_add_test(t, doubles_read_back_equal);
	tcase_add_test(t, bytes_do_not_depend_on_threads);
	tcase_add_test(t, a_refused_row_is_the_same_for_all_threads);
	tcase_add_test(t, bytes_do_not_depend_on_blocks);
	suite_add_tcase(s, t);
	return s;
}
