/*
 * set_scores.c - the columns of a set of scores, by name
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/set_own.h"

void ood_score_columns_free(struct ood_side *side)
{
	for (size_t i = 0; i < side->n_scores; i++)
		ood_free(side->scores[i].name);
	ood_free(side->scores);
	side->scores = NULL;
	side->n_scores = side->room = 0;
}

static int push(struct ood_side *side, struct ood_score score,
		const struct ood_buf *name, struct ood_err *err)
{
	score.name = name->failed ? NULL : ood_strndup(name->text, name->n);
	if (!score.name || !ood_grow(&side->scores, side->n_scores, &side->room,
				     sizeof(*side->scores))) {
		ood_free(score.name);
		return ood_fail_memory(err, name->n);
	}
	side->scores[side->n_scores++] = score;
	return OOD_OK;
}

static bool is_array(const struct ood_part *part, const struct ood_bound *b)
{
	const struct ood_member *m = ood_part_member(part, b);

	return m && m->ndim > 1;
}

/* One column keeps the name; several are NAME_0, NAME_1 ... */
static int list_bound(struct ood_side *side, size_t number, struct ood_err *err)
{
	const struct ood_bound *b = &side->part->bounds.at[number];
	const size_t known = ood_part_width(side->part, b);
	const size_t width = known ? known : 1;
	int code = OOD_OK;

	for (size_t col = 0; col < width && !code; col++) {
		const struct ood_score score = {
			.bound = number,
			.col = col,
			.width = is_array(side->part, b) ? width : 0,
			.spare = b->spare,
		};
		struct ood_buf name = { 0 };

		ood_buf_str(&name, b->name ? b->name : "score");
		if (width > 1)
			ood_buf_printf(&name, "_%zu", col);
		code = push(side, score, &name, err);
		ood_buf_free(&name);
	}
	return code;
}

/* Those for who name them come last. */
static int list_side(struct ood_side *side, struct ood_err *err)
{
	const struct ood_bounds *bounds = &side->part->bounds;
	int code = OOD_OK;

	for (int spare = 0; spare <= 1; spare++)
		for (size_t i = 0; i < bounds->n && !code; i++) {
			const struct ood_bound *b = &bounds->at[i];

			if (b->word.role == OOD_SCORES && b->spare == spare &&
			    (!b->off || b->spare))
				code = list_bound(side, i, err);
		}
	return code;
}

int ood_score_columns_list(struct ood_set *set, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < set->n_sides && !code; i++) {
		ood_score_columns_free(&set->sides[i]);
		code = list_side(&set->sides[i], err);
	}
	return code;
}

size_t ood_set_score_count(const struct ood_set *set)
{
	const struct ood_side *side = &set->sides[0];
	size_t n = side->n_scores;

	while (n && side->scores[n - 1].spare)
		n--;
	return n;
}

const char *ood_set_score_name(const struct ood_set *set, size_t s)
{
	return s < set->sides[0].n_scores ? set->sides[0].scores[s].name : NULL;
}

/* ----------------------------------------------------------- choosing --- */

static int refuse_name(const struct ood_side *side, const char *name,
		       struct ood_err *err)
{
	struct ood_buf there = { 0 };
	char quoted[OOD_QUOTE_MAX];

	for (size_t i = 0; i < side->n_scores && there.n < 400; i++) {
		ood_quote(quoted, sizeof(quoted), side->scores[i].name,
			  strlen(side->scores[i].name));
		ood_buf_printf(&there, "%s%s", i ? " " : "", quoted);
	}
	ood_quote(quoted, sizeof(quoted), name, strlen(name));
	ood_fail(err, OOD_USAGE, "no column of scores \"%s\" (there are: %s)",
		 quoted, there.text && !there.failed ? there.text : "none");
	ood_buf_free(&there);
	return ood_err_where(err, side->part->spec, NULL);
}

/* Puts the chosen columns in front, in order; the rest is dropped. */
static int choose(struct ood_side *side, const char *const *names, size_t n,
		  struct ood_err *err)
{
	struct ood_bounds *bounds = &side->part->bounds;

	for (size_t k = 0; k < n; k++) {
		size_t i = k;
		struct ood_score swap;

		while (i < side->n_scores &&
		       strcmp(side->scores[i].name, names[k]) != 0)
			i++;
		if (i == side->n_scores)
			return refuse_name(side, names[k], err);
		swap = side->scores[i];
		side->scores[i] = side->scores[k];
		side->scores[k] = swap;
		side->scores[k].spare = false;
	}
	for (size_t i = 0; i < bounds->n; i++)
		if (bounds->at[i].word.role == OOD_SCORES)
			bounds->at[i].off = true;
	while (side->n_scores > n)
		ood_free(side->scores[--side->n_scores].name);
	for (size_t i = 0; i < n; i++)
		bounds->at[side->scores[i].bound].off = false;
	return OOD_OK;
}

int ood_set_choose_scores(struct ood_set *set, const char *const *names,
			  size_t n, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < set->n_sides && !code; i++)
		code = choose(&set->sides[i], names, n, err);
	set->chosen = !code;
	return code;
}

int ood_score_columns_again(struct ood_set *set, struct ood_err *err)
{
	struct ood_side *side = &set->sides[0];
	const size_t n = side->n_scores;
	char **names = ood_calloc(n, sizeof(*names));
	int code = names ? OOD_OK : ood_fail_memory(err, n * sizeof(*names));

	for (size_t i = 0; i < n && !code; i++) {
		names[i] = ood_strdup(side->scores[i].name);
		if (!names[i])
			code = ood_fail_memory(err, n);
	}
	if (!code)
		code = ood_score_columns_list(set, err);
	if (!code)
		code = ood_set_choose_scores(set, (const char *const *)names, n,
					     err);
	for (size_t i = 0; names && i < n; i++)
		ood_free(names[i]);
	ood_free(names);
	return code;
}
