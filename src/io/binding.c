/*
 * binding.c - which members of a file are which arrays of a set
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/binding_own.h"
#include "io/set.h"

void ood_bounds_free(struct ood_bounds *bounds)
{
	for (size_t i = 0; i < bounds->n; i++) {
		ood_free(bounds->at[i].name);
		ood_free(bounds->at[i].member);
		ood_free(bounds->at[i].path);
	}
	ood_free(bounds->at);
	*bounds = (struct ood_bounds){ 0 };
}

bool ood_bounds_have(const struct ood_bounds *bounds, enum ood_role role)
{
	for (size_t i = 0; i < bounds->n; i++)
		if (bounds->at[i].word.role == role)
			return true;
	return false;
}

int ood_as_parse(const char *as, enum ood_role *role, struct ood_err *err)
{
	struct ood_role_word word = { OOD_LOGITS, 0 };

	char quoted[OOD_QUOTE_MAX];

	if (as &&
	    (!ood_role_parse(as, strlen(as), &word) ||
	     (!ood_role_is_matrix(word.role) && word.role != OOD_CONFIDENCE)))
		return ood_fail(
			err, OOD_USAGE,
			"--as: \"%s\" is not what a matrix can hold "
			"(logits probs logprobs features scores)",
			ood_quote(quoted, sizeof(quoted), as, strlen(as)));
	*role = word.role;
	return OOD_OK;
}

int ood_bind_refuse(struct ood_binding *c, const char *what)
{
	char there[600];

	ood_fail(c->err, OOD_INPUT, "%s (%s)", what,
		 ood_columns_describe(c->head, there, sizeof(there)));
	return ood_err_where(c->err, c->head->file, NULL);
}

/* --- adding --- */

const char *ood_bind_name(const struct ood_binding *c, size_t member)
{
	return c->head->members[member].name;
}

bool ood_bind_is_confidence(const char *name)
{
	return !strcmp(name, "confidence") || !strcmp(name, "conf");
}

/* Two arrays of a role, or two scores of a name. */
static int check_new(struct ood_binding *c, const struct ood_bound *b)
{
	for (size_t i = 0; i < c->bounds->n; i++) {
		const struct ood_bound *o = &c->bounds->at[i];

		if (o->word.role != b->word.role ||
		    o->word.layer != b->word.layer)
			continue;
		if (b->word.role == OOD_SCORES &&
		    (!o->name || !b->name || strcmp(o->name, b->name)))
			continue;
		ood_fail(c->err, OOD_INPUT,
			 "two arrays for %s%s%s (ROLE=FILE:MEMBER or --columns "
			 "tells which)",
			 ood_role_name(b->word.role), b->name ? ": " : "",
			 b->name ? b->name : "");
		return ood_err_where(c->err, c->head->file, NULL);
	}
	return OOD_OK;
}

/* Adds an array of n members (their numbers are copied). */
int ood_bind_add(struct ood_binding *c, struct ood_bound b,
		 const size_t *member, size_t n)
{
	struct ood_bounds *bounds = c->bounds;
	/* Columns left over are many; two of a name the reader refuses. */
	int code = b.rest ? OOD_OK : check_new(c, &b);

	if (code)
		goto fail;
	b.member = ood_malloc(n, sizeof(*member));
	if (!b.member || !ood_grow(&bounds->at, bounds->n, &bounds->room,
				   sizeof(*bounds->at))) {
		code = ood_fail_memory(c->err, n * sizeof(*member));
		goto fail;
	}
	if (n)
		memcpy(b.member, member, n * sizeof(*member));
	b.n = n;
	bounds->at[bounds->n++] = b;
	return OOD_OK;
fail:
	ood_free(b.member);
	ood_free(b.name);
	ood_free(b.path);
	return code;
}

/* A column of scores under a name of its own; "" is told by the width. */
int ood_bind_add_score(struct ood_binding *c, size_t member, const char *name,
		       struct ood_bound b)
{
	const struct ood_member *m = &c->head->members[member];

	b.word = (struct ood_role_word){ OOD_SCORES, 0 };
	b.real = c->head->records || m->ndim > 1;
	b.negate = !c->read->as_stored &&
		   (c->read->higher_id || ood_bind_is_confidence(m->name));
	if (*name) {
		b.name = ood_strdup(name);
		if (!b.name)
			return ood_fail_memory(c->err, strlen(name));
	}
	return ood_bind_add(c, b, &member, 1);
}

/* Scores of an NPZ: scores.msp is "msp", scores alone has no name. */
static const char *score_name(const char *member)
{
	if (ood_name_has_stem(member, "scores."))
		return member + strlen("scores.");
	return strcmp(member, "scores") ? member : "";
}

/* One member for a role that was found or named. */
int ood_bind_add_member(struct ood_binding *c, struct ood_role_word word,
			size_t member, bool asked)
{
	struct ood_bound b = { .word = word, .asked = asked };
	const char *name = ood_bind_name(c, member);

	if (word.role == OOD_SCORES)
		return ood_bind_add_score(c, member, score_name(name), b);
	if (word.role == OOD_CONFIDENCE) {
		b.spare = !asked;
		return ood_bind_add_score(c, member,
					  *name ? name : "confidence", b);
	}
	b.real = ood_role_is_matrix(word.role) ||
		 (word.role == OOD_WEIGHTS && c->head->records);
	return ood_bind_add(c, b, &member, 1);
}

bool ood_bind_is_wide(const struct ood_member *m)
{
	return m->ndim > 1;
}

/* The member whose name is this role, if any. */
bool ood_bind_find_role(const struct ood_binding *c, struct ood_role_word word,
			size_t *member)
{
	for (size_t i = 0; i < c->head->n; i++) {
		const char *name = ood_bind_name(c, i);
		struct ood_role_word w;

		if (!c->closed[i] && ood_role_parse(name, strlen(name), &w) &&
		    w.role == word.role && w.layer == word.layer) {
			*member = i;
			return true;
		}
	}
	return false;
}

/* --- arrays by name --- */

/* The one array that can be the matrix; *n counts them. */
static size_t find_wide(const struct ood_binding *c, size_t *n)
{
	struct ood_role_word word;
	size_t at = 0;

	*n = 0;
	for (size_t i = 0; i < c->head->n; i++) {
		const struct ood_member *m = &c->head->members[i];

		if (ood_bind_is_wide(m) &&
		    !ood_role_parse(m->name, strlen(m->name), &word)) {
			at = i;
			++*n;
		}
	}
	return at;
}

static int bind_lone(struct ood_binding *c, struct ood_role_word word,
		     bool asked)
{
	size_t wide, at = find_wide(c, &wide);

	if (c->head->n == 1)
		return ood_bind_add_member(c, word, 0, asked);
	if (wide == 1 && ood_role_is_matrix(word.role))
		return ood_bind_add_member(c, word, at, asked);
	return ood_bind_refuse(
		c, "it is not clear which array to take: PATH:MEMBER "
		   "tells");
}

/* Arrays without a role typed: by the names of members. */
static int bind_arrays(struct ood_binding *c, enum ood_role as)
{
	const struct ood_role_word word = { as, 0 };
	bool matrix = false;
	size_t wide;
	int code = OOD_OK;

	for (size_t i = 0; i < c->head->n && !code; i++) {
		const char *name = ood_bind_name(c, i);
		struct ood_role_word w = { OOD_SCORES, 0 };

		if (!ood_name_has_stem(name, "scores.") &&
		    (!ood_role_parse(name, strlen(name), &w) ||
		     !ood_role_is_row(w.role)))
			continue;
		matrix |=
			ood_role_is_matrix(w.role) || w.role == OOD_CONFIDENCE;
		code = ood_bind_add_member(c, w, i, false);
	}
	if (code || matrix)
		return code;
	find_wide(c, &wide);
	if (!wide && c->bounds->n > c->first)
		return OOD_OK;
	return bind_lone(c, word, false);
}

/* ROLE=ARRAYS */
static int bind_arrays_role(struct ood_binding *c, struct ood_role_word word)
{
	size_t member, added = 0;
	int code = OOD_OK;

	if (ood_bind_find_role(c, word, &member))
		return ood_bind_add_member(c, word, member, true);
	for (size_t i = 0; i < c->head->n && word.role == OOD_SCORES && !code;
	     i++)
		if (ood_name_has_stem(ood_bind_name(c, i), "scores.")) {
			code = ood_bind_add_member(c, word, i, true);
			added++;
		}
	return code || added ? code : bind_lone(c, word, true);
}

/* --- PATH:MEMBER --- */

static int bind_path(struct ood_binding *c, struct ood_role_word word,
		     const char *path)
{
	struct ood_bound b = {
		.word = word,
		.asked = true,
		.real = ood_role_is_matrix(word.role) &&
			word.role != OOD_SCORES,
		.path = ood_strdup(path),
	};

	return b.path ? ood_bind_add(c, b, NULL, 0)
		      : ood_fail_memory(c->err, strlen(path));
}

static int bind_member(struct ood_binding *c, const struct ood_term *term,
		       enum ood_role as)
{
	struct ood_sought s = ood_sought_of(term->member);
	char quoted[OOD_QUOTE_MAX], there[600];
	struct ood_role_word word = term->word;
	int code = ood_columns_find(c->head, &s, c->err);

	if (code)
		return code;
	/* Without a role the member's own name tells, unless --as does. */
	if (term->bare && (c->read->as || !s.found ||
			   !ood_role_parse(s.name.at, s.name.n, &word)))
		word = (struct ood_role_word){ as, 0 };
	if (s.found)
		return ood_bind_add_member(c, word, s.member, true);
	if (*term->member == '.')
		return bind_path(c, word, term->member);
	ood_quote(quoted, sizeof(quoted), s.name.at, s.name.n);
	ood_fail(c->err, OOD_INPUT, "no member \"%s\" (%s)", quoted,
		 ood_columns_describe(c->head, there, sizeof(there)));
	return ood_err_where(c->err, c->head->file, NULL);
}

/* --- all --- */

int ood_binding_add(const struct ood_head *head, const struct ood_term *term,
		    const struct ood_read *read, struct ood_bounds *bounds,
		    struct ood_err *err)
{
	struct ood_binding c = { head, read, bounds, bounds->n, NULL, err };
	size_t *list = ood_malloc(head->n, sizeof(*list));
	enum ood_role as;
	int code = ood_as_parse(read->as, &as, err);

	c.closed = ood_calloc(head->n, 1);
	if (!code && (!list || !c.closed))
		code = ood_fail_memory(err, head->n * sizeof(*list));
	if (code)
		goto out;
	if (head->records)
		code = ood_bind_close(&c, read->id_column);
	if (!code && head->records)
		code = ood_bind_close(&c, read->label_column);
	if (code)
		goto out;
	if (head->records && !read->as && !read->columns &&
	    ood_bind_is_scored(&c))
		as = OOD_SCORES;
	if (term->member)
		code = bind_member(&c, term, as);
	else if (head->records)
		code = term->bare ? ood_bind_table(&c, as, list)
				  : ood_bind_table_role(&c, term->word, list);
	else
		code = term->bare ? bind_arrays(&c, as)
				  : bind_arrays_role(&c, term->word);
out:
	ood_free(list);
	ood_free(c.closed);
	return code;
}

int ood_binding_add_named(const struct ood_head *head, const char *column,
			  enum ood_role role, struct ood_bounds *bounds,
			  struct ood_err *err)
{
	struct ood_binding c = { head, NULL, bounds, bounds->n, NULL, err };
	const struct ood_bound b = { .word = { role, 0 }, .asked = true };
	struct ood_sought s = ood_sought_of(column);
	int code = ood_columns_find(head, &s, err);

	if (code || !s.found)
		return code;
	return ood_bind_add(&c, b, &s.member, 1);
}
