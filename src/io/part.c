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
	ood_file_forget(f);
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
void ood_file_read_head(struct ood_file *f)
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
	ood_file_read_head(f);
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

/* Files of the last layer and of tokens have no row a sample. The term's
 * texts are taken over. */
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

/* An archive taken by its members can hold the last layer too. */
static int add_asides(struct ood_part *part, const struct ood_file *f,
		      struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < f->head.n && !f->head.records && !code; i++) {
		const char *name = f->head.members[i].name;
		struct ood_term term = { 0 };

		if (!ood_role_parse(name, strlen(name), &term.word) ||
		    ood_role_is_row(term.word.role))
			continue;
		term.path = ood_strdup(f->path);
		term.member = ood_strdup(name);
		code = term.path && term.member
			       ? set_aside(part, &term, err)
			       : ood_fail_memory(err, strlen(name));
		ood_free(term.path);
		ood_free(term.member);
	}
	return code;
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
		b->typed = !term->bare;
		if (!code && b->path &&
		    strncmp(ood_reader_format(f->reader), "json", 4) != 0)
			code = refuse_path(f, b->path, err);
	}
	if (!code && term->bare && !term->member)
		code = add_asides(part, &part->files[number], err);
	return code;
}

/* --id-column, --label-column: in the first table that has it. */
static int add_option(struct ood_part *part, const char *option,
		      const char *column, enum ood_role role,
		      struct ood_err *err)
{
	char there[512], quoted[OOD_QUOTE_MAX];
	const struct ood_file *table = NULL;
	const size_t first = part->bounds.n;
	int code = OOD_OK;

	if (!column || ood_bounds_have(&part->bounds, role))
		return OOD_OK;
	for (size_t i = 0; i < part->n_files && !code; i++) {
		struct ood_file *f = &part->files[i];

		if (f->head.records && !table)
			table = f;
		code = ood_binding_add_named(&f->head, column, role,
					     &part->bounds, err);
		if (part->bounds.n > first) {
			part->bounds.at[first].file = i;
			return code;
		}
	}
	if (code || !table)
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

static bool names_stdin(const struct ood_terms *terms)
{
	for (size_t i = 0; i < terms->n; i++)
		if (!strcmp(terms->at[i].path, "-"))
			return true;
	return false;
}

/* A confidence that was merely there is for those who name it, unless it is
 * all there is to score by, or all is wanted as stored. */
static void settle_spares(struct ood_part *part)
{
	struct ood_bounds *bounds = &part->bounds;
	bool others = false;

	for (size_t i = 0; i < bounds->n; i++)
		others |= ood_role_is_matrix(bounds->at[i].word.role) &&
			  !bounds->at[i].spare && !bounds->at[i].off;
	for (size_t i = 0; i < bounds->n; i++) {
		struct ood_bound *b = &bounds->at[i];

		if (b->spare)
			b->spare = b->off = others && !part->read.as_stored;
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
	settle_spares(part);
	return code;
}

int ood_part_open(struct ood_part **out, const char *spec,
		  const struct ood_read *read, bool taken, struct ood_err *err)
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
		if (taken && names_stdin(&terms))
			code = ood_fail(err, OOD_USAGE,
					"standard input can be read by one set "
					"alone");
		else
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
	int code = OOD_OK;

	if (ood_bounds_have(bounds, OOD_EXTRA))
		return ood_fail(err, OOD_USAGE,
				"one further column can be read, not two");
	for (; number < part->n_files && bounds->n == first && !code; number++)
		code = ood_binding_add_named(&part->files[number].head, column,
					     OOD_EXTRA, bounds, err);
	if (code)
		return code;
	if (bounds->n == first) {
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

		if (b->file == number - 1 && b->rest)
			drop_member(b, bounds->at[first].member[0]);
	}
	settle_spares(part);
	return OOD_OK;
}
