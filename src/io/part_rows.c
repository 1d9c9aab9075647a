/*
 * part_rows.c - the files of a SET, side by side
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/part.h"

/* ------------------------------------------------------------ picks --- */

/* Scores of a table go side by side in one pick, in their order. */
static bool shares_pick(const struct ood_part *part, const struct ood_bound *b)
{
	return b->word.role == OOD_SCORES && b->real && b->n == 1 &&
	       part->files[b->file].head.records;
}

/* Gives every array its pick and column, and counts what goes in each. */
static void plan_picks(struct ood_part *part)
{
	const struct ood_bound *mate = NULL;

	for (size_t i = 0; i < part->bounds.n; i++) {
		struct ood_bound *b = &part->bounds.at[i];
		const bool shares = shares_pick(part, b);

		if (b->off)
			continue;
		if (shares && mate && mate->file == b->file) {
			b->pick = mate->pick;
			b->col = mate->col + 1;
		} else {
			b->pick = part->files[b->file].n_picks++;
			b->col = 0;
		}
		mate = shares ? b : mate;
	}
}

/* Members of all arrays that share a pick. */
static size_t count_members(const struct ood_part *part,
			    const struct ood_bound *b)
{
	size_t n = 0;

	if (!shares_pick(part, b))
		return b->n;
	for (size_t i = 0; i < part->bounds.n; i++)
		n += part->bounds.at[i].word.role == OOD_SCORES;
	return n;
}

static int fill_pick(struct ood_part *part, const struct ood_bound *b,
		     struct ood_err *err)
{
	const struct ood_file *f = &part->files[b->file];
	struct ood_pick *pick = &f->picks[b->pick];

	if (!pick->member)
		pick->member = ood_malloc(count_members(part, b),
					  sizeof(*pick->member));
	if (!pick->member)
		return ood_fail_memory(err, b->n * sizeof(*pick->member));
	for (size_t i = 0; i < b->n; i++)
		pick->member[pick->n++] = b->member[i];
	pick->kind = b->real ? OOD_PICK_REAL : OOD_PICK_WORD;
	pick->numbers = !b->real && (b->word.role == OOD_SCORES ||
				     b->word.role == OOD_WEIGHTS);
	pick->path = b->path;
	if (!f->head.records && part->read.layout &&
	    strcmp(part->read.layout, "nc") != 0)
		pick->layout = part->read.layout;
	return OOD_OK;
}

/* Heads that tell their rows have to agree, read or not. */
static int check_rows(const struct ood_part *part, struct ood_err *err)
{
	const struct ood_file *first = NULL;
	uint64_t rows = UINT64_MAX;

	for (size_t i = 0; i < part->n_files; i++) {
		const struct ood_file *f = &part->files[i];
		const uint64_t own = ood_reader_rows(f->reader);

		if (own == UINT64_MAX)
			continue;
		if (first && own != rows) {
			ood_fail(err, OOD_INPUT,
				 "%llu rows, but %s has %llu; the arrays of a "
				 "set go row by row",
				 (unsigned long long)rows, f->head.file,
				 (unsigned long long)own);
			return ood_err_where(err, first->head.file, NULL);
		}
		first = f;
		rows = own;
	}
	return OOD_OK;
}

int ood_part_start(struct ood_part *part, struct ood_err *err)
{
	int code = OOD_OK;

	if (part->started)
		return OOD_OK;
	code = ood_part_wake(part, err);
	if (code)
		return code;
	part->started = true;
	plan_picks(part);
	for (size_t i = 0; i < part->n_files; i++) {
		struct ood_file *f = &part->files[i];

		f->picks = ood_calloc(f->n_picks, sizeof(*f->picks));
		if (!f->picks)
			return ood_fail_memory(err, f->n_picks);
	}
	for (size_t i = 0; i < part->bounds.n && !code; i++)
		if (!part->bounds.at[i].off)
			code = fill_pick(part, &part->bounds.at[i], err);
	for (size_t i = 0; i < part->n_files && !code; i++) {
		struct ood_file *f = &part->files[i];

		if (f->n_picks)
			code = ood_reader_bind(f->reader, f->picks, f->n_picks,
					       err);
	}
	return code ? code : check_rows(part, err);
}

/* ------------------------------------------------------------- rows --- */

/* Reads a file that has more rows than another to its end, to count. */
static int count_rest(struct ood_file *f, struct ood_err *err)
{
	int code = OOD_OK;

	while (!code && f->chunk.n) {
		f->rows += f->chunk.n;
		code = ood_reader_next(f->reader, 4096, &f->chunk, err);
	}
	return code;
}

static int refuse_counts(struct ood_file *a, struct ood_file *b,
			 struct ood_err *err)
{
	int code = count_rest(a, err);

	if (!code)
		code = count_rest(b, err);
	if (code)
		return code;
	ood_fail(err, OOD_INPUT,
		 "%llu rows, but %s has %llu; the arrays of a set go row by "
		 "row",
		 (unsigned long long)a->rows, b->head.file,
		 (unsigned long long)b->rows);
	return ood_err_where(err, a->head.file, NULL);
}

int ood_part_next(struct ood_part *part, size_t rows, size_t *n,
		  struct ood_err *err)
{
	struct ood_file *first = NULL;
	int code = ood_part_start(part, err);

	*n = 0;
	for (size_t i = 0; i < part->n_files && !code; i++) {
		struct ood_file *f = &part->files[i];

		if (!f->n_picks)
			continue;
		f->rows += f->chunk.n;
		code = ood_reader_next(f->reader, rows, &f->chunk, err);
		if (code) {
			f->chunk.n = 0;
			return code;
		}
		first = first ? first : f;
	}
	for (size_t i = 0; i < part->n_files && !code; i++) {
		struct ood_file *f = &part->files[i];

		if (f->n_picks && f->chunk.n != first->chunk.n)
			return refuse_counts(first, f, err);
	}
	if (!code && first)
		*n = first->chunk.n;
	return code;
}

/* ---------------------------------------------------------- queries --- */

const struct ood_bound *ood_part_find(const struct ood_part *part,
				      enum ood_role role, unsigned layer)
{
	const struct ood_bound *first = NULL;

	for (size_t i = 0; i < part->bounds.n; i++) {
		const struct ood_bound *b = &part->bounds.at[i];

		if (b->word.role != role || b->word.layer != layer)
			continue;
		if (!b->off)
			return b;
		first = first ? first : b;
	}
	return first;
}

const struct ood_column *ood_part_column(const struct ood_part *part,
					 const struct ood_bound *bound)
{
	return &part->files[bound->file].chunk.columns[bound->pick];
}

const struct ood_member *ood_part_member(const struct ood_part *part,
					 const struct ood_bound *bound)
{
	return bound->n ? &part->files[bound->file]
				   .head.members[bound->member[0]]
			: NULL;
}

size_t ood_part_width(const struct ood_part *part,
		      const struct ood_bound *bound)
{
	const struct ood_file *f = &part->files[bound->file];
	const struct ood_member *m = ood_part_member(part, bound);
	const char *layout = part->read.layout, *c;
	unsigned axis = 1;

	if (part->started && !bound->off && bound->real && bound->n != 1)
		return ood_reader_width(f->reader, bound->pick);
	if (!bound->real || !m)
		return bound->path ? 0 : 1;
	if (m->ndim < 2)
		return bound->n;
	c = layout ? strchr(layout, 'c') : NULL;
	if (c && m->ndim == strlen(layout))
		axis = (unsigned)(c - layout);
	if (m->shape[axis] != UINT64_MAX)
		return (size_t)m->shape[axis];
	return part->started && !bound->off
		       ? ood_reader_width(f->reader, bound->pick)
		       : 0;
}

/* An array tells its rows by its shape, before it is bound. */
static uint64_t rows_of_array(const struct ood_part *part,
			      const struct ood_bound *b)
{
	const struct ood_member *m = ood_part_member(part, b);
	const char *layout = part->read.layout;

	if (!m || b->off || part->files[b->file].head.records || !m->ndim ||
	    (layout && strcmp(layout, "nc") != 0))
		return UINT64_MAX;
	return m->shape[0];
}

uint64_t ood_part_rows(const struct ood_part *part)
{
	for (size_t i = 0; i < part->bounds.n; i++) {
		const uint64_t rows = rows_of_array(part, &part->bounds.at[i]);

		if (rows != UINT64_MAX)
			return rows;
	}
	for (size_t i = 0; i < part->n_files; i++) {
		const struct ood_file *f = &part->files[i];
		const uint64_t rows =
			f->reader ? ood_reader_rows(f->reader) : f->head_rows;

		if (rows != UINT64_MAX)
			return rows;
	}
	return UINT64_MAX;
}

void ood_part_place(const struct ood_part *part, const struct ood_bound *bound,
		    size_t row, size_t col, struct ood_err *err)
{
	const struct ood_file *f;

	if (!bound)
		return;
	f = &part->files[bound->file];
	/* A cell of a table has a field, though it is the whole of its row. */
	if (col == SIZE_MAX && !bound->real && f->head.records)
		col = 0;
	else if (col != SIZE_MAX)
		col += bound->col;
	ood_reader_place(f->reader, bound->pick, row, col, err);
}
