/*
 * digest.h - one reduction of a row of class scores, from which MSP, margins,
 * entropy, energy and DOCTOR follow
 *
 * For logits z at temperature T, with k the first index of the maximum m and
 * e_j = exp((z_j - m)/T), all sums over j != k:
 *
 *	s = sum e_j	w = sum e_j (m - z_j)/T		q = sum e_j^2
 *	top = 1/(1 + s), the largest probability	nlog = log1p(s)
 *
 * For probabilities p as given: e_j = p_j / p_k, top = p_k, nlog = -ln p_k,
 * s = (sum of the others)/p_k, w = sum e_j (-ln e_j), q as above.
 * Then, for both (nothing cancels):
 *
 *	1 - msp		top s
 *	entropy		top (w + (1 + s) nlog)
 *	margin		top (s + e2),  e2 = the second largest e
 *	energy		-(m + T nlog)			(logits)
 *	doctor-alpha	(2 s + (s^2 - q))/(1 + q)	(s^2 >= q)
 *
 * Sums have a fixed order: 16 lanes along the row for wide rows (C >= 128), one
 * lane a row for narrow ones; a row's digest has the same bits wherever the
 * row stands and for float and double views of equal values. Each sum of one
 * sign is right to a few units of its last place, plus the rounding of z_j - m
 * in the terms: at most 746 * 2^-53, and nothing for floats of like size.
 */
#ifndef OOD_MATH_DIGEST_H
#define OOD_MATH_DIGEST_H

#include "core/base.h"

#define OOD_DIGEST_ROWS 256 /* most rows of one call */

struct ood_digest {
	double max[OOD_DIGEST_ROWS];	/* m (logits), p_k (probs) */
	double second[OOD_DIGEST_ROWS]; /* largest of the others; -inf if C=1 */
	double s[OOD_DIGEST_ROWS];
	double w[OOD_DIGEST_ROWS];
	double q[OOD_DIGEST_ROWS];
	double e2[OOD_DIGEST_ROWS];
	double top[OOD_DIGEST_ROWS];
	double nlog[OOD_DIGEST_ROWS];
	uint32_t arg[OOD_DIGEST_ROWS]; /* k */
};

/*
 * Digests view.rows <= OOD_DIGEST_ROWS rows. Values are finite or -inf, one
 * in each row finite (the set has seen to it). T > 0.
 */
void ood_digest_logits(struct ood_view view, double T, struct ood_digest *d);
void ood_digest_probs(struct ood_view view, struct ood_digest *d);

/* In place: x to e^x, for x <= 0 (-inf gives 0); x to ln x (-inf for x <= 0).
 * Within 2 units in the last place. */
void ood_exps(double *x, size_t n);
void ood_logs(double *x, size_t n);

/* p of row i, from its logits in place. T as it was digested. */
void ood_digest_softmax(const struct ood_digest *d, size_t i, double T,
			double *z, size_t c);
/* softmax(z/T) of n rows of c logits, in place. */
void ood_softmax(double *z, size_t n, size_t c, double T);

/* Number of entries > cut. */
size_t ood_count_above(const double *x, size_t n, double cut);

/* The clones behind all these, best first, those this machine can run; the
 * last is the plain one. For tests and benchmarks. */
struct ood_digest_kernel {
	const char *name; /* "avx512", "avx2", "plain" */
	void (*logits)(struct ood_view view, double T, struct ood_digest *d);
	void (*probs)(struct ood_view view, struct ood_digest *d);
	void (*exps)(double *x, size_t n);
	void (*logs)(double *x, size_t n);
	size_t (*count)(const double *x, size_t n, double cut);
};
const struct ood_digest_kernel *const *ood_digest_kernels(size_t *n);

#endif
