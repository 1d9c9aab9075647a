/*
 * binding.c - which members of a file are which arrays of a set
 */
#include "io/binding.h"

#include "core/err.h"
#include "core/mem.h"
#include "io/set.h"

/* What one call works on. */
struct ctx {
	const struct ood_head *head;
	const struct ood_read *read;
	struct ood_bounds *bounds;
	size_t first;	 /* bounds of earlier files end here */
	uint8_t *closed; /* table: 1 = not for a matrix any more */
	struct ood_err *err;
};

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

	if (as && (!ood_role_parse(as, strlen(as), &word) ||
		   !ood_role_is_row(word.role)))
		return ood_fail(err, OOD_USAGE,
				"--as: \"%s\" is not what a matrix can hold "
				"(logits probs logprobs features scores)",
				as);
	*role = word.role;
	return OOD_OK;
}

static int refuse(struct ctx *c, const char *what)
{
	char there[600];

	ood_fail(c->err, OOD_INPUT, "%s (%s)", what,
		 ood_columns_describe(c->head, there, sizeof(there)));
	return ood_err_where(c->err, c->head->file, NULL);
}

/* -------------------------------------------------------------- adding --- */

static const char *member_name(const struct ctx *c, size_t member)
{
	return c->head->members[member].name;
}

static bool is_confidence(const char *name)
{
	return !strcmp(name, "confidence") || !strcmp(name, "conf");
}

/* Two arrays of a role, or two scores of a name. */
static int check_new(struct ctx *c, const struct ood_bound *b)
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
static int add(struct ctx *c, struct ood_bound b, const size_t *member,
	       size_t n)
{
	struct ood_bounds *bounds = c->bounds;
	int code = check_new(c, &b);

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

/* A matrix of class scores or features: side by side, or one array. */
static int add_matrix(struct ctx *c, struct ood_role_word word,
		      const size_t *member, size_t n, bool asked)
{
	return add(c,
		   (struct ood_bound){
			   .word = word, .real = true, .asked = asked },
		   member, n);
}

/* A column of scores under a name of its own; "" is told by the width. */
static int add_score(struct ctx *c, size_t member, const char *name,
		     struct ood_bound b)
{
	const struct ood_member *m = &c->head->members[member];

	b.word = (struct ood_role_word){ OOD_SCORES, 0 };
	b.real = c->head->records || m->ndim > 1;
	b.negate = c->read->higher_id || is_confidence(m->name);
	if (*name) {
		b.name = ood_strdup(name);
		if (!b.name)
			return ood_fail_memory(c->err, strlen(name));
	}
	return add(c, b, &member, 1);
}

/* Scores of an NPZ: scores.msp is "msp", scores alone has no name. */
static const char *score_name(const char *member)
{
	if (ood_name_has_stem(member, "scores."))
		return member + strlen("scores.");
	return strcmp(member, "scores") ? member : "";
}

/* One member for a role that was found or named. */
static int add_member(struct ctx *c, struct ood_role_word word, size_t member,
		      bool asked)
{
	struct ood_bound b = { .word = word, .asked = asked };
	const char *name = member_name(c, member);

	if (word.role == OOD_SCORES)
		return add_score(c, member, score_name(name), b);
	if (word.role == OOD_CONFIDENCE) {
		b.spare = !asked;
		return add_score(c, member, *name ? name : "confidence", b);
	}
	b.real = ood_role_is_matrix(word.role) ||
		 (word.role == OOD_WEIGHTS && c->head->records);
	return add(c, b, &member, 1);
}

/* --------------------------------------------------- columns of tables --- */

/* The column that an option names is not part of any matrix. */
static int close_column(struct ctx *c, const char *column)
{
	size_t hint = 0, member;
	bool found = false;
	int code = OOD_OK;

	if (column)
		code = ood_columns_find(
			c->head, (struct ood_span){ column, strlen(column) },
			&hint, &found, &member, c->err);
	if (!code && found)
		c->closed[member] = 1;
	return code;
}

static bool is_wide(const struct ood_member *m)
{
	return m->ndim > 1;
}

/* Collects open columns: with a stem, or (stem NULL) not reserved. */
static size_t collect(const struct ctx *c, const char *stem, size_t *list)
{
	size_t n = 0;

	for (size_t i = 0; i < c->head->n; i++) {
		const char *name = member_name(c, i);

		if (c->closed[i] || is_wide(&c->head->members[i]))
			continue;
		if (stem ? ood_name_has_stem(name, stem)
			 : !ood_column_is_reserved(name))
			list[n++] = i;
	}
	return n;
}

/* logit_*, prob_*, feature_* or feat_*: the matrix of a role. *n = 0: none. */
static int add_stem(struct ctx *c, enum ood_role role, size_t *list, size_t *n)
{
	static const struct {
		enum ood_role role;
		const char *stem;
	} stems[] = {
		{ OOD_LOGITS, "logit_" },
		{ OOD_PROBS, "prob_" },
		{ OOD_FEATURES, "feature_" },
		{ OOD_FEATURES, "feat_" },
	};
	const struct ood_role_word word = { role, 0 };
	int code;

	*n = 0;
	for (size_t i = 0; i < OOD_COUNT(stems) && !*n; i++)
		if (stems[i].role == role)
			*n = collect(c, stems[i].stem, list);
	if (!*n)
		return OOD_OK;
	code = add_matrix(c, word, list, *n, false);
	for (size_t i = 0; i < *n; i++)
		c->closed[list[i]] = 1;
	return code;
}

/* Pandas and R write row numbers under an empty name: never a logit. */
static int refuse_unnamed(struct ctx *c)
{
	for (size_t i = 0; i < c->head->n && c->head->named; i++) {
		if (c->closed[i] || *member_name(c, i))
			continue;
		ood_fail(c->err, OOD_INPUT,
			 "column %zu has no name, as when row numbers are "
			 "saved (--id-column '#%zu' takes it as ids; pandas "
			 "leaves it out with index=False)",
			 i + 1, i + 1);
		ood_err_where(c->err, c->head->file, NULL);
		return ood_err_at(c->err, OOD_PLACE_LINE, 1, i + 1);
	}
	return OOD_OK;
}

/* Each numeric column that is not reserved is a score by its name. */
static int add_scores(struct ctx *c, size_t *list, size_t n, bool asked)
{
	size_t added = 0;
	int code = OOD_OK;

	for (size_t i = 0; i < n && !code; i++) {
		const struct ood_bound b = { .asked = asked };
		const char *name = member_name(c, list[i]);
		char position[32];

		if (!asked && !c->head->members[list[i]].numeric)
			continue;
		if (!c->head->named) {
			struct ood_buf buf = { 0 };
			ood_buf_printf(&buf, n > 1 ? "score_%zu" : "score", i);
			memcpy(position, buf.text, buf.n + 1);
			ood_buf_free(&buf);
			name = position;
		}
		code = add_score(c, list[i], name, b);
		added++;
	}
	/* With other scores beside it, confidence is for those who name it. */
	for (size_t i = 0; i < c->head->n && !code && !asked; i++)
		if (!c->closed[i] && is_confidence(member_name(c, i)))
			code = add_score(c, i, member_name(c, i),
					 (struct ood_bound){ .spare = added });
	return code;
}

/* --columns: the matrix of this role. */
static int add_listed(struct ctx *c, struct ood_role_word word)
{
	size_t *list, n;
	int code =
		ood_columns_list(c->head, c->read->columns, &list, &n, c->err);

	if (code)
		return code;
	if (word.role == OOD_SCORES)
		code = add_scores(c, list, n, true);
	else
		code = add_matrix(c, word, list, n, true);
	for (size_t i = 0; i < n; i++)
		c->closed[list[i]] = 1;
	ood_free(list);
	return code;
}

/* Roles by name; text labels of a table stand so beside the numbers. */
static int add_named_roles(struct ctx *c, bool scores)
{
	int code = OOD_OK;

	for (size_t i = 0; i < c->head->n && !code; i++) {
		const struct ood_member *m = &c->head->members[i];
		struct ood_role_word word;

		if (c->closed[i] ||
		    !ood_role_parse(m->name, strlen(m->name), &word))
			continue;
		if ((word.role == OOD_IDS && c->read->id_column) ||
		    (word.role == OOD_LABELS && c->read->label_column))
			continue;
		if (scores &&
		    (word.role == OOD_SCORES || word.role == OOD_CONFIDENCE))
			continue;
		if (ood_role_is_row(word.role))
			code = add_member(c, word, i, false);
		c->closed[i] = 1;
	}
	return code;
}

static bool matrix_in_sight(const struct ctx *c)
{
	for (size_t i = c->first; i < c->bounds->n; i++)
		if (ood_role_is_matrix(c->bounds->at[i].word.role))
			return true;
	return false;
}

/* What is left in a table is the matrix of --as: its one wide key (JSON), or
 * all columns that are not reserved. */
static int add_rest(struct ctx *c, struct ood_role_word word, size_t *list)
{
	size_t wide = 0, n = 0;

	for (size_t i = 0; i < c->head->n; i++)
		if (!c->closed[i] && is_wide(&c->head->members[i])) {
			list[0] = i;
			wide++;
		}
	if (wide == 1)
		return add_member(c, word, list[0], false);
	if (wide > 1)
		return refuse(c, "several keys could be the matrix: PATH:KEY "
				 "tells which");
	n = collect(c, NULL, list);
	if (!n && c->bounds->n > c->first)
		return OOD_OK;
	if (!n)
		return refuse(c, "no column is left for the matrix");
	return word.role == OOD_SCORES ? add_scores(c, list, n, false)
				       : add_matrix(c, word, list, n, false);
}

/* A table without a role typed. */
static int bind_table(struct ctx *c, enum ood_role as, size_t *list)
{
	static const enum ood_role roles[] = { OOD_LOGITS, OOD_PROBS,
					       OOD_FEATURES };
	const struct ood_role_word word = { as, 0 };
	const bool scores = as == OOD_SCORES;
	size_t n = 0;
	int code = OOD_OK;

	if (c->read->columns)
		code = add_listed(c, word);
	else
		code = refuse_unnamed(c);
	if (!code)
		code = add_named_roles(c, scores);
	if (code || c->read->columns)
		return code;
	for (size_t i = 0; i < OOD_COUNT(roles) && !code; i++)
		code = add_stem(c, roles[i], list, &n);
	if (!code && scores)
		return add_scores(c, list, collect(c, NULL, list), false);
	n = code ? 0 : collect(c, "score_", list);
	if (n)
		code = add_scores(c, list, n, false);
	if (!code && !matrix_in_sight(c))
		code = add_rest(c, word, list);
	return code;
}

/* The member whose name is this role, if any. */
static bool find_role(const struct ctx *c, struct ood_role_word word,
		      size_t *member)
{
	for (size_t i = 0; i < c->head->n; i++) {
		const char *name = member_name(c, i);
		struct ood_role_word w;

		if (!c->closed[i] && ood_role_parse(name, strlen(name), &w) &&
		    w.role == word.role && w.layer == word.layer) {
			*member = i;
			return true;
		}
	}
	return false;
}

/* ROLE=TABLE for one value a row: by option, by name, or the only column. */
static int bind_table_column(struct ctx *c, struct ood_role_word word)
{
	const char *option = word.role == OOD_IDS      ? c->read->id_column
			     : word.role == OOD_LABELS ? c->read->label_column
						       : NULL;
	bool found = false;
	size_t member = 0;
	int code = OOD_OK;

	if (option)
		code = ood_binding_add_named(c->head, option, word.role,
					     c->bounds, &found, c->err);
	if (code || found)
		return code;
	if (find_role(c, word, &member) || c->head->n == 1)
		return add_member(c, word, member, true);
	return refuse(c, "several columns, none named after the role: "
			 "ROLE=PATH:COLUMN tells which");
}

/* ROLE=TABLE */
static int bind_table_role(struct ctx *c, struct ood_role_word word,
			   size_t *list)
{
	size_t n, member;
	int code;

	if (!ood_role_is_matrix(word.role))
		return bind_table_column(c, word);
	if (c->read->columns)
		return add_listed(c, word);
	code = refuse_unnamed(c);
	if (code)
		return code;
	if (word.role == OOD_SCORES)
		return add_scores(c, list, collect(c, NULL, list), false);
	if (find_role(c, word, &member) && is_wide(&c->head->members[member]))
		return add_member(c, word, member, true);
	if (!word.layer)
		code = add_stem(c, word.role, list, &n);
	if (code || (!word.layer && n))
		return code;
	return add_rest(c, word, list);
}

/* ---------------------------------------------------- arrays by name --- */

/* The one array that can be the matrix; *n counts them. */
static size_t find_wide(const struct ctx *c, size_t *n)
{
	struct ood_role_word word;
	size_t at = 0;

	*n = 0;
	for (size_t i = 0; i < c->head->n; i++) {
		const struct ood_member *m = &c->head->members[i];

		if (is_wide(m) &&
		    !ood_role_parse(m->name, strlen(m->name), &word)) {
			at = i;
			++*n;
		}
	}
	return at;
}

static int bind_lone(struct ctx *c, struct ood_role_word word, bool asked)
{
	size_t wide, at = find_wide(c, &wide);

	if (c->head->n == 1)
		return add_member(c, word, 0, asked);
	if (wide == 1 && ood_role_is_matrix(word.role))
		return add_member(c, word, at, asked);
	return refuse(c, "it is not clear which array to take: PATH:MEMBER "
			 "tells");
}

/* Arrays without a role typed: by the names of members. */
static int bind_arrays(struct ctx *c, enum ood_role as)
{
	const struct ood_role_word word = { as, 0 };
	bool matrix = false;
	size_t wide;
	int code = OOD_OK;

	for (size_t i = 0; i < c->head->n && !code; i++) {
		const char *name = member_name(c, i);
		struct ood_role_word w = { OOD_SCORES, 0 };

		if (!ood_name_has_stem(name, "scores.") &&
		    (!ood_role_parse(name, strlen(name), &w) ||
		     !ood_role_is_row(w.role)))
			continue;
		matrix |=
			ood_role_is_matrix(w.role) || w.role == OOD_CONFIDENCE;
		code = add_member(c, w, i, false);
	}
	if (code || matrix)
		return code;
	find_wide(c, &wide);
	if (!wide && c->bounds->n > c->first)
		return OOD_OK;
	return bind_lone(c, word, false);
}

/* ROLE=ARRAYS */
static int bind_arrays_role(struct ctx *c, struct ood_role_word word)
{
	size_t member, added = 0;
	int code = OOD_OK;

	if (find_role(c, word, &member))
		return add_member(c, word, member, true);
	for (size_t i = 0; i < c->head->n && word.role == OOD_SCORES && !code;
	     i++)
		if (ood_name_has_stem(member_name(c, i), "scores.")) {
			code = add_member(c, word, i, true);
			added++;
		}
	return code || added ? code : bind_lone(c, word, true);
}

/* ------------------------------------------------------------ PATH:MEMBER --- */

static int bind_member(struct ctx *c, const struct ood_term *term,
		       enum ood_role as)
{
	const struct ood_span name = { term->member, strlen(term->member) };
	struct ood_role_word word = term->word;
	char quoted[OOD_QUOTE_MAX], what[OOD_QUOTE_MAX + 64];
	size_t hint = 0, member;
	struct ood_buf buf = { 0 };
	bool found;
	int code =
		ood_columns_find(c->head, name, &hint, &found, &member, c->err);

	if (code)
		return code;
	if (term->bare &&
	    (c->read->as || !found || !ood_role_parse(name.at, name.n, &word)))
		word = (struct ood_role_word){ as, 0 };
	if (found)
		return add_member(c, word, member, true);
	if (*term->member == '.') {
		struct ood_bound b = {
			.word = word,
			.asked = true,
			.real = ood_role_is_matrix(word.role) &&
				word.role != OOD_SCORES,
			.path = ood_strdup(term->member),
		};
		if (!b.path)
			return ood_fail_memory(c->err, name.n);
		return add(c, b, NULL, 0);
	}
	ood_quote(quoted, sizeof(quoted), name.at, name.n);
	ood_buf_printf(&buf, "no member \"%s\"", quoted);
	if (buf.failed)
		return ood_fail_memory(c->err, name.n);
	memcpy(what, buf.text, OOD_MIN(buf.n + 1, sizeof(what)));
	what[sizeof(what) - 1] = '\0';
	ood_buf_free(&buf);
	return refuse(c, what);
}

/* ------------------------------------------------------------------- all --- */

int ood_binding_add(const struct ood_head *head, const struct ood_term *term,
		    const struct ood_read *read, struct ood_bounds *bounds,
		    struct ood_err *err)
{
	struct ctx c = { head, read, bounds, bounds->n, NULL, err };
	size_t *list = ood_malloc(head->n, sizeof(*list));
	enum ood_role as;
	int code = ood_as_parse(read->as, &as, err);

	c.closed = ood_calloc(head->n, 1);
	if (!code && (!list || !c.closed))
		code = ood_fail_memory(err, head->n * sizeof(*list));
	if (code)
		goto out;
	if (head->records)
		code = close_column(&c, read->id_column);
	if (!code && head->records)
		code = close_column(&c, read->label_column);
	if (code)
		goto out;
	if (term->member)
		code = bind_member(&c, term, as);
	else if (head->records)
		code = term->bare ? bind_table(&c, as, list)
				  : bind_table_role(&c, term->word, list);
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
			  bool *found, struct ood_err *err)
{
	struct ctx c = { head, NULL, bounds, bounds->n, NULL, err };
	const struct ood_bound b = { .word = { role, 0 }, .asked = true };
	const struct ood_span name = { column, strlen(column) };
	size_t hint = 0, member;
	int code = ood_columns_find(head, name, &hint, found, &member, err);

	if (code || !*found)
		return code;
	return add(&c, b, &member, 1);
}
