/*
 * utf8.c - is it UTF-8, and how may it be shown
 */
#include "core/utf8.h"

/* The Unicode Standard, table 3-7: well-formed byte sequences. */
static const struct form {
	unsigned char lo, hi, second_lo, second_hi, length;
} forms[] = {
	{ 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 },
	{ 0xE1, 0xEC, 0x80, 0xBF, 3 }, { 0xED, 0xED, 0x80, 0x9F, 3 },
	{ 0xEE, 0xEF, 0x80, 0xBF, 3 }, { 0xF0, 0xF0, 0x90, 0xBF, 4 },
	{ 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
};

static bool follows(const unsigned char *s, size_t n, const struct form *form)
{
	if (n < form->length || s[1] < form->second_lo ||
	    s[1] > form->second_hi)
		return false;
	for (size_t k = 2; k < form->length; k++)
		if ((s[k] & 0xC0) != 0x80)
			return false;
	return true;
}

size_t ood_utf8_length(const char *at, size_t n)
{
	const unsigned char *s = (const unsigned char *)at;

	if (s[0] < 0x80)
		return 1;
	for (size_t i = 0; i < OOD_COUNT(forms); i++)
		if (s[0] >= forms[i].lo && s[0] <= forms[i].hi)
			return follows(s, n, &forms[i]) ? forms[i].length : 0;
	return 0;
}

size_t ood_utf8_valid(const char *at, size_t n)
{
	size_t i = 0, length = 1;

	for (; i < n && length; i += length)
		length = ood_utf8_length(at + i, n - i);
	return i;
}

/* Controls: U+0000..U+001F, U+007F and U+0080..U+009F. */
size_t ood_utf8_plain(const char *at, size_t n)
{
	const unsigned char *s = (const unsigned char *)at;
	size_t length = ood_utf8_length(at, n);

	if (length == 1)
		return s[0] >= 0x20 && s[0] != 0x7F;
	return s[0] == 0xC2 && s[1] < 0xA0 ? 0 : length;
}

size_t ood_utf8_escape(char out[5], char c)
{
	static const char hex[] = "0123456789ABCDEF";
	static const char from[] = "\n\t\r\\", to[] = "ntr\\";
	const char *known = c ? strchr(from, c) : NULL;
	size_t n = 0;

	out[n++] = '\\';
	if (known) {
		out[n++] = to[known - from];
	} else {
		out[n++] = 'x';
		out[n++] = hex[(unsigned char)c >> 4];
		out[n++] = hex[c & 15];
	}
	out[n] = '\0';
	return n;
}

size_t ood_utf8_show(struct ood_buf *buf, const char *at, size_t n)
{
	size_t shown = 0, length;

	for (size_t i = 0; i < n; i += OOD_MAX(length, (size_t)1)) {
		char piece[5];

		length = ood_utf8_plain(at + i, n - i);
		if (length) {
			ood_buf_add(buf, at + i, length);
			shown++;
		} else {
			size_t escaped = ood_utf8_escape(piece, at[i]);

			ood_buf_add(buf, piece, escaped);
			shown += escaped;
		}
	}
	return shown;
}
