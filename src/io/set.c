/*
 * set.c - the arrays of one data set, with the same number of rows
 */
#include "io/set.h"

#include "core/err.h"
#include "core/mem.h"
#include "io/setown.h"

/* ------------------------------------------------------------ opening --- */

void ood_set_close(struct ood_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n_sides; i++) {
		ood_score_columns_free(&set->sides[i]);
		ood_part_close(set->sides[i].part);
	}
	for (size_t i = 0; i < OOD_ROOMS; i++)
		ood_free(set->room[i]);
	ood_labels_free(&set->labels);
	ood_labels_free(&set->preds);
	ood_classes_free(&set->classes);
	ood_set_free_notes(set);
	ood_free(set->sides);
	ood_free(set->name);
	ood_free(set);
}

/* Logits before log-probabilities before probabilities. */
static enum ood_role role_of_classes(const struct ood_part *part)
{
	static const enum ood_role order[] = { OOD_LOGITS, OOD_LOGPROBS,
					       OOD_PROBS };

	for (size_t i = 0; i < OOD_COUNT(order); i++) {
		const struct ood_bound *b = ood_part_find(part, order[i], 0);

		if (b && !b->off)
			return order[i];
	}
	return OOD_ROLES;
}

/* Only one array of class scores is handed out: the others stay unread. */
static void drop_other_classes(struct ood_part *part, enum ood_role keep)
{
	for (size_t i = 0; i < part->bounds.n; i++) {
		struct ood_bound *b = &part->bounds.at[i];

		if ((b->word.role == OOD_LOGITS ||
		     b->word.role == OOD_LOGPROBS ||
		     b->word.role == OOD_PROBS) &&
		    b->word.role != keep)
			b->off = true;
	}
}

/* ------------------------------------------------------- class names --- */

/* Do all columns begin so? Then what follows are the names of the classes. */
static bool all_have_stem(const struct ood_head *head,
			  const struct ood_bound *b, const char *stem)
{
	for (size_t i = 0; i < b->n; i++)
		if (!ood_name_has_stem(head->members[b->member[i]].name, stem))
			return false;
	return true;
}

/* Class names from the header of the class scores, if it has any: logit_cat
 * is column cat; without the stem a column is its own name. */
static int names_of_header(const struct ood_set *set,
			   const struct ood_part *part,
			   struct ood_classes *classes, struct ood_err *err)
{
	const struct ood_bound *b = ood_part_find(part, set->scores_role, 0);
	const struct ood_head *head = b ? &part->files[b->file].head : NULL;
	const char **names;
	size_t skip = 0;
	int code;

	if (!b || !b->n || !head->records || !head->named ||
	    head->members[b->member[0]].ndim > 1)
		return OOD_OK;
	names = ood_malloc(b->n, sizeof(*names));
	if (!names)
		return ood_fail_memory(err, b->n * sizeof(*names));
	if (all_have_stem(head, b, "logit_"))
		skip = strlen("logit_");
	else if (all_have_stem(head, b, "prob_"))
		skip = strlen("prob_");
	for (size_t i = 0; i < b->n; i++)
		names[i] = head->members[b->member[i]].name + skip;
	code = ood_classes_set(classes, names, b->n, err);
	ood_free(names);
	classes->loose = !skip;
	return code ? ood_err_where(err, head->file, NULL) : OOD_OK;
}

static int find_class_names(struct ood_set *set, struct ood_err *err)
{
	int code;

	if (!set->read.classes)
		return set->scores_role == OOD_ROLES
			       ? OOD_OK
			       : names_of_header(set, set->sides[0].part,
						 &set->classes, err);
	code = ood_classes_parse(&set->classes, set->read.classes, err);
	if (code || !set->n_classes || set->n_classes == set->classes.n)
		return code;
	ood_fail(err, OOD_INPUT,
		 "--classes has %zu names, but there are %zu columns of class "
		 "scores",
		 set->classes.n, set->n_classes);
	return ood_err_where(err, set->name, NULL);
}

/*
 * Class scores need names bound. With --columns typed, a column of labels
 * that was merely there is no part of what was asked for: its names are kept.
 */
static void set_up_labels(struct ood_set *set)
{
	const struct ood_bound *b =
		ood_part_find(set->sides[0].part, OOD_LABELS, 0);

	set->labels = (struct ood_labels){
		.classes = &set->classes,
		.read = &set->read,
		.need = set->scores_role != OOD_ROLES && b &&
			(b->asked || !set->read.columns),
	};
	set->preds = (struct ood_labels){ .classes = &set->classes,
					  .read = &set->read };
}

/* ------------------------------------------------------------- pixels --- */

static struct ood_pixels pixels_of(const struct ood_set *set,
				   const struct ood_part *part)
{
	const char *layout = set->read.layout;
	struct ood_pixels p = { true, 1, 1, 1 };
	enum ood_role role = set->scores_role;
	const struct ood_bound *b;
	const struct ood_member *m;

	if (role == OOD_ROLES)
		role = OOD_FEATURES;
	b = ood_part_find(part, role, 0);
	m = b ? ood_part_member(part, b) : NULL;
	if (!layout || !strcmp(layout, "nc") || !m || m->ndim != strlen(layout))
		return (struct ood_pixels){ 0 };
	for (unsigned i = 0; i < m->ndim; i++) {
		p.images = layout[i] == 'n' ? m->shape[i] : p.images;
		p.height = layout[i] == 'h' ? m->shape[i] : p.height;
		p.width = layout[i] == 'w' ? m->shape[i] : p.width;
	}
	return p;
}

static int find_pixels(struct ood_set *set, struct ood_err *err)
{
	set->pixels = pixels_of(set, set->sides[0].part);
	for (size_t i = 1; i < set->n_sides; i++) {
		const struct ood_part *part = set->sides[i].part;
		const struct ood_pixels p = pixels_of(set, part);

		if (!p.on && !set->pixels.on)
			continue;
		if (p.height != set->pixels.height ||
		    p.width != set->pixels.width) {
			ood_fail(err, OOD_INPUT,
				 "images of %llu x %llu pixels after images of "
				 "%llu x %llu",
				 (unsigned long long)p.height,
				 (unsigned long long)p.width,
				 (unsigned long long)set->pixels.height,
				 (unsigned long long)set->pixels.width);
			return ood_err_where(err, part->spec, NULL);
		}
		set->pixels.images += p.images;
	}
	return OOD_OK;
}

/* ------------------------------------------------------------ joining --- */

static bool has(const struct ood_part *part, enum ood_role role, unsigned layer)
{
	const struct ood_bound *b = ood_part_find(part, role, layer);

	return b && !b->off;
}

static int refuse_join(const struct ood_set *set, size_t i, const char *what,
		       struct ood_err *err)
{
	ood_fail(err, OOD_INPUT, "%s differs from %s, which comes before it",
		 what, set->sides[0].part->spec);
	return ood_err_where(err, set->sides[i].part->spec, NULL);
}

/* Sets that are joined have the same arrays, as wide and as named. */
static int check_join(const struct ood_set *set, size_t i, struct ood_err *err)
{
	const struct ood_side *a = &set->sides[0], *b = &set->sides[i];

	for (int r = 0; r < OOD_TOKENS; r++)
		for (unsigned k = 0; k < OOD_LAYERS_MAX; k++) {
			const enum ood_role role = (enum ood_role)r;
			const struct ood_bound *x, *y;
			size_t wide, other;

			if (has(a->part, role, k) != has(b->part, role, k))
				return refuse_join(set, i, ood_role_name(role),
						   err);
			if (!has(a->part, role, k) || role == OOD_SCORES)
				continue;
			x = ood_part_find(a->part, role, k);
			y = ood_part_find(b->part, role, k);
			wide = ood_part_width(a->part, x);
			other = ood_part_width(b->part, y);
			if (wide && other && wide != other)
				return refuse_join(
					set, i, "the number of columns", err);
		}
	if (a->n_scores != b->n_scores)
		return refuse_join(set, i, "the number of scores", err);
	for (size_t k = 0; k < a->n_scores; k++)
		if (strcmp(a->scores[k].name, b->scores[k].name) != 0)
			return refuse_join(set, i, "a name of scores", err);
	return OOD_OK;
}

/* Names of columns have to agree: a label's name means one class. */
static int check_names(const struct ood_set *set, struct ood_err *err)
{
	const struct ood_classes *mine = &set->classes;
	int code = OOD_OK;

	for (size_t i = 1; i < set->n_sides && !set->read.classes && !code;
	     i++) {
		struct ood_classes other = { 0 };
		bool same;

		code = names_of_header(set, set->sides[i].part, &other, err);
		same = other.n == mine->n;
		for (size_t k = 0; k < mine->n && same; k++)
			same = !strcmp(other.name[k], mine->name[k]);
		if (!code && other.n && mine->n && !same)
			code = refuse_join(set, i, "a class name", err);
		ood_classes_free(&other);
	}
	return code;
}

static int name_set(struct ood_set *set, const char *const *specs, size_t n,
		    struct ood_err *err)
{
	struct ood_buf name = { 0 };

	for (size_t i = 0; i < n; i++) {
		ood_buf_str(&name, i ? " " : "");
		ood_buf_str(&name, specs[i]);
	}
	set->name = name.failed ? NULL : name.text;
	return set->name ? OOD_OK : ood_fail_memory(err, name.n);
}

static bool reads_stdin(const struct ood_part *part)
{
	for (size_t i = 0; i < part->n_files; i++)
		if (!strcmp(part->files[i].path, "-"))
			return true;
	return false;
}

static int open_sides(struct ood_set *set, const char *const *specs, size_t n,
		      struct ood_err *err)
{
	size_t streams = 0;
	int code = OOD_OK;

	for (size_t i = 0; i < n && !code; i++) {
		struct ood_side *side = &set->sides[i];

		code = ood_part_open(&side->part, specs[i], &set->read, err);
		if (code)
			break;
		set->n_sides++;
		streams += reads_stdin(side->part);
		if (streams > 1)
			code = ood_fail(err, OOD_USAGE,
					"standard input can be read by one "
					"set alone");
	}
	return code;
}

static int open_all(struct ood_set *set, const char *const *specs, size_t n,
		    struct ood_err *err)
{
	const struct ood_bound *b;
	int code = name_set(set, specs, n, err);

	if (!code)
		code = open_sides(set, specs, n, err);
	if (code)
		return code;
	set->scores_role = role_of_classes(set->sides[0].part);
	for (size_t i = 0; i < n; i++)
		drop_other_classes(set->sides[i].part, set->scores_role);
	b = ood_part_find(set->sides[0].part, set->scores_role, 0);
	set->n_classes = b ? ood_part_width(set->sides[0].part, b) : 0;
	code = ood_score_columns_list(set, err);
	for (size_t i = 1; i < n && !code; i++)
		code = check_join(set, i, err);
	if (!code)
		code = find_class_names(set, err);
	if (!code)
		code = check_names(set, err);
	if (!code)
		code = find_pixels(set, err);
	set_up_labels(set);
	return code;
}

int ood_set_open_all(struct ood_set **out, const char *const *specs, size_t n,
		     const struct ood_read *read, struct ood_err *err)
{
	struct ood_set *set;
	int code;

	*out = NULL;
	if (!n)
		return ood_fail(err, OOD_USAGE, "no set is named");
	set = ood_calloc(1, sizeof(*set));
	if (!set)
		return ood_fail_memory(err, sizeof(*set));
	set->read = *read;
	set->sides = ood_calloc(n, sizeof(*set->sides));
	code = set->sides ? open_all(set, specs, n, err)
			  : ood_fail_memory(err, n * sizeof(*set->sides));
	if (code)
		ood_set_close(set);
	else
		*out = set;
	return code;
}

int ood_set_open(struct ood_set **set, const char *spec,
		 const struct ood_read *read, struct ood_err *err)
{
	return ood_set_open_all(set, &spec, 1, read, err);
}

/* ------------------------------------------------------------ queries --- */

static bool has_confidence(const struct ood_part *part)
{
	for (size_t i = 0; i < part->bounds.n; i++) {
		const struct ood_bound *b = &part->bounds.at[i];

		if (b->word.role == OOD_SCORES && b->name &&
		    (!strcmp(b->name, "confidence") ||
		     !strcmp(b->name, "conf")))
			return true;
	}
	return false;
}

bool ood_set_has(const struct ood_set *set, enum ood_role role)
{
	const struct ood_part *part = set->sides[0].part;

	if (role == OOD_CONFIDENCE)
		return has_confidence(part);
	for (size_t i = 0; i < part->asides.n; i++)
		if (part->asides.at[i].word.role == role)
			return true;
	for (unsigned k = 0; k < OOD_LAYERS_MAX; k++)
		if (has(part, role, k))
			return true;
	return false;
}

size_t ood_set_classes(const struct ood_set *set)
{
	return set->scores_role == OOD_ROLES ? 0 : set->n_classes;
}

/* 0, 1, 2 ... say no more than the number of the class itself. */
const char *ood_set_class_name(const struct ood_set *set, size_t k)
{
	const struct ood_classes *c = &set->classes;

	if (k >= c->n || c->loose || (c->digits && !strcmp(c->name[0], "0")))
		return NULL;
	return c->name[k];
}

struct ood_pixels ood_set_pixels(const struct ood_set *set)
{
	return set->pixels;
}

uint64_t ood_set_rows(const struct ood_set *set)
{
	uint64_t rows = 0;

	for (size_t i = 0; i < set->n_sides; i++) {
		const uint64_t own = ood_part_rows(set->sides[i].part);

		if (own == UINT64_MAX)
			return own;
		rows += own;
	}
	return set->pixels.on ? set->pixels.images * set->pixels.height *
					set->pixels.width
			      : rows;
}

struct ood_span ood_set_header(const struct ood_set *set)
{
	return ood_reader_header(set->sides[0].part->files[0].reader);
}

const char *ood_set_format(const struct ood_set *set)
{
	return ood_reader_format(set->sides[0].part->files[0].reader);
}

const char *ood_set_name(const struct ood_set *set)
{
	return set->name;
}

uint64_t ood_set_skipped(const struct ood_set *set)
{
	uint64_t n = 0;

	for (size_t i = 0; i < set->n_sides; i++)
		n += set->sides[i].skipped;
	return n;
}

void ood_set_ignore(struct ood_set *set, enum ood_role role)
{
	for (size_t i = 0; i < set->n_sides; i++) {
		struct ood_bounds *bounds = &set->sides[i].part->bounds;

		for (size_t k = 0; k < bounds->n; k++)
			if (bounds->at[k].word.role == role)
				bounds->at[k].off = true;
	}
	if (role == set->scores_role)
		set->scores_role = OOD_ROLES;
}

int ood_set_extra(struct ood_set *set, const char *column, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < set->n_sides && !code; i++)
		code = ood_part_extra(set->sides[i].part, column, err);
	/* It is no score any more. */
	return code ? code : ood_score_columns_list(set, err);
}

void ood_set_place(const struct ood_set *set, enum ood_role role, size_t row,
		   size_t col, struct ood_err *err)
{
	const struct ood_part *part = ood_set_side(set)->part;

	ood_part_place(part, ood_part_find(part, role, 0),
		       set->origin ? set->origin[row] : row, col, err);
}
