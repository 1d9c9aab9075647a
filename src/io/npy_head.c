/*
 * npy_head.c - the header of an NPY array
 *
 * numpy evaluates the header as a Python literal. Here only the grammar that
 * writers produce is taken:
 *
 *	header  = "{" [ entry { "," entry } [ "," ] ] "}"
 *	entry   = string ":" value
 *	string  = ' or " , printable bytes but \ , the same quote
 *	value   = string | "True" | "False" | shape | structured
 *	shape   = "(" [ integer { "," integer } [ "," ] ] ")"
 *	integer = digits [ "L" ]
 *
 * with blanks, tabs and line ends anywhere between.
 */
#include <stdio.h>

#include "core/err.h"
#include "core/mem.h"
#include "io/npy.h"
#include "io/npy_dtype.h"

enum {
	HEADER_MAX = 1 << 16,
	DESCR = 1, /* keys seen, as bits */
	ORDER = 2,
	SHAPE = 4,
};

struct text {
	const char *at, *end;
};

static void skip_blanks(struct text *t)
{
	while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' ||
				  *t->at == '\n' || *t->at == '\r'))
		t->at++;
}

static bool accept(struct text *t, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(t);
	if ((size_t)(t->end - t->at) < n || memcmp(t->at, word, n) != 0)
		return false;
	t->at += n;
	return true;
}

static int fail_byte(const struct text *t, const char *expected,
		     struct ood_err *err)
{
	char shown[OOD_QUOTE_MAX];

	if (t->at == t->end)
		return ood_fail(err, OOD_INPUT,
				"NPY header: ends where %s is expected",
				expected);
	return ood_fail(err, OOD_INPUT,
			"NPY header: unexpected byte \"%s\" where %s is "
			"expected",
			ood_quote(shown, sizeof(shown), t->at, 1), expected);
}

static int take_string(struct text *t, struct ood_span *s, struct ood_err *err)
{
	skip_blanks(t);
	if (t->at == t->end || (*t->at != '\'' && *t->at != '"'))
		return fail_byte(t, "a quoted word", err);
	char quote = *t->at++;

	s->at = t->at;
	while (t->at < t->end && *t->at != quote && *t->at != '\\' &&
	       (unsigned char)*t->at >= ' ')
		t->at++;
	if (t->at == t->end || *t->at != quote)
		return fail_byte(t, "the closing quote", err);
	s->n = (size_t)(t->at++ - s->at);
	return OOD_OK;
}

static bool same(struct ood_span s, const char *word)
{
	return s.n == strlen(word) && !memcmp(s.at, word, s.n);
}

/* The text of a shape up to its closing bracket, for messages. */
static struct ood_span shape_span(const char *from, const char *end)
{
	const char *at = from;
	int open = 0;

	while (at < end && *at != '\n') {
		open += *at == '(' || *at == '[';
		open -= *at == ')' || *at == ']';
		if (open <= 0 && (*at == ',' || *at == '}'))
			break;
		at++;
		if (open <= 0 && (at[-1] == ')' || at[-1] == ']'))
			break;
	}
	return (struct ood_span){ from, (size_t)(at - from) };
}

static int fail_shape(const char *from, const char *end, struct ood_err *err)
{
	struct ood_span s = shape_span(from, end);
	char shown[OOD_QUOTE_MAX];
	bool memmap = s.n > 9 && !memcmp(s.at, "(np.int64", 9);

	ood_quote(shown, sizeof(shown), s.at, s.n);
	if (memchr(s.at, '-', s.n))
		return ood_fail(err, OOD_INPUT,
				"NPY header: shape %s has a negative "
				"dimension",
				shown);
	return ood_fail(err, OOD_INPUT,
			"NPY header: shape is not a tuple of integers: %s%s",
			shown,
			memmap ? " (numpy 2's open_memmap wrote it so, "
				 "numpy#28334; load it there and np.save it)"
			       : "");
}

/* Digits, an L of Python 2 behind them; false if they do not fit 63 bits. */
static bool take_dimension(struct text *t, uint64_t *dim)
{
	*dim = 0;
	while (t->at < t->end && *t->at >= '0' && *t->at <= '9') {
		uint64_t digit = (uint64_t)(*t->at++ - '0');
		if (*dim > (INT64_MAX - digit) / 10)
			return false;
		*dim = *dim * 10 + digit;
	}
	if (t->at < t->end && *t->at == 'L')
		t->at++;
	return true;
}

static int fail_large(const char *from, const char *end, struct ood_err *err)
{
	struct ood_span s = shape_span(from, end);
	char shown[OOD_QUOTE_MAX];

	return ood_fail(err, OOD_INPUT,
			"NPY header: shape %s is too large (its size in bytes "
			"exceeds 64 bits)",
			ood_quote(shown, sizeof(shown), s.at, s.n));
}

static int take_shape(struct ood_npy_head *head, struct text *t,
		      struct ood_err *err)
{
	bool comma = false;

	skip_blanks(t);
	const char *from = t->at;
	if (!accept(t, "("))
		return fail_shape(from, t->end, err);
	for (head->ndim = 0; !accept(t, ")"); head->ndim++) {
		uint64_t dim;
		if (head->ndim && !comma)
			return fail_shape(from, t->end, err);
		if (t->at == t->end || *t->at < '0' || *t->at > '9')
			return fail_shape(from, t->end, err);
		if (head->ndim == OOD_NDIM_MAX)
			return ood_fail(err, OOD_INPUT,
					"NPY header: more than %d dimensions",
					OOD_NDIM_MAX);
		if (!take_dimension(t, &dim))
			return fail_large(from, t->end, err);
		head->shape[head->ndim] = dim;
		comma = accept(t, ",");
	}
	/* (2) is a number in brackets, not a tuple. */
	return head->ndim == 1 && !comma ? fail_shape(from, t->end, err)
					 : OOD_OK;
}

static int take_order(struct ood_npy_head *head, struct text *t,
		      struct ood_err *err)
{
	head->fortran = accept(t, "True");
	if (head->fortran || accept(t, "False"))
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"NPY header: fortran_order is neither True nor False");
}

static int take_descr(struct ood_npy_head *head, struct text *t,
		      struct ood_err *err)
{
	struct ood_span s;

	skip_blanks(t);
	if (t->at < t->end && (*t->at == '[' || *t->at == '(')) {
		t->at = ood_npy_records(head, t->at, t->end);
		return t->at ? OOD_OK
			     : ood_fail(err, OOD_INPUT,
					"NPY header: descr has no end");
	}
	int rc = take_string(t, &s, err);
	if (!rc)
		ood_npy_dtype(head, s);
	return rc;
}

static int take_entry(struct ood_npy_head *head, struct text *t, unsigned *seen,
		      struct ood_err *err)
{
	static const struct {
		const char *name;
		unsigned bit;
		int (*take)(struct ood_npy_head *head, struct text *t,
			    struct ood_err *err);
	} keys[] = {
		{ "descr", DESCR, take_descr },
		{ "fortran_order", ORDER, take_order },
		{ "shape", SHAPE, take_shape },
	};
	char shown[OOD_QUOTE_MAX];
	struct ood_span key;
	int rc = take_string(t, &key, err);

	if (rc)
		return rc;
	if (!accept(t, ":"))
		return fail_byte(t, "':'", err);
	for (size_t i = 0; i < OOD_COUNT(keys); i++) {
		if (!same(key, keys[i].name))
			continue;
		if (*seen & keys[i].bit)
			return ood_fail(err, OOD_INPUT,
					"NPY header: key '%s' is there twice",
					keys[i].name);
		*seen |= keys[i].bit;
		return keys[i].take(head, t, err);
	}
	return ood_fail(err, OOD_INPUT, "NPY header: unknown key '%s'",
			ood_quote(shown, sizeof(shown), key.at, key.n));
}

/* Elements and bytes, checked; zero-sized dimensions do not hide others. */
static int measure(struct ood_npy_head *head, struct ood_err *err)
{
	char shown[OOD_SHAPE_MAX];
	uint64_t product = 1;
	bool none = false, fits = true;

	for (unsigned i = 0; i < head->ndim && fits; i++) {
		uint64_t dim = head->shape[i];
		none |= dim == 0;
		fits = !__builtin_mul_overflow(product, dim ? dim : 1,
					       &product);
	}
	head->elements = none ? 0 : product;
	fits = fits &&
	       !__builtin_mul_overflow(product, (uint64_t)head->item, &product);
	head->bytes = none ? 0 : product;
	if (fits && product <= INT64_MAX)
		return OOD_OK;
	return ood_fail(
		err, OOD_INPUT,
		"shape %s of %s is too large (its size in bytes "
		"exceeds 64 bits)",
		ood_shape_text(shown, sizeof(shown), head->ndim, head->shape),
		head->descr);
}

int ood_npy_parse(struct ood_npy_head *head, const char *at, size_t n,
		  struct ood_err *err)
{
	static const char *const names[] = { "descr", "fortran_order",
					     "shape" };
	struct text t = { at, at + n };
	unsigned seen = 0;
	int rc = OOD_OK;

	memset(head, 0, sizeof(*head));
	if (!accept(&t, "{"))
		return fail_byte(&t, "'{'", err);
	while (!rc && !accept(&t, "}")) {
		rc = take_entry(head, &t, &seen, err);
		if (!rc && !accept(&t, ",")) {
			if (!accept(&t, "}"))
				rc = fail_byte(&t, "',' or '}'", err);
			break;
		}
	}
	if (rc)
		return rc;
	skip_blanks(&t);
	if (t.at != t.end)
		return fail_byte(&t, "its end", err);
	for (unsigned i = 0; i < OOD_COUNT(names); i++)
		if (!(seen & 1u << i))
			return ood_fail(err, OOD_INPUT,
					"NPY header: key '%s' is missing",
					names[i]);
	return measure(head, err);
}

/* ------------------------------------------------ magic and length --- */

static int fail_cut(size_t length, size_t got, struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"truncated NPY header: length %zu, but the file ends "
			"after %zu",
			length, got);
}

int ood_npy_read_head(struct ood_npy_head *head, struct ood_feed *feed,
		      struct ood_err *err)
{
	unsigned char b[OOD_NPY_MAGIC_SIZE + 2 + 4] = { 0 };
	size_t fixed = OOD_NPY_MAGIC_SIZE + 2, got, length = 0;
	int rc = ood_feed_read(feed, b, fixed, &got, err);

	if (rc)
		return rc;
	if (memcmp(b, OOD_NPY_MAGIC, OOD_MIN(got, OOD_NPY_MAGIC_SIZE)) != 0)
		return ood_fail(err, OOD_INPUT, "not an NPY array");
	if (got < fixed)
		return fail_cut(fixed, got, err);
	if (b[6] < 1 || b[6] > 3 || b[7])
		return ood_fail(err, OOD_INPUT,
				"NPY version %d.%d is not supported (1.0, 2.0 "
				"and 3.0 are)",
				b[6], b[7]);
	size_t width = b[6] == 1 ? 2 : 4;
	rc = ood_feed_read(feed, b + fixed, width, &got, err);
	if (rc)
		return rc;
	if (got < width)
		return fail_cut(fixed + width, fixed + got, err);
	for (size_t i = 0; i < width; i++)
		length |= (size_t)b[fixed + i] << 8 * i;
	if (length > HEADER_MAX)
		return ood_fail(err, OOD_INPUT,
				"NPY header: length %zu is too long (limit "
				"%d)",
				length, HEADER_MAX);
	char *text = ood_malloc(length, 1);
	if (!text)
		return ood_fail_memory(err, length);
	rc = ood_feed_read(feed, text, length, &got, err);
	if (!rc && got < length)
		rc = fail_cut(length, got, err);
	if (!rc)
		rc = ood_npy_parse(head, text, length, err);
	head->begin = fixed + width + length;
	ood_free(text);
	return rc;
}

/* --------------------------------------------------------- writing --- */

char *ood_shape_text(char *buf, size_t size, unsigned ndim,
		     const uint64_t *shape)
{
	size_t n = (size_t)snprintf(buf, size, "(");

	for (unsigned i = 0; i < ndim && n < size; i++)
		n += (size_t)snprintf(
			buf + n, size - n,
			i || ndim == 1 ? "%s%llu%s" : "%s%llu%s", i ? ", " : "",
			(unsigned long long)shape[i], ndim == 1 ? "," : "");
	if (n < size)
		snprintf(buf + n, size - n, ")");
	return buf;
}

void ood_npy_format_head(char buf[OOD_NPY_HEAD], const char *descr,
			 unsigned ndim, const uint64_t *shape)
{
	char dims[OOD_SHAPE_MAX];
	const unsigned length = OOD_NPY_HEAD - OOD_NPY_MAGIC_SIZE - 4;

	memset(buf, ' ', OOD_NPY_HEAD);
	memcpy(buf, OOD_NPY_MAGIC "\x01\x00", OOD_NPY_MAGIC_SIZE + 2);
	buf[8] = (char)(length & 0xFF);
	buf[9] = (char)(length >> 8);
	ood_shape_text(dims, sizeof(dims), ndim, shape);
	/* Four dimensions of 20 digits leave room in 118 bytes or more. */
	int n = snprintf(buf + 10, OOD_NPY_HEAD - 10,
			 "{'descr': '%s', 'fortran_order': False, 'shape': "
			 "%s, }",
			 descr, dims);
	assert(n > 0 && n < OOD_NPY_HEAD - 11);
	buf[10 + n] = ' ';
	buf[OOD_NPY_HEAD - 1] = '\n';
}
