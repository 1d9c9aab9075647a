/*
 * part.c - one SET: its files, opened and read side by side
 */
#include "io/part.h"

#include "core/err.h"
#include "core/mem.h"

/* ---------------------------------------------------------- opening --- */

static void close_file(struct ood_file *f)
{
	for (size_t i = 0; i < f->n_picks; i++)
		ood_free(f->picks[i].member);
	ood_free(f->picks);
	ood_reader_close(f->reader);
	ood_free(f->path);
}

void ood_part_close(struct ood_part *part)
{
	if (!part)
		return;
	for (size_t i = 0; i < part->n_files; i++)
		close_file(&part->files[i]);
	ood_free(part->files);
	ood_bounds_free(&part->bounds);
	ood_terms_free(&part->asides);
	ood_free(part->spec);
	ood_free(part);
}

/* Columns of text without a header have positions, not names. */
static void read_head(struct ood_file *f)
{
	const char *format = ood_reader_format(f->reader);
	struct ood_head *head = &f->head;

	head->file = ood_source_name(ood_reader_source(f->reader));
	head->members = ood_reader_members(f->reader, &head->n, &head->records);
	head->named = head->records && (strcmp(format, "csv") != 0 ||
					ood_reader_header(f->reader).n > 0);
}

/* The file of a path, opened if it is not yet: `-` is read once. */
static int open_file(struct ood_part *part, const char *path, size_t *number,
		     struct ood_err *err)
{
	struct ood_file *f;
	int code;

	for (*number = 0; *number < part->n_files; ++*number)
		if (!strcmp(part->files[*number].path, path))
			return OOD_OK;
	if (!ood_grow(&part->files, part->n_files, &part->room,
		      sizeof(*part->files)))
		return ood_fail_memory(err, sizeof(*part->files));
	f = &part->files[part->n_files];
	*f = (struct ood_file){ .path = ood_strdup(path) };
	if (!f->path)
		return ood_fail_memory(err, strlen(path));
	code = ood_reader_open(&f->reader, path, &part->read, err);
	if (code) {
		ood_free(f->path);
		return code;
	}
	if (part->read.want_crc)
		ood_source_want_crc(ood_reader_source(f->reader));
	read_head(f);
	part->n_files++;
	return OOD_OK;
}

static int refuse_path(const struct ood_file *f, const char *path,
		       struct ood_err *err)
{
	ood_fail(err, OOD_INPUT,
		 "no member \"%s\"; a path that begins with a dot is for JSON",
		 path);
	return ood_err_where(err, f->head.file, NULL);
}

static int add_term(struct ood_part *part, const struct ood_term *term,
		    struct ood_err *err)
{
	const size_t first = part->bounds.n;
	size_t number;
	int code = open_file(part, term->path, &number, err);

	if (!code)
		code = ood_binding_add(&part->files[number].head, term,
				       &part->read, &part->bounds, err);
	for (size_t i = first; i < part->bounds.n; i++) {
		struct ood_bound *b = &part->bounds.at[i];
		const struct ood_file *f = &part->files[number];

		b->file = number;
		if (!code && b->path &&
		    strncmp(ood_reader_format(f->reader), "json", 4) != 0)
			code = refuse_path(f, b->path, err);
	}
	return code;
}

/* Files of the last layer and of tokens have no row a sample. */
static int set_aside(struct ood_part *part, struct ood_term *term,
		     struct ood_err *err)
{
	struct ood_terms *asides = &part->asides;

	if (!ood_grow(&asides->at, asides->n, &asides->room,
		      sizeof(*asides->at)))
		return ood_fail_memory(err, sizeof(*asides->at));
	asides->at[asides->n++] = *term;
	term->path = term->member = NULL;
	return OOD_OK;
}

/* --id-column, --label-column: in the first table that has it. */
static int add_option(struct ood_part *part, const char *option,
		      const char *column, enum ood_role role,
		      struct ood_err *err)
{
	char there[512], quoted[OOD_QUOTE_MAX];
	const struct ood_file *table = NULL;
	bool found = false;
	int code = OOD_OK;

	if (!column || ood_bounds_have(&part->bounds, role))
		return OOD_OK;
	for (size_t i = 0; i < part->n_files && !found && !code; i++) {
		struct ood_file *f = &part->files[i];
		const size_t first = part->bounds.n;

		if (f->head.records && !table)
			table = f;
		code = ood_binding_add_named(&f->head, column, role,
					     &part->bounds, &found, err);
		if (!code && found)
			part->bounds.at[first].file = i;
	}
	if (code || found || !table)
		return code;
	ood_quote(quoted, sizeof(quoted), column, strlen(column));
	ood_fail(err, OOD_INPUT, "%s: no column \"%s\" (%s)", option, quoted,
		 ood_columns_describe(&table->head, there, sizeof(there)));
	return ood_err_where(err, table->head.file, NULL);
}

static size_t count_paths(const struct ood_terms *terms)
{
	size_t n = 0;

	for (size_t i = 0; i < terms->n; i++) {
		bool new = true;

		for (size_t k = 0; k < i && new; k++)
			new = strcmp(terms->at[k].path, terms->at[i].path);
		n += new;
	}
	return n;
}

/* Scores beside confidence are what is meant; alone, it is the score. */
static void settle_spares(struct ood_bounds *bounds)
{
	bool others = false;

	for (size_t i = 0; i < bounds->n; i++)
		others |= bounds->at[i].word.role == OOD_SCORES &&
			  !bounds->at[i].spare;
	for (size_t i = 0; i < bounds->n; i++) {
		struct ood_bound *b = &bounds->at[i];

		b->spare = b->spare && others;
		b->off = b->spare;
	}
}

static int open_terms(struct ood_part *part, struct ood_terms *terms,
		      struct ood_err *err)
{
	int code = OOD_OK;

	/* Rows of two files at once cannot be handed out as they come. */
	if (count_paths(terms) > 1)
		part->read.live = false;
	for (size_t i = 0; i < terms->n && !code; i++) {
		struct ood_term *t = &terms->at[i];

		if (!t->bare && !ood_role_is_row(t->word.role))
			code = set_aside(part, t, err);
		else
			code = add_term(part, t, err);
	}
	if (!code)
		code = add_option(part, "--id-column", part->read.id_column,
				  OOD_IDS, err);
	if (!code)
		code = add_option(part, "--label-column",
				  part->read.label_column, OOD_LABELS, err);
	settle_spares(&part->bounds);
	return code;
}

int ood_part_open(struct ood_part **out, const char *spec,
		  const struct ood_read *read, struct ood_err *err)
{
	struct ood_part *part = ood_calloc(1, sizeof(*part));
	struct ood_terms terms;
	int code;

	*out = NULL;
	if (!part)
		return ood_fail_memory(err, sizeof(*part));
	part->read = *read;
	part->spec = ood_strdup(spec);
	code = part->spec ? ood_terms_parse(spec, &terms, err)
			  : ood_fail_memory(err, strlen(spec));
	if (!code) {
		code = open_terms(part, &terms, err);
		ood_terms_free(&terms);
	}
	if (code)
		ood_part_close(part);
	else
		*out = part;
	return code;
}

/* ---------------------------------------------------------- the extra --- */

static void drop_member(struct ood_bound *b, size_t member)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->member[i] != member)
			b->member[n++] = b->member[i];
	b->n = n;
	b->off |= !n;
}

int ood_part_extra(struct ood_part *part, const char *column,
		   struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX], there[512];
	struct ood_bounds *bounds = &part->bounds;
	size_t number = 0, first = bounds->n;
	bool found = false;
	int code = OOD_OK;

	for (; number < part->n_files && !found && !code; number++)
		code = ood_binding_add_named(&part->files[number].head, column,
					     OOD_EXTRA, bounds, &found, err);
	if (code)
		return code;
	if (!found) {
		ood_quote(quoted, sizeof(quoted), column, strlen(column));
		ood_fail(err, OOD_INPUT, "no column \"%s\" (%s)", quoted,
			 part->n_files
				 ? ood_columns_describe(&part->files[0].head,
							there, sizeof(there))
				 : "no table");
		return ood_err_where(err, part->spec, NULL);
	}
	bounds->at[first].file = number - 1;
	for (size_t i = 0; i < first; i++) {
		struct ood_bound *b = &bounds->at[i];

		if (b->file == number - 1 && !b->asked &&
		    ood_role_is_matrix(b->word.role))
			drop_member(b, bounds->at[first].member[0]);
	}
	return OOD_OK;
}

/* ------------------------------------------------------------ picks --- */

/* Scores of a table go side by side in one pick, in their order. */
static bool shares_pick(const struct ood_part *part, const struct ood_bound *b)
{
	return b->word.role == OOD_SCORES && b->real && b->n == 1 &&
	       part->files[b->file].head.records;
}

static struct ood_bound *pick_mate(const struct ood_part *part, size_t before)
{
	const struct ood_bound *b = &part->bounds.at[before];

	if (!shares_pick(part, b))
		return NULL;
	for (size_t i = before; i-- > 0;) {
		struct ood_bound *o = &part->bounds.at[i];

		if (!o->off && o->file == b->file && shares_pick(part, o))
			return o;
	}
	return NULL;
}

/* Gives every bound its pick and column, and counts the picks of files. */
static void plan_picks(struct ood_part *part)
{
	for (size_t i = 0; i < part->bounds.n; i++) {
		struct ood_bound *b = &part->bounds.at[i];
		const struct ood_bound *mate;

		if (b->off)
			continue;
		mate = pick_mate(part, i);
		b->pick = mate ? mate->pick : part->files[b->file].n_picks++;
		b->col = mate ? mate->col + 1 : 0;
	}
}

static int fill_pick(struct ood_part *part, const struct ood_bound *b,
		     struct ood_err *err)
{
	const struct ood_file *f = &part->files[b->file];
	struct ood_pick *pick = &f->picks[b->pick];
	size_t *member = ood_malloc(pick->n + b->n, sizeof(*member));

	if (!member)
		return ood_fail_memory(err, b->n * sizeof(*member));
	if (pick->n)
		memcpy(member, pick->member, pick->n * sizeof(*member));
	if (b->n)
		memcpy(member + pick->n, b->member, b->n * sizeof(*member));
	ood_free(pick->member);
	pick->member = member;
	pick->n += b->n;
	pick->kind = b->real ? OOD_PICK_REAL : OOD_PICK_WORD;
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
	part->ended = !*n;
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
		const uint64_t rows = ood_reader_rows(part->files[i].reader);

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
