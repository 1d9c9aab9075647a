/*
 * set.h - the arrays of one data set, with the same number of rows
 *
 * A set binds roles to members of files, reads them side by side in blocks of
 * rows, and checks every value at the door: what leaves here is finite where
 * it has to be. It is where SET, PREFIX, roles and labels of ood(1) live.
 */
#ifndef OOD_IO_SET_H
#define OOD_IO_SET_H

#include "core/base.h"
#include "io/reader.h"

/* Rows are pixels of images (--layout chw ...); off for plain rows. */
struct ood_pixels {
	bool on;
	uint64_t images, height, width;
};

/* A row's label, bound to a class where that is possible. */
#define OOD_LABEL_NONE INT64_MIN

/* The next rows of a set. Everything is valid until the next call. */
struct ood_block {
	size_t n;	     /* rows; 0 at the end */
	uint64_t first;	     /* rows of the set handed out before */
	const uint64_t *row; /* number of each row in its input, from 1 */

	/* logits, logprobs (both: has_probs false) or probs; cols 0: none.
	 * Finite or -inf with a finite one in each row; probs checked. */
	struct ood_view scores_of_classes;
	bool is_probs;
	struct ood_view features[OOD_LAYERS_MAX]; /* cols 0: none */
	/* scores (or confidence, negated): cols named ood_set_score_name();
	 * larger = OoD whatever the file said; +-inf legal */
	struct ood_view scores;

	struct ood_vec ids;    /* as in the file; all NULL: none */
	struct ood_vec labels; /* as in the file */
	const int64_t *label;  /* class numbers; OOD_LABEL_NONE: a name that
				    is no class. NULL: no labels, or names
				    without classes to bind them */
	const int64_t *pred;   /* NULL: none */
	struct ood_vec preds;  /* as in the file */
	const double *correct; /* 0 or 1; NULL: none */
	struct ood_vec groups;
	const double *weights;
	struct ood_vec extra; /* the column asked for with ood_set_extra() */

	/* Rows let through by --nan worst|keep: 1 = not usable, class scores
	 * are then zeros. NULL: all good. */
	const uint8_t *bad;
	const struct ood_span *records; /* raw bytes (keep_records) */
};

/*
 * Opens several SETs as one, rows joined in order (a repeated --id). Their
 * roles and widths must agree. ood_set_open() is the case n = 1.
 */
int ood_set_open_all(struct ood_set **set, const char *const *specs, size_t n,
		     const struct ood_read *read, struct ood_err *err);

/*
 * Takes [NAME=]SET apart: *name is NULL or a copy to be freed with
 * ood_free(), *set points into text. A word that names a file, folder or
 * prefix as a whole, or begins with a role, has no NAME.
 */
int ood_set_name_split(const char *text, char **name, const char **set,
		       struct ood_err *err);

/* Does the SET (without its NAME=) read standard input? Two cannot. */
bool ood_set_uses_stdin(const char *spec);

/*
 * Leaves the arrays of a role unread and unchecked (but their rows still have
 * to agree where the head tells them): for what a command does not need of a
 * prefix. Before the first next.
 */
void ood_set_ignore(struct ood_set *set, enum ood_role role);

/* True if it has this layer of features, from 0. */
bool ood_set_has_layer(const struct ood_set *set, unsigned layer);

/* Roles that the head promises (fixed after opening). */
size_t ood_set_classes(const struct ood_set *set); /* C; 0 none or not known
						      before the first block */
const char *ood_set_class_name(const struct ood_set *set, size_t k); /* NULL */
size_t ood_set_score_count(const struct ood_set *set);
const char *ood_set_score_name(const struct ood_set *set, size_t s);
struct ood_pixels ood_set_pixels(const struct ood_set *set);
uint64_t ood_set_rows(const struct ood_set *set); /* UINT64_MAX: not known */
struct ood_span ood_set_header(const struct ood_set *set); /* CSV, --append */
const char *ood_set_format(const struct ood_set *set); /* of the first file */
/* The reader of the first file: the set's own, to be looked at alone. */
const struct ood_reader *ood_set_reader(const struct ood_set *set);
/* The i-th file that the set reads, from 0; NULL behind the last. */
const char *ood_set_path(const struct ood_set *set, size_t i);
/* A one-line name for messages: the words typed. */
const char *ood_set_name(const struct ood_set *set);

/* Also hand out this column (--truth, --by); before the first next. */
int ood_set_extra(struct ood_set *set, const char *column, struct ood_err *err);
/* Keep only these score columns, in this order (-s with --scores). */
int ood_set_choose_scores(struct ood_set *set, const char *const *names,
			  size_t n, struct ood_err *err);

/* The next block; sizes are chosen here (about 4 MiB of values). */
int ood_set_next(struct ood_set *set, struct ood_block *block,
		 struct ood_err *err);

/* Adds file and place of row `row` of the last block to err (col SIZE_MAX:
 * the whole row). */
void ood_set_place(const struct ood_set *set, enum ood_role role, size_t row,
		   size_t col, struct ood_err *err);

/* What was read, for reports: after the last block. */
struct ood_input {
	const char *role, *path, *format, *dtype;
	unsigned ndim;
	uint64_t shape[4];
	uint64_t rows, skipped;
	uint32_t crc32; /* 0 unless want_crc */
};
size_t ood_set_inputs(const struct ood_set *set,
		      const struct ood_input **inputs);

/* Sentences for stderr, held until the command succeeds. */
struct ood_warning {
	const char *code; /* "prob-sum" */
	char *text;
	uint64_t count;
};
size_t ood_set_warnings(const struct ood_set *set,
			const struct ood_warning **warnings);

#endif
