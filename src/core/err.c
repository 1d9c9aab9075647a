/*
 * err.c - filling a struct ood_err
 */
#include "core/err.h"

#include <errno.h>
#include <stdio.h>

static void fill(struct ood_err *err, enum ood_code code, const char *fmt,
		 va_list args)
{
	err->code = code;
	err->os_errno = 0;
	err->place = OOD_PLACE_NONE;
	err->line = err->column = 0;
	err->where[0] = '\0';
	vsnprintf(err->what, sizeof(err->what), fmt, args);
}

int ood_fail(struct ood_err *err, enum ood_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fill(err, code, fmt, args);
	va_end(args);
	return (int)code;
}

int ood_fail_errno(struct ood_err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list args;

	va_start(args, fmt);
	fill(err, OOD_SYSTEM, fmt, args);
	va_end(args);
	err->os_errno = saved;

	size_t n = strlen(err->what);
	char text[128];
	if (strerror_r(saved, text, sizeof(text)))
		snprintf(text, sizeof(text), "error %d", saved);
	/* "No such file" -> "no such file": sentences start in lower case. */
	if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a')
		text[0] = (char)(text[0] - 'A' + 'a');
	snprintf(err->what + n, sizeof(err->what) - n, "%s%s", n ? ": " : "",
		 text);
	return OOD_SYSTEM;
}

int ood_fail_memory(struct ood_err *err, size_t bytes)
{
	return ood_fail(err, OOD_SYSTEM, "out of memory (%zu bytes)", bytes);
}

int ood_err_where(struct ood_err *err, const char *file, const char *member)
{
	if (err->where[0])
		return (int)err->code;
	if (member && *member)
		snprintf(err->where, sizeof(err->where), "%s[%s]", file,
			 member);
	else
		snprintf(err->where, sizeof(err->where), "%s", file);
	return (int)err->code;
}

int ood_err_at(struct ood_err *err, enum ood_place place, uint64_t line,
	       uint64_t column)
{
	err->place = place;
	err->line = line;
	err->column = column;
	return (int)err->code;
}

/* Length of the well-formed UTF-8 sequence at `at`, 0 if there is none. */
static size_t utf8_length(const unsigned char *at, size_t n)
{
	static const struct {
		unsigned char lo, hi, second_lo, second_hi, length;
	} forms[] = {
		{ 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
		{ 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 },
		{ 0xEE, 0xEF, 0x80, 0xBF, 3 }, { 0xF0, 0xF0, 0x90, 0xBF, 4 },
		{ 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
	};

	for (size_t i = 0; i < OOD_COUNT(forms); i++) {
		if (at[0] < forms[i].lo || at[0] > forms[i].hi)
			continue;
		if (n < forms[i].length || at[1] < forms[i].second_lo ||
		    at[1] > forms[i].second_hi)
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((at[k] & 0xC0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

/* Writes one byte's escape; C1 controls (U+0080..U+009F) are escaped too. */
static size_t escape(char out[5], unsigned char c)
{
	const char *from = "\n\t\r\\", *to = "ntr\\";
	const char *p = c ? strchr(from, c) : NULL;

	if (p)
		return (size_t)snprintf(out, 5, "\\%c", to[p - from]);
	return (size_t)snprintf(out, 5, "\\x%02X", c);
}

/* Escapes n bytes into buf, which always ends terminated. */
static void printable(char *buf, size_t size, const char *at, size_t n)
{
	const unsigned char *s = (const unsigned char *)at;
	size_t room = size - 1, used = 0;

	for (size_t i = 0; i < n;) {
		char piece[5];
		const char *bytes = piece;
		size_t take = 1, length;

		if (s[i] >= 0x20 && s[i] < 0x7F && s[i] != '\\') {
			bytes = at + i;
			length = 1;
		} else if (s[i] >= 0x80 && (take = utf8_length(s + i, n - i)) &&
			   !(s[i] == 0xC2 && s[i + 1] < 0xA0)) {
			bytes = at + i;
			length = take;
		} else {
			take = 1;
			length = escape(piece, s[i]);
		}
		if (used + length > room)
			break;
		memcpy(buf + used, bytes, length);
		used += length;
		i += take;
	}
	buf[used] = '\0';
}

char *ood_quote(char *buf, size_t size, const char *at, size_t n)
{
	enum { MOST = 60 };

	if (n <= MOST) {
		printable(buf, size, at, n);
		return buf;
	}
	/* Do not cut inside a UTF-8 sequence. */
	size_t cut = MOST;
	while (cut > MOST - 4 && ((unsigned char)at[cut] & 0xC0) == 0x80)
		cut--;
	printable(buf, size - 3, at, cut);
	strcat(buf, "...");
	return buf;
}

char *ood_err_text(const struct ood_err *err, char *buf, size_t size)
{
	char where[4 * OOD_WHERE_MAX], place[80] = "";
	unsigned long long line = err->line, column = err->column;

	printable(where, sizeof(where), err->where, strlen(err->where));
	if (err->place == OOD_PLACE_LINE && line && column)
		snprintf(place, sizeof(place), ":%llu:%llu", line, column);
	else if (err->place == OOD_PLACE_LINE && line)
		snprintf(place, sizeof(place), ":%llu", line);
	else if (err->place == OOD_PLACE_ROW && line && column)
		snprintf(place, sizeof(place), "%srow %llu, column %llu",
			 where[0] ? ": " : "", line, column);
	else if (err->place == OOD_PLACE_ROW && line)
		snprintf(place, sizeof(place), "%srow %llu",
			 where[0] ? ": " : "", line);
	snprintf(buf, size, "%s%s%s%s", where, place,
		 where[0] || place[0] ? ": " : "", err->what);
	return buf;
}
