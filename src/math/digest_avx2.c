/*
 * digest_avx2.c - the digest in vectors of 4 doubles
 */
#include "math/digest_clone.h"

#ifdef __x86_64__
#include <immintrin.h>

#define KERNEL __attribute__((always_inline, target("avx2,fma")))
#define KERNEL_ENTRY __attribute__((noinline, target("avx2,fma")))
#define W 4

typedef double V __attribute__((vector_size(32)));
typedef int64_t I __attribute__((vector_size(32)));

static inline KERNEL V v_load(const double *x)
{
	return (V)_mm256_loadu_pd(x);
}

static inline KERNEL V v_load4(const float *x)
{
	return (V)_mm256_cvtps_pd(_mm_loadu_ps(x));
}

/* x > y ? a : b */
static inline KERNEL V v_pick(V x, V y, V a, V b)
{
	return (V)_mm256_blendv_pd(
		(__m256d)b, (__m256d)a,
		_mm256_cmp_pd((__m256d)x, (__m256d)y, _CMP_GT_OQ));
}

static inline KERNEL V v_max(V x, V y)
{
	return (V)_mm256_max_pd((__m256d)x, (__m256d)y);
}

static inline KERNEL V v_min(V x, V y)
{
	return (V)_mm256_min_pd((__m256d)x, (__m256d)y);
}

/* p 2^n for -1077 <= n <= 0, in two steps for subnormal results; the low bits
 * of shifted are n. */
static inline KERNEL V v_scale(V p, V n, V shifted)
{
	V power = (V)(((I)shifted + (1023 + 55)) << 52);

	(void)n;
	return p * power * 0x1p-55;
}

#include "math/digest_kernel.h"

const struct ood_digest_kernel ood_digest_avx2 = { "avx2", logits, probs,
						   exps,   logs,   count };
#else
typedef int ood_digest_avx2_is_empty;
#endif
