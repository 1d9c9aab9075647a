/*
 * binding.h - which members of a file are which arrays of a set
 *
 * A file is taken by the names of its members: roles and, in a table,
 * logit_*, prob_*, feature_*, score_*. What else a table or a lone matrix
 * holds is told by --as.
 */
#ifndef OOD_IO_BINDING_H
#define OOD_IO_BINDING_H

#include "core/base.h"
#include "io/columns.h"
#include "io/set_spec.h"

/* An array of a set: members of one file. */
struct ood_bound {
	struct ood_role_word word;
	char *name;	/* scores: of the column, or NULL; else NULL */
	size_t *member; /* their numbers in the file, in order */
	size_t n;
	char *path;		/* jq path instead, or NULL */
	bool real;		/* read as a matrix, else one value a row */
	bool negate;		/* larger = in-distribution */
	bool spare;		/* a column of scores for those who name it */
	bool rest;		/* taken because it was left over */
	bool asked;		/* named on the command line, not just found */
	bool typed;		/* ... its role was */
	bool off;		/* not read */
	size_t file, pick, col; /* where it is read (part.c) */
};

struct ood_bounds {
	struct ood_bound *at;
	size_t n, room;
};

/*
 * Adds what a term takes from its file. OOD_INPUT, with the members there
 * are, where that is not clear. Free with ood_bounds_free().
 */
int ood_binding_add(const struct ood_head *head, const struct ood_term *term,
		    const struct ood_read *read, struct ood_bounds *bounds,
		    struct ood_err *err);
void ood_bounds_free(struct ood_bounds *bounds);

/*
 * Adds the one column that an option names (--id-column, --truth) as an array
 * of this role; bounds stay as they are if the file has none.
 */
int ood_binding_add_named(const struct ood_head *head, const char *column,
			  enum ood_role role, struct ood_bounds *bounds,
			  struct ood_err *err);

bool ood_bounds_have(const struct ood_bounds *bounds, enum ood_role role);

/* The role of --as; OOD_USAGE if it is none. */
int ood_as_parse(const char *as, enum ood_role *role, struct ood_err *err);

#endif
