/*
 * describe.h - one entry of a registry, for `ood list` and `ood help NAME`
 */
#ifndef OOD_CLI_DESCRIBE_H
#define OOD_CLI_DESCRIBE_H

#include "core/mem.h"
#include "core/param.h"

/* What every registry tells of an entry; NULL where it has no such thing. */
struct ood_entry {
	const char *name, *brief, *formula, *cite;
	const char *needs; /* "logits or probs" */
	const char *aliases;
	const struct ood_param *params;
};

/* A registry: its name on the command line and its entries by number. */
struct ood_registry {
	const char *name; /* "scorers" */
	const char *one;  /* "scorer" */
	const char *brief;
	bool (*entry)(size_t i, struct ood_entry *entry);
};
extern const struct ood_registry ood_registries[]; /* ends with NULL name */

/* The page of `ood help NAME`; false if no registry has the name. */
bool ood_describe(const char *name, struct ood_buf *out);
/* The name nearest to a mistyped one, or NULL. */
const char *ood_describe_nearest(const char *name);

#endif
