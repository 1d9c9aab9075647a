/*
 * set_read.c - one array of a set, whole
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/set_own.h"
#include "io/widen.h"

/* A matrix that grows, within --max-bytes. */
struct growing {
	struct ood_mat *mat;
	size_t room; /* rows */
	uint64_t max_bytes;
	const char *where;
};

static int reserve(struct growing *g, size_t rows, struct ood_err *err)
{
	const size_t cols = g->mat->cols, row = cols * sizeof(double);
	size_t wanted = g->mat->rows + rows, bytes;
	double *grown;

	if (wanted <= g->room)
		return OOD_OK;
	if (!ood_mul(wanted, row, &bytes) || bytes > g->max_bytes) {
		ood_fail(err, OOD_INPUT,
			 "more than %llu bytes to hold (--max-bytes allows "
			 "more)",
			 (unsigned long long)g->max_bytes);
		return ood_err_where(err, g->where, NULL);
	}
	if (g->room + g->room / 2 > wanted &&
	    (g->room + g->room / 2) * row <= g->max_bytes)
		wanted = g->room + g->room / 2;
	grown = ood_realloc(g->mat->data, g->mat->rows, wanted, row);
	if (!grown)
		return ood_fail_memory(err, bytes);
	g->mat->data = grown;
	g->room = wanted;
	return OOD_OK;
}

static int add_view(struct growing *g, struct ood_view v, struct ood_err *err)
{
	int code;

	g->mat->cols = v.cols;
	code = reserve(g, v.rows, err);
	for (size_t i = 0; i < v.rows && !code; i++) {
		double *to = g->mat->data + g->mat->rows++ * v.cols;

		for (size_t j = 0; j < v.cols; j++)
			to[j] = ood_view_at(v, i, j);
	}
	return code;
}

static int add_ints(struct growing *g, const int64_t *at, size_t n,
		    struct ood_err *err)
{
	int code;

	g->mat->cols = 1;
	code = reserve(g, n, err);
	for (size_t i = 0; i < n && !code; i++)
		g->mat->data[g->mat->rows++] =
			at[i] == OOD_LABEL_NONE ? (double)NAN : (double)at[i];
	return code;
}

static int add_reals(struct growing *g, const double *at, size_t n,
		     struct ood_err *err)
{
	return add_view(g, (struct ood_view){ at, OOD_F8, n, 1, 1 }, err);
}

static int add_vec(struct growing *g, const struct ood_read *read,
		   const struct ood_vec *vec, size_t n, struct ood_err *err)
{
	int code;

	g->mat->cols = 1;
	code = reserve(g, n, err);
	for (size_t i = 0; i < n && !code; i++)
		if (!ood_real_of(read, vec, i, &g->mat->data[g->mat->rows++])) {
			ood_fail(err, OOD_INPUT,
				 "row %zu is text where a number is wanted",
				 g->mat->rows);
			code = ood_err_where(err, g->where, NULL);
		}
	return code;
}

static int add_block(struct growing *g, const struct ood_set *set,
		     const struct ood_block *b, enum ood_role role,
		     struct ood_err *err)
{
	switch (role) {
	case OOD_LOGITS:
	case OOD_LOGPROBS:
	case OOD_PROBS:
		return add_view(g, b->scores_of_classes, err);
	case OOD_FEATURES:
		return add_view(g, b->features[0], err);
	case OOD_SCORES:
	case OOD_CONFIDENCE:
		return add_view(g, b->scores, err);
	case OOD_LABELS:
		return b->label ? add_ints(g, b->label, b->n, err)
				: add_vec(g, &set->read, &b->labels, b->n, err);
	case OOD_PRED:
		return b->pred ? add_ints(g, b->pred, b->n, err) : OOD_OK;
	case OOD_CORRECT:
		return add_reals(g, b->correct, b->n, err);
	case OOD_WEIGHTS:
		return add_reals(g, b->weights, b->n, err);
	case OOD_IDS:
		return add_vec(g, &set->read, &b->ids, b->n, err);
	case OOD_GROUPS:
		return add_vec(g, &set->read, &b->groups, b->n, err);
	default:
		return ood_fail(err, OOD_USAGE, "%s cannot be read by rows",
				ood_role_name(role));
	}
}

/* ------------------------------------------------- files of their own --- */

/* The member of an aside file: named, of the role's name, or the only one. */
static int find_member(const struct ood_head *head, const struct ood_term *term,
		       size_t *member, struct ood_err *err)
{
	const char *name =
		term->member ? term->member : ood_role_name(term->word.role);
	struct ood_sought s = ood_sought_of(name);
	char there[600];
	int code = ood_columns_find(head, &s, err);

	*member = s.found ? s.member : 0;
	if (code || s.found)
		return code;
	if (!term->member && head->n == 1)
		return OOD_OK;
	ood_fail(err, OOD_INPUT, "no member \"%s\" (%s)", name,
		 ood_columns_describe(head, there, sizeof(there)));
	return ood_err_where(err, head->file, NULL);
}

static int drain(struct ood_reader *reader, const struct ood_read *read,
		 bool real, struct growing *g, struct ood_err *err)
{
	struct ood_chunk chunk = { .n = 1 };
	int code = OOD_OK;

	while (!code && chunk.n) {
		code = ood_reader_next(reader, 4096, &chunk, err);
		if (code || !chunk.n)
			break;
		code = real ? add_view(g, chunk.columns[0].view, err)
			    : add_vec(g, read, &chunk.columns[0].vec, chunk.n,
				      err);
	}
	return code;
}

/* The last layer and the like: a matrix, or a vector as one column. A table
 * without a header is a matrix by all its columns. */
static int read_aside(const struct ood_set *set, const struct ood_term *term,
		      struct growing *g, struct ood_err *err)
{
	struct ood_pick pick = { 0 };
	struct ood_reader *reader;
	struct ood_head head = { .file = term->path };
	size_t *list = NULL;
	int code = ood_reader_open(&reader, term->path, &set->read, err);

	if (code)
		return code;
	head.members = ood_reader_members(reader, &head.n, &head.records);
	list = ood_malloc(head.n + 1, sizeof(*list));
	if (!list)
		code = ood_fail_memory(err, head.n * sizeof(*list));
	pick.member = list;
	pick.n = 1;
	pick.kind = OOD_PICK_REAL;
	pick.numbers = true;
	if (!code && head.records && !term->member) {
		for (pick.n = 0; pick.n < head.n; pick.n++)
			list[pick.n] = pick.n;
	} else if (!code) {
		code = find_member(&head, term, list, err);
		if (!code && head.members[*list].ndim < 2 && !head.records)
			pick.kind = OOD_PICK_WORD;
	}
	if (!code)
		code = ood_reader_bind(reader, &pick, 1, err);
	if (!code)
		code = drain(reader, &set->read, pick.kind == OOD_PICK_REAL, g,
			     err);
	ood_reader_close(reader);
	ood_free(list);
	return code;
}

static const struct ood_term *find_aside(const struct ood_set *set,
					 enum ood_role role)
{
	const struct ood_terms *t = &set->sides[0].part->asides;

	for (size_t i = 0; i < t->n; i++)
		if (t->at[i].word.role == role)
			return &t->at[i];
	return NULL;
}

int ood_set_read(struct ood_set *set, enum ood_role role, struct ood_mat *mat,
		 struct ood_err *err)
{
	const struct ood_term *aside = find_aside(set, role);
	const uint64_t memory = ood_physical_memory();
	struct growing g = { .mat = mat, .where = set->name };
	struct ood_block block = { .n = 1 };
	int code = OOD_OK;

	*mat = (struct ood_mat){ 0 };
	g.max_bytes = set->read.max_bytes ? set->read.max_bytes
		      : memory		  ? memory / 2
					  : UINT64_MAX;
	if (!aside && !ood_set_has(set, role)) {
		ood_fail(err, OOD_INPUT, "no %s", ood_role_name(role));
		return ood_err_where(err, set->name, NULL);
	}
	if (aside)
		code = read_aside(set, aside, &g, err);
	while (!aside && !code && block.n) {
		code = ood_set_next(set, &block, err);
		if (!code && block.n)
			code = add_block(&g, set, &block, role, err);
	}
	if (code)
		ood_mat_free(mat);
	return code;
}
