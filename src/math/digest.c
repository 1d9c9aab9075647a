/*
 * digest.c - chooses the clone of the digest for this machine
 */
#include "math/digest_clone.h"

/* Best first. Each machine that has one has all that follow. */
static const struct ood_digest_kernel *const clones[] = {
#ifdef __x86_64__
	&ood_digest_avx512,
	&ood_digest_avx2,
#endif
	&ood_digest_plain,
};

static size_t first(void)
{
#ifdef __x86_64__
	bool avx2 =
		__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

	if (avx2 && __builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512dq"))
		return 0;
	return avx2 ? 1 : 2;
#else
	return 0;
#endif
}

const struct ood_digest_kernel *const *ood_digest_kernels(size_t *n)
{
	*n = OOD_COUNT(clones) - first();
	return clones + first();
}

/*
 * T outside [2^-1020, 2^1000] is moved to its end: gaps of logits that this
 * can change are 0 or infinite in both cases, up to 1e-298.
 */
struct ood_digest_scale ood_digest_scale(double T)
{
	double t = OOD_MAX(0x1p-1020, OOD_MIN(T, 0x1p1000)), r = 1 / t;

	return (struct ood_digest_scale){ .r = r,
					  .rest = fma(-r, t, 1) * r,
					  .floor = -746 * t };
}

void ood_digest_logits(struct ood_view view, double T, struct ood_digest *d)
{
	clones[first()]->logits(view, T, d);
}

void ood_digest_probs(struct ood_view view, struct ood_digest *d)
{
	clones[first()]->probs(view, d);
}

void ood_exps(double *x, size_t n)
{
	clones[first()]->exps(x, n);
}

void ood_logs(double *x, size_t n)
{
	clones[first()]->logs(x, n);
}

void ood_digest_softmax(const struct ood_digest *d, size_t i, double T,
			double *z, size_t c)
{
	for (size_t j = 0; j < c; j++)
		z[j] = (z[j] - d->max[i]) / T;
	ood_exps(z, c);
	for (size_t j = 0; j < c; j++)
		z[j] *= d->top[i];
}

void ood_softmax(double *z, size_t n, size_t c, double T)
{
	struct ood_digest d;

	for (size_t from = 0; from < n; from += OOD_DIGEST_ROWS) {
		size_t some = OOD_MIN(OOD_DIGEST_ROWS, n - from);
		double *some_z = z + from * c;

		ood_digest_logits(
			(struct ood_view){ some_z, OOD_F8, some, c, c }, T, &d);
		for (size_t i = 0; i < some; i++)
			ood_digest_softmax(&d, i, T, some_z + i * c, c);
	}
}

size_t ood_count_above(const double *x, size_t n, double cut)
{
	return clones[first()]->count(x, n, cut);
}
