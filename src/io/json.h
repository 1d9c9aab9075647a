/*
 * json.h - the parts of the JSON reader
 *
 * Matrices are read row by row, straight to doubles; no tree of values is
 * ever built. From the bottom up:
 *
 *	json_scan  tokens and values of a text that is in memory
 *	json_member  is a key in a record (--append)
 *	json_path  .a.b[0].c, and the tree of what is wanted from a record
 *	json_leaf  numbers and words at the ends of paths
 *	json_row   one record into its row of the block
 *	json_text  a window on the file; cuts it into records
 *	json_lane  batches of records, parsed by all threads
 *	json_head  which of the shapes a file has, and its members
 *	json_bind  what is wanted becomes lanes and paths
 *	json       the face that reader.h asks for
 */
#ifndef OOD_IO_JSON_H
#define OOD_IO_JSON_H

#include "core/base.h"
#include "core/mem.h"
#include "io/reader.h"

enum {
	OOD_JSON_DEPTH = 64,
	OOD_JSON_NUMBER = 1024,	   /* bytes of a number */
	OOD_JSON_STRING = 1 << 20, /* bytes of a string as it stands */
	OOD_JSON_WIDTH = 16 << 20, /* numbers in a row */
};

/* --------------------------------------------------------- json_scan --- */

/* Where a scan stands. `bad` is the byte at fault once a call failed; NULL:
 * the fault is a value's, not a byte's. Messages go to err without place. */
struct ood_json_scan {
	const char *at, *end;
	const char *bad;
	struct ood_err *err;
	unsigned depth; /* brackets open around the values skipped */
};

/* A string or another scalar, as it stands in the text. */
struct ood_json_word {
	const char *at; /* without quotes */
	size_t n;
	bool escaped; /* holds backslashes */
};

static inline bool ood_json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static inline void ood_json_blank(struct ood_json_scan *s)
{
	while (s->at < s->end && ood_json_is_blank(*s->at))
		s->at++;
}

/* May a number end before this place? */
static inline bool ood_json_ends(const char *at, const char *end)
{
	return at == end || *at == ',' || *at == ']' || *at == '}' ||
	       ood_json_is_blank(*at);
}

/* The byte at the place, 0 at the end (a NUL byte is no token either). */
static inline char ood_json_byte(const struct ood_json_scan *s)
{
	return s->at < s->end ? *s->at : '\0';
}

/* All return a code. */
int ood_json_fault(struct ood_json_scan *s, const char *at, const char *fmt,
		   ...) OOD_PRINTF(3, 4);
/* What stands at s->at is not what was expected ("',' or ']'"). */
int ood_json_unexpected(struct ood_json_scan *s, const char *expected);
/* At a '"': takes a string, checks escapes and UTF-8. */
int ood_json_string(struct ood_json_scan *s, struct ood_json_word *word);
/* A number, NaN, Infinity or -Infinity. */
int ood_json_number(struct ood_json_scan *s, double *x);
/* At a '"': takes "inf", "-inf" or "nan", which is how ood writes what JSON has
 * no number for; false (nothing taken) for any other string. */
bool ood_json_number_word(struct ood_json_scan *s, double *x);
/* Any value but a list or an object. */
int ood_json_scalar(struct ood_json_scan *s, struct ood_json_word *word);
/* Takes a whole value, checked. */
int ood_json_skip(struct ood_json_scan *s);
/* At a key: takes it with its colon and the blanks behind it. */
int ood_json_key(struct ood_json_scan *s, struct ood_json_word *key);
/*
 * Goes to the next item of a list or object whose bracket (first) or item
 * was just taken. *more = false: the closing bracket is taken. `close` is
 * ']' or '}'.
 */
int ood_json_next(struct ood_json_scan *s, char close, bool first, bool *more);
/* At a list: counts its items, takes it. */
int ood_json_count(struct ood_json_scan *s, size_t *n);
/* "a list", "null" ...: what the value at this byte is. */
const char *ood_json_kind(char first);

/* Writes a word without its escapes: at most word->n bytes. Returns how
 * many. The word has been through ood_json_string(). */
size_t ood_json_unescape(char *to, const struct ood_json_word *word);

/* ------------------------------------------------------- json_member --- */

/* Does the object (its bytes, as read before) have this key itself? What is
 * no object fails (OOD_INPUT). */
int ood_json_has_key(struct ood_span object, const char *key, bool *has,
		     struct ood_err *err);

/* --------------------------------------------------------- json_path --- */

enum ood_json_step_kind { OOD_JSON_KEY, OOD_JSON_INDEX, OOD_JSON_EACH };

struct ood_json_step {
	enum ood_json_step_kind kind;
	char *key;
	size_t n;	/* bytes of key */
	uint64_t index; /* from 0 */
};

struct ood_json_path {
	struct ood_json_step *steps;
	size_t n;
};

/* jq's .a.b[0]["odd key"][]; a path is OOD_USAGE if it is none. */
int ood_json_path_parse(struct ood_json_path *path, const char *text,
			struct ood_err *err);
/* The path of one key. */
int ood_json_path_key(struct ood_json_path *path, const char *key,
		      struct ood_err *err);
void ood_json_path_free(struct ood_json_path *path);

/* Something to take from each record. */
struct ood_json_target {
	enum ood_pick_kind kind;
	size_t pick;
	size_t column; /* REAL: first column in the pick's row */
	size_t width;  /* REAL: values */
	bool list;     /* REAL: as a list of numbers, not one number */
	bool each;     /* the path holds []: values are gathered */
	bool numbers;  /* WORD: of struct ood_pick */
	char *name;    /* "logits", ".a.b[0]", or NULL: the record itself */
};

struct ood_json_node;

/* A key that is wanted, or one of the first record. */
struct ood_json_key {
	uint64_t hash;
	char *name;
	size_t n;
	bool plain; /* stands in a text as it is, between quotes */
	struct ood_json_node *child; /* NULL: not wanted */
};

/* What is wanted below a value: leaves (targets) and branches. */
struct ood_json_node {
	size_t *targets;
	size_t n_targets, targets_room;

	struct ood_json_key *keys; /* wanted ones, and those of record 1 */
	size_t n_keys, keys_room;
	size_t n_wanted;
	size_t *slots; /* hash table of key numbers + 1; a power of 2 */
	size_t n_slots;
	size_t *order; /* keys of record 1, as they came */
	size_t n_order, order_room;

	struct ood_json_node **items; /* by rising index */
	uint64_t *index;
	size_t n_items, items_room, index_room;

	struct ood_json_node *each;
};

struct ood_json_plan {
	struct ood_json_node *root;
	struct ood_json_target *targets;
	size_t n, room;
	bool any_each;
};

/* Adds a target behind a path (its first `from` steps left out). The plan
 * takes over target->name, also when it fails. */
int ood_json_plan_add(struct ood_json_plan *plan,
		      const struct ood_json_path *path, size_t from,
		      struct ood_json_target *target, struct ood_err *err);
void ood_json_plan_free(struct ood_json_plan *plan);

uint64_t ood_json_hash(const char *at, size_t n);
/* NULL if the node has no such key. */
struct ood_json_key *ood_json_find(const struct ood_json_node *node,
				   uint64_t hash, const char *at, size_t n);
/* Finds or adds; NULL: no memory. */
struct ood_json_key *ood_json_enter(struct ood_json_node *node, const char *at,
				    size_t n);

/* ---------------------------------------------------------- json_row --- */

/* Where a pick's values go. */
struct ood_json_out {
	double *reals; /* row r begins at r * width */
	size_t width, reals_room;
	struct ood_json_word *words;
	size_t words_room;
};

struct ood_json_seen {
	uint64_t hash;
	const char *at;
};

/* What a thread needs to read records. */
struct ood_json_worker {
	struct ood_json_scan scan;
	struct ood_err err;
	const struct ood_json_plan *plan;
	const struct ood_json_out *outs;
	const char *missing; /* of struct ood_read */
	size_t row;	     /* of the outs */
	/* The first record: widths are counted, keys noted, nothing kept. */
	struct ood_json_plan *learn;

	size_t *counts; /* values so far of targets with [] */
	struct ood_json_seen *seen;
	size_t n_seen, seen_room;
	struct ood_buf key; /* a key without its escapes */

	/* A value at fault (scan.bad NULL): column from 0, SIZE_MAX: row. */
	size_t column;
	const struct ood_json_target *target;
};

/* targets: of the largest plan that it will follow. */
int ood_json_worker_init(struct ood_json_worker *worker, size_t targets,
			 const char *missing);
void ood_json_worker_free(struct ood_json_worker *worker);
/* Reads one record, all of [at, at + n). */
int ood_json_row(struct ood_json_worker *worker, const char *at, size_t n);
/* At the value of worker->target: reads it. */
int ood_json_leaf(struct ood_json_worker *worker);
/* Of a target with []: n values were there in all. */
int ood_json_check_width(struct ood_json_worker *worker, size_t n);

/* --------------------------------------------------------- json_text --- */

/* A place in the file: bytes from its start; line, and bytes from the start
 * of that line. */
struct ood_json_spot {
	uint64_t offset;
	uint64_t line;	 /* from 1 */
	uint64_t column; /* from 0 */
};

/* A window on the text; bytes from `keep` on stay until it is moved. */
struct ood_json_text {
	struct ood_source *source;
	bool seek; /* reads by pread at `next` */
	bool hold; /* keeps everything */
	bool live;
	uint64_t next;
	uint64_t max_bytes;
	size_t step;	/* bytes asked from the source at once, at least */
	unsigned outer; /* brackets open around the values cut out */

	char *data;
	bool borrowed;
	size_t keep, end, room;
	uint64_t base; /* offset of data[0] */
	bool eof;

	size_t pos; /* where `spot` is */
	struct ood_json_spot spot;
};

/* A record: bytes from text->keep, and where it starts. */
struct ood_json_record {
	size_t at, n;
	size_t size; /* of a line, with its end; else n */
	struct ood_json_spot spot;
};

/* A second window, at a place of the file of the first, which holds the whole
 * file or can seek. Free it even if this fails. */
int ood_json_text_init(struct ood_json_text *text,
		       const struct ood_json_text *from,
		       struct ood_json_spot spot, struct ood_err *err);
void ood_json_text_free(struct ood_json_text *text);
/* Back to a byte that is still in the window, or to any with seek. */
int ood_json_text_rewind(struct ood_json_text *text, struct ood_json_spot spot,
			 struct ood_err *err);
/* Reads on; sets eof if there is nothing more. */
int ood_json_text_more(struct ood_json_text *text, struct ood_err *err);
void ood_json_text_advance(struct ood_json_text *text, size_t n);
/* Goes to the next byte that is not blank: *c, 0 at the end of the file. */
int ood_json_text_blank(struct ood_json_text *text, char *c,
			struct ood_err *err);
/* Cuts out the value at pos. keep = false: its bytes need not stay, and one
 * that does not end is refused. */
int ood_json_text_value(struct ood_json_text *text, bool keep,
			struct ood_json_record *record, struct ood_err *err);
/* Like ood_json_next() and ood_json_key(), in a window. */
int ood_json_text_next(struct ood_json_text *text, char close, bool first,
		       bool *more, struct ood_err *err);
int ood_json_text_key(struct ood_json_text *text, struct ood_buf *key,
		      struct ood_err *err);
/* Adds file, line and column of the spot, `ahead` bytes on. */
int ood_json_text_place(const struct ood_json_text *text, const char *from,
			const char *bad, struct ood_json_spot spot,
			struct ood_err *err);
/* What stands at pos is not expected there. */
int ood_json_text_unexpected(struct ood_json_text *text, const char *expected,
			     struct ood_err *err);

/* --------------------------------------------------------- json_lane --- */

/* Records one after another: lines, or the items of a list. */
struct ood_json_lane {
	struct ood_json_text text;
	bool lines;
	bool whole; /* one record: the value at the start */
	bool root;  /* the list is the whole file */
	bool first; /* no record was cut yet */
	bool done;
	struct ood_json_plan plan;
	const char *member; /* of an object of arrays, for messages */
	size_t rows;	    /* of the last chunk */
};

/* Reads the first record for widths and keys, and steps back. */
int ood_json_lane_learn(struct ood_reader *reader, struct ood_json_lane *lane,
			struct ood_err *err);
/* Up to `rows` rows into the outs; lane->rows are there then. */
int ood_json_lane_fill(struct ood_reader *reader, struct ood_json_lane *lane,
		       size_t rows, struct ood_err *err);
/* Counts the rows that are left. */
int ood_json_lane_drain(struct ood_json_lane *lane, uint64_t *rows,
			struct ood_err *err);
/* Behind the only value of a file: nothing may follow. */
int ood_json_tail(struct ood_json_text *text, struct ood_err *err);

/* --------------------------------------------------------- json_head --- */

enum ood_json_shape {
	OOD_JSON_LINES,	 /* a value a line */
	OOD_JSON_LIST,	 /* one list */
	OOD_JSON_OBJECT, /* one object of lists */
};

/* Words of a pick, or the records' own bytes, of the chunk. */
struct ood_json_words {
	struct ood_span *spans;
	size_t *starts; /* in json->bytes, which moves while it grows */
	size_t spans_room, starts_room;
};

/* The state of a reader. */
struct ood_json {
	enum ood_json_shape shape;
	bool alone; /* OBJECT: on one line, so that it may be a record */
	struct ood_json_text text;   /* the file: held, or read by seek */
	struct ood_json_spot start;  /* of the first value */
	struct ood_json_spot *spots; /* OBJECT: of each member's value */

	struct ood_json_lane *lanes; /* one; OBJECT: one a pick */
	size_t n_lanes;
	struct ood_json_out *outs; /* one a pick */
	struct ood_column *columns;
	struct ood_json_worker *workers;
	int n_workers;

	uint64_t before; /* rows of earlier chunks */
	size_t rows;	 /* of the last chunk */
	uint64_t *lines; /* line of each row of the chunk */
	size_t lines_room;
	struct ood_json_record *cuts; /* a batch */
	size_t cuts_room;
	struct ood_buf bytes;	      /* of all words */
	struct ood_json_words *words; /* one a pick, then the records */
};

/* Opens as reader.h asks; OOD_JSON_STEP is the step to take. */
#define OOD_JSON_STEP ((size_t)1 << 20)
int ood_json_open(struct ood_reader *reader, size_t step, struct ood_err *err);
/* Tells the shape, fills reader->members. */
int ood_json_head(struct ood_reader *reader, struct ood_err *err);
/* Makes lanes for reader->picks, and learns from the first record. */
int ood_json_bind(struct ood_reader *reader, struct ood_err *err);
/* Adds the file, and the member if it is not NULL. Returns the code. */
int ood_json_where(const struct ood_reader *reader, const char *member,
		   struct ood_err *err);
/* Adds the place of a value. line: of its record; column SIZE_MAX: none. */
void ood_json_place(const struct ood_reader *reader, const char *member,
		    uint64_t line, uint64_t row, size_t column,
		    struct ood_err *err);

extern const struct ood_format ood_format_json, ood_format_jsonl;

#endif
