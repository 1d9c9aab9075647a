/*
 * utf8.h - is it UTF-8, and how may it be shown
 */
#ifndef OOD_CORE_UTF8_H
#define OOD_CORE_UTF8_H

#include "core/base.h"
#include "core/mem.h"

/* Bytes of the well-formed UTF-8 sequence at `at` (1..4), 0 if there is none:
 * overlong forms, surrogates and what is beyond U+10FFFF are not. n > 0. */
size_t ood_utf8_length(const char *at, size_t n);

/* Bytes at the start of `at` that are UTF-8; n if all are. */
size_t ood_utf8_valid(const char *at, size_t n);

/* The same, but 0 for control characters, too (C1 among them): what may be
 * shown as it stands. */
size_t ood_utf8_plain(const char *at, size_t n);

/* Writes \n, \t, \r, \\ or \xHH for one byte; returns the length. */
size_t ood_utf8_escape(char out[5], char c);

/*
 * Adds text for a terminal or a document: control bytes (C1 among them) and
 * bytes that are not UTF-8 as \n, \t, \r or \xHH; all else as it is. Nothing
 * is cut, and a backslash stays one: this is for reading, not for decoding.
 * Returns the number of characters added.
 */
size_t ood_utf8_show(struct ood_buf *buf, const char *at, size_t n);

#endif
