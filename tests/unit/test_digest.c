/*
 * test_digest.c - every clone of the digest, against 60 digits, against the
 * plain clone, and a row against itself among others
 */
#include <stdio.h>

#include "core/mem.h"
#include "figures.h"
#include "math/digest.h"

static uint64_t state;

/* The generator of tests/ref/digest.py. */
static uint32_t bits31(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33);
}

static double logit(void)
{
	return (double)bits31() * 0x1p-27 - 8;
}

static bool close_to(double a, double b, double rel)
{
	return a == b || fabs(a - b) <= rel * fabs(b);
}

#define SAME(d, i, e, k, what)                                                 \
	ck_assert_msg(                                                         \
		!memcmp(&(d)->what[i], &(e)->what[k], sizeof((d)->what[0])),   \
		"%s of row %zu: %a, not %a", #what, (size_t)(i),               \
		(double)(d)->what[i], (double)(e)->what[k])

static void same_bits(const struct ood_digest *d, size_t i,
		      const struct ood_digest *e, size_t k)
{
	SAME(d, i, e, k, max);
	SAME(d, i, e, k, second);
	SAME(d, i, e, k, s);
	SAME(d, i, e, k, w);
	SAME(d, i, e, k, q);
	SAME(d, i, e, k, e2);
	SAME(d, i, e, k, top);
	SAME(d, i, e, k, nlog);
	SAME(d, i, e, k, arg);
}

#define CLOSE(d, e, i, what, rel)                                              \
	ck_assert_msg(close_to((d)->what[i], (e)->what[i], rel),               \
		      "%s of row %zu: %.17g, not %.17g", #what, (size_t)(i),   \
		      (d)->what[i], (e)->what[i])

static void agree(const struct ood_digest *d, const struct ood_digest *e,
		  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		ck_assert_double_eq(d->max[i], e->max[i]);
		ck_assert(d->second[i] == e->second[i]);
		ck_assert_uint_eq(d->arg[i], e->arg[i]);
		CLOSE(d, e, i, s, 4e-15);
		CLOSE(d, e, i, w, 4e-15);
		CLOSE(d, e, i, q, 4e-15);
		CLOSE(d, e, i, e2, 4e-15);
		CLOSE(d, e, i, top, 4e-15);
		CLOSE(d, e, i, nlog, 4e-15);
	}
}

static void run(const struct ood_digest_kernel *kernel, bool is_probs,
		struct ood_view view, double T, struct ood_digest *d)
{
	memset(d, 0x55, sizeof(*d));
	if (is_probs)
		kernel->probs(view, d);
	else
		kernel->logits(view, T, d);
}

/* Rows that table lines describe; see tests/ref/digest.py. */
static void make_row(bool is_probs, size_t c, int shift, uint64_t seed,
		     double *z)
{
	state = seed;
	for (size_t j = 0; j < c; j++)
		z[j] = ldexp((double)bits31(), shift - 31);
	state = seed + 99;
	for (size_t j = 0; is_probs && j < c; j++)
		z[j] = ldexp(z[j], -(int)(bits31() % 40));
}

/* The scores that follow are right where the sums are. */
static void check_line(const struct ood_digest_kernel *kernel, char **field)
{
	static double z[1000];
	static struct ood_digest d;
	bool is_probs = !strcmp(field[0], "probs");
	size_t c = (size_t)number(field[1]);
	double T = number(field[3]), want[12];

	for (size_t i = 0; i < 12; i++)
		want[i] = number(field[5 + i]);
	make_row(is_probs, c, (int)number(field[2]), (uint64_t)number(field[4]),
		 z);
	run(kernel, is_probs, (struct ood_view){ z, OOD_F8, 1, c, c }, T, &d);
	double s = d.s[0], q = d.q[0];
	double got[12] = { d.max[0], d.second[0], d.arg[0], s,	      d.w[0],
			   q,	     d.e2[0],	  d.top[0], d.nlog[0] };

	got[9] = d.top[0] * (d.w[0] + (1 + s) * d.nlog[0]);
	got[10] = -(d.max[0] + T * d.nlog[0]);
	got[11] = (2 * s + (s * s - q)) / (1 + q);
	for (size_t i = 0; i < 12; i++) {
		/* T = 2.5 rounds z/T; exp makes that up to 700 units. */
		double tol = i < 3 ? 0 : i > 2 && T == 2.5 ? 2e-13 : 1e-14;

		ck_assert_msg(close_to(got[i], want[i], tol),
			      "%s %s C=%zu range 2^%s T=%s: column %zu is "
			      "%.17g, not %.17g",
			      kernel->name, field[0], c, field[2], field[3], i,
			      got[i], want[i]);
	}
}

START_TEST(every_clone_is_right_to_the_last_digits)
{
	static char line[1024];
	const struct ood_digest_kernel *const *kernels;
	size_t n, lines = 0;
	char *field[17];
	FILE *f = fopen("tests/ref/digest.tsv", "r");

	ck_assert_ptr_nonnull(f);
	kernels = ood_digest_kernels(&n);
	for (; table_line(f, line, sizeof(line), field, 17); lines++)
		for (size_t k = 0; k < n; k++)
			check_line(kernels[k], field);
	ck_assert_uint_eq(lines, 286);
	fclose(f);
}
END_TEST

/* An array of its own, so that a sanitizer sees reads past its end. */
struct sample {
	double *z;
	float *f;
	struct ood_view wide, single;
};

/* Values are floats, some rows have ties and -inf. */
static struct sample sample_make(size_t rows, size_t c, size_t stride,
				 bool is_probs)
{
	size_t n = rows ? (rows - 1) * stride + c : 0;
	struct sample s = { .z = ood_malloc(n, sizeof(*s.z)),
			    .f = ood_malloc(n, sizeof(*s.f)) };

	for (size_t i = 0; i < n; i++) {
		double x = logit();

		if (bits31() % 16 == 0)
			x = floor(x);
		if (bits31() % 64 == 0 && i % stride)
			x = -INFINITY;
		s.f[i] = (float)(is_probs ? exp(x) * 1e-4 : x);
		s.z[i] = (double)s.f[i];
	}
	s.wide = (struct ood_view){ s.z, OOD_F8, rows, c, stride };
	s.single = (struct ood_view){ s.f, OOD_F4, rows, c, stride };
	return s;
}

static void sample_free(struct sample *s)
{
	ood_free(s->z);
	ood_free(s->f);
}

/* All widths around those of tiles, runs and lanes. */
static const size_t widths[] = {
	1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 11,  12,  13,  14,   15,   16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,  28,  29,  30,   31,   32,
	33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,  44,  45,  46,   47,   48,
	49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,  60,  61,  62,   63,   64,
	65, 66, 67, 68, 69, 70, 95, 96, 97, 98, 127, 128, 129, 1000, 1024, 1025
};

static void compare(const struct ood_digest_kernel *const *kernels, size_t n,
		    const struct sample *s, bool is_probs)
{
	static struct ood_digest plain, d, single;

	run(kernels[n - 1], is_probs, s->wide, 0.75, &plain);
	for (size_t k = 0; k < n; k++) {
		run(kernels[k], is_probs, s->wide, 0.75, &d);
		run(kernels[k], is_probs, s->single, 0.75, &single);
		agree(&d, &plain, s->wide.rows);
		for (size_t i = 0; i < s->wide.rows; i++)
			same_bits(&d, i, &single, i);
	}
}

START_TEST(clones_agree_with_the_plain_one_at_every_width)
{
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	state = 1;
	for (size_t i = 0; i < OOD_COUNT(widths); i++) {
		size_t c = widths[i];
		struct sample s = sample_make(37, c, c + 3, _i);

		compare(kernels, n, &s, _i);
		sample_free(&s);
	}
}
END_TEST

START_TEST(clones_agree_with_the_plain_one_at_every_height)
{
	static const size_t some[] = { 3, 10, 64, 131 };
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	state = 2;
	for (size_t rows = 1; rows <= 65; rows++)
		for (size_t i = 0; i < OOD_COUNT(some); i++) {
			struct sample s =
				sample_make(rows, some[i], some[i], _i);

			compare(kernels, n, &s, _i);
			sample_free(&s);
		}
}
END_TEST

/* The s, w, q, arg of a row as the header defines them. */
START_TEST(plain_sums_are_those_of_the_definition)
{
	static struct ood_digest d;
	size_t n;
	const struct ood_digest_kernel *plain = ood_digest_kernels(&n)[0];

	plain = ood_digest_kernels(&n)[n - 1];
	state = 3;
	for (size_t i = 0; i < OOD_COUNT(widths); i++) {
		size_t c = widths[i], k = 0;
		long double s = 0, w = 0, q = 0;
		struct sample one = sample_make(1, c, c, false);

		run(plain, false, one.wide, 1, &d);
		for (size_t j = 1; j < c; j++)
			k = one.z[j] > one.z[k] ? j : k;
		for (size_t j = 0; j < c; j++) {
			long double gap = (long double)one.z[k] - one.z[j];

			if (j == k || isinf(one.z[j]))
				continue;
			s += expl(-gap);
			w += gap * expl(-gap);
			q += expl(-2 * gap);
		}
		ck_assert_uint_eq(d.arg[0], k);
		ck_assert(close_to(d.s[0], (double)s, 1e-14));
		ck_assert(close_to(d.w[0], (double)w, 1e-14));
		ck_assert(close_to(d.q[0], (double)q, 1e-14));
		sample_free(&one);
	}
}
END_TEST

START_TEST(a_row_has_the_same_bits_wherever_it_stands)
{
	static const size_t some[] = { 1, 2, 10, 33, 63, 64, 100, 1000 };
	static struct ood_digest all, one;
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	state = 4;
	for (size_t i = 0; i < OOD_COUNT(some); i++)
		for (size_t k = 0; k < n; k++) {
			struct sample s = sample_make(OOD_DIGEST_ROWS, some[i],
						      some[i], _i);

			run(kernels[k], _i, s.wide, 2, &all);
			for (size_t r = 0; r < OOD_DIGEST_ROWS; r += 5) {
				struct ood_view row = s.wide;

				row.rows = 1;
				row.data = s.z + r * row.stride;
				run(kernels[k], _i, row, 2, &one);
				same_bits(&all, r, &one, 0);
			}
			sample_free(&s);
		}
}
END_TEST

START_TEST(extreme_rows_give_what_limits_say)
{
	static const double rows[][3] = {
		{ -INFINITY, 1, -INFINITY },
		{ 1e308, 1e308, -1e308 },
		{ 800, 0, -3 },
		{ 0, -745, -INFINITY },
		{ -1e308, -1e308, -1e308 },
		{ 5e-324, 0, -5e-324 },
	};
	static struct ood_digest d;
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	for (size_t k = 0; k < n; k++) {
		run(kernels[k], false,
		    (struct ood_view){ rows, OOD_F8, OOD_COUNT(rows), 3, 3 },
		    0.99, &d);
		ck_assert_uint_eq(d.arg[0], 1);
		ck_assert_double_eq(d.s[0], 0);
		ck_assert_double_eq(d.w[0], 0);
		ck_assert_double_eq(d.nlog[0], 0);
		ck_assert_double_eq(d.top[0], 1);
		ck_assert_double_eq(d.s[1], 1);
		ck_assert_double_eq(d.nlog[1], log(2));
		ck_assert_double_eq(d.s[2], 0);
		ck_assert_double_eq(d.s[4], 2);
		ck_assert_double_eq(d.s[5], 2);
		/* e^-745 is the smallest subnormal, nothing less. */
		run(kernels[k], false,
		    (struct ood_view){ rows, OOD_F8, OOD_COUNT(rows), 3, 3 }, 1,
		    &d);
		ck_assert_double_eq(d.s[3], 5e-324);
	}
}
END_TEST

START_TEST(temperatures_at_the_ends_of_the_doubles_give_no_nan)
{
	static const double T[] = { 5e-324, 1e-310, 1e300, 1.7e308 };
	static const double row[] = { 3, 3, 2, -INFINITY };
	static struct ood_digest d;

	for (size_t i = 0; i < OOD_COUNT(T); i++) {
		ood_digest_logits((struct ood_view){ row, OOD_F8, 1, 4, 4 },
				  T[i], &d);
		ck_assert_double_eq(d.s[0], T[i] < 1 ? 1 : 2);
		ck_assert(isfinite(d.w[0]));
	}
}
END_TEST

START_TEST(subnormal_exponentials_keep_their_digits)
{
	double x[] = { -708.5, -720, -735.25, -746, -1e9, -INFINITY, 0 };
	double y[OOD_COUNT(x)];
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	for (size_t k = 0; k < n; k++) {
		memcpy(y, x, sizeof(x));
		kernels[k]->exps(y, OOD_COUNT(y));
		/* Within one of the smallest subnormal. */
		for (size_t i = 0; i < OOD_COUNT(x); i++)
			NEAR(y[i], exp(x[i]), 5e-324);
	}
}
END_TEST

/* Errors in units in the last place, against long double. */
START_TEST(exponentials_and_logarithms_are_right_to_two_units)
{
	enum { N = 4099 };
	static double x[N], e[N], l[N];
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	state = 5;
	for (size_t i = 0; i < N; i++)
		x[i] = -ldexp((double)bits31(), -(int)(bits31() % 40) - 22);
	for (size_t k = 0; k < n; k++) {
		memcpy(e, x, sizeof(e));
		kernels[k]->exps(e, N);
		for (size_t i = 0; i < N; i++) {
			long double want = expl(x[i]);

			ck_assert(fabsl(e[i] - want) <= 2.3e-16L * want);
		}
		for (size_t i = 0; i < N; i++)
			l[i] = -x[i];
		kernels[k]->logs(l, N);
		for (size_t i = 0; i < N; i++) {
			long double want = logl(-(long double)x[i]);

			ck_assert(fabsl(l[i] - want) <= 4e-16L * fabsl(want));
		}
	}
}
END_TEST

START_TEST(logarithms_of_odd_arguments)
{
	static const double x[] = { 0, -1, 5e-324, 1e-310, 0x1p-1022, 1, 2 };
	double l[OOD_COUNT(x)];
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	for (size_t k = 0; k < n; k++) {
		memcpy(l, x, sizeof(l));
		kernels[k]->logs(l, OOD_COUNT(l));
		ck_assert(l[0] == -INFINITY && l[1] == -INFINITY);
		for (size_t i = 2; i < OOD_COUNT(x); i++)
			NEAR(l[i], log(x[i]), 2e-13);
		ck_assert_double_eq(l[5], 0);
	}
}
END_TEST

START_TEST(counts_are_those_of_a_loop)
{
	static double x[300];
	const struct ood_digest_kernel *const *kernels;
	size_t n;

	kernels = ood_digest_kernels(&n);
	state = 6;
	for (size_t i = 0; i < OOD_COUNT(x); i++)
		x[i] = floor(logit());
	for (size_t size = 0; size < OOD_COUNT(x); size++) {
		size_t want = 0;

		for (size_t i = 0; i < size; i++)
			want += x[i] > 1;
		for (size_t k = 0; k < n; k++)
			ck_assert_uint_eq(kernels[k]->count(x, size, 1), want);
	}
}
END_TEST

/* Entries below zero pass the door within 1e-6: as given in s, no logarithm. */
START_TEST(slightly_negative_probabilities_are_used_as_given)
{
	static const double p[] = { 1, 1e-7, -1e-7, 0 };
	static struct ood_digest d;

	ood_digest_probs((struct ood_view){ p, OOD_F8, 1, 4, 4 }, &d);
	NEAR(d.s[0], 0, 1e-22);
	NEAR(d.w[0], -1e-7 * log(1e-7), 1e-20);
	ck_assert_double_eq(d.nlog[0], 0);
}
END_TEST

Suite *suite_digest(void);

Suite *suite_digest(void)
{
	Suite *suite = suite_create("digest");
	TCase *tcase = tcase_create("digest");

	tcase_add_test(tcase, every_clone_is_right_to_the_last_digits);
	tcase_add_loop_test(
		tcase, clones_agree_with_the_plain_one_at_every_width, 0, 2);
	tcase_add_loop_test(
		tcase, clones_agree_with_the_plain_one_at_every_height, 0, 2);
	tcase_add_test(tcase, plain_sums_are_those_of_the_definition);
	tcase_add_loop_test(tcase, a_row_has_the_same_bits_wherever_it_stands,
			    0, 2);
	tcase_add_test(tcase, extreme_rows_give_what_limits_say);
	tcase_add_test(tcase,
		       temperatures_at_the_ends_of_the_doubles_give_no_nan);
	tcase_add_test(tcase, subnormal_exponentials_keep_their_digits);
	tcase_add_test(tcase,
		       exponentials_and_logarithms_are_right_to_two_units);
	tcase_add_test(tcase, logarithms_of_odd_arguments);
	tcase_add_test(tcase, counts_are_those_of_a_loop);
	tcase_add_test(tcase,
		       slightly_negative_probabilities_are_used_as_given);
	suite_add_tcase(suite, tcase);
	return suite;
}
