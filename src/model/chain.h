/*
 * chain.h - a model is an ordered list of stages
 *
 * The only code that runs one stage after another. `-s msp,energy` is a chain
 * of two scorers; a fitted model is a chain read from its file.
 */
#ifndef OOD_MODEL_CHAIN_H
#define OOD_MODEL_CHAIN_H

#include "core/base.h"
#include "io/set.h"
#include "scorers/scoring.h"

/* A file that a model was fitted on. */
struct ood_model_input {
	const char *set, *role; /* "train", "features"; static */
	char *name;		/* without folders */
	uint64_t rows, bytes;	/* bytes 0: a pipe */
	uint32_t crc32;
};

struct ood_model {
	struct ood_scoring *scorings;
	size_t n, room;
	char **columns; /* names of all columns, in order */
	size_t n_columns;
	struct ood_layer head; /* the last layer; W.rows 0: none */
	/* Of the rows it was fitted on; 0: any. */
	size_t c, d[OOD_LAYERS_MAX];
	char **classes; /* c names, or NULL */
	char **names;	/* of the columns of a table; NULL: none */
	size_t n_names;
	char **label_names; /* of labels that are no classes of the logits */
	size_t n_label_names;
	uint64_t seed;
	bool partial; /* sums for a merge: cannot score */
	struct ood_model_input *inputs;
	size_t n_inputs, room_inputs;
	struct ood_notes made; /* sentences on what was fitted, in the file */
};

/* Adds the scorers of a list, in the grammar of -s. fitting: such as have to
 * be fitted are welcome, else OOD_USAGE with the line to type. */
int ood_model_add(struct ood_model *model, const char *list, bool fitting,
		  struct ood_err *err);
/* Moves all of `from` (freed) behind what is there (-m beside -s): what was
 * fitted on other sizes or another head is OOD_USAGE. */
int ood_model_join(struct ood_model *model, struct ood_model *from,
		   struct ood_err *err);
/* Names the columns; two of one name are OOD_USAGE. After the last add. */
int ood_model_name(struct ood_model *model, struct ood_err *err);
/* The column of scoring i's score; its further columns follow. */
size_t ood_model_score_column(const struct ood_model *model, size_t i);
/* An empty one; NULL without memory. */
struct ood_model *ood_model_new(void);

/* Scores of one block; arrays grow and are reused. All zero at first. */
struct ood_scored {
	size_t n, columns;
	double *scores; /* n x columns; rows of block->bad are +inf or NaN */
	bool has_top;	/* the set has class scores */
	int64_t *pred;
	double *confidence;
	double *other; /* 1 - confidence, without cancellation */
	size_t room;
	uint64_t rows;	     /* of all blocks so far, and of these: */
	uint64_t *odd;	     /* ... counted by each scoring (ood_scorer.odd) */
	uint64_t zero;	     /* ... with features all zero */
	double far, largest; /* max |z - (W x + b)|, max |z|, of first rows */
};
void ood_scored_free(struct ood_scored *scored);
/* What a careful colleague would say of the rows scored so far. */
void ood_scored_notes(const struct ood_scored *scored,
		      const struct ood_model *model, struct ood_notes *notes);

/* Do its scorers look at named columns (of a set of scores)? */
bool ood_model_is_table(const struct ood_model *model);
/* OOD_INPUT where sizes are not those that it was fitted on. */
int ood_model_check_sizes(const struct ood_model *model,
			  const struct ood_given *given, struct ood_err *err);

/* The roles that some stage looks at: others need not be read. */
bool ood_model_takes(const struct ood_model *model, enum ood_role role);

/* Does the set have what every stage needs? (Before the first block, and
 * again by the first ood_model_block() for sizes.) */
int ood_model_check(const struct ood_model *model, const struct ood_set *set,
		    struct ood_err *err);

/*
 * Runs the chain over a block; nan tells what scores of bad rows become. What
 * a scorer refuses (OOD_INPUT) has its place in the file.
 */
int ood_model_block(const struct ood_model *model, const struct ood_set *set,
		    const struct ood_block *block, enum ood_nan nan,
		    struct ood_scored *scored, struct ood_err *err);

/* The block as scorers take it. */
struct ood_batch ood_model_batch(const struct ood_model *model,
				 const struct ood_block *block);
/* What a set has, by its head; sizes from the block (NULL: not known yet). */
struct ood_given ood_model_given(const struct ood_model *model,
				 const struct ood_set *set,
				 const struct ood_block *block);

/* max |z - (W x + b)| over the first rows of a batch into *far, and max |z|
 * into *largest, where both sides are there. */
int ood_model_compare_head(const struct ood_model *model,
			   const struct ood_batch *batch, double *far,
			   double *largest, struct ood_err *err);

#endif
