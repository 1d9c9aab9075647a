/*
 * columns.h - finding members of a file by name or position
 */
#ifndef OOD_IO_COLUMNS_H
#define OOD_IO_COLUMNS_H

#include "core/base.h"
#include "io/reader.h"

/* What is known of a file before its rows are read. */
struct ood_head {
	const char *file; /* for messages */
	const struct ood_member *members;
	size_t n;
	bool records; /* a table: members are columns of the same rows */
	bool named;   /* a table whose columns have names */
};

/* A member that is looked for. */
struct ood_sought {
	struct ood_span name;
	size_t hint; /* where to begin: makes a list in order linear */
	bool found;
	size_t member;
};

static inline struct ood_sought ood_sought_of(const char *name)
{
	return (struct ood_sought){ .name = { name, strlen(name) } };
}

/*
 * The member of a name, or in a table #N by position from 1. A name that is
 * not there is not found, and nothing is said; one that two members have is
 * OOD_INPUT.
 */
int ood_columns_find(const struct ood_head *head, struct ood_sought *sought,
		     struct ood_err *err);

/*
 * A list by comma (--columns): names, #N, ranges #N-#M, N-M where no column
 * has that name, and NAME-NAME. *list is freed with ood_free().
 */
int ood_columns_list(const struct ood_head *head, const char *columns,
		     size_t **list, size_t *n, struct ood_err *err);

/* Columns that are never taken as features or scores. */
bool ood_column_is_reserved(const char *name);

/* Does the name begin so, with something behind? */
bool ood_name_has_stem(const char *name, const char *stem);

/* "there are a float32 (3, 4), b int64 (3)", cut to size. Returns buf. */
char *ood_columns_describe(const struct ood_head *head, char *buf, size_t size);

/* Adds "(3000, 16)": "?" is a length that only reading tells, "..." stands for
 * axes beyond OOD_AXES_MAX. */
struct ood_buf;
void ood_shape_describe(struct ood_buf *buf, unsigned ndim,
			const uint64_t *shape);

/* numpy's name of a dtype: "float32". */
const char *ood_dtype_name(enum ood_dtype dtype);

#endif
