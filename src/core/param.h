/*
 * param.h - SPEC := NAME[:KEY=VALUE]..., for scorers, maps, metrics and rules
 *
 * A thing with parameters describes them in a table; parsing, bounds, help,
 * man pages and the text of a full spec all read that table.
 */
#ifndef OOD_CORE_PARAM_H
#define OOD_CORE_PARAM_H

#include "core/base.h"
#include "core/mem.h"

enum ood_param_kind {
	OOD_PARAM_END, /* ends a table */
	OOD_PARAM_REAL,
	OOD_PARAM_INT,
	OOD_PARAM_SWITCH, /* 0 or 1 */
	OOD_PARAM_WORD,	  /* one of choices */
	OOD_PARAM_LIST,	  /* numbers: [0.5,2] */
	OOD_PARAM_TEXT,	  /* a file, a name */
};

struct ood_param {
	enum ood_param_kind kind;
	const char *name;
	const char *help;    /* "temperature" */
	double def;	     /* NaN: off / must be given (see need) */
	double lo, hi;	     /* bounds */
	bool lo_open;	     /* lo itself is not allowed */
	bool need;	     /* no default: must be given */
	const char *choices; /* WORD: "min predicted", the first is default */
};

/* The parameter T of maps and scorers of class scores. */
#define OOD_PARAM_TEMPERATURE                                                  \
	{                                                                      \
		.kind = OOD_PARAM_REAL, .name = "T", .help = "temperature",    \
		.def = 1, .lo = 0, .hi = INFINITY, .lo_open = true             \
	}

#define OOD_PARAMS_MAX 12

/* Values in the order of the table. */
struct ood_args {
	double num[OOD_PARAMS_MAX]; /* REAL INT SWITCH; WORD: its number */
	char *text[OOD_PARAMS_MAX]; /* TEXT; NULL not given */
	double *list[OOD_PARAMS_MAX];
	size_t list_n[OOD_PARAMS_MAX];
	bool given[OOD_PARAMS_MAX];
};

/* One SPEC taken apart; spans point into the text. */
struct ood_spec {
	struct ood_span column; /* NAME= in front; n = 0: none */
	struct ood_span name;
	struct ood_span params; /* "k=50:metric=squared"; n = 0: none */
	struct ood_span whole;	/* NAME:KEY=VALUE... without column */
};

/*
 * Cuts a list at commas outside brackets and quotes and takes each SPEC
 * apart. *specs is an array of *n; free with ood_free(). Empty parts are
 * refused (OOD_USAGE).
 */
int ood_specs_parse(const char *list, struct ood_spec **specs, size_t *n,
		    struct ood_err *err);

/* Takes the next KEY=VALUE off "k=50:metric=squared"; false at the end.
 * Without '=' the whole part is the key and value.at is NULL. */
bool ood_param_next(struct ood_span *rest, struct ood_span *key,
		    struct ood_span *value);

/*
 * Reads "k=50:metric=squared" against a table; what is not given gets its
 * default. who ("scorer knn") goes into messages. An unknown key is refused
 * with the keys there are; out of bounds with the bounds.
 */
int ood_args_parse(const struct ood_param *table, const char *who,
		   struct ood_span params, struct ood_args *args,
		   struct ood_err *err);
void ood_args_free(struct ood_args *args);

/* All values that are in force, ":k=50:metric=squared", defaults included;
 * prefix ("", "map.") stands before each key. */
void ood_args_format(const struct ood_param *table, const struct ood_args *args,
		     const char *prefix, struct ood_buf *out);

/* "T (1; > 0)" for lists and man pages. */
void ood_param_describe(const struct ood_param *param, struct ood_buf *out);
/* Entries of a table; NULL has none. */
size_t ood_param_count(const struct ood_param *table);

/* The i-th word, from 0, of words by blanks ("min predicted", NULL); n = 0
 * past the end. */
struct ood_span ood_word(const char *words, size_t i);

/* The entry of names[] nearest to a mistyped word (at most 2 edits away), or
 * NULL: for "did you mean". names ends with NULL. */
const char *ood_nearest(const char *word, size_t n, const char *const *names);

#endif
