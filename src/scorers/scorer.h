/*
 * scorer.h - what a scorer is, and running it over rows
 *
 * A scorer is one file and one line in scorers.def. Its table says all that
 * `ood list`, `ood help SCORER`, the man page, parsing and the tests need.
 * Larger = more OoD, for every scorer.
 *
 * A scorer of class scores is a formula of the digest (math/digest.h):
 *
 *	static void score(const struct ood_rows *rows,
 *			  const struct ood_args *args, const void *state,
 *			  double *out)
 *
 * which writes rows->n numbers (n x columns, if it has further columns).
 */
#ifndef OOD_SCORERS_SCORER_H
#define OOD_SCORERS_SCORER_H

#include "core/base.h"
#include "core/param.h"
#include "maps/map.h"
#include "math/digest.h"

enum ood_need {
	OOD_NEEDS_LOGITS = 1 << 0,  /* logits or log-probabilities alone */
	OOD_NEEDS_CLASSES = 1 << 1, /* logits or probabilities */
	OOD_NEEDS_FEATURES = 1 << 2,
	OOD_NEEDS_HEAD = 1 << 3, /* last-layer W and b */
	OOD_NEEDS_TOKENS = 1 << 4,
	OOD_NEEDS_TABLE = 1 << 5, /* named columns */
};

/* What it asks for beside the digest. */
enum ood_take {
	OOD_TAKE_ROWS = 1 << 0,	  /* rows->z: the class scores in double */
	OOD_TAKE_FINITE = 1 << 1, /* refuse -inf logits (distances of logits) */
};

enum ood_shape {
	OOD_SHAPE_ROW,
	OOD_SHAPE_MEMBERS,
	OOD_SHAPE_SEQUENCE,
	OOD_SHAPE_TABLE
};

/* What a scorer sees: at most OOD_DIGEST_ROWS rows; borrowed for the call. */
struct ood_rows {
	size_t n;
	size_t c;      /* classes */
	bool is_probs; /* class scores are probabilities as given */
	const struct ood_digest *digest; /* at parameter T */
	const double *z; /* n x c class scores; NULL without OOD_TAKE_ROWS */
};

struct ood_scorer {
	const char *name;
	const char *aliases; /* "ebo", "odin0=msp:T=1000"; by blanks, or NULL */
	const char *brief;   /* one line, for lists */
	const char *formula; /* one line */
	const char *cite;    /* authors: title, venue year */
	unsigned needs, take;
	enum ood_shape shape;
	const struct ood_param *params; /* NULL: none */
	const char *columns;		/* further columns by blanks, or NULL */

	/* Checks parameters against the data's sizes (C), once; may be NULL. */
	int (*check)(const struct ood_args *args, size_t c,
		     struct ood_err *err);
	void (*score)(const struct ood_rows *rows, const struct ood_args *args,
		      const void *state, double *out);

	/*
	 * Fitting (NULL where nothing is learned): `passes` times begin, add
	 * for every block in order, end. merge joins `from` into state; it is
	 * NULL where partial fits cannot be joined.
	 */
	unsigned passes;
	int (*begin)(void **state, const struct ood_args *args, unsigned pass,
		     struct ood_err *err);
	int (*add)(void *state, const struct ood_rows *rows,
		   struct ood_err *err);
	int (*end)(void *state, struct ood_err *err);
	int (*merge)(void *state, const void *from, struct ood_err *err);
	void (*release)(void *state);
};

#define OOD_SCORER(symbol) extern const struct ood_scorer ood_scorer_##symbol;
#include "scorers/scorers.def"
#undef OOD_SCORER

/* scorers.def, in the order of the lists; ends with NULL. */
extern const struct ood_scorer *const ood_scorers[];

/*
 * By name or alias. An alias with parameters ("odin0" = msp:T=1000) sets
 * *more to them (a static text), else NULL.
 */
const struct ood_scorer *ood_scorer_find(const char *name, size_t n,
					 const char **more);
/* OOD_USAGE: no such scorer, with the nearest name there is. */
int ood_scorer_unknown(struct ood_span name, struct ood_err *err);

/* A scorer as typed, ready to run. */
struct ood_scoring {
	const struct ood_scorer *scorer;
	struct ood_args args;
	const struct ood_map *map; /* map=NAME in front, or NULL */
	struct ood_args map_args;
	double T;	   /* parameter T, 1 where it has none */
	double logit_norm; /* logit-norm=TAU, 0 = off */
	void *state;
	char *column; /* name of its column: as typed, or NAME= */
	char *spec;   /* full spec, for reports and threshold files */
};

/*
 * Takes one SPEC apart: the scorer's own parameters, and those that any
 * scorer of logits has: logit-norm=TAU, map=NAME, map.KEY=V. An unknown name
 * is OOD_USAGE with the nearest known one; one that needs fitting is
 * OOD_USAGE with the `ood fit` line to type.
 */
int ood_scoring_parse(struct ood_scoring *scoring, const struct ood_spec *spec,
		      struct ood_err *err);
void ood_scoring_free(struct ood_scoring *scoring);

/* Does it fit what the set has? Says what is missing (OOD_USAGE for roles,
 * OOD_INPUT for sizes). */
int ood_scoring_check(const struct ood_scoring *scoring, bool has_logits,
		      bool has_probs, size_t c, struct ood_err *err);

/* Columns of one scoring (1 + further) and the name of each. */
size_t ood_scoring_width(const struct ood_scoring *scoring);
void ood_scoring_name(const struct ood_scoring *scoring, size_t i,
		      struct ood_buf *name);

/*
 * Runs n scorings over a block of class scores, by all threads, each row's
 * digest computed once per (map, T): out is view.rows x out_stride, the
 * columns of scoring 0, then 1, ...; top (may be NULL) receives the digest at
 * T = 1 of the raw rows that pred and confidence come from.
 */
struct ood_top {
	int64_t *pred;	    /* index of the largest class */
	double *confidence; /* largest probability */
	double *other;	    /* 1 - confidence without cancellation */
};
int ood_scorings_run(const struct ood_scoring *scorings, size_t n,
		     struct ood_view view, bool is_probs, double *out,
		     size_t out_stride, const struct ood_top *top,
		     struct ood_err *err);

#endif
