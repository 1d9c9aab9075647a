/*
 * digest_plain.c - the digest without special instructions: pairs of doubles
 *
 * The vectors are GCC's and Clang's own; machines without them get scalars.
 */
#include "math/digest_clone.h"

#define KERNEL __attribute__((always_inline))
#define KERNEL_ENTRY __attribute__((noinline))
#define W 2

typedef double V __attribute__((vector_size(16)));
typedef int64_t I __attribute__((vector_size(16)));

static inline KERNEL V v_load(const double *x)
{
	return (V){ x[0], x[1] };
}

static inline KERNEL V v_load4(const float *x)
{
	return (V){ (double)x[0], (double)x[1] };
}

/* x > y ? a : b */
static inline KERNEL V v_pick(V x, V y, V a, V b)
{
	I more = x > y;

	return (V)((more & (I)a) | (~more & (I)b));
}

static inline KERNEL V v_max(V x, V y)
{
	return v_pick(x, y, x, y);
}

static inline KERNEL V v_min(V x, V y)
{
	return v_pick(x, y, y, x);
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

const struct ood_digest_kernel ood_digest_plain = { "plain", logits, probs,
						    exps,    logs,   count };
