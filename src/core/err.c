/*
 * err.c - filling a struct ood_err
 */
#include "core/err.h"

#include <errno.h>
#include <stdio.h>

#include "core/utf8.h"

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

/*
 * Escapes n bytes into buf, which always ends terminated. A backslash is
 * escaped where the text is quoted, so that it can be read back.
 */
static size_t printable(char *buf, size_t size, struct ood_span text,
			bool quoted)
{
	size_t used = 0, take;

	for (size_t i = 0; i < text.n; i += take) {
		char piece[5];
		const char *bytes = text.at + i;
		size_t length = ood_utf8_plain(bytes, text.n - i);

		take = OOD_MAX(length, (size_t)1);
		if (!length || (quoted && *bytes == '\\')) {
			length = ood_utf8_escape(piece, *bytes);
			bytes = piece;
		}
		if (used + length >= size)
			break;
		memcpy(buf + used, bytes, length);
		used += length;
	}
	buf[used] = '\0';
	return used;
}

char *ood_quote(char *buf, size_t size, const char *at, size_t n)
{
	enum { MOST = 60 };

	if (n <= MOST) {
		printable(buf, size, (struct ood_span){ at, n }, true);
		return buf;
	}
	/* Do not cut inside a UTF-8 sequence. */
	size_t cut = MOST;
	while (cut > MOST - 4 && ((unsigned char)at[cut] & 0xC0) == 0x80)
		cut--;
	n = printable(buf, size - 3, (struct ood_span){ at, cut }, true);
	memcpy(buf + n, "...", 4);
	return buf;
}

char *ood_err_text(const struct ood_err *err, char *buf, size_t size)
{
	struct ood_span where = { err->where, strlen(err->where) };
	struct ood_span what = { err->what, strlen(err->what) };
	unsigned long long line = err->line, column = err->column;
	char place[80] = "";

	if (err->place == OOD_PLACE_LINE && line && column)
		snprintf(place, sizeof(place), ":%llu:%llu", line, column);
	else if (err->place == OOD_PLACE_LINE && line)
		snprintf(place, sizeof(place), ":%llu", line);
	else if (err->place == OOD_PLACE_ROW && line && column)
		snprintf(place, sizeof(place), "%srow %llu, column %llu",
			 where.n ? ": " : "", line, column);
	else if (err->place == OOD_PLACE_ROW && line)
		snprintf(place, sizeof(place), "%srow %llu",
			 where.n ? ": " : "", line);
	size_t n = printable(buf, size, where, true);

	snprintf(buf + n, size - n, "%s%s", place,
		 where.n || place[0] ? ": " : "");
	n += strlen(buf + n);
	/* Words of others stand in it quoted, their backslashes escaped. */
	printable(buf + n, size - n, what, false);
	return buf;
}
