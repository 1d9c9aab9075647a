/*
 * json_text.c - a window on a JSON file
 *
 * Values are cut out by their brackets and quotes alone, as fast as bytes can
 * be looked at; whoever reads the piece checks its grammar. So a list of any
 * size passes through a window of a few records.
 */
#include "core/err.h"
#include "io/json.h"

int ood_json_text_init(struct ood_json_text *text,
		       const struct ood_json_text *from,
		       struct ood_json_spot spot, struct ood_err *err)
{
	*text = *from;
	text->hold = false;
	text->spot = spot;
	if (from->seek) {
		text->data = NULL;
		text->room = text->end = text->pos = text->keep = 0;
		text->base = text->next = spot.offset;
		text->eof = false;
		return ood_json_text_more(text, err);
	}
	text->borrowed = true;
	text->eof = true;
	text->pos = text->keep = (size_t)(spot.offset - text->base);
	return OOD_OK;
}

void ood_json_text_free(struct ood_json_text *text)
{
	if (!text->borrowed)
		ood_free(text->data);
	text->data = NULL;
}

int ood_json_text_rewind(struct ood_json_text *text, struct ood_json_spot spot,
			 struct ood_err *err)
{
	bool gone = spot.offset < text->base ||
		    spot.offset >= text->base + text->end;

	if (gone) {
		text->base = text->next = spot.offset;
		text->end = 0;
		text->eof = false;
	}
	text->pos = (size_t)(spot.offset - text->base);
	text->keep = text->hold ? text->keep : text->pos;
	text->spot = spot;
	return gone ? ood_json_text_more(text, err) : OOD_OK;
}

/* ----------------------------------------------------------- reading --- */

/* At least half a step of free room. */
static int make_room(struct ood_json_text *t, struct ood_err *err)
{
	size_t used = t->end - t->keep;

	if (t->room - t->end > t->step / 2)
		return OOD_OK;
	if (t->keep && !t->hold && used <= t->room / 2) {
		memmove(t->data, t->data + t->keep, used);
	} else {
		size_t room = OOD_MAX(t->step, 2 * t->room);
		char *data;

		if (t->room > t->step && t->room > t->max_bytes)
			return ood_fail(err, OOD_INPUT,
					"a value that needs more than %llu "
					"bytes in memory (--max-bytes)",
					(unsigned long long)t->max_bytes);
		if (!(data = ood_malloc(room, 1)))
			return ood_fail_memory(err, room);
		if (used)
			memcpy(data, t->data + t->keep, used);
		ood_free(t->data);
		t->data = data;
		t->room = room;
	}
	t->base += t->keep;
	t->pos -= t->keep;
	t->end = used;
	t->keep = 0;
	return OOD_OK;
}

static int read_some(struct ood_json_text *t, size_t *got, struct ood_err *err)
{
	size_t n = OOD_MIN(t->room - t->end, OOD_MAX(t->step, t->room / 2));
	char *to = t->data + t->end;

	if (t->seek) {
		uint64_t left = ood_source_size(t->source) - t->next;
		*got = (size_t)OOD_MIN(left, (uint64_t)n);
		t->next += *got;
		return *got ? ood_source_pread(t->source, to, *got,
					       t->next - *got, err)
			    : OOD_OK;
	}
	return t->live ? ood_source_read_some(t->source, to, n, got, err)
		       : ood_source_read(t->source, to, n, got, err);
}

int ood_json_text_more(struct ood_json_text *text, struct ood_err *err)
{
	size_t got;

	if (text->eof)
		return OOD_OK;
	int rc = make_room(text, err);
	if (!rc)
		rc = read_some(text, &got, err);
	if (rc)
		return ood_err_where(err, ood_source_name(text->source), NULL);
	text->end += got;
	text->eof = !got;
	return OOD_OK;
}

void ood_json_text_advance(struct ood_json_text *text, size_t n)
{
	const char *at = text->data + text->pos, *end = at + n, *line;

	text->pos += n;
	text->spot.offset += n;
	while (at < end && (line = memchr(at, '\n', (size_t)(end - at)))) {
		text->spot.line++;
		text->spot.column = 0;
		at = line + 1;
	}
	text->spot.column += (uint64_t)(end - at);
}

/* ------------------------------------------------------------ messages --- */

int ood_json_text_place(const struct ood_json_text *text, const char *from,
			const char *bad, struct ood_json_spot spot,
			struct ood_err *err)
{
	const char *line;

	while (from < bad &&
	       (line = memchr(from, '\n', (size_t)(bad - from)))) {
		spot.line++;
		spot.column = 0;
		from = line + 1;
	}
	spot.column += (uint64_t)(bad - from);
	ood_err_where(err, ood_source_name(text->source), NULL);
	return ood_err_at(err, OOD_PLACE_LINE, spot.line, spot.column + 1);
}

int ood_json_text_unexpected(struct ood_json_text *text, const char *expected,
			     struct ood_err *err)
{
	/* The word is shown whole, wherever the window ends. */
	while (!text->live && !text->eof && text->end - text->pos < 80) {
		int rc = ood_json_text_more(text, err);
		if (rc)
			return rc;
	}
	const char *at = text->data + text->pos;
	struct ood_json_scan s = { .at = at,
				   .end = text->data + text->end,
				   .err = err };

	ood_json_unexpected(&s, expected);
	return ood_json_text_place(text, at, at, text->spot, err);
}

/* ------------------------------------------------------------- cutting --- */

int ood_json_text_blank(struct ood_json_text *text, char *c,
			struct ood_err *err)
{
	for (;;) {
		const char *at = text->data + text->pos;
		const char *end = text->data + text->end, *p = at;

		while (p < end && ood_json_is_blank(*p))
			p++;
		ood_json_text_advance(text, (size_t)(p - at));
		if (p < end || text->eof) {
			*c = p < end ? *p : '\0';
			return OOD_OK;
		}
		int rc = ood_json_text_more(text, err);
		if (rc)
			return rc;
	}
}

/* Where the cutting of a value stands. */
struct cut {
	const char *at;
	unsigned depth, most;
	bool string, escape;
	bool broken; /* a line ends in a string: more would not help */
	bool scalar; /* a number or word: ends before what cannot be in one */
	bool deep;
};

/* Bytes that matter outside of strings. */
static const unsigned char matters[256] = {
	['"'] = 1, ['['] = 1, ['{'] = 1, [']'] = 1, ['}'] = 1,
};

static bool cut_string(struct cut *cut, const char *end)
{
	const char *p = cut->at;

	for (; p < end; p++) {
		if (cut->escape)
			cut->escape = false;
		else if (*p == '\\')
			cut->escape = true;
		else if (*p == '"' || *p == '\n')
			break;
	}
	cut->broken = p < end && *p == '\n';
	cut->string = p == end;
	cut->at = p + (p < end && !cut->broken);
	return !cut->string;
}

static bool cut_scalar(struct cut *cut, const char *end)
{
	while (cut->at < end && !ood_json_ends(cut->at, end))
		cut->at++;
	return cut->at < end;
}

/* True if the value ends before `end`; else it goes on there. */
static bool cut_on(struct cut *cut, const char *end)
{
	if (cut->scalar)
		return cut_scalar(cut, end);
	for (;;) {
		if (cut->string && !cut_string(cut, end))
			return false;
		if (!cut->depth || cut->broken)
			return true;
		while (cut->at < end && !matters[(unsigned char)*cut->at])
			cut->at++;
		if (cut->at == end)
			return false;
		char c = *cut->at++;
		if (c == '"')
			cut->string = true;
		else if (c == '[' || c == '{')
			cut->depth++;
		else if (!--cut->depth)
			return true;
		if (cut->depth > cut->most) {
			cut->deep = true;
			return true;
		}
	}
}

/* At the first byte of the value. */
static void cut_start(struct cut *cut, const char *at, unsigned outer)
{
	*cut = (struct cut){ .at = at, .most = OOD_JSON_DEPTH - outer };
	cut->scalar = *at != '"' && *at != '[' && *at != '{';
	cut->string = *at == '"';
	cut->depth = *at == '[' || *at == '{';
	cut->at += !cut->scalar;
}

static int too_deep(struct ood_json_text *t, const char *at,
		    struct ood_err *err)
{
	struct ood_json_scan s = { .at = at, .end = at, .err = err };

	ood_json_fault(&s, at, "nested deeper than %d levels", OOD_JSON_DEPTH);
	return ood_json_text_place(t, t->data + t->pos, at, t->spot, err);
}

static int fault_at(const struct ood_json_text *t, struct ood_json_spot spot,
		    const char *what, struct ood_err *err)
{
	ood_fail(err, OOD_INPUT, "%s", what);
	return ood_json_text_place(t, t->data, t->data, spot, err);
}

int ood_json_text_value(struct ood_json_text *text, bool keep,
			struct ood_json_record *record, struct ood_err *err)
{
	struct cut cut;
	size_t n;
	bool whole;

	*record = (struct ood_json_record){ .at = text->pos - text->keep,
					    .spot = text->spot };
	cut_start(&cut, text->data + text->pos, text->outer);
	for (;;) {
		whole = cut_on(&cut, text->data + text->end);
		if (cut.deep)
			return too_deep(text, cut.at - 1, err);
		n = (size_t)(cut.at - (text->data + text->pos));
		if (whole || text->eof)
			break;
		if (!keep) {
			ood_json_text_advance(text, n);
			text->keep = text->hold ? text->keep : text->pos;
			n = 0;
		}
		int rc = ood_json_text_more(text, err);
		if (rc)
			return rc;
		cut.at = text->data + text->pos + n;
	}
	ood_json_text_advance(text, n);
	record->n = record->size = text->pos - text->keep - record->at;
	if (keep || cut.scalar || (whole && !cut.broken))
		return OOD_OK;
	if (!cut.broken)
		return ood_json_text_unexpected(text, "a closing bracket", err);
	return fault_at(text, text->spot, "unclosed string", err);
}

int ood_json_text_next(struct ood_json_text *text, char close, bool first,
		       bool *more, struct ood_err *err)
{
	struct ood_json_spot comma;
	char c;
	int rc = ood_json_text_blank(text, &c, err);

	if (rc)
		return rc;
	comma = text->spot;
	*more = c != close;
	if (!*more) {
		ood_json_text_advance(text, 1);
		return OOD_OK;
	}
	if (!first) {
		if (c != ',')
			return ood_json_text_unexpected(
				text,
				close == ']' ? "',' or ']'" : "',' or '}'",
				err);
		ood_json_text_advance(text, 1);
		if ((rc = ood_json_text_blank(text, &c, err)))
			return rc;
	}
	if (c == close)
		return fault_at(text, comma,
				close == ']' ? "trailing comma before ']'"
					     : "trailing comma before '}'",
				err);
	if (c == ',' || c == ']' || c == '}' || !c)
		return ood_json_text_unexpected(
			text, close == ']' ? "a value" : "a key in quotes",
			err);
	return OOD_OK;
}

int ood_json_text_key(struct ood_json_text *text, struct ood_buf *key,
		      struct ood_err *err)
{
	struct ood_json_record record;
	struct ood_json_word word;
	char c;

	text->keep = text->hold ? text->keep : text->pos;
	int rc = ood_json_text_blank(text, &c, err);
	if (!rc && c != '"')
		return ood_json_text_unexpected(text, "a key in quotes", err);
	if (!rc)
		rc = ood_json_text_value(text, true, &record, err);
	if (rc)
		return rc;
	const char *at = text->data + text->keep + record.at;
	struct ood_json_scan s = { .at = at, .end = at + record.n, .err = err };
	if (ood_json_string(&s, &word))
		return ood_json_text_place(text, at, s.bad, record.spot, err);
	ood_buf_clear(key);
	char *to = ood_buf_reserve(key, word.n);
	if (!to)
		return ood_fail_memory(err, word.n);
	key->n = ood_json_unescape(to, &word);
	to[key->n] = '\0';
	if ((rc = ood_json_text_blank(text, &c, err)))
		return rc;
	if (c != ':')
		return ood_json_text_unexpected(text, "':'", err);
	ood_json_text_advance(text, 1);
	return ood_json_text_blank(text, &c, err);
}
