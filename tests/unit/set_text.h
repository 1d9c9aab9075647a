/*
 * set_text.h - files in a folder of their own, and sets read as text
 */
#ifndef OOD_TESTS_SET_TEXT_H
#define OOD_TESTS_SET_TEXT_H

#include "core/base.h"
#include "core/mem.h"
#include "io/set.h"

/* Makes a folder in $TMPDIR and goes there; leave() removes it. */
void folder_enter(void);
void folder_leave(void);
void folder_put(const char *name, const char *text);
void folder_put_bytes(const char *name, const void *bytes, size_t n);
/* An NPY of doubles or of 64-bit integers; cols 0: one-dimensional. */
void folder_put_reals(const char *name, size_t rows, size_t cols,
		      const double *at);
void folder_put_ints(const char *name, size_t rows, const int64_t *at);

/*
 * Reads the sets (by blanks) to the end: a line a row, as in
 *	3: 1 2 | F 5 | S 7 | id=x label=cat:0 bad
 * or, refused, "CODE: sentence". The text stays valid until the next call.
 */
const char *set_text(const char *specs, const struct ood_read *read);
/* The same with one more column, or with these scores (by blanks). */
const char *set_text_extra(const char *specs, const struct ood_read *read,
			   const char *extra);
const char *set_text_chosen(const char *specs, const struct ood_read *read,
			    const char *scores);
/* Warnings of the last call, "code: text" a line. */
const char *set_warnings(void);

void expect_set(const char *specs, const struct ood_read *read,
		const char *text);
/* code, and words that the sentence holds, by '|'. */
void expect_refused(const char *specs, const struct ood_read *read, int code,
		    const char *words);
void expect_words(const char *text, const char *words);

#endif
