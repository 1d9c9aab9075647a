/*
 * base.h - what every source file includes
 */
#ifndef OOD_CORE_BASE_H
#define OOD_CORE_BASE_H

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ood.h"

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "NaN and infinities are data here: compile without -ffinite-math-only"
#endif

#define OOD_LAYERS_MAX 8 /* of features */

#define OOD_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OOD_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

#define OOD_MIN(a, b) ((a) < (b) ? (a) : (b))
#define OOD_MAX(a, b) ((a) > (b) ? (a) : (b))

__extension__ typedef unsigned __int128 ood_u128;
__extension__ typedef __int128 ood_i128;

/* Bytes that somebody else owns; not terminated. */
struct ood_span {
	const char *at;
	size_t n;
};

/* Are these n bytes the word? */
static inline bool ood_is(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(at, word, n);
}

#endif
