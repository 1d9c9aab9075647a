/*
 * set_hints.c - what a careful colleague would ask about an input
 */
#include <ctype.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/view.h"
#include "io/set_own.h"

/* ---------------------------------------------- logits like probs --- */

enum { LOOKED = 256 }; /* rows: what is of one kind shows it soon */

static const double SUM_TOLERANCE = 1e-3; /* as --prob-tol has it */

/* *between: some value is neither 0 nor 1 (one-hot rows may be anything). */
static bool is_like_probs(struct ood_view z, size_t row, bool *between)
{
	double sum = 0;

	for (size_t k = 0; k < z.cols; k++) {
		const double x = ood_view_at(z, row, k);

		if (!(x >= 0 && x <= 1))
			return false;
		*between |= x > 0 && x < 1;
		sum += x;
	}
	return fabs(sum - 1) <= SUM_TOLERANCE;
}

void ood_set_look(struct ood_set *set, const struct ood_block *block)
{
	struct ood_side *side = ood_set_side(set);
	const size_t n = OOD_MIN(block->n, (size_t)LOOKED);
	const struct ood_view z = block->scores_of_classes;
	bool between = false;
	size_t seen = 0;

	if (side->rows || set->scores_role != OOD_LOGITS || z.cols < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		if (block->bad && block->bad[i])
			continue;
		if (!is_like_probs(z, i, &between))
			return;
		seen++;
	}
	side->like_probs = between ? seen : 0;
}

static int warn_like_probs(struct ood_set *set, const struct ood_side *side,
			   struct ood_err *err)
{
	const struct ood_bound *b = ood_part_find(side->part, OOD_LOGITS, 0);
	struct ood_buf text = { 0 };

	if (!side->like_probs || !b)
		return OOD_OK;
	ood_buf_printf(&text,
		       "%s: taken as logits, but look like probabilities: in "
		       "[0, 1] with sum 1 in the first ",
		       side->part->files[b->file].head.file);
	if (side->like_probs > 1)
		ood_buf_printf(&text, "%zu rows", side->like_probs);
	else
		ood_buf_str(&text, "row");
	ood_buf_str(&text, b->typed ? " (probs=FILE?)" : " (--as probs?)");
	return ood_set_warn(set, "like-probs", side->like_probs, &text, err);
}

/* ------------------------------------------------------ left unread --- */

static bool is_of_classes(enum ood_role role)
{
	return role == OOD_LOGITS || role == OOD_LOGPROBS || role == OOD_PROBS;
}

/* Of several arrays of class scores one is used. Those that were merely found
 * beside it are no loss, unless all is to be kept. */
static int warn_unused(struct ood_set *set, const struct ood_side *side,
		       struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < side->part->bounds.n && !code; i++) {
		const struct ood_bound *b = &side->part->bounds.at[i];
		struct ood_buf text = { 0 };

		if (!is_of_classes(b->word.role) ||
		    b->word.role == set->scores_role ||
		    !(b->typed || b->asked || set->read.as_stored))
			continue;
		ood_buf_printf(&text,
			       "%s: its %s are not used, as there are %s",
			       side->part->files[b->file].head.file,
			       ood_role_name(b->word.role),
			       ood_role_name(set->scores_role));
		code = ood_set_warn(set, "unused", 0, &text, err);
	}
	return code;
}

/* ------------------------------------------------- mixed columns --- */

static bool is_numbered(const char *name)
{
	const size_t n = strlen(name);

	return n && isdigit((unsigned char)name[n - 1]);
}

/* x0,x1,x2,age: the last is hardly of the kind of the others. */
static int warn_mixed(struct ood_set *set, const struct ood_side *side,
		      const struct ood_bound *b, struct ood_err *err)
{
	const struct ood_head *head = &side->part->files[b->file].head;
	const char *numbered = NULL, *other = NULL;
	char a[OOD_QUOTE_MAX], c[OOD_QUOTE_MAX];
	struct ood_buf text = { 0 };

	for (size_t k = 0; k < b->n; k++) {
		const char *name = head->members[b->member[k]].name;
		const char **kind = is_numbered(name) ? &numbered : &other;

		*kind = *kind ? *kind : name;
	}
	if (!numbered || !other)
		return OOD_OK;
	ood_quote(a, sizeof(a), other, strlen(other));
	ood_quote(c, sizeof(c), numbered, strlen(numbered));
	ood_buf_printf(&text,
		       "%s: all %zu columns are taken as %s, \"%s\" as well "
		       "as \"%s\" (--columns chooses)",
		       head->file, b->n, ood_role_name(b->word.role), a, c);
	return ood_set_warn(set, "mixed-columns", b->n, &text, err);
}

static int warn_rest(struct ood_set *set, const struct ood_side *side,
		     struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < side->part->bounds.n && !code; i++) {
		const struct ood_bound *b = &side->part->bounds.at[i];

		if (b->rest && !b->off && b->word.role != OOD_SCORES &&
		    side->part->files[b->file].head.named)
			code = warn_mixed(set, side, b, err);
	}
	return code;
}

int ood_set_hint(struct ood_set *set, const struct ood_side *side,
		 struct ood_err *err)
{
	int code = warn_unused(set, side, err);

	if (!code)
		code = warn_rest(set, side, err);
	return code ? code : warn_like_probs(set, side, err);
}
