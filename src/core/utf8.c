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

/* U+0000..U+001F, U+007F and U+0080..U+009F. */
static bool is_control(const unsigned char *s, size_t length)
{
	return length == 1 ? s[0] < 0x20 || s[0] == 0x7F
			   : s[0] == 0xC2 && s[1] < 0xA0;
}

static size_t show_escape(struct ood_buf *buf, unsigned char c)
{
	static const char hex[] = "0123456789ABCDEF";
	char wide[4] = { '\\', 'x', hex[c >> 4], hex[c & 15] };
	char narrow[2] = { '\\', (char)(c == '\n'   ? 'n'
					: c == '\t' ? 't'
						    : 'r') };

	if (c != '\n' && c != '\t' && c != '\r') {
		ood_buf_add(buf, wide, 4);
		return 4;
	}
	ood_buf_add(buf, narrow, 2);
	return 2;
}

size_t ood_utf8_show(struct ood_buf *buf, const char *at, size_t n)
{
	size_t shown = 0;

	for (size_t i = 0; i < n;) {
		size_t length = ood_utf8_length(at + i, n - i);
		const unsigned char *s = (const unsigned char *)at + i;

		if (!length || is_control(s, length)) {
			for (size_t k = 0; k < OOD_MAX(length, (size_t)1); k++)
				shown += show_escape(buf, s[k]);
			i += OOD_MAX(length, (size_t)1);
			continue;
		}
		ood_buf_add(buf, at + i, length);
		shown++;
		i += length;
	}
	return shown;
}
