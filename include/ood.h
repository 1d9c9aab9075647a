/*
 * ood.h - score saved model outputs for out-of-distribution data
 *
 * The whole public API, in the order in which data flows:
 *
 *	errors -> arrays -> sets -> scorers -> detection figures -> thresholds
 *
 * Conventions, everywhere:
 *   - Larger score = more out-of-distribution (OoD), more uncertain.
 *   - Arithmetic is in double, whatever a file holds. Logarithms are natural.
 *   - Functions that can fail return OOD_OK (0) or the code that they put into
 *     *err together with a sentence; err may not be NULL.
 *   - The library never prints, exits or keeps global state. Objects may be
 *     used from any thread, one thread at a time each.
 *   - Work is shared among the threads of OpenMP's default team; results do
 *     not depend on how many there are.
 */
#ifndef OOD_H
#define OOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OOD_VERSION_MAJOR 0
#define OOD_VERSION_MINOR 1
#define OOD_VERSION_PATCH 0
#define OOD_VERSION "0.1.0"

/* ------------------------------------------------------------ errors --- */

/* The same numbers are the exit statuses of the command. */
enum ood_code {
	OOD_OK = 0,	 /* done */
	OOD_NO = 1,	 /* a gate says no */
	OOD_USAGE = 2,	 /* wrong call: unknown name, bad parameter */
	OOD_INPUT = 3,	 /* input refused */
	OOD_SYSTEM = 4,	 /* cannot open, read, write; no memory */
	OOD_NUMERIC = 5, /* singular, not converged, infeasible */
	OOD_BUG = 70,	 /* a fault of ours */
};

/* How the place of an error is counted; both from 1. */
enum ood_place {
	OOD_PLACE_NONE, /* where alone */
	OOD_PLACE_LINE, /* line and field of a text file */
	OOD_PLACE_ROW,	/* row and column of an array */
};

#define OOD_WHERE_MAX 512
#define OOD_WHAT_MAX 1024
#define OOD_ERR_TEXT_MAX (OOD_WHERE_MAX + OOD_WHAT_MAX + 64)

/* Filled by the function that failed; on the caller's stack. */
struct ood_err {
	enum ood_code code;
	int os_errno; /* errno of the call that failed, or 0 */
	enum ood_place place;
	uint64_t line, column;	   /* 0 = not known */
	char where[OOD_WHERE_MAX]; /* file, or file[member]; may be "" */
	char what[OOD_WHAT_MAX];   /* what is wrong; what to do */
};

/*
 * Writes the whole sentence, "where:line:column: what", with control bytes
 * escaped, into buf (size bytes, at best OOD_ERR_TEXT_MAX). Returns buf.
 */
char *ood_err_text(const struct ood_err *err, char *buf, size_t size);

/* ------------------------------------------------------------ arrays --- */

enum ood_dtype {
	OOD_F2, /* IEEE half */
	OOD_F4, /* float */
	OOD_F8, /* double */
	OOD_I1,
	OOD_I2,
	OOD_I4,
	OOD_I8,
	OOD_U1,
	OOD_U2,
	OOD_U4,
	OOD_U8,
	OOD_B1,	  /* boolean, one byte */
	OOD_TEXT, /* strings, or cells of a text file */
};

/* A borrowed window on a matrix, rows one after another. Passed by value. */
struct ood_view {
	const void *data;
	enum ood_dtype dtype; /* OOD_F4 or OOD_F8 */
	size_t rows, cols;
	size_t stride; /* elements from one row to the next, >= cols */
};

/* A matrix of doubles that owns its memory. */
struct ood_mat {
	double *data; /* rows x cols, C order */
	size_t rows, cols;
};

/* Frees what a matrix holds and zeroes it. */
void ood_mat_free(struct ood_mat *mat);

/* A view of the whole matrix. */
struct ood_view ood_mat_view(const struct ood_mat *mat);

/* -------------------------------------------------------------- sets --- */

/* What an array is. The word on the command line: ood_role_name(). */
enum ood_role {
	OOD_LOGITS,
	OOD_PROBS,
	OOD_LOGPROBS,
	OOD_FEATURES, /* features.2, features.3 ... are layers */
	OOD_LABELS,
	OOD_PRED,
	OOD_CORRECT,
	OOD_IDS,
	OOD_SCORES,
	OOD_CONFIDENCE,
	OOD_GROUPS,
	OOD_WEIGHTS,
	OOD_TOKENS,
	OOD_TOKEN_LOGPROBS,
	OOD_TOP_LOGPROBS,
	OOD_HEAD_WEIGHTS,
	OOD_HEAD_BIAS,
	OOD_ROLES /* their number */
};

const char *ood_role_name(enum ood_role role);

enum ood_header { OOD_HEADER_AUTO, OOD_HEADER_YES, OOD_HEADER_NO };
enum ood_nan { OOD_NAN_ERROR, OOD_NAN_SKIP, OOD_NAN_WORST, OOD_NAN_KEEP };

/*
 * How inputs are read; the fields are the command's options of the same name.
 * All zero is the default of every one.
 */
struct ood_read {
	const char *as;		  /* role of a bare matrix: logits */
	const char *input_format; /* by content */
	const char *layout;	  /* nc */
	const char *columns;	  /* names or ranges of input columns */
	const char *id_column;
	const char *label_column;
	const char *delimiter; /* one byte, or tab, space, semicolon, comma */
	const char *decimal;   /* point, comma, or the byte */
	const char *missing;   /* cells read as NaN, by comma; usual */
	const char *classes;   /* class names by comma, or @FILE */
	const char *const *class_names; /* of a model: where nothing else names
					   them */
	size_t n_class_names;
	enum ood_header header;
	enum ood_nan nan;
	double prob_tol; /* 0 means 1e-3 */
	bool renormalise;
	bool higher_id;	    /* scores in files: larger = ID */
	bool as_stored;	    /* scores as the file has them: confidence is not
			       negated, higher_id ignored */
	uint64_t max_bytes; /* largest array in memory; 0: half of RAM */
	bool keep_records;  /* keep each record's own bytes (--append) */
	bool live;	    /* hand out rows as soon as they are there */
	bool want_crc;	    /* note the CRC-32 of each file */
};

struct ood_set; /* the arrays of one data set, read block by block */

/*
 * Opens the set that spec names (PATH, ROLE=PATH[:MEMBER],..., or a PREFIX;
 * ood(1), "Naming a set"). Nothing but heads is read. Free with
 * ood_set_close().
 */
int ood_set_open(struct ood_set **set, const char *spec,
		 const struct ood_read *read, struct ood_err *err);
void ood_set_close(struct ood_set *set);

/* True if the set has an array of this role. */
bool ood_set_has(const struct ood_set *set, enum ood_role role);

/*
 * Reads one role to the end as a matrix of doubles (rows x columns; vectors
 * have one column). The set is used up. Free with ood_mat_free().
 */
int ood_set_read(struct ood_set *set, enum ood_role role, struct ood_mat *mat,
		 struct ood_err *err);

/* ----------------------------------------------------------- scorers --- */

struct ood_model; /* what turns rows into scores: a chain of stages */

/*
 * Makes a model from a list of scorers that need no fitting, in the grammar
 * of `ood score -s`: "msp,energy:T=2". Free with ood_model_free().
 */
int ood_model_parse(struct ood_model **model, const char *list,
		    struct ood_err *err);
void ood_model_free(struct ood_model *model);

/* Number of columns of scores; the name of each, from 0 (the model's own;
 * NULL past the end). */
size_t ood_model_columns(const struct ood_model *model);
const char *ood_model_column(const struct ood_model *model, size_t column);

/*
 * Scores the rows of a matrix of logits, log-probabilities or probabilities
 * (role). scores: view.rows x ood_model_columns(), C order. Refuses what the
 * command refuses, with its row and column (OOD_INPUT): NaN, +inf, rows
 * without a finite logit, rows that are no probabilities to 1e-3; and roles
 * that a scorer cannot use (OOD_USAGE).
 * Each score is right to 1e-12 of the larger of its size and its largest term.
 */
int ood_model_score(const struct ood_model *model, enum ood_role role,
		    struct ood_view view, double *scores, struct ood_err *err);

/* ------------------------------------------------- detection figures --- */

/*
 * ID scores against OoD scores. In a name the suffix is the positive class.
 * Undefined figures are NaN. Definitions and sources: ood-metrics(7).
 */
struct ood_detection {
	size_t n_id, n_ood;
	double auroc;		    /* P(OoD > ID) + P(OoD = ID) / 2 */
	double auroc_lo, auroc_hi;  /* 95 % DeLong interval, logit scale */
	double aupr_ood, aupr_id;   /* average precision, step sum */
	double fpr95_ood, fpr95_id; /* FPR where recall reaches 95 % */
	double detection_error;	    /* min over t of (FNR + FPR) / 2 */
};

/*
 * id: n_id scores, ood: n_ood scores, in any order. NaN is refused, and no
 * rows at all (OOD_INPUT); +-inf have a rank. An empty side leaves what needs
 * it undefined.
 */
int ood_detect(const double *id, size_t n_id, const double *ood, size_t n_ood,
	       struct ood_detection *figures, struct ood_err *err);

/* -------------------------------------------------------- thresholds --- */

/*
 * The threshold that a rule picks. rule: "keep=0.95", "fpr=0.05", "tpr=0.95",
 * "youden", "fbeta=1", "cost=10:1", "eer". A row is OoD if score >= threshold;
 * +inf flags none. ood may be NULL (n_ood 0) for rules about ID rows alone.
 * OOD_USAGE: no such rule; OOD_INPUT: NaN, or a side that the rule needs is
 * empty; OOD_NUMERIC: no threshold meets the rule.
 */
int ood_threshold(const char *rule, const double *id, size_t n_id,
		  const double *ood, size_t n_ood, double *threshold,
		  struct ood_err *err);

#ifdef __cplusplus
}
#endif
#endif
