/*
 * binding_table.c - which columns of a table are which arrays
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/binding_own.h"

/* A matrix of class scores or features, side by side. */
static int add_matrix(struct ood_binding *c, struct ood_bound b,
		      const size_t *member, size_t n)
{
	b.real = true;
	return ood_bind_add(c, b, member, n);
}

/* The column that an option names is not part of any matrix. */
int ood_bind_close(struct ood_binding *c, const char *column)
{
	struct ood_sought s = { 0 };
	int code = OOD_OK;

	if (column) {
		s = ood_sought_of(column);
		code = ood_columns_find(c->head, &s, c->err);
	}
	if (!code && s.found)
		c->closed[s.member] = 1;
	return code;
}

static bool has_column(const struct ood_binding *c, const char *name)
{
	for (size_t i = 0; i < c->head->n; i++)
		if (!strcmp(ood_bind_name(c, i), name))
			return true;
	return false;
}

/* The place of a pixel, as ood score writes it: image,y,x. */
static bool is_axis(const char *name)
{
	return !strcmp(name, "y") || !strcmp(name, "x");
}

/* Collects open columns: with a stem, or (stem NULL) not reserved. */
static size_t collect(const struct ood_binding *c, const char *stem,
		      size_t *list)
{
	const bool pixels = !stem && has_column(c, "image") &&
			    has_column(c, "y") && has_column(c, "x");
	size_t n = 0;

	for (size_t i = 0; i < c->head->n; i++) {
		const char *name = ood_bind_name(c, i);

		if (c->closed[i] || ood_bind_is_wide(&c->head->members[i]))
			continue;
		if (stem ? ood_name_has_stem(name, stem)
			 : !ood_column_is_reserved(name) &&
				    !(pixels && is_axis(name)))
			list[n++] = i;
	}
	return n;
}

/* logit_*, logprob_*, prob_*, feature_* or feat_*: the matrix of a role.
 * *n = 0: none. */
static int add_stem(struct ood_binding *c, enum ood_role role, size_t *list,
		    size_t *n)
{
	static const struct {
		enum ood_role role;
		const char *stem;
	} stems[] = {
		{ OOD_LOGITS, "logit_" },  { OOD_LOGPROBS, "logprob_" },
		{ OOD_PROBS, "prob_" },	   { OOD_FEATURES, "feature_" },
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
	code = add_matrix(c, (struct ood_bound){ .word = word }, list, *n);
	for (size_t i = 0; i < *n; i++)
		c->closed[list[i]] = 1;
	return code;
}

/* pandas calls a nameless column so when it reads and writes it again. */
static bool is_nameless(const char *name)
{
	return !*name || !strncmp(name, "Unnamed: ", 9);
}

/* Pandas and R write row numbers under an empty name: never a logit. */
static int refuse_unnamed(struct ood_binding *c)
{
	size_t i = 0;

	while (i < c->head->n &&
	       (c->closed[i] || !is_nameless(ood_bind_name(c, i))))
		i++;
	if (i == c->head->n || !c->head->named)
		return OOD_OK;
	if (i && i + 1 == c->head->n && c->head->members[i].empty)
		ood_fail(c->err, OOD_INPUT,
			 "the last column has no name and is empty: each line "
			 "ends in a delimiter (--columns names those to use)");
	else
		ood_fail(c->err, OOD_INPUT,
			 "column %zu has no name, as when row numbers are "
			 "saved (--id-column '#%zu' takes it as ids; pandas "
			 "leaves it out with index=False)",
			 i + 1, i + 1);
	ood_err_where(c->err, c->head->file, NULL);
	return ood_err_at(c->err, OOD_PLACE_LINE, 1, i + 1);
}

/* Each numeric column that is not reserved is a score by its name. */
static int add_scores(struct ood_binding *c, size_t *list, size_t n, bool asked)
{
	size_t added = 0;
	int code = OOD_OK;

	for (size_t i = 0; i < n && !code; i++) {
		const struct ood_bound b = { .asked = asked, .rest = !asked };
		const char *name = ood_bind_name(c, list[i]);
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
		code = ood_bind_add_score(c, list[i], name, b);
		added++;
	}
	/* With other scores beside it, confidence is for those who name it. */
	for (size_t i = 0; i < c->head->n && !code && !asked; i++)
		if (!c->closed[i] &&
		    ood_bind_is_confidence(ood_bind_name(c, i)))
			code = ood_bind_add_score(
				c, i, ood_bind_name(c, i),
				(struct ood_bound){ .spare = added });
	return code;
}

/* --columns: the matrix of this role. */
static int add_listed(struct ood_binding *c, struct ood_role_word word)
{
	size_t *list, n;
	int code =
		ood_columns_list(c->head, c->read->columns, &list, &n, c->err);

	if (code)
		return code;
	if (word.role == OOD_SCORES)
		code = add_scores(c, list, n, true);
	else
		code = add_matrix(
			c, (struct ood_bound){ .word = word, .asked = true },
			list, n);
	for (size_t i = 0; i < n; i++)
		c->closed[list[i]] = 1;
	ood_free(list);
	return code;
}

/* Roles by name; text labels of a table stand so beside the numbers. */
static int add_named_roles(struct ood_binding *c, bool scores)
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
			code = ood_bind_add_member(c, word, i, false);
		c->closed[i] = 1;
	}
	return code;
}

static bool matrix_in_sight(const struct ood_binding *c)
{
	for (size_t i = c->first; i < c->bounds->n; i++)
		if (ood_role_is_matrix(c->bounds->at[i].word.role) &&
		    !c->bounds->at[i].spare)
			return true;
	return false;
}

/* What is left in a table is the matrix of --as: its one wide key (JSON), or
 * all columns that are not reserved. */
static int add_rest(struct ood_binding *c, struct ood_role_word word,
		    size_t *list)
{
	size_t wide = 0, n = 0;

	for (size_t i = 0; i < c->head->n; i++)
		if (!c->closed[i] && ood_bind_is_wide(&c->head->members[i])) {
			list[0] = i;
			wide++;
		}
	if (wide == 1)
		return ood_bind_add_member(c, word, list[0], false);
	if (wide > 1)
		return ood_bind_refuse(
			c, "several keys could be the matrix: PATH:KEY "
			   "tells which");
	n = collect(c, NULL, list);
	if (!n && c->bounds->n > c->first)
		return OOD_OK;
	if (!n)
		return ood_bind_refuse(c, "no column is left for the matrix");
	if (word.role == OOD_SCORES)
		return add_scores(c, list, n, false);
	return add_matrix(c, (struct ood_bound){ .word = word, .rest = true },
			  list, n);
}

/* What ood score wrote: pred and confidence, and no class scores. */
bool ood_bind_is_scored(const struct ood_binding *c)
{
	bool pred = false, confidence = false;

	for (size_t i = 0; i < c->head->n; i++) {
		const char *name = ood_bind_name(c, i);

		if (ood_bind_is_wide(&c->head->members[i]) ||
		    ood_name_has_stem(name, "logit_") ||
		    ood_name_has_stem(name, "logprob_") ||
		    ood_name_has_stem(name, "prob_"))
			return false;
		pred |= !strcmp(name, "pred");
		confidence |= !strcmp(name, "confidence");
	}
	return pred && confidence;
}

/* A table without a role typed. */
int ood_bind_table(struct ood_binding *c, enum ood_role as, size_t *list)
{
	static const enum ood_role roles[] = { OOD_LOGITS, OOD_LOGPROBS,
					       OOD_PROBS, OOD_FEATURES };
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

/* ROLE=TABLE for one value a row: by option, by name, or the only column. */
static int bind_table_column(struct ood_binding *c, struct ood_role_word word)
{
	const char *option = word.role == OOD_IDS      ? c->read->id_column
			     : word.role == OOD_LABELS ? c->read->label_column
						       : NULL;
	const size_t before = c->bounds->n;
	size_t member = 0;
	int code = OOD_OK;

	if (option)
		code = ood_binding_add_named(c->head, option, word.role,
					     c->bounds, c->err);
	if (code || c->bounds->n > before)
		return code;
	if (ood_bind_find_role(c, word, &member) || c->head->n == 1)
		return ood_bind_add_member(c, word, member, true);
	return ood_bind_refuse(c, "several columns, none named after the role: "
				  "ROLE=PATH:COLUMN tells which");
}

/* ROLE=TABLE */
int ood_bind_table_role(struct ood_binding *c, struct ood_role_word word,
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
	if (ood_bind_find_role(c, word, &member) &&
	    ood_bind_is_wide(&c->head->members[member]))
		return ood_bind_add_member(c, word, member, true);
	if (!word.layer)
		code = add_stem(c, word.role, list, &n);
	if (code || (!word.layer && n))
		return code;
	return add_rest(c, word, list);
}
