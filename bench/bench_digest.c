/*
 * bench_digest.c - times every clone of the digest on this machine, one thread
 *
 * GB/s of input, rows in blocks of OOD_DIGEST_ROWS that pass through the cache
 * (one block again and again: the kernel alone) and through memory (64 MiB).
 */
#include <stdio.h>
#include <time.h>

#include "core/mem.h"
#include "math/digest.h"

/* Processor time: others may be at work on the machine. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Logits like a network's: near 0, one of them large. */
static double *make(size_t n, size_t c)
{
	double *z = ood_malloc(n, sizeof(*z));
	uint64_t state = 1;

	for (size_t i = 0; z && i < n; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		z[i] = (double)(state >> 40) * 0x1p-22 - 2.0;
		if (i % c == (i / c) % c)
			z[i] += 8;
	}
	return z;
}

static double sink;

/* One pass over the rows of view in blocks. */
static void pass(const struct ood_digest_kernel *k, struct ood_view view,
		 bool is_probs, struct ood_digest *d)
{
	size_t size = view.dtype == OOD_F4 ? 4 : 8;

	for (size_t i = 0; i < view.rows; i += OOD_DIGEST_ROWS) {
		struct ood_view block = view;

		block.data = (const char *)view.data + i * view.stride * size;
		block.rows = OOD_MIN(OOD_DIGEST_ROWS, view.rows - i);
		if (is_probs)
			k->probs(block, d);
		else
			k->logits(block, 1, d);
		sink += d->s[0];
	}
}

/* Best of passes that take 0.15 s together. */
static double speed(const struct ood_digest_kernel *k, struct ood_view view,
		    bool is_probs)
{
	static struct ood_digest d;
	size_t size = view.dtype == OOD_F4 ? 4 : 8;
	double bytes = (double)(view.rows * view.cols * size), best = 1e300;

	for (double start = seconds(); seconds() - start < 0.15;) {
		double t = seconds();

		pass(k, view, is_probs, &d);
		t = seconds() - t;
		best = OOD_MIN(best, t);
	}
	return bytes / best * 1e-9;
}

static void table(const double *z, const float *f, size_t n, bool is_probs)
{
	static const size_t classes[] = { 2, 10, 32, 63, 64, 100, 1000, 10000 };
	const struct ood_digest_kernel *const *kernels;
	size_t n_kernels;

	kernels = ood_digest_kernels(&n_kernels);
	printf("%-8s %6s %10s %10s %10s %10s\n", is_probs ? "probs" : "logits",
	       "C", "F4 cache", "F4 memory", "F8 cache", "F8 memory");
	for (size_t k = 0; k < n_kernels; k++)
		for (size_t i = 0; i < OOD_COUNT(classes); i++) {
			size_t c = classes[i], all = n / c;
			size_t few = OOD_MIN(all, c < 5000 ? 256 : 8);
			struct ood_view v[] = { { f, OOD_F4, few, c, c },
						{ f, OOD_F4, all, c, c },
						{ z, OOD_F8, few, c, c },
						{ z, OOD_F8, all, c, c } };

			printf("%-8s %6zu", kernels[k]->name, c);
			for (size_t j = 0; j < OOD_COUNT(v); j++)
				printf(" %10.2f",
				       speed(kernels[k], v[j], is_probs));
			printf("\n");
		}
}

int main(void)
{
	size_t n = (size_t)1 << 24;
	double *z = make(n, 1000);
	float *f = ood_malloc(n, sizeof(*f));

	if (!z || !f)
		return 4;
	for (size_t i = 0; i < n; i++)
		f[i] = (float)z[i];
	table(z, f, n, false);
	for (size_t i = 0; i < n; i++) {
		z[i] = fabs(z[i]) * 0.01 + 1e-4;
		f[i] = (float)z[i];
	}
	table(z, f, n, true);
	ood_free(z);
	ood_free(f);
	return isnan(sink);
}
