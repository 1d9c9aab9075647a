/*
 * set_notes.c - what is to be said of a set once it has been read
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "io/set_own.h"

void ood_set_free_notes(struct ood_set *set)
{
	for (size_t i = 0; i < set->n_warnings; i++)
		ood_free(set->warnings[i].text);
	ood_free(set->warnings);
	ood_free(set->inputs);
}

/* ----------------------------------------------------------- warnings --- */

int ood_set_warn(struct ood_set *set, const char *code, uint64_t count,
		 struct ood_buf *text, struct ood_err *err)
{
	if (text->failed ||
	    !ood_grow(&set->warnings, set->n_warnings, &set->room_warnings,
		      sizeof(*set->warnings))) {
		ood_buf_free(text);
		return ood_fail_memory(err, sizeof(*set->warnings));
	}
	set->warnings[set->n_warnings++] =
		(struct ood_warning){ code, text->text, count };
	return OOD_OK;
}

static const char *file_of(const struct ood_side *side, enum ood_role role)
{
	const struct ood_bound *b = ood_part_find(side->part, role, 0);

	return b ? side->part->files[b->file].head.file : side->part->spec;
}

/* Rounding of single precision is not worth a word. */
static int warn_sums(struct ood_set *set, const struct ood_side *side,
		     struct ood_err *err)
{
	struct ood_buf text = { 0 };
	char by[OOD_NUM_MAX];

	if (!(side->deviation > 1e-6))
		return OOD_OK;
	ood_num_format_digits(by, side->deviation, 3);
	ood_buf_printf(&text,
		       "%s: probabilities miss the sum 1 by up to %s (row "
		       "%llu); they are %s",
		       file_of(side, OOD_PROBS), by,
		       (unsigned long long)side->deviation_row,
		       set->read.renormalise ? "divided by the sum"
					     : "used as given");
	return ood_set_warn(set, "prob-sum", 1, &text, err);
}

static int warn_rows(struct ood_set *set, const struct ood_side *side,
		     struct ood_err *err)
{
	const char *what = set->read.nan == OOD_NAN_WORST ? "worst" : "keep";
	struct ood_buf text = { 0 };
	int code = OOD_OK;

	if (side->skipped) {
		ood_buf_printf(
			&text, "%s: %llu of %llu rows dropped (--nan skip)",
			side->part->spec, (unsigned long long)side->skipped,
			(unsigned long long)side->rows);
		code = ood_set_warn(set, "nan-skip", side->skipped, &text, err);
	}
	if (!code && side->marked) {
		text = (struct ood_buf){ 0 };
		ood_buf_printf(&text,
			       "%s: %llu of %llu rows cannot be scored (--nan "
			       "%s)",
			       side->part->spec,
			       (unsigned long long)side->marked,
			       (unsigned long long)side->rows, what);
		code = ood_set_warn(set,
				    what[0] == 'w' ? "nan-worst" : "nan-keep",
				    side->marked, &text, err);
	}
	return code;
}

static int warn_heads(struct ood_set *set, const struct ood_side *side,
		      struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < side->part->n_files && !code; i++) {
		const struct ood_file *f = &side->part->files[i];
		struct ood_buf text = { 0 };

		if (!f->reader->note)
			continue;
		ood_buf_printf(&text, "%s: %s", f->head.file, f->reader->note);
		code = ood_set_warn(set, "header", 1, &text, err);
	}
	return code;
}

static int warn_classes(struct ood_set *set, const struct ood_side *side,
			struct ood_err *err)
{
	struct ood_buf text = { 0 };
	int code = OOD_OK;

	if (set->n_classes == 1 && side == set->sides) {
		ood_buf_printf(&text,
			       "%s: one class: each row is certain of it (a "
			       "sigmoid's output needs its other side as a "
			       "second column)",
			       file_of(side, set->scores_role));
		code = ood_set_warn(set, "one-class", 1, &text, err);
	}
	if (!code && set->labels.unknown) {
		text = (struct ood_buf){ 0 };
		ood_buf_printf(&text,
			       "%s: %llu label%s none of the %zu classes",
			       file_of(side, OOD_LABELS),
			       (unsigned long long)set->labels.unknown,
			       set->labels.unknown == 1 ? " is" : "s are",
			       set->classes.n);
		code = ood_set_warn(set, "label-unknown", set->labels.unknown,
				    &text, err);
		set->labels.unknown = 0;
	}
	return code;
}

/* logit_1 ... logit_C: is label 1 the first of them? It is not. */
static int warn_digits(struct ood_set *set, const struct ood_side *side,
		       struct ood_err *err)
{
	struct ood_buf text = { 0 };
	int64_t first = 0;

	if (side != set->sides || !set->classes.digits || !set->classes.n ||
	    !ood_part_find(side->part, OOD_LABELS, 0))
		return OOD_OK;
	ood_num_parse_int(set->classes.name[0], strlen(set->classes.name[0]),
			  &first);
	if (!first)
		return OOD_OK;
	ood_buf_printf(&text,
		       "%s: the first class column is numbered %lld, but "
		       "labels count columns from 0",
		       file_of(side, set->scores_role), (long long)first);
	return ood_set_warn(set, "class-numbers", 1, &text, err);
}

/* ------------------------------------------------------------- inputs --- */

static bool is_told(const struct ood_part *part, size_t k)
{
	const struct ood_bound *b = &part->bounds.at[k];

	if (b->off || b->word.role == OOD_EXTRA)
		return true;
	for (size_t i = 0; i < k; i++) {
		const struct ood_bound *o = &part->bounds.at[i];

		if (!o->off && o->file == b->file &&
		    o->word.role == b->word.role &&
		    o->word.layer == b->word.layer)
			return true;
	}
	return false;
}

/* Columns of a role in a table. */
static uint64_t columns_of(const struct ood_part *part,
			   const struct ood_bound *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < part->bounds.n; i++) {
		const struct ood_bound *o = &part->bounds.at[i];

		if (!o->off && o->file == b->file &&
		    o->word.role == b->word.role &&
		    o->word.layer == b->word.layer)
			n += o->n;
	}
	return n;
}

static void tell(const struct ood_side *side, const struct ood_bound *b,
		 struct ood_input *in)
{
	const struct ood_file *f = &side->part->files[b->file];
	const struct ood_member *m = ood_part_member(side->part, b);

	in->role = ood_role_name(b->word.role);
	in->path = f->path;
	in->format = ood_reader_format(f->reader);
	in->dtype = m ? ood_dtype_name(m->dtype) : "text";
	in->rows = side->rows;
	in->skipped = side->skipped;
	if (f->head.records || !m) {
		const uint64_t n = columns_of(side->part, b);
		const size_t width = ood_part_width(side->part, b);

		in->shape[in->ndim++] = side->rows;
		if (b->real)
			in->shape[in->ndim++] = OOD_MAX(n, (uint64_t)width);
		return;
	}
	for (; in->ndim < OOD_MIN(m->ndim, 4u); in->ndim++)
		in->shape[in->ndim] = m->shape[in->ndim] == UINT64_MAX
					      ? side->rows
					      : m->shape[in->ndim];
	if (b->real && in->ndim == 2 && m->shape[1] == UINT64_MAX)
		in->shape[1] = ood_part_width(side->part, b);
}

static int note_inputs(struct ood_set *set, const struct ood_side *side,
		       struct ood_err *err)
{
	const struct ood_part *part = side->part;
	const size_t all = set->n_inputs + part->bounds.n;
	struct ood_input *grown =
		ood_realloc(set->inputs, set->n_inputs, all, sizeof(*grown));
	int code = OOD_OK;

	if (!grown)
		return ood_fail_memory(err, all * sizeof(*grown));
	set->inputs = grown;
	for (size_t i = 0; i < part->bounds.n && !code; i++) {
		const struct ood_bound *b = &part->bounds.at[i];
		struct ood_input *in = &grown[set->n_inputs];

		if (is_told(part, i))
			continue;
		*in = (struct ood_input){ 0 };
		tell(side, b, in);
		if (set->read.want_crc)
			code = ood_source_crc(
				ood_reader_source(part->files[b->file].reader),
				&in->crc32, err);
		set->n_inputs++;
	}
	return code;
}

int ood_set_note_side(struct ood_set *set, const struct ood_side *side,
		      struct ood_err *err)
{
	int code = warn_heads(set, side, err);

	if (!code)
		code = ood_set_hint(set, side, err);
	if (!code)
		code = warn_sums(set, side, err);
	if (!code)
		code = warn_classes(set, side, err);
	if (!code)
		code = warn_digits(set, side, err);
	if (!code)
		code = warn_rows(set, side, err);
	if (!code)
		code = note_inputs(set, side, err);
	return code;
}

size_t ood_set_inputs(const struct ood_set *set,
		      const struct ood_input **inputs)
{
	*inputs = set->inputs;
	return set->n_inputs;
}

size_t ood_set_warnings(const struct ood_set *set,
			const struct ood_warning **warnings)
{
	*warnings = set->warnings;
	return set->n_warnings;
}
