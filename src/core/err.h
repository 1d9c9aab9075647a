/*
 * err.h - filling a struct ood_err
 *
 * All return the code, so that a function can end with
 *	return ood_fail(err, OOD_INPUT, "...");
 * Sentences start in lower case, say what was found and expected, and end
 * with the remedy in brackets where there is one. No full stop.
 */
#ifndef OOD_CORE_ERR_H
#define OOD_CORE_ERR_H

#include "core/base.h"

/* Clears err and fills in code and sentence; the place is left empty. */
int ood_fail(struct ood_err *err, enum ood_code code, const char *fmt, ...)
	OOD_PRINTF(3, 4);

/* OOD_SYSTEM with the text of errno behind the sentence. */
int ood_fail_errno(struct ood_err *err, const char *fmt, ...) OOD_PRINTF(2, 3);

/* OOD_SYSTEM: "out of memory (N bytes)". */
int ood_fail_memory(struct ood_err *err, size_t bytes);

/* Adds "where" to an error that has none yet; member may be NULL. */
int ood_err_where(struct ood_err *err, const char *file, const char *member);

/* Adds the place in the file; line and column from 1, 0 = not known. */
int ood_err_at(struct ood_err *err, enum ood_place place, uint64_t line,
	       uint64_t column);

/*
 * Makes n bytes printable: control bytes, backslash and bytes that are not
 * UTF-8 become \n, \t, \xHH; cut with "..." after 60 bytes. size >= 80.
 * Returns buf, for use in a sentence.
 */
#define OOD_QUOTE_MAX 320
char *ood_quote(char *buf, size_t size, const char *at, size_t n);

#endif
