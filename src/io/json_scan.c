/*
 * json_scan.c - tokens and values of JSON
 *
 * Strict: RFC 8259 and, as Python writes them, the numbers NaN, Infinity and
 * -Infinity. Nothing recurses: nesting is a bit a level.
 */
#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "core/utf8.h"
#include "io/json.h"

int ood_json_fault(struct ood_json_scan *s, const char *at, const char *fmt,
		   ...)
{
	char text[OOD_WHAT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	s->bad = at;
	return ood_fail(s->err, OOD_INPUT, "%s", text);
}

/* Bytes of the word at s->at, for messages: a run of letters, digits and
 * signs, or one character. */
static size_t word_length(const struct ood_json_scan *s)
{
	const char *more = "+-._";
	const char *p = s->at;

	while (p < s->end &&
	       ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
		(*p >= 'A' && *p <= 'Z') || (*p && strchr(more, *p))))
		p++;
	if (p > s->at)
		return (size_t)(p - s->at);
	size_t n = ood_utf8_length(s->at, (size_t)(s->end - s->at));
	return n ? n : 1;
}

int ood_json_unexpected(struct ood_json_scan *s, const char *expected)
{
	char found[OOD_QUOTE_MAX];
	const char *why = "";

	if (s->at == s->end)
		return ood_json_fault(s, s->at,
				      "the value ends too early, expected %s "
				      "(cut file?)",
				      expected);
	if (*s->at == '/' || *s->at == '#')
		why = " (JSON has no comments)";
	else if (*s->at == '\'')
		why = " (JSON quotes with \")";
	else if (*s->at && strchr("+.0123456789", *s->at))
		why = " (JSON numbers are like -1.5 or 2e-3)";
	ood_quote(found, sizeof(found), s->at, word_length(s));
	return ood_json_fault(s, s->at, "unexpected '%s', expected %s%s", found,
			      expected, why);
}

/* ------------------------------------------------------- strings --- */

static int hex(const char *at, const char *end, unsigned *code)
{
	*code = 0;
	if (end - at < 4)
		return OOD_INPUT;
	for (int i = 0; i < 4; i++) {
		char c = at[i];
		unsigned digit;

		if (c >= '0' && c <= '9')
			digit = (unsigned)(c - '0');
		else if (c >= 'a' && c <= 'f')
			digit = (unsigned)(c - 'a') + 10;
		else if (c >= 'A' && c <= 'F')
			digit = (unsigned)(c - 'A') + 10;
		else
			return OOD_INPUT;
		*code = *code * 16 + digit;
	}
	return OOD_OK;
}

/* At the backslash of an escape: takes it. */
static int escape(struct ood_json_scan *s)
{
	const char *at = s->at, *end = s->end;
	unsigned code, low;

	if (end - at < 2 || !at[1] || !strchr("\"\\/bfnrtu", at[1]))
		return ood_json_fault(s, at, "bad escape in a string");
	if (at[1] != 'u') {
		s->at += 2;
		return OOD_OK;
	}
	if (hex(at + 2, end, &code))
		return ood_json_fault(s, at, "bad \\u escape in a string");
	if (!code)
		return ood_json_fault(s, at, "\\u0000 in a string");
	s->at += 6;
	if (code < 0xD800 || code > 0xDFFF)
		return OOD_OK;
	if (code >= 0xDC00 || end - at < 8 || at[6] != '\\' || at[7] != 'u' ||
	    hex(at + 8, end, &low) || low < 0xDC00 || low > 0xDFFF)
		return ood_json_fault(
			s, at, "lone surrogate \\u%04X in a string", code);
	s->at += 6;
	return OOD_OK;
}

/* At a byte of a string that is not a plain one. */
static int odd_byte(struct ood_json_scan *s, struct ood_json_word *word)
{
	unsigned char c = (unsigned char)*s->at;

	if (c == '\\') {
		word->escaped = true;
		return escape(s);
	}
	if (c < 0x20)
		return ood_json_fault(s, s->at,
				      "control byte 0x%02X in a string "
				      "(unclosed quote?)",
				      c);
	size_t n = ood_utf8_length(s->at, (size_t)(s->end - s->at));
	if (!n)
		return ood_json_fault(s, s->at,
				      "byte 0x%02X is not UTF-8 (re-save the "
				      "file as UTF-8)",
				      c);
	s->at += n;
	return OOD_OK;
}

int ood_json_string(struct ood_json_scan *s, struct ood_json_word *word)
{
	const char *open = s->at++;
	int rc;

	word->at = s->at;
	word->escaped = false;
	for (;;) {
		while (s->at < s->end && *s->at >= 0x20 && *s->at < 0x7F &&
		       *s->at != '"' && *s->at != '\\')
			s->at++;
		if (s->at == s->end)
			return ood_json_fault(s, open, "unclosed string");
		if (s->at - open > OOD_JSON_STRING)
			return ood_json_fault(s, open,
					      "a string longer than 1 MiB");
		if (*s->at == '"')
			break;
		if (*s->at == 0x7F)
			s->at++;
		else if ((rc = odd_byte(s, word)))
			return rc;
	}
	word->n = (size_t)(s->at++ - word->at);
	return OOD_OK;
}

static size_t put_utf8(char *to, unsigned code)
{
	if (code < 0x80) {
		to[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		to[0] = (char)(0xC0 | code >> 6);
		to[1] = (char)(0x80 | (code & 63));
		return 2;
	}
	if (code < 0x10000) {
		to[0] = (char)(0xE0 | code >> 12);
		to[1] = (char)(0x80 | (code >> 6 & 63));
		to[2] = (char)(0x80 | (code & 63));
		return 3;
	}
	to[0] = (char)(0xF0 | code >> 18);
	to[1] = (char)(0x80 | (code >> 12 & 63));
	to[2] = (char)(0x80 | (code >> 6 & 63));
	to[3] = (char)(0x80 | (code & 63));
	return 4;
}

size_t ood_json_unescape(char *to, const struct ood_json_word *word)
{
	static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
	const char *at = word->at, *end = at + word->n;
	size_t n = 0;

	while (at < end) {
		unsigned code, low;

		if (*at != '\\') {
			to[n++] = *at++;
			continue;
		}
		if (at[1] != 'u') {
			to[n++] = plain[strchr(from, at[1]) - from];
			at += 2;
			continue;
		}
		hex(at + 2, end, &code);
		at += 6;
		if (code >= 0xD800 && code <= 0xDBFF) {
			hex(at + 2, end, &low);
			at += 6;
			code = 0x10000 + ((code - 0xD800) << 10) +
			       (low - 0xDC00);
		}
		n += put_utf8(to + n, code);
	}
	return n;
}

/* ------------------------------------------------------- scalars --- */

static bool literal(const struct ood_json_scan *s, const char *word, size_t n)
{
	return (size_t)(s->end - s->at) >= n && !memcmp(s->at, word, n) &&
	       ood_json_ends(s->at + n, s->end);
}

static int constant(struct ood_json_scan *s, double *x)
{
	static const struct {
		const char *word;
		size_t n;
		double x;
	} constants[] = {
		{ "NaN", 3, (double)NAN },
		{ "Infinity", 8, (double)INFINITY },
		{ "-Infinity", 9, -(double)INFINITY },
	};

	for (size_t i = 0; i < OOD_COUNT(constants); i++) {
		if (!literal(s, constants[i].word, constants[i].n))
			continue;
		*x = constants[i].x;
		s->at += constants[i].n;
		return OOD_OK;
	}
	return ood_json_unexpected(s, "a value");
}

int ood_json_number(struct ood_json_scan *s, double *x)
{
	const char *stop;
	enum ood_num_kind kind = ood_num_scan_json(s->at, s->end, &stop, x);
	char text[OOD_QUOTE_MAX];

	if (kind == OOD_NUM_BAD)
		return constant(s, x);
	if (!ood_json_ends(stop, s->end))
		return ood_json_unexpected(s, "a number");
	if (stop - s->at > OOD_JSON_NUMBER)
		return ood_json_fault(s, s->at, "a number longer than 1 KiB");
	if (kind == OOD_NUM_RANGE) {
		ood_quote(text, sizeof(text), s->at, (size_t)(stop - s->at));
		return ood_json_fault(
			s, s->at, "number %s is too large for a double", text);
	}
	s->at = stop;
	return OOD_OK;
}

bool ood_json_number_word(struct ood_json_scan *s, double *x)
{
	static const struct {
		const char *word; /* with its quotes */
		double x;
	} words[] = {
		{ "\"inf\"", (double)INFINITY },
		{ "\"-inf\"", -(double)INFINITY },
		{ "\"nan\"", (double)NAN },
	};

	for (size_t i = 0; i < OOD_COUNT(words); i++) {
		const size_t n = strlen(words[i].word);

		if (!literal(s, words[i].word, n))
			continue;
		*x = words[i].x;
		s->at += n;
		return true;
	}
	return false;
}

int ood_json_scalar(struct ood_json_scan *s, struct ood_json_word *word)
{
	static const char *const literals[] = { "true", "false", "null" };
	const char *at = s->at;
	double x;

	if (ood_json_byte(s) == '"')
		return ood_json_string(s, word);
	*word = (struct ood_json_word){ at, 0, false };
	for (size_t i = 0; i < OOD_COUNT(literals); i++)
		if (literal(s, literals[i], strlen(literals[i]))) {
			word->n = strlen(literals[i]);
			s->at += word->n;
			return OOD_OK;
		}
	int rc = ood_json_number(s, &x);
	word->n = (size_t)(s->at - at);
	return rc;
}

/* ---------------------------------------------- lists and objects --- */

const char *ood_json_kind(char first)
{
	switch (first) {
	case '[':
		return "a list";
	case '{':
		return "an object";
	case '"':
		return "a string";
	case 't':
	case 'f':
		return "a boolean";
	case 'n':
		return "null";
	default:
		return "a number";
	}
}

int ood_json_key(struct ood_json_scan *s, struct ood_json_word *key)
{
	int rc;

	if (ood_json_byte(s) != '"')
		return ood_json_unexpected(s, "a key in quotes");
	if ((rc = ood_json_string(s, key)))
		return rc;
	ood_json_blank(s);
	if (ood_json_byte(s) != ':')
		return ood_json_unexpected(s, "':'");
	s->at++;
	ood_json_blank(s);
	return OOD_OK;
}

int ood_json_next(struct ood_json_scan *s, char close, bool first, bool *more)
{
	ood_json_blank(s);
	char c = ood_json_byte(s);
	*more = c != close;
	if (!*more) {
		s->at++;
		return OOD_OK;
	}
	if (first)
		return OOD_OK;
	if (c != ',')
		return ood_json_unexpected(s, close == ']' ? "',' or ']'"
							   : "',' or '}'");
	const char *comma = s->at++;
	ood_json_blank(s);
	if (ood_json_byte(s) == close)
		return ood_json_fault(s, comma, "trailing comma before '%c'",
				      close);
	return OOD_OK;
}

/* Open brackets: one bit each, 1 = object; the innermost is bit 0. */
struct nest {
	uint64_t objects;
	unsigned depth;
};

/* Takes a scalar or an opening bracket; *open tells which. */
static int enter(struct ood_json_scan *s, struct nest *nest, bool *open)
{
	char c = ood_json_byte(s);
	struct ood_json_word word;

	*open = c == '[' || c == '{';
	if (!*open)
		return ood_json_scalar(s, &word);
	if (s->depth + nest->depth == OOD_JSON_DEPTH)
		return ood_json_fault(s, s->at, "nested deeper than %d levels",
				      OOD_JSON_DEPTH);
	nest->objects = nest->objects << 1 | (c == '{');
	nest->depth++;
	s->at++;
	return OOD_OK;
}

int ood_json_skip(struct ood_json_scan *s)
{
	struct nest nest = { 0, 0 };
	struct ood_json_word key;
	bool open, more;
	int rc;

	do {
		if ((rc = enter(s, &nest, &open)))
			return rc;
		/* Closes what ends here; stops before the next item. */
		for (more = false; nest.depth && !more; open = false) {
			bool object = nest.objects & 1;

			rc = ood_json_next(s, object ? '}' : ']', open, &more);
			if (!rc && more && object)
				rc = ood_json_key(s, &key);
			if (rc)
				return rc;
			if (!more) {
				nest.depth--;
				nest.objects >>= 1;
			}
		}
	} while (nest.depth);
	return OOD_OK;
}

int ood_json_count(struct ood_json_scan *s, size_t *n)
{
	bool more;
	int rc;

	s->at++;
	for (*n = 0;; ++*n) {
		if ((rc = ood_json_next(s, ']', !*n, &more)) || !more)
			return rc;
		if ((rc = ood_json_skip(s)))
			return rc;
	}
}
