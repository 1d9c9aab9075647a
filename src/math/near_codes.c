/*
 * near_codes.c - rows as bytes, and products of bytes in place of floats
 *
 * The instruction multiplies four unsigned bytes by four signed ones and adds
 * up: rows have 128 on top of their codes, which adds 128 times the sum of the
 * query's. A panel holds 48 rows turned: of each group of four features the
 * bytes of row 0, of row 1 ... in three vectors of 64.
 *
 * |sum| <= 255 127 d < 2^31 for d <= 2^16.
 */
#include "math/near_codes.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"

enum { GROUP = 4, TOP = 127, OFFSET = 128 };

/* ---------------------------------------------------------------- codes --- */

/* Above what the sums in double are, whatever their rounding. */
static float above(double x)
{
	return (float)(x * (1 + 0x1p-20) + 0x1p-120);
}

struct coding {
	float scale;
	double length, coded, rest; /* norms of a, s c, r */
};

/* Added and taken off, rounds what is small to an integer. */
static const double ROUNDER = 0x1.8p52;

/* The nearest codes of a row: |r| <= |a| in every place. */
static struct coding code_row(const float *a, size_t n, int8_t *code)
{
	struct coding c = { 0 };
	float most = 0;

	for (size_t j = 0; j < n; j++)
		most = OOD_MAX(most, fabsf(a[j]));
	c.scale = most / TOP;
	const double s = (double)c.scale, per = s > 0 ? 1 / s : 0;
	for (size_t j = 0; j < n; j++) {
		double x = (double)a[j];
		double k = x * per + ROUNDER - ROUNDER;

		k = OOD_MAX(OOD_MIN(k, TOP), -TOP);
		code[j] = (int8_t)k;
		c.length += x * x;
		c.coded += k * s * (k * s);
		c.rest += (x - k * s) * (x - k * s);
	}
	c.length = sqrt(c.length);
	c.coded = sqrt(c.coded);
	c.rest = sqrt(c.rest);
	return c;
}

static void put_row(struct ood_near_codes *codes, size_t i, const float *row,
		    int8_t *code)
{
	size_t groups = codes->groups, r = i % OOD_NEAR_PANEL;
	uint8_t *panel = codes->panel +
			 i / OOD_NEAR_PANEL * groups * GROUP * OOD_NEAR_PANEL;
	struct coding c = code_row(row, groups * GROUP, code);

	for (size_t j = 0; j < groups * GROUP; j++)
		panel[(j / GROUP * OOD_NEAR_PANEL + r) * GROUP + j % GROUP] =
			(uint8_t)(code[j] + OFFSET);
	codes->scale[i] = c.scale;
	codes->length[i] = above(c.length);
	codes->rest[i] = above(c.rest);
}

int ood_near_codes_make(struct ood_near_codes *codes, const float *row,
			size_t n, size_t wide, struct ood_err *err)
{
	const int threads = ood_threads();
	size_t bytes = 0;
	int failed = 0;

	*codes = (struct ood_near_codes){ .groups = wide / GROUP };
	if (ood_mul(n, wide, &bytes))
		codes->panel = ood_malloc(bytes, 1);
	codes->scale = ood_malloc(n, sizeof(float));
	codes->length = ood_malloc(n, sizeof(float));
	codes->rest = ood_malloc(n, sizeof(float));
	if (!codes->panel || !codes->scale || !codes->length || !codes->rest)
		return ood_fail_memory(err, bytes);
#pragma omp parallel num_threads(threads) reduction(+ : failed)
	{
		int8_t *code = ood_malloc(wide, 1);

		failed += !code;
#pragma omp for schedule(static)
		for (size_t i = 0; i < n; i++)
			if (code)
				put_row(codes, i, row + i * wide, code);
		ood_free(code);
	}
	return failed ? ood_fail_memory(err, wide) : OOD_OK;
}

void ood_near_codes_free(struct ood_near_codes *codes)
{
	ood_free(codes->panel);
	ood_free(codes->scale);
	ood_free(codes->length);
	ood_free(codes->rest);
	*codes = (struct ood_near_codes){ 0 };
}

int ood_near_coded_make(struct ood_near_coded *coded, size_t n, size_t groups,
			struct ood_err *err)
{
	coded->code = ood_calloc(n * groups, GROUP);
	coded->shift = ood_calloc(n, sizeof(*coded->shift));
	coded->scale = ood_calloc(n, sizeof(float));
	coded->length = ood_calloc(n, sizeof(float));
	coded->rest = ood_calloc(n, sizeof(float));
	if (coded->code && coded->shift && coded->scale && coded->length &&
	    coded->rest)
		return OOD_OK;
	return ood_fail_memory(err, n * groups * GROUP);
}

void ood_near_coded_free(struct ood_near_coded *coded)
{
	ood_free(coded->code);
	ood_free(coded->shift);
	ood_free(coded->scale);
	ood_free(coded->length);
	ood_free(coded->rest);
}

/*
 * The kernel's sum s (s' I) + (rest length' + length rest') in float is off by
 * less than 28 2^-24 ||a|| ||a'||, as its terms are at most 4 and 3 times that
 * product: 2^-18 ||a|| on top of the query's rest are more.
 */
void ood_near_coded_put(struct ood_near_coded *coded, size_t i, size_t groups,
			const float *row)
{
	int8_t *code = coded->code + i * groups * GROUP;
	struct coding c = code_row(row, groups * GROUP, code);
	int32_t sum = 0;

	for (size_t j = 0; j < groups * GROUP; j++)
		sum += code[j];
	coded->shift[i] = OFFSET * sum;
	coded->scale[i] = c.scale;
	coded->length[i] = above(c.coded);
	coded->rest[i] = above(c.rest + 0x1p-18 * c.length);
}

double ood_near_codes_spread(const struct ood_near_codes *codes, size_t row,
			     const struct ood_near_coded *coded, size_t query)
{
	return 2 * (1 + 0x1p-20) *
	       ((double)coded->rest[query] * (double)codes->length[row] +
		(double)coded->length[query] * (double)codes->rest[row]);
}

/* -------------------------------------------------------------- product --- */

#ifdef __x86_64__
#define KERNEL                                                                 \
	__attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,fma")))
#define INLINE inline __attribute__((always_inline))

bool ood_near_codes_work(void)
{
	return __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512vnni") &&
	       __builtin_cpu_supports("fma");
}

/* Sums of a query and 48 rows. */
struct sums {
	__m512i a, b, c;
};

/* Adds four features: of the rows (unsigned) and of a query. */
KERNEL static INLINE void add(struct sums *s, const struct sums *rows,
			      const int8_t *code)
{
	int32_t four;

	memcpy(&four, code, sizeof(four));
	const __m512i all = _mm512_set1_epi32(four);
	s->a = _mm512_dpbusd_epi32(s->a, rows->a, all);
	s->b = _mm512_dpbusd_epi32(s->b, rows->b, all);
	s->c = _mm512_dpbusd_epi32(s->c, rows->c, all);
}

/* Sums of 8 queries and a panel. Not an array of sums: GCC would keep it in
 * memory. */
KERNEL static INLINE void multiply(const uint8_t *panel, const int8_t *code,
				   size_t groups,
				   struct sums to[OOD_NEAR_CODED])
{
	const size_t wide = groups * GROUP;
	const __m512i zero = _mm512_setzero_si512();
	const struct sums none = { zero, zero, zero };
	struct sums s0 = none, s1 = none, s2 = none, s3 = none, s4 = none,
		    s5 = none, s6 = none, s7 = none;

	for (size_t g = 0; g < groups; g++) {
		const struct sums rows = { _mm512_load_si512(panel),
					   _mm512_load_si512(panel + 64),
					   _mm512_load_si512(panel + 128) };

		add(&s0, &rows, code);
		add(&s1, &rows, code + wide);
		add(&s2, &rows, code + 2 * wide);
		add(&s3, &rows, code + 3 * wide);
		add(&s4, &rows, code + 4 * wide);
		add(&s5, &rows, code + 5 * wide);
		add(&s6, &rows, code + 6 * wide);
		add(&s7, &rows, code + 7 * wide);
		code += GROUP;
		panel += GROUP * OOD_NEAR_PANEL;
	}
	to[0] = s0;
	to[1] = s1;
	to[2] = s2;
	to[3] = s3;
	to[4] = s4;
	to[5] = s5;
	to[6] = s6;
	to[7] = s7;
}

/* What the products of a query and 16 rows are at most. */
KERNEL static INLINE void finish(const struct ood_near_codes *codes, size_t row,
				 const struct ood_near_coded *coded, size_t q,
				 float *sum)
{
	__m512i whole = _mm512_sub_epi32(_mm512_loadu_si512(sum),
					 _mm512_set1_epi32(coded->shift[q]));
	__m512 p = _mm512_mul_ps(_mm512_cvtepi32_ps(whole),
				 _mm512_load_ps(codes->scale + row));
	__m512 more = _mm512_mul_ps(_mm512_set1_ps(coded->rest[q]),
				    _mm512_load_ps(codes->length + row));

	more = _mm512_fmadd_ps(_mm512_set1_ps(coded->length[q]),
			       _mm512_load_ps(codes->rest + row), more);
	p = _mm512_fmadd_ps(p, _mm512_set1_ps(coded->scale[q]), more);
	_mm512_storeu_ps(sum, p);
}

/* A panel and 8 queries from q on; rows of out are `cols` apart. */
KERNEL static void product(const struct ood_near_codes *codes, size_t row,
			   const struct ood_near_coded *coded, size_t q,
			   const struct ood_near_codes_tile *tile)
{
	const size_t wide = codes->groups * GROUP;
	const size_t cols = tile->panels * OOD_NEAR_PANEL;
	float *out = tile->out + q * cols + row - tile->first * OOD_NEAR_PANEL;
	struct sums sum[OOD_NEAR_CODED];

	multiply(codes->panel + row * wide, coded->code + q * wide,
		 codes->groups, sum);
	for (size_t i = 0; i < OOD_NEAR_CODED; i++, q++, out += cols) {
		memcpy(out, &sum[i], sizeof(sum[i]));
		for (size_t v = 0; v < OOD_NEAR_PANEL; v += 16)
			finish(codes, row + v, coded, q, out + v);
	}
}

void ood_near_codes_product(const struct ood_near_codes *codes,
			    const struct ood_near_coded *coded,
			    const struct ood_near_codes_tile *tile)
{
	for (size_t p = tile->first; p < tile->first + tile->panels; p++)
		for (size_t q = 0; q < tile->queries; q += OOD_NEAR_CODED)
			product(codes, p * OOD_NEAR_PANEL, coded, q, tile);
}
#else
bool ood_near_codes_work(void)
{
	return false;
}

void ood_near_codes_product(const struct ood_near_codes *codes,
			    const struct ood_near_coded *coded,
			    const struct ood_near_codes_tile *tile)
{
	(void)codes;
	(void)coded;
	(void)tile;
}
#endif
