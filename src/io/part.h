/*
 * part.h - one SET: its files, opened and read side by side
 *
 * Knows which array is where and that all have the same number of rows, but
 * nothing of what values mean.
 */
#ifndef OOD_IO_PART_H
#define OOD_IO_PART_H

#include "core/base.h"
#include "io/binding.h"
#include "io/reader.h"

/* The role of a column that is read beside the others (--truth, --by). */
#define OOD_EXTRA ((enum ood_role)(OOD_ROLES + 1))

struct ood_file {
	char *path;
	struct ood_reader *reader; /* NULL: at rest */
	struct ood_head head;
	struct ood_member *members; /* at rest: a copy of those of the head */
	size_t n_members;
	uint64_t head_rows; /* at rest: as the head tells */
	struct ood_pick *picks;
	size_t n_picks;
	struct ood_chunk chunk; /* the rows at hand */
	uint64_t rows;		/* handed out so far */
};

struct ood_part {
	char *spec;	      /* as typed */
	struct ood_read read; /* readers keep a pointer to it */
	struct ood_file *files;
	size_t n_files, room;
	struct ood_bounds bounds;
	struct ood_terms asides; /* head-weights, tokens ...: files apart */
	bool started;
};

/* Opens all files of a SET and binds their members; reads heads alone.
 * taken: another set reads standard input. */
int ood_part_open(struct ood_part **part, const char *spec,
		  const struct ood_read *read, bool taken, struct ood_err *err);
void ood_part_close(struct ood_part *part);

/* Also reads this column as OOD_EXTRA; it leaves matrices found by default. */
int ood_part_extra(struct ood_part *part, const char *column,
		   struct ood_err *err);

/*
 * The next rows of all arrays that are not off, exactly `rows` unless the
 * input ends. *n = 0 at the end, where unequal numbers of rows are refused
 * with both files and both counts.
 */
int ood_part_next(struct ood_part *part, size_t rows, size_t *n,
		  struct ood_err *err);

/* Tells the readers what is wanted; done by the first next if not before. */
int ood_part_start(struct ood_part *part, struct ood_err *err);

/*
 * Closes the files that can be opened again: many sets are joined, and one is
 * read at a time. What heads told stays known. part_rest.c
 */
int ood_part_rest(struct ood_part *part, struct ood_err *err);
/* Opens them again; OOD_INPUT where a head has changed meanwhile. Done by
 * ood_part_start(). */
int ood_part_wake(struct ood_part *part, struct ood_err *err);
/* Takes over what the head of an open file tells. part.c */
void ood_file_read_head(struct ood_file *file);
void ood_file_forget(struct ood_file *file); /* the copy of members */

/* The array of a role (the first that is on, else the first), or NULL. */
const struct ood_bound *ood_part_find(const struct ood_part *part,
				      enum ood_role role, unsigned layer);
/* Its share of the rows at hand. */
const struct ood_column *ood_part_column(const struct ood_part *part,
					 const struct ood_bound *bound);
/* Its columns; 0: not known yet. */
size_t ood_part_width(const struct ood_part *part,
		      const struct ood_bound *bound);
const struct ood_member *ood_part_member(const struct ood_part *part,
					 const struct ood_bound *bound);
/* Rows, if a head tells. */
uint64_t ood_part_rows(const struct ood_part *part);

/* Adds file and place to err; row, col from 0 within the rows at hand. */
void ood_part_place(const struct ood_part *part, const struct ood_bound *bound,
		    size_t row, size_t col, struct ood_err *err);

#endif
