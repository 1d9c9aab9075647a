/*
 * nearest.c - the known word that a mistyped one was meant to be
 *
 * Edits: insertion, deletion, replacement, exchange of neighbours (optimal
 * string alignment; Damerau, Communications of the ACM 7 (1964) 171-176).
 */
#include "core/param.h"

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b, size_t c)
{
	size_t ab = OOD_MIN(a, b);

	return OOD_MIN(ab, c);
}

static size_t edits(const char *a, size_t n, const char *b, size_t m)
{
	size_t row[3][LONGEST + 1];
	size_t *before = row[0], *last = row[1], *now = row[2];

	for (size_t j = 0; j <= m; j++)
		last[j] = before[j] = j;
	for (size_t i = 1; i <= n; i++) {
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t other = a[i - 1] != b[j - 1];

			now[j] = least(last[j] + 1, now[j - 1] + 1,
				       last[j - 1] + other);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				now[j] = OOD_MIN(now[j], before[j - 2] + 1);
		}
		size_t *oldest = before;
		before = last;
		last = now;
		now = oldest;
	}
	return last[m];
}

const char *ood_nearest(const char *word, size_t n, const char *const *names)
{
	const char *best = NULL;
	size_t fewest = 3;

	if (n > LONGEST)
		return NULL;
	for (; *names; names++) {
		size_t m = strlen(*names);

		if (m > LONGEST)
			continue;
		size_t d = edits(word, n, *names, m);
		/* Two edits make any word of three letters another. */
		if (d < fewest && 2 * d <= OOD_MAX(n, m)) {
			fewest = d;
			best = *names;
		}
	}
	return best;
}
