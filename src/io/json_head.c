/*
 * json_head.c - which shape a JSON file has, and its members
 *
 *	[[1, 2], [3, 4]]		a list: one member, ""
 *	[{"id": 1, "x": [1, 2]}, ...]	a list of records
 *	{"x": [[1, 2], ...], ...}	an object of lists
 *	{"id": 1, "x": [1, 2]}\n...	JSON Lines; or lists, a row each
 *
 * A file with one value on one line is JSON Lines with one record if that is
 * an object without a matrix and with a scalar, or with a list of numbers
 * under a role of rows (logits): one row, not a column of one class.
 */
#include "core/err.h"
#include "io/json.h"
#include "io/missing.h"
#include "io/role.h"

static int add_member(struct ood_reader *reader, const char *name, size_t n,
		      const struct ood_member *like, struct ood_err *err)
{
	size_t room = reader->n_members;

	/* Grown when the number is a power of 2: no second counter. */
	if (!(room & (room - 1))) {
		room = room ? 2 * room : 1;
		struct ood_member *grown =
			ood_realloc(reader->members, reader->n_members, room,
				    sizeof(*reader->members));
		if (!grown)
			return ood_fail_memory(err, room);
		reader->members = grown;
	}
	struct ood_member *member = &reader->members[reader->n_members];
	*member = *like;
	member->name = ood_strndup(name, n);
	if (!member->name)
		return ood_fail_memory(err, n);
	reader->n_members++;
	return OOD_OK;
}

static void drop_members(struct ood_reader *reader)
{
	for (size_t i = 0; i < reader->n_members; i++)
		ood_free(reader->members[i].name);
	ood_free(reader->members);
	reader->members = NULL;
	reader->n_members = 0;
}

/* ---------------------------------------------------------- describing --- */

/* At a string: "inf" and the like, or no value. */
static bool is_number_word(struct ood_json_scan *s)
{
	struct ood_json_word word;
	double x;

	return ood_json_number_word(s, &x) ||
	       (!ood_json_string(s, &word) && word.n &&
		ood_missing_is_usual((struct ood_span){ word.at, word.n }));
}

/* Dimensions of rows of such values; an object has ndim 0. At a value. */
static int describe(struct ood_json_scan *s, struct ood_member *member)
{
	*member = (struct ood_member){ .dtype = OOD_TEXT, .ndim = 1 };
	member->shape[0] = UINT64_MAX;
	while (ood_json_byte(s) == '[' && member->ndim < OOD_AXES_MAX) {
		struct ood_json_scan ahead = *s;
		size_t n;

		if (ood_json_count(&ahead, &n)) {
			s->bad = ahead.bad;
			return OOD_INPUT;
		}
		member->shape[member->ndim++] = n;
		s->at++;
		ood_json_blank(s);
	}
	char c = ood_json_byte(s);
	if (c == '{')
		member->ndim = 0;
	member->numeric = c == '"' ? is_number_word(s) : c && !strchr("tf{", c);
	return OOD_OK;
}

static int describe_keys(struct ood_reader *reader, struct ood_json_scan *s)
{
	struct ood_buf name = { 0 };
	bool more = true;
	int rc = OOD_OK;

	s->at++;
	for (bool first = true; !rc; first = false) {
		struct ood_json_word key;
		struct ood_member member;

		if ((rc = ood_json_next(s, '}', first, &more)) || !more)
			break;
		if ((rc = ood_json_key(s, &key)))
			break;
		struct ood_json_scan value = *s;
		s->depth = 1;
		if ((rc = ood_json_skip(s)))
			break;
		describe(&value, &member);
		ood_buf_clear(&name);
		char *to = ood_buf_reserve(&name, key.n);
		size_t n = to ? ood_json_unescape(to, &key) : 0;
		rc = to ? add_member(reader, to, n, &member, s->err)
			: ood_fail_memory(s->err, key.n);
	}
	ood_buf_free(&name);
	return rc;
}

/* Members as the first record has them; it starts at pos. */
static int describe_record(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_text *t = &j->text;
	struct ood_json_record record;
	struct ood_member member;
	int rc;

	t->keep = t->hold ? t->keep : t->pos;
	if ((rc = ood_json_text_value(t, true, &record, err)))
		return rc;
	const char *at = t->data + t->keep + record.at;
	struct ood_json_scan s = { .at = at, .end = at + record.n, .err = err };
	reader->records = *at == '{';
	if (reader->records)
		rc = describe_keys(reader, &s);
	else if (!(rc = describe(&s, &member)))
		rc = add_member(reader, "", 0, &member, err);
	if (rc && s.bad)
		return ood_json_text_place(t, at, s.bad, record.spot, err);
	return rc;
}

/* ----------------------------------------------------- an object alone --- */

/* What the list at pos is like, from its first item. */
static int describe_list(struct ood_json_text *t, struct ood_member *member,
			 struct ood_err *err)
{
	struct ood_json_record record;
	bool more;

	member->ndim = 1;
	ood_json_text_advance(t, 1);
	t->outer++;
	int rc = ood_json_text_next(t, ']', true, &more, err);
	if (!rc && !more)
		member->shape[0] = 0, member->numeric = true;
	if (rc || !more || (rc = ood_json_text_value(t, true, &record, err)))
		return rc;
	const char *at = t->data + t->keep + record.at;
	struct ood_json_scan s = { .at = at, .end = at + record.n, .err = err };
	if ((rc = describe(&s, member)))
		return ood_json_text_place(t, at, s.bad, record.spot, err);
	rc = ood_json_text_next(t, ']', false, &more, err);
	if (!rc && !more && member->ndim)
		member->shape[0] = 1;
	return rc;
}

/* The same for any value; afterwards pos is where it was. */
static int describe_value(struct ood_json_text *t, struct ood_member *member,
			  struct ood_err *err)
{
	struct ood_json_spot spot = t->spot;
	struct ood_json_text window;
	int rc;

	*member = (struct ood_member){ .dtype = OOD_TEXT };
	if (t->data[t->pos] != '[')
		return OOD_OK;
	if (!t->seek) {
		rc = describe_list(t, member, err);
		t->outer--;
		return rc ? rc : ood_json_text_rewind(t, spot, err);
	}
	/* A window of its own: this one need not grow for a long item. */
	rc = ood_json_text_init(&window, t, spot, err);
	window.outer = t->outer;
	if (!rc)
		rc = describe_list(&window, member, err);
	ood_json_text_free(&window);
	return rc;
}

static int fail_twice(const struct ood_json_text *t,
		      const struct ood_json_spot *spot,
		      const struct ood_buf *key, struct ood_err *err)
{
	char name[OOD_QUOTE_MAX];

	ood_quote(name, sizeof(name), key->text, key->n);
	ood_fail(err, OOD_INPUT, "key \"%s\" occurs twice", name);
	return ood_json_text_place(t, t->data, t->data, *spot, err);
}

/* What the members of an object look like from afar. */
struct traits {
	struct ood_json_node keys; /* those seen so far */
	size_t room;		   /* of json->spots */
	size_t scalars, objects, matrices;
	size_t rows;	   /* lists of numbers under logits, probs ... */
	size_t columns;	   /* lists of several values under labels, ids ... */
	bool schema, data; /* keys of pandas orient="table" */
};

/* A flat list of n values (0 none, 1, else more) under a role. */
static void count_role(struct traits *traits, const struct ood_buf *key,
		       uint64_t n)
{
	struct ood_role_word word;

	if (!n || !ood_role_parse(key->text, key->n, &word))
		return;
	if (ood_role_is_matrix(word.role) && word.role != OOD_SCORES)
		traits->rows++;
	else
		traits->columns += n > 1;
}

/* An object that is the only line: one record, or lists of records? */
static bool is_record(const struct traits *traits, const struct ood_read *read)
{
	if (traits->matrices)
		return false;
	return traits->scalars || read->keep_records ||
	       (traits->rows && !traits->columns);
}

static int add_value(struct ood_reader *reader, struct traits *traits,
		     const struct ood_buf *key, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_text *t = &j->text;
	struct ood_member member;
	char c = t->data[t->pos];

	traits->objects += c == '{';
	traits->scalars += c != '{' && c != '[';
	traits->schema |= c == '{' && !strcmp(key->text, "schema");
	traits->data |= c == '[' && !strcmp(key->text, "data");
	int rc = describe_value(t, &member, err);
	if (rc)
		return rc;
	traits->matrices += member.ndim > 1;
	if (c == '[' && member.ndim == 1)
		count_role(traits, key, member.shape[0]);
	if (!ood_grow(&j->spots, reader->n_members, &traits->room,
		      sizeof(*j->spots)))
		return ood_fail_memory(err, traits->room);
	j->spots[reader->n_members] = t->spot;
	return add_member(reader, key->text, key->n, &member, err);
}

/* One key and its value. */
static int index_member(struct ood_reader *reader, struct traits *traits,
			struct ood_buf *key, struct ood_err *err)
{
	struct ood_json_text *t = &((struct ood_json *)reader->own)->text;
	struct ood_json_spot spot = t->spot;
	struct ood_json_record record;
	int rc = ood_json_text_key(t, key, err);

	if (rc)
		return rc;
	size_t before = traits->keys.n_keys;
	if (!ood_json_enter(&traits->keys, key->text, key->n))
		return ood_fail_memory(err, key->n);
	if (traits->keys.n_keys == before)
		return fail_twice(t, &spot, key, err);
	if (t->pos == t->end || strchr(",]}", t->data[t->pos]))
		return ood_json_text_unexpected(t, "a value", err);
	if ((rc = add_value(reader, traits, key, err)))
		return rc;
	return ood_json_text_value(t, false, &record, err);
}

/* At '{': notes all members, goes behind it. */
static int index_object(struct ood_reader *reader, struct traits *traits,
			struct ood_err *err)
{
	struct ood_json_text *t = &((struct ood_json *)reader->own)->text;
	struct ood_buf key = { 0 };
	bool more;
	int rc = OOD_OK;

	ood_json_text_advance(t, 1);
	t->outer = 1;
	for (bool first = true; !rc; first = false) {
		rc = ood_json_text_next(t, '}', first, &more, err);
		if (rc || !more)
			break;
		rc = index_member(reader, traits, &key, err);
	}
	t->outer = 0;
	ood_buf_free(&key);
	return rc;
}

/* {"c0": {"0": 1.5, ...}, ...}: pandas' to_json() unless told otherwise. */
static int refuse_pandas(struct ood_reader *reader, const struct traits *traits,
			 struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_text *t = &j->text;
	struct ood_buf key = { 0 };
	const char *orient = NULL;
	int rc = OOD_OK;

	if (traits->schema && traits->data && reader->n_members == 2)
		orient = "orient='table'";
	if (traits->objects && traits->objects == reader->n_members) {
		char c = 0;
		rc = ood_json_text_rewind(t, j->spots[0], err);
		ood_json_text_advance(t, !rc);
		if (!rc)
			rc = ood_json_text_blank(t, &c, err);
		if (!rc && c == '"')
			rc = ood_json_text_key(t, &key, err);
		if (!rc && c == '"' && !strchr("[{", t->data[t->pos]))
			orient = "orient='columns' or 'index'";
		ood_buf_free(&key);
	}
	if (rc || !orient)
		return rc;
	ood_fail(err, OOD_INPUT,
		 "an object of objects, as pandas writes with %s (use "
		 "orient='records' or 'split')",
		 orient);
	return ood_err_where(err, ood_source_name(reader->source), NULL);
}

/* --------------------------------------------------------- the shape --- */

/* pos is behind the first value of a file: does another line follow? */
static int more_lines(struct ood_json_text *t, struct ood_json_spot start,
		      bool *lines, bool *alone, struct ood_err *err)
{
	struct ood_json_spot end = t->spot;
	char c;

	*lines = *alone = false;
	int rc = ood_json_text_blank(t, &c, err);
	if (rc)
		return rc;
	*alone = !c && end.line == start.line;
	*lines = (c == '[' || c == '{') && end.line == start.line &&
		 t->spot.line > end.line;
	return *lines ? OOD_OK : ood_json_tail(t, err);
}

static int object_shape(struct ood_reader *reader, bool told,
			struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct traits traits = { 0 };
	bool lines, alone;
	int rc = index_object(reader, &traits, err);

	if (!rc)
		rc = more_lines(&j->text, j->start, &lines, &alone, err);
	for (size_t i = 0; i < traits.keys.n_keys; i++)
		ood_free(traits.keys.keys[i].name);
	ood_free(traits.keys.keys);
	ood_free(traits.keys.slots);
	if (rc)
		return rc;
	j->alone = alone && !told;
	if (j->alone)
		lines = is_record(&traits, reader->read);
	if (!lines)
		return refuse_pandas(reader, &traits, err);
	j->shape = OOD_JSON_LINES;
	drop_members(reader);
	return OOD_OK;
}

static int list_shape(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_record record;
	bool lines, alone;
	char c;

	j->shape = OOD_JSON_LIST;
	ood_json_text_advance(&j->text, 1);
	int rc = ood_json_text_blank(&j->text, &c, err);
	if (!rc)
		rc = ood_json_text_rewind(&j->text, j->start, err);
	/* A list of lists or records need not be looked through. */
	if (rc || c == '[' || c == '{')
		return rc;
	if ((rc = ood_json_text_value(&j->text, false, &record, err)))
		return rc;
	rc = more_lines(&j->text, j->start, &lines, &alone, err);
	if (!rc && lines)
		j->shape = OOD_JSON_LINES;
	return rc;
}

static int find_shape(struct ood_reader *reader, char c, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	bool told = reader->read->input_format;

	j->shape = c == '{' ? OOD_JSON_OBJECT : OOD_JSON_LIST;
	/* A filter answers the first line before there is a second. */
	if (reader->format == &ood_format_jsonl ||
	    (reader->read->live && c == '{')) {
		j->shape = OOD_JSON_LINES;
		return OOD_OK;
	}
	if (told && c == '[')
		return OOD_OK;
	return c == '{' ? object_shape(reader, told, err)
			: list_shape(reader, err);
}

/* The first record of lines or a list. */
static int find_members(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_text *t = &j->text;
	bool more = true;
	int rc = ood_json_text_rewind(t, j->start, err);

	if (!rc && j->shape == OOD_JSON_LIST) {
		ood_json_text_advance(t, 1);
		t->outer = 1;
		j->start = t->spot;
		rc = ood_json_text_next(t, ']', true, &more, err);
	}
	if (!rc && more)
		rc = describe_record(reader, err);
	else if (!rc)
		rc = add_member(reader, "", 0,
				&(struct ood_member){ .dtype = OOD_TEXT,
						      .ndim = 2,
						      .numeric = true },
				err);
	return rc;
}

static int skip_bom(struct ood_json_text *t, struct ood_err *err)
{
	int rc = OOD_OK;

	do
		rc = ood_json_text_more(t, err);
	while (!rc && t->end < 3 && !t->eof);
	if (!rc && t->end >= 3 && !memcmp(t->data, "\xEF\xBB\xBF", 3)) {
		ood_json_text_advance(t, 3);
		t->spot.column = 0;
	}
	return rc;
}

int ood_json_head(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_text *t = &j->text;
	char c;
	int rc = skip_bom(t, err);

	if (!rc)
		rc = ood_json_text_blank(t, &c, err);
	if (rc)
		return rc;
	if (t->pos == t->end) {
		ood_fail(err, OOD_INPUT, "empty: no value in it");
		return ood_err_where(err, ood_source_name(t->source), NULL);
	}
	if (c != '[' && c != '{')
		return ood_json_text_unexpected(t, "'[' or '{'", err);
	j->start = t->spot;
	rc = find_shape(reader, c, err);
	if (!rc && j->shape != OOD_JSON_OBJECT)
		rc = find_members(reader, err);
	if (!rc)
		rc = ood_json_text_rewind(t, j->start, err);
	t->hold = t->hold && j->shape == OOD_JSON_OBJECT;
	if (!reader->read->input_format)
		reader->format = j->shape == OOD_JSON_LINES ? &ood_format_jsonl
							    : &ood_format_json;
	return rc;
}
