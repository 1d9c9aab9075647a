/*
 * scorer.h - what a scorer is
 *
 * A scorer is one file and one line in scorers.def. Its table says all that
 * `ood list`, `ood help SCORER`, the man page, parsing, model files and the
 * tests need. Larger = more OoD, for every scorer.
 *
 * A scorer of class scores is a formula of the digest (math/digest.h):
 *
 *	static void score(const struct ood_rows *rows,
 *			  const struct ood_args *args, const void *state,
 *			  double *out)
 *
 * which writes rows->n numbers (n x columns, if it has further columns). One
 * that can fail (memory) fills *rows->err and returns.
 *
 * A scorer that learns keeps what it has learnt in one struct (.state bytes,
 * zeroed), whose arrays .kept describes (core/state.h). Fitting is
 *
 *	begin, { add for every block of a pass, next }..., end, ready
 *
 * and scoring from a model file is: arrays loaded by the table, ready. What
 * .end leaves in those arrays must be all that scoring needs; .ready derives
 * the rest (whitened means, packed factors), and checks what the table cannot
 * (numbers of classes out of range) since a file can hold anything.
 *
 * One without a fit may keep what it derives from the head: .state and .ready
 * with .fit 0. ready is then called before each run of blocks, with the head
 * of its rows, and returns at once where it has seen that head before.
 *
 * Blocks have OOD_DIGEST_ROWS rows but the last, whatever the sizes of reads
 * and the number of threads; they come one after another, on one thread, and
 * may use OpenMP's team. Sums in that order have equal bits everywhere.
 */
#ifndef OOD_SCORERS_SCORER_H
#define OOD_SCORERS_SCORER_H

#include "core/base.h"
#include "core/notes.h"
#include "core/param.h"
#include "core/state.h"
#include "math/digest.h"
#include "math/layer.h"

enum ood_need {
	OOD_NEEDS_LOGITS = 1 << 0,  /* logits or log-probabilities alone */
	OOD_NEEDS_CLASSES = 1 << 1, /* logits or probabilities */
	OOD_NEEDS_FEATURES = 1 << 2,
	OOD_NEEDS_HEAD = 1 << 3, /* last-layer W and b */
	OOD_NEEDS_TOKENS = 1 << 4,
	OOD_NEEDS_TABLE = 1 << 5, /* named columns, as features */
	OOD_NEEDS_LABELS = 1 << 6,
	OOD_TAKES_HEAD = 1 << 7,   /* uses it where it is there */
	OOD_TAKES_LABELS = 1 << 8, /* likewise */
	OOD_TAKES_LOGITS = 1 << 9,
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
	size_t c;      /* classes; 0: no class scores */
	size_t d;      /* features; 0: none */
	bool is_probs; /* class scores are probabilities as given */
	const struct ood_digest *digest; /* at parameter T; NULL if c is 0 */
	const double *z; /* n x c class scores; NULL without OOD_TAKE_ROWS */
	const double *x; /* n x d features (of its layer), finite */
	const struct ood_layer *head; /* NULL: none */
	const int64_t *label;	      /* of fit rows, >= 0; NULL: none */
	const uint64_t *row;	      /* number in the input, from 1 */
	uint64_t *odd;		      /* a count: see ood_scorer.odd */
	struct ood_err *err;	      /* code OOD_OK until something fails */
};

/* What fitting and ready know beside the rows. */
struct ood_fit {
	const struct ood_args *args;
	const struct ood_layer *head; /* NULL: none */
	size_t c, d;		      /* as in the rows; 0 none */
	uint64_t seed;
	unsigned pass;		 /* from 0 */
	char *const *names;	 /* of the columns of a table; NULL: none */
	char *const *classes;	 /* names of the c classes; NULL: none */
	struct ood_notes *notes; /* what was fitted, and warnings; may be
				    NULL */
};

/* What a pass over the rows reads. */
enum ood_pass { OOD_PASS_TRAIN, OOD_PASS_VAL, OOD_PASS_NONE };

struct ood_scorer {
	const char *name;
	const char *aliases; /* "ebo", "odin0=msp:T=1000"; by blanks, or NULL */
	const char *brief;   /* one line, for lists */
	const char *formula; /* one line */
	const char *cite;    /* authors: title, venue year */
	unsigned needs, take;
	unsigned fit; /* needs of the rows it is fitted on; 0: no fit */
	/* NULL; or true where nothing is learned with these arguments. */
	bool (*fixed)(const struct ood_args *args);
	bool val; /* needs validation rows (--val), too */
	enum ood_shape shape;
	const struct ood_param *params; /* NULL: none */
	const char *columns;		/* further columns by blanks, or NULL */
	/* preset=NAME stands for parameters: "openood=k=100:metric=squared
	 * paper=k=10", by blanks; NULL: none */
	const char *presets;
	const char *odd; /* sentence on rows counted in rows->odd: "rows with
			    logsumexp <= 0, for which the order flips" */

	/* Checks parameters against the data's sizes, once; may be NULL. c or
	 * d is 0 where there is none. */
	int (*check)(const struct ood_args *args, size_t c, size_t d,
		     struct ood_err *err);
	void (*score)(const struct ood_rows *rows, const struct ood_args *args,
		      const void *state, double *out);
	/*
	 * In place of score: new logits z (n x c) for another scorer (its
	 * parameters score=NAME and score.KEY=VALUE): activation shaping.
	 */
	void (*reshape)(const struct ood_rows *rows,
			const struct ood_args *args, const void *state,
			double *z);

	/* Fitting, where something is learned. */
	size_t state; /* bytes */
	const struct ood_kept *kept;
	int (*begin)(void *state, const struct ood_fit *fit,
		     struct ood_err *err); /* NULL: nothing to do */
	int (*add)(void *state, const struct ood_fit *fit,
		   const struct ood_rows *rows, struct ood_err *err);
	/* Before each pass (fit->pass of them are done): what it reads, or
	 * OOD_PASS_NONE. NULL: one pass over the training rows. */
	int (*next)(void *state, const struct ood_fit *fit, enum ood_pass *pass,
		    struct ood_err *err);
	int (*end)(void *state, const struct ood_fit *fit, struct ood_err *err);
	/* Joins the partial sums of `from` (NULL: not mergeable). */
	int (*merge)(void *state, const void *from, const struct ood_fit *fit,
		     struct ood_err *err);
	/* May be NULL; as is release, of what ready made beside the fields. */
	int (*ready)(void *state, const struct ood_fit *fit,
		     struct ood_err *err);
	void (*release)(void *state);
	/* NULL, or why a fit with these arguments is not mergeable though
	 * .merge is there ("shrink needs two passes"); static, NULL: it is. */
	const char *(*unmergeable)(const struct ood_args *args);
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

#endif
