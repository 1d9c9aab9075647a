/*
 * binding_own.h - the rules by which members become arrays
 */
#ifndef OOD_IO_BINDING_OWN_H
#define OOD_IO_BINDING_OWN_H

#include "io/binding.h"

/* What one call works on. */
struct ood_binding {
	const struct ood_head *head;
	const struct ood_read *read;
	struct ood_bounds *bounds;
	size_t first;	 /* bounds of earlier files end here */
	uint8_t *closed; /* table: 1 = not for a matrix any more */
	struct ood_err *err;
};

/* OOD_INPUT: what, and the members there are. */
int ood_bind_refuse(struct ood_binding *c, const char *what);
const char *ood_bind_name(const struct ood_binding *c, size_t member);
bool ood_bind_is_confidence(const char *name);
/* A row of values rather than one. */
bool ood_bind_is_wide(const struct ood_member *m);
/* The member whose name is this role, if any. */
bool ood_bind_find_role(const struct ood_binding *c, struct ood_role_word word,
			size_t *member);

/* Adds an array of n members (their numbers are copied; b is taken over). */
int ood_bind_add(struct ood_binding *c, struct ood_bound b,
		 const size_t *member, size_t n);
/* One member for a role that was found, or asked for by name. */
int ood_bind_add_member(struct ood_binding *c, struct ood_role_word word,
			size_t member, bool asked);
/* A column of scores; name "": told by its width. */
int ood_bind_add_score(struct ood_binding *c, size_t member, const char *name,
		       struct ood_bound b);

/* binding_table.c; list has room for all members. */
int ood_bind_table(struct ood_binding *c, enum ood_role as, size_t *list);
int ood_bind_table_role(struct ood_binding *c, struct ood_role_word word,
			size_t *list);
bool ood_bind_is_scored(const struct ood_binding *c);
/* The column that an option names is not part of any matrix. */
int ood_bind_close(struct ood_binding *c, const char *column);

#endif
