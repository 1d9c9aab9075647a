/*
 * set.c - the arrays of one data set, with the same number of rows
 */
#include "io/set.h"

#include "core/err.h"
#include "core/mem.h"
#include "io/axes.h"
#include "io/csv.h"
#include "io/set_own.h"

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

/* ------------------------------------------------------------ joining --- */

static bool has(const struct ood_part *part, enum ood_role role, unsigned layer)
{
	const struct ood_bound *b = ood_part_find(part, role, layer);

	return b && !b->off;
}

static int refuse_join(const struct ood_set *set, size_t i, struct ood_err *err)
{
	ood_err_where(err, set->sides[i].part->spec, NULL);
	return OOD_INPUT;
}

static int refuse_role(const struct ood_set *set, size_t i, enum ood_role role,
		       struct ood_err *err)
{
	const bool mine = has(set->sides[i].part, role, 0);

	ood_fail(err, OOD_INPUT,
		 "has %s%s, but %s, which is read before it, has %s",
		 mine ? "" : "no ", ood_role_name(role),
		 set->sides[0].part->spec, mine ? "none" : "some");
	return refuse_join(set, i, err);
}

/* Joined arrays are as wide as the first. */
static int check_width(const struct ood_set *set, size_t i, enum ood_role role,
		       unsigned layer, struct ood_err *err)
{
	const struct ood_part *a = set->sides[0].part, *b = set->sides[i].part;
	const struct ood_bound *x = ood_part_find(a, role, layer);
	const struct ood_bound *y = ood_part_find(b, role, layer);
	const size_t first = ood_part_width(a, x), own = ood_part_width(b, y);

	if (!first || !own || first == own)
		return OOD_OK;
	ood_fail(err, OOD_INPUT,
		 "%s has %zu columns, but in %s, which is read before it, %zu",
		 ood_role_name(role), own, a->spec, first);
	return refuse_join(set, i, err);
}

static int check_scores(const struct ood_set *set, size_t i,
			struct ood_err *err)
{
	const struct ood_side *a = &set->sides[0], *b = &set->sides[i];
	bool same = a->n_scores == b->n_scores;

	for (size_t k = 0; same && k < a->n_scores; k++)
		same = !strcmp(a->scores[k].name, b->scores[k].name);
	if (same)
		return OOD_OK;
	ood_fail(err, OOD_INPUT,
		 "its columns of scores are not those of %s, which is read "
		 "before it",
		 a->part->spec);
	return refuse_join(set, i, err);
}

static int check_side(const struct ood_set *set, size_t i, struct ood_err *err)
{
	int code = OOD_OK;

	for (int r = 0; r < OOD_TOKENS && !code; r++)
		for (unsigned k = 0; k < OOD_LAYERS_MAX && !code; k++) {
			const enum ood_role role = (enum ood_role)r;
			const bool first = has(set->sides[0].part, role, k);

			if (first != has(set->sides[i].part, role, k))
				code = refuse_role(set, i, role, err);
			else if (first && role != OOD_SCORES)
				code = check_width(set, i, role, k, err);
		}
	return code ? code : check_scores(set, i, err);
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

		code = ood_set_header_names(set, set->sides[i].part, &other,
					    err);
		same = other.n == mine->n;
		for (size_t k = 0; k < mine->n && same; k++)
			same = !strcmp(other.name[k], mine->name[k]);
		if (!code && other.n && mine->n && !same) {
			ood_fail(err, OOD_INPUT,
				 "its classes are not named as those of %s, "
				 "which is read before it",
				 set->sides[0].part->spec);
			code = refuse_join(set, i, err);
		}
		ood_classes_free(&other);
	}
	return code;
}

/* Before the first rows: what is left of the sets after ood_set_ignore(). */
int ood_set_check_join(const struct ood_set *set, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 1; i < set->n_sides && !code; i++)
		code = check_side(set, i, err);
	return code ? code : check_names(set, err);
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
	bool taken = false;
	int code = OOD_OK;

	for (size_t i = 0; i < n && !code; i++) {
		struct ood_side *side = &set->sides[i];

		code = ood_part_open(&side->part, specs[i], &set->read, taken,
				     err);
		if (code)
			break;
		set->n_sides++;
		taken |= reads_stdin(side->part);
		/* One is read at a time, and open files are few. */
		if (i)
			code = ood_part_rest(side->part, err);
	}
	return code;
}

/* What follows from which columns there are. */
static int look_at_columns(struct ood_set *set, struct ood_err *err)
{
	const struct ood_part *part = set->sides[0].part;
	const struct ood_bound *b = ood_part_find(part, set->scores_role, 0);
	int code;

	set->n_classes = b ? ood_part_width(part, b) : 0;
	ood_classes_free(&set->classes);
	code = set->chosen ? ood_score_columns_again(set, err)
			   : ood_score_columns_list(set, err);
	if (!code)
		code = ood_set_find_names(set, err);
	ood_set_up_labels(set);
	return code;
}

/* What is typed wrong is refused, whether there is a text to read or not. */
static int check_read(const struct ood_read *read, struct ood_err *err)
{
	struct ood_dialect dialect;
	int code = ood_layout_check(read->layout, err);

	return code ? code : ood_dialect_open(&dialect, read, ';', err);
}

static int open_all(struct ood_set *set, const char *const *specs, size_t n,
		    struct ood_err *err)
{
	int code = name_set(set, specs, n, err);

	if (!code)
		code = check_read(&set->read, err);
	if (!code)
		code = open_sides(set, specs, n, err);
	if (code)
		return code;
	set->scores_role = role_of_classes(set->sides[0].part);
	for (size_t i = 0; i < n; i++)
		drop_other_classes(set->sides[i].part, set->scores_role);
	code = look_at_columns(set, err);
	return code ? code : ood_set_find_pixels(set, err);
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

bool ood_set_has_layer(const struct ood_set *set, unsigned layer)
{
	return has(set->sides[0].part, OOD_FEATURES, layer);
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
	const struct ood_pixels *p = &set->pixels;
	uint64_t rows = 0;

	if (set->read.nan == OOD_NAN_SKIP)
		return UINT64_MAX;
	for (size_t i = 0; i < set->n_sides && !p->on; i++) {
		const uint64_t own = ood_part_rows(set->sides[i].part);

		if (own == UINT64_MAX)
			return own;
		rows += own;
	}
	return p->on ? p->images * p->height * p->width : rows;
}

const struct ood_reader *ood_set_reader(const struct ood_set *set)
{
	return set->sides[0].part->files[0].reader;
}

struct ood_span ood_set_header(const struct ood_set *set)
{
	return ood_reader_header(ood_set_reader(set));
}

const char *ood_set_format(const struct ood_set *set)
{
	return ood_reader_format(ood_set_reader(set));
}

const char *ood_set_name(const struct ood_set *set)
{
	return set->name;
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
	if (role == OOD_LABELS)
		set->labels.need = false;
}

int ood_set_extra(struct ood_set *set, const char *column, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < set->n_sides && !code; i++)
		code = ood_part_extra(set->sides[i].part, column, err);
	/* It is no score and no class any more. */
	return code ? code : look_at_columns(set, err);
}

void ood_set_place(const struct ood_set *set, enum ood_role role, size_t row,
		   size_t col, struct ood_err *err)
{
	const struct ood_part *part = ood_set_side(set)->part;

	/* Whichever kind of class scores there is. */
	if (role == OOD_LOGITS || role == OOD_LOGPROBS || role == OOD_PROBS)
		role = set->scores_role;
	ood_part_place(part, ood_part_find(part, role, 0),
		       set->origin ? set->origin[row] : row, col, err);
}

const char *ood_set_path(const struct ood_set *set, size_t i)
{
	for (size_t k = 0; k < set->n_sides; k++) {
		const struct ood_part *part = set->sides[k].part;

		if (i < part->n_files)
			return part->files[i].path;
		i -= part->n_files;
	}
	return NULL;
}
