/*
 * set_spec.h - the grammar of a SET
 *
 *	SET   := WHERE | ROLE=WHERE[,ROLE=WHERE]...
 *	WHERE := PATH[:MEMBER] | PREFIX
 */
#ifndef OOD_IO_SET_SPEC_H
#define OOD_IO_SET_SPEC_H

#include "core/base.h"
#include "io/role.h"

/* One file of a SET: bare, or with the role that was typed or found. */
struct ood_term {
	bool bare;
	struct ood_role_word word; /* unless bare */
	char *path;		   /* "-": standard input */
	char *member;		   /* NULL: none; ".a[0]": a jq path */
};

struct ood_terms {
	struct ood_term *at;
	size_t n, room;
};

/*
 * Takes a SET apart and expands prefixes; looks at names of files, never
 * into them. OOD_SYSTEM "no such file" where nothing of the name is there.
 * Free with ood_terms_free().
 */
int ood_terms_parse(const char *set, struct ood_terms *terms,
		    struct ood_err *err);
void ood_terms_free(struct ood_terms *terms);

#endif
