/*
 * quota.h - how many of n rows make up a share
 *
 * Shares are typed in decimals and compared as counts: 0.95 of 20 rows is 19,
 * whichever way 0.95 * 20 rounds. A product within max(1e-9, 4 eps q n) of an
 * integer is that integer.
 */
#ifndef OOD_MATH_QUOTA_H
#define OOD_MATH_QUOTA_H

#include "core/base.h"

/* The least k with k >= q n, and the largest with k <= q n; within 0..n. */
size_t ood_quota_least(double q, size_t n);
size_t ood_quota_most(double q, size_t n);

#endif
