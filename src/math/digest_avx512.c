/*
 * digest_avx512.c - the digest in vectors of 8 doubles
 */
#include "math/digest_clone.h"

#ifdef __x86_64__
#include <immintrin.h>

#define WITH "avx512f,avx512dq,fma"
#define KERNEL __attribute__((always_inline, target(WITH)))
#define KERNEL_ENTRY __attribute__((noinline, target(WITH)))
#define W 8

typedef double V __attribute__((vector_size(64)));
typedef int64_t I __attribute__((vector_size(64)));

static inline KERNEL V v_load(const double *x)
{
	return (V)_mm512_loadu_pd(x);
}

static inline KERNEL V v_load4(const float *x)
{
	return (V)_mm512_cvtps_pd(_mm256_loadu_ps(x));
}

/* x > y ? a : b */
static inline KERNEL V v_pick(V x, V y, V a, V b)
{
	__mmask8 more = _mm512_cmp_pd_mask((__m512d)x, (__m512d)y, _CMP_GT_OQ);

	return (V)_mm512_mask_mov_pd((__m512d)b, more, (__m512d)a);
}

static inline KERNEL V v_max(V x, V y)
{
	return (V)_mm512_max_pd((__m512d)x, (__m512d)y);
}

static inline KERNEL V v_min(V x, V y)
{
	return (V)_mm512_min_pd((__m512d)x, (__m512d)y);
}

/* p 2^n, subnormal results rounded once */
static inline KERNEL V v_scale(V p, V n, V shifted)
{
	(void)shifted;
	return (V)_mm512_scalef_pd((__m512d)p, (__m512d)n);
}

#include "math/digest_kernel.h"

const struct ood_digest_kernel ood_digest_avx512 = { "avx512", logits, probs,
						     exps,     logs,   count };
#else
typedef int ood_digest_avx512_is_empty;
#endif
