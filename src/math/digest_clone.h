/*
 * digest_clone.h - what the clones of digest_kernel.h have in common
 */
#ifndef OOD_MATH_DIGEST_CLONE_H
#define OOD_MATH_DIGEST_CLONE_H

#include "math/digest.h"

/* What all rows of a call share. */
struct ood_digest_scale {
	bool probs;
	bool single;	/* rows of float, not double */
	double r, rest; /* 1/T = r + rest, to twice the digits of a double */
	double floor;	/* (z - m)/T is cut here, where its exponential is 0 */
};

struct ood_digest_scale ood_digest_scale(double T);

extern const struct ood_digest_kernel ood_digest_plain;
#ifdef __x86_64__
extern const struct ood_digest_kernel ood_digest_avx2;
extern const struct ood_digest_kernel ood_digest_avx512;
#endif

#endif
