/*
 * set_head.c - what heads tell of a set: names of classes, pixels
 */
#include "core/err.h"
#include "core/mem.h"
#include "io/set.h"
#include "io/set_own.h"

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

int ood_set_header_names(const struct ood_set *set, const struct ood_part *part,
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
	else if (all_have_stem(head, b, "logprob_"))
		skip = strlen("logprob_");
	else if (all_have_stem(head, b, "prob_"))
		skip = strlen("prob_");
	for (size_t i = 0; i < b->n; i++)
		names[i] = head->members[b->member[i]].name + skip;
	code = ood_classes_set(classes, names, b->n, err);
	ood_free(names);
	classes->loose = !skip;
	return code ? ood_err_where(err, head->file, NULL) : OOD_OK;
}

static bool has_name(const struct ood_classes *classes, const char *name)
{
	return ood_classes_find(classes,
				(struct ood_span){ name, strlen(name) }) >= 0;
}

/* Other names than the header's are a translation; the header's own in another
 * order are a mistake. */
static int check_typed_names(struct ood_set *set, struct ood_err *err)
{
	struct ood_classes header = { 0 };
	int code = set->scores_role == OOD_ROLES
			   ? OOD_OK
			   : ood_set_header_names(set, set->sides[0].part,
						  &header, err);

	for (size_t k = 0;
	     !code && !header.loose && k < header.n && k < set->classes.n; k++)
		if (strcmp(header.name[k], set->classes.name[k]) != 0 &&
		    has_name(&header, set->classes.name[k]))
			code = ood_fail(err, OOD_USAGE,
					"--classes calls column %zu %s, its "
					"header says %s (leave --classes out)",
					k + 1, set->classes.name[k],
					header.name[k]);
	ood_classes_free(&header);
	return code;
}

int ood_set_find_names(struct ood_set *set, struct ood_err *err)
{
	const struct ood_read *read = &set->read;
	int code = OOD_OK;

	if (!read->classes) {
		if (set->scores_role != OOD_ROLES)
			code = ood_set_header_names(set, set->sides[0].part,
						    &set->classes, err);
		return code || set->classes.n || !read->n_class_names
			       ? code
			       : ood_classes_set(&set->classes,
						 read->class_names,
						 read->n_class_names, err);
	}
	code = ood_classes_parse(&set->classes, set->read.classes, err);
	if (!code)
		code = check_typed_names(set, err);
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
void ood_set_up_labels(struct ood_set *set)
{
	const struct ood_bound *b =
		ood_part_find(set->sides[0].part, OOD_LABELS, 0);

	set->labels = (struct ood_labels){
		.classes = &set->classes,
		.read = &set->read,
		.need = set->scores_role != OOD_ROLES && b &&
			!set->read.as_stored &&
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

int ood_set_find_pixels(struct ood_set *set, struct ood_err *err)
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
