/*
 * scoring.h - scorers as typed: parsing, fitting and running them
 */
#ifndef OOD_SCORERS_SCORING_H
#define OOD_SCORERS_SCORING_H

#include "maps/map.h"
#include "scorers/scorer.h"

/* A scorer as typed, ready to run. */
struct ood_scoring {
	const struct ood_scorer *scorer;
	struct ood_args args;
	/* Behind one that reshapes: the scorer of its logits, else NULL. */
	const struct ood_scorer *tail;
	struct ood_args tail_args;
	const struct ood_map *map; /* map=NAME in front, or NULL */
	struct ood_args map_args;
	double T;	   /* parameter T, 1 where it has none */
	double logit_norm; /* logit-norm=TAU, 0 = off */
	unsigned layer;	   /* of the features, from 0 */
	void *state;	   /* scorer->state bytes; NULL: not fitted */
	char *column;	   /* name of its column: as typed, or NAME= */
	char *spec;	   /* full spec, for reports and threshold files */
};

/* The scorer whose formula the class scores end in. */
static inline const struct ood_scorer *
ood_scoring_last(const struct ood_scoring *scoring)
{
	return scoring->tail ? scoring->tail : scoring->scorer;
}

/* Is there something to be fitted? */
static inline bool ood_scoring_learns(const struct ood_scoring *scoring)
{
	const struct ood_scorer *scorer = scoring->scorer;

	return scorer->fit && !(scorer->fixed && scorer->fixed(&scoring->args));
}

/* Is it fitted on labels that are numbers of class scores? */
static inline bool ood_scoring_fits_classes(const struct ood_scoring *scoring)
{
	const unsigned fit = scoring->scorer->fit;

	return ood_scoring_learns(scoring) &&
	       fit & (OOD_NEEDS_LABELS | OOD_TAKES_LABELS) &&
	       fit & (OOD_NEEDS_LOGITS | OOD_NEEDS_CLASSES);
}

/*
 * Takes one SPEC apart: the scorer's own parameters, and those that others
 * have in common: logit-norm=TAU, map=NAME, map.KEY=V of logits, layer=N of
 * features, score=NAME and score.KEY=V of those that reshape. An unknown name
 * is OOD_USAGE with the nearest known one.
 */
int ood_scoring_parse(struct ood_scoring *scoring, const struct ood_spec *spec,
		      struct ood_err *err);
void ood_scoring_free(struct ood_scoring *scoring);

/* OOD_USAGE with the `ood fit` line to type if it has to be fitted first. */
int ood_scoring_is_ready(const struct ood_scoring *scoring,
			 struct ood_err *err);

/* What there is to score (or fit on). */
struct ood_given {
	bool logits, probs, labels, table;
	bool head;
	size_t c;		  /* classes; 0: none or not known yet */
	size_t d[OOD_LAYERS_MAX]; /* features of each layer; 0: none */
	bool features[OOD_LAYERS_MAX];
};

/* Does it have what the scoring needs? Says what is missing (OOD_USAGE for
 * roles, OOD_INPUT for sizes). fitting: what its fit needs. */
int ood_scoring_check(const struct ood_scoring *scoring,
		      const struct ood_given *given, bool fitting,
		      struct ood_err *err);

/* Columns of one scoring (1 + further) and the name of each. */
size_t ood_scoring_width(const struct ood_scoring *scoring);
void ood_scoring_name(const struct ood_scoring *scoring, size_t i,
		      struct ood_buf *name);

/* Rows as a set hands them out: views of n rows each, cols 0: none. */
struct ood_batch {
	size_t n;
	struct ood_view z; /* class scores */
	bool is_probs;
	struct ood_view x[OOD_LAYERS_MAX];
	const int64_t *label;	      /* NULL: none; < 0: OoD or unknown */
	const uint64_t *row;	      /* NULL: from 1 */
	const struct ood_layer *head; /* makes z where there is none */
};

/* Where scores go. */
struct ood_top {
	int64_t *pred;	    /* index of the largest class */
	double *confidence; /* largest probability */
	double *other;	    /* 1 - confidence without cancellation */
};
struct ood_scores_out {
	double *scores; /* n rows of stride, the columns of scoring 0 ... */
	size_t stride;
	struct ood_top *top; /* digest at T = 1 of the raw rows; NULL: not
				wanted */
	uint64_t *odd;	     /* one count a scoring, added to; NULL */
	uint64_t *zero;	     /* rows whose features are all zero, added to;
				NULL */
};

/*
 * Runs n scorings over a batch, by all threads, each row's digest computed
 * once per (map, T).
 */
int ood_scorings_run(const struct ood_scoring *scorings, size_t n,
		     const struct ood_batch *batch,
		     const struct ood_scores_out *out, struct ood_err *err);

/*
 * Fits those of n scorings that learn, all in the same passes. Use:
 *
 *	begin
 *	while ((side = ood_fitting_side(f)) != OOD_PASS_NONE)
 *		for all blocks of that side: ood_fitting_add(f, batch)
 *		ood_fitting_pass(f)
 *	end (or, of partial fits, neither passes beyond the first nor end)
 *
 * Rows with a label < 0 are left out. Sizes of blocks do not matter.
 */
struct ood_fitting;
struct ood_fitting_options {
	struct ood_scoring *scorings; /* states are made here */
	size_t n;
	const struct ood_given *given;
	const struct ood_layer *head; /* NULL: none */
	char *const *names;	      /* of a table's columns; NULL */
	char *const *classes;	      /* NULL */
	uint64_t seed;
	bool partial; /* sums for a merge alone */
	struct ood_notes *notes;
};
int ood_fitting_begin(struct ood_fitting **fitting,
		      const struct ood_fitting_options *options,
		      struct ood_err *err);
enum ood_pass ood_fitting_side(const struct ood_fitting *fitting);
int ood_fitting_add(struct ood_fitting *fitting, const struct ood_batch *batch,
		    struct ood_err *err);
int ood_fitting_pass(struct ood_fitting *fitting, struct ood_err *err);
/* Ends the fits and makes the scorings ready to score. */
int ood_fitting_end(struct ood_fitting *fitting, struct ood_err *err);
void ood_fitting_free(struct ood_fitting *fitting);

/* Makes a scoring whose fields are loaded ready to score. */
int ood_scoring_ready(struct ood_scoring *scoring, const struct ood_layer *head,
		      size_t c, struct ood_err *err);

#endif
