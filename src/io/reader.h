/*
 * reader.h - one face for every file format
 *
 * A reader opens a file, tells by its head which members it holds (arrays of
 * an NPZ, columns of a CSV, keys of JSON records), is told which of them are
 * wanted and how, and hands out blocks of rows. It knows nothing of roles.
 *
 * To add a format: one file with a struct ood_format, one line in formats.def.
 */
#ifndef OOD_IO_READER_H
#define OOD_IO_READER_H

#include "core/base.h"
#include "io/source.h"

#define OOD_NDIM_MAX 32 /* of arrays that are understood */
#define OOD_AXES_MAX 4	/* of those that can be read */

/* A member: an array, a column or a key, as the head of the file tells. */
struct ood_member {
	char *name; /* "" for the only array of an NPY file; owned by reader */
	enum ood_dtype dtype; /* OOD_TEXT also for any cell of a text file */
	unsigned ndim;	      /* 1: one value a row; 2: a row of values;
				 may be more than OOD_AXES_MAX */
	uint64_t shape[OOD_AXES_MAX]; /* the first ones; shape[0] UINT64_MAX:
					 not known yet */
	bool fortran;		      /* column-major (NPY) */
	bool numeric; /* text: the first record's cell reads as a number */
	bool empty;   /* text: the first record's cell is empty */
};

enum ood_pick_kind {
	OOD_PICK_REAL, /* a matrix of numbers: view */
	OOD_PICK_WORD, /* one value a row, digits kept: vec */
};

/*
 * Something wanted from a reader: members side by side (many columns of a
 * CSV), one array, or a jq path (JSON alone; then n is 0).
 */
struct ood_pick {
	enum ood_pick_kind kind;
	size_t n;
	size_t *member; /* numbers of members, in order; owned by the caller */
	const char *path; /* ".outputs[0].logits", or NULL */
	/* Axes of a 3-d or 4-d array, by name: "chw", "nhwc" ...; NULL: a 2-d
	 * array. Rows are then pixels, in the order image, y, x. */
	const char *layout;
	/* WORD: values are numbers; JSON then refuses strings other than those
	 * that stand for what it has no number for: "inf", "-inf", "nan". */
	bool numbers;
};

/* One value a row, as the file has it. Exactly one pointer is set. */
struct ood_vec {
	const int64_t *ints;	      /* integers and booleans */
	const double *reals;	      /* floats */
	const struct ood_span *words; /* text: cells, JSON numbers as typed,
					 strings without quotes (UTF-8) */
};

/* One pick's share of a block. Valid until the next call. */
struct ood_column {
	struct ood_view view; /* OOD_PICK_REAL: dtype OOD_F4 or OOD_F8 */
	struct ood_vec vec;   /* OOD_PICK_WORD */
};

struct ood_chunk {
	size_t n;			/* rows; 0 at the end */
	struct ood_column *columns;	/* one a pick */
	const struct ood_span *records; /* each row's own bytes with their
					   line end (keep_records), or NULL */
};

struct ood_reader;

/*
 * Opens and sniffs (spec'd formats and refusals: ood-formats(5)). read is
 * kept, not copied.
 */
int ood_reader_open(struct ood_reader **reader, const char *path,
		    const struct ood_read *read, struct ood_err *err);
void ood_reader_close(struct ood_reader *reader);

/* "npy", "npz", "csv", "json", "jsonl" */
const char *ood_reader_format(const struct ood_reader *reader);
struct ood_source *ood_reader_source(const struct ood_reader *reader);
/* The members; *records: each is one column of the same records (CSV, JSON
 * objects), else independent arrays (NPY, NPZ, one JSON object of arrays). */
const struct ood_member *ood_reader_members(const struct ood_reader *reader,
					    size_t *n, bool *records);
/* The header line as it stands in the file (CSV), with its end; n = 0 if
 * there is none. */
struct ood_span ood_reader_header(const struct ood_reader *reader);

/* Says what is wanted, once, before the first next. Checks kinds and shapes
 * (1-d where a matrix is wanted, complex numbers, ...) as far as known. */
int ood_reader_bind(struct ood_reader *reader, const struct ood_pick *picks,
		    size_t n, struct ood_err *err);

/* Columns of a pick: known after bind for arrays and tables; for a JSON list
 * after the first next. 0 = not known yet. */
size_t ood_reader_width(const struct ood_reader *reader, size_t pick);
/* Rows, where the head tells; else UINT64_MAX. */
uint64_t ood_reader_rows(const struct ood_reader *reader);

/*
 * The next rows: exactly `rows` of them unless the input ends (chunk->n = 0:
 * nothing left) or live is set. Ragged, cut or unreadable rows are refused
 * with their place.
 */
int ood_reader_next(struct ood_reader *reader, size_t rows,
		    struct ood_chunk *chunk, struct ood_err *err);

/* Adds file, member and place of a cell of the last chunk to err: line and
 * field for text, row and column for arrays. row, col from 0; col SIZE_MAX =
 * the whole row. */
void ood_reader_place(const struct ood_reader *reader, size_t pick, size_t row,
		      size_t col, struct ood_err *err);

/* ---------------------------------------------- what a format supplies --- */

struct ood_format {
	const char *name;  /* "npy" */
	const char *brief; /* for `ood list formats` */
	bool can_read, can_write;
	/* Does a file that starts with these bytes look like one? (npy, npz,
	 * json; csv takes what is left.) NULL: never by content. */
	bool (*sniff)(const char *at, size_t n);
	/* Reads the head, fills reader->member etc. below. */
	int (*open)(struct ood_reader *reader, struct ood_err *err);
	int (*bind)(struct ood_reader *reader, struct ood_err *err);
	int (*next)(struct ood_reader *reader, size_t rows,
		    struct ood_chunk *chunk, struct ood_err *err);
	void (*place)(const struct ood_reader *reader, size_t pick, size_t row,
		      size_t col, struct ood_err *err);
	void (*close)(struct ood_reader *reader);
};

/* Shared part; `own` is the format's state. Only io/ looks inside. */
struct ood_reader {
	const struct ood_format *format;
	const struct ood_read *read;
	struct ood_source *source;
	struct ood_member *members;
	size_t n_members;
	bool records;
	struct ood_span header;
	const struct ood_pick *picks;
	size_t n_picks;
	size_t *width;	    /* per pick */
	uint64_t rows;	    /* UINT64_MAX: not known */
	uint64_t max_bytes; /* from read, default filled in */
	void *own;
	const char *note; /* a warning about the head, static; or NULL */
};

/* formats.def, as a table; ends with a NULL name. */
extern const struct ood_format *const ood_formats[];

#endif
