/*
 * array_words.c - arrays of strings, as UTF-8
 *
 * <U8 holds eight UCS-4 code points, |S8 eight bytes; NULs fill the rest.
 */
#include "core/err.h"
#include "io/array.h"

static uint32_t code_point(const char *at, bool swap)
{
	uint32_t c;

	memcpy(&c, at, sizeof(c));
	return swap ? __builtin_bswap32(c) : c;
}

static size_t put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned lead[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	for (size_t i = n - 1; i > 0; i--) {
		to[i] = (char)(0x80 | (c & 0x3F));
		c >>= 6;
	}
	to[0] = (char)(lead[n] | c);
	return n;
}

/* Length of the UTF-8 text at `to`; SIZE_MAX if *bad is no character. */
static size_t decode(const struct ood_npy_head *head, const char *at, char *to,
		     uint32_t *bad)
{
	size_t n = head->item / 4, used = 0;

	while (n && !code_point(at + 4 * (n - 1), head->swap))
		n--;
	for (size_t i = 0; i < n; i++) {
		uint32_t c = code_point(at + 4 * i, head->swap);
		if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
			*bad = c;
			return SIZE_MAX;
		}
		used += put_utf8(to + used, c);
	}
	return used;
}

static size_t trim(const struct ood_npy_head *head, const char *at)
{
	size_t n = head->item;

	while (n && !at[n - 1])
		n--;
	return n;
}

int ood_array_words(struct ood_array *array, size_t n, struct ood_err *err)
{
	const struct ood_npy_head *head = &array->head;
	size_t item = head->item;
	uint32_t bad = 0;

	if (ood_room_need(&array->spans, n + 1, sizeof(struct ood_span), err) ||
	    ood_room_need(&array->block, n, item, err))
		return OOD_SYSTEM;
	struct ood_span *spans = (void *)array->spans.at;
	for (size_t i = 0; i < n; i++) {
		const char *at = array->raw.at + i * item;
		char *to = array->block.at + i * item;
		spans[i] = (struct ood_span){ at, 0 };
		if (head->unicode) {
			spans[i].at = to;
			spans[i].n = decode(head, at, to, &bad);
		} else {
			spans[i].n = trim(head, at);
		}
		if (spans[i].n == SIZE_MAX) {
			ood_fail(err, OOD_INPUT,
				 "U+%04X is not a character (in a string of "
				 "dtype '%s')",
				 (unsigned)bad, head->descr);
			ood_array_place(array, i, SIZE_MAX, err);
			return OOD_INPUT;
		}
	}
	return OOD_OK;
}
