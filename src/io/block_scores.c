/*
 * block_scores.c - the columns of scores of a block
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/block_own.h"
#include "io/widen.h"

/* One number a row from whatever the file has. */
int ood_fill_copy_vec(struct ood_fill *f, const struct ood_bound *b, double *to,
		      size_t stride)
{
	const struct ood_vec *vec = &ood_part_column(f->part, b)->vec;

	for (size_t i = 0; i < f->n; i++) {
		char quoted[OOD_QUOTE_MAX];

		if (ood_real_of(&f->set->read, vec, i, &to[i * stride]))
			continue;
		ood_quote(quoted, sizeof(quoted), vec->words[i].at,
			  vec->words[i].n);
		ood_fail(f->err, OOD_INPUT,
			 "expected a number, found \"%s\" (--missing TEXT "
			 "--nan skip drops such rows)",
			 quoted);
		return ood_fill_refuse(f, b, i, SIZE_MAX);
	}
	return OOD_OK;
}

/* Are the columns one matrix of the file as it is? */
static bool scores_are_plain(const struct ood_fill *f, size_t n)
{
	const struct ood_score *scores = f->side->scores;
	const struct ood_bounds *bounds = &f->part->bounds;
	const struct ood_bound *first = &bounds->at[scores[0].bound];

	for (size_t i = 0; i < n; i++) {
		const struct ood_bound *b = &bounds->at[scores[i].bound];

		if (!b->real || b->negate || b->file != first->file ||
		    b->pick != first->pick || b->col + scores[i].col != i)
			return false;
	}
	return ood_part_column(f->part, first)->view.cols == n;
}

/* A record's list turns out to be wider than could be known before. */
static int check_width(struct ood_fill *f, const struct ood_score *score)
{
	const struct ood_bound *b = &f->part->bounds.at[score->bound];
	const size_t width = ood_part_column(f->part, b)->view.cols;

	if (!b->real || !score->width || score->width == width)
		return OOD_OK;
	ood_fail(f->err, OOD_INPUT,
		 "%zu scores in one list (a key for each gives them names)",
		 width);
	return ood_fill_refuse(f, b, 0, SIZE_MAX);
}

static int copy_score(struct ood_fill *f, const struct ood_score *score,
		      double *to, size_t stride)
{
	const struct ood_bound *b = &f->part->bounds.at[score->bound];
	int code = check_width(f, score);

	if (code)
		return code;
	if (b->real)
		ood_view_column(ood_part_column(f->part, b)->view,
				b->col + score->col, to, stride);
	else
		code = ood_fill_copy_vec(f, b, to, stride);
	for (size_t i = 0; i < f->n && !code && b->negate; i++)
		to[i * stride] = -to[i * stride];
	return code;
}

/* A NaN in column k of the scores: back to where it stands. */
static int refuse_score(struct ood_fill *f, const struct ood_check *c)
{
	const struct ood_score *s = &f->side->scores[c->missing.col];

	ood_fault_say(&c->missing, c, f->err);
	return ood_fill_refuse(f, &f->part->bounds.at[s->bound], c->missing.row,
			       s->col);
}

int ood_fill_scores(struct ood_fill *f)
{
	const size_t n = ood_set_score_count(f->set);
	struct ood_check c = { .kind = OOD_CHECK_RANKS };
	struct ood_view *view = &f->block->scores;
	double *to;
	int code = OOD_OK;

	if (!n || f->side->n_scores < n || !ood_fill_find(f, OOD_SCORES, 0))
		return OOD_OK;
	if (scores_are_plain(f, n)) {
		const size_t b = f->side->scores[0].bound;
		*view = ood_part_column(f->part, &f->part->bounds.at[b])->view;
	} else {
		to = ood_set_room(f->set, OOD_ROOM_SCORES, f->n,
				  n * sizeof(*to));
		if (!to)
			return ood_fail_memory(f->err, f->n * n);
		for (size_t i = 0; i < n && !code; i++)
			code = copy_score(f, &f->side->scores[i], to + i, n);
		*view = (struct ood_view){ to, OOD_F8, f->n, n, n };
	}
	if (code)
		return code;
	ood_check_view(&c, *view, f->bad);
	f->n_bad += c.n_missing;
	if (c.missing.kind != OOD_FAULT_NONE &&
	    f->set->read.nan == OOD_NAN_ERROR)
		return refuse_score(f, &c);
	return OOD_OK;
}
