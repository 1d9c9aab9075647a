/*
 * csv.h - the parts of the reader of delimited text
 *
 *	source -> csv_text (lines) -> csv_fast   all threads, plain rows
 *	                           -> csv_record libcsv, any row, all refusals
 *	       -> csv_block (matrices, words, records)
 *
 * Each block of text is tried by the fast path first. It knows rows of plain
 * cells; at the first row that it does not know (quotes, a wrong count, a bad
 * number) the rest of the block goes through libcsv. So there is one place
 * that refuses, and both paths give the same values and places.
 */
#ifndef OOD_IO_CSV_H
#define OOD_IO_CSV_H

#include "core/mem.h"
#include "core/num.h"
#include "io/reader.h"

#include <csv.h>

#define OOD_CSV_COLUMNS_MAX 1000000
#define OOD_CSV_CELL_MAX ((size_t)1 << 20)
/* A million columns of 64 bytes. */
#define OOD_CSV_RECORD_MAX ((size_t)64 << 20)
/* Bytes asked from the source at once: a few per thread and L2 cache. */
#define OOD_CSV_STEP ((size_t)4 << 20)

/* ------------------------------------------------ csv_dialect.c --- */

/* What separates cells, and how they read as numbers. */
struct ood_dialect {
	char delimiter;
	char decimal;
	bool blanks; /* runs of blanks separate, # begins a comment line */
	bool given;  /* the delimiter was asked for */
	const char *missing; /* cells that read as NaN, as typed; or NULL */
};

int ood_dialect_open(struct ood_dialect *d, const struct ood_read *read,
		     char delimiter, struct ood_err *err);

/* A cell as a number, blanks around it and missing values allowed. */
enum ood_num_kind ood_dialect_number(const struct ood_dialect *d,
				     const char *at, size_t n, double *x);

/* Says what is wrong with a cell that is no number. `text`: so was the first
 * cell of its column. Does not fill in the place. */
int ood_dialect_refuse(const struct ood_dialect *d, struct ood_span cell,
		       bool text, struct ood_err *err);

/* Refuses a file whose first two lines (the second may be empty) look like
 * another delimiter, and says which. */
int ood_dialect_advise(const struct ood_dialect *d, struct ood_span first,
		       struct ood_span second, struct ood_err *err);

static inline bool ood_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct ood_span ood_trim(const struct ood_dialect *d, const char *at, size_t n);

/* --------------------------------------------------- csv_text.c --- */

/* The bytes read and not yet used up: [from, to). */
struct ood_csv_text {
	struct ood_source *source;
	char *bytes;
	size_t from, to, room;
	size_t step;   /* bytes asked for at once */
	size_t seen;   /* beginning of the last line looked at */
	size_t lf, cr; /* behind the next line feed, return; 0 not known */
	uint64_t line; /* number of the line at from, from 1 */
	bool eof, live;
	bool mark; /* it began with a byte-order mark */
};

struct ood_csv_line {
	const char *at;
	size_t n;    /* without its end */
	size_t size; /* with it */
	uint64_t number;
};

/* The line that begins `skip` bytes behind from; false if more bytes are
 * needed to see its end, or there is none. */
bool ood_csv_text_line(struct ood_csv_text *t, size_t skip,
		       struct ood_csv_line *line);
/* Reads more; moves what is there. Refuses records that are too long. */
int ood_csv_text_fill(struct ood_csv_text *t, struct ood_err *err);
/* True if a fill would have to wait and rows should be handed out. */
bool ood_csv_text_waits(const struct ood_csv_text *t);
/* Takes bytes and lines off the front. */
void ood_csv_text_take(struct ood_csv_text *t, size_t size, uint64_t lines);
/* True for lines that hold no record: blank ones and comments. */
bool ood_csv_line_is_void(const struct ood_dialect *d,
			  const struct ood_csv_line *line);

/* ------------------------------------------------- csv_record.c --- */

struct ood_csv_cell {
	size_t at, n;  /* in record.text */
	uint64_t line; /* physical line where it begins */
};

/* One record taken apart. */
struct ood_csv_record {
	struct ood_csv_text *source;
	const struct ood_dialect *dialect;
	struct csv_parser parser;
	struct ood_buf text;
	struct ood_csv_cell *cells;
	size_t n, room;
	size_t size;	/* with it */
	uint64_t line;	/* of its beginning */
	uint64_t begun; /* line where the cell being read begins */
	uint64_t lines; /* it spans */
	bool ended;	/* its end was seen */
	bool failed;	/* memory ran out */
};

enum ood_csv_got {
	OOD_CSV_END,  /* nothing left */
	OOD_CSV_GOT,  /* a record */
	OOD_CSV_WAIT, /* its rest is not there yet (live) */
};

void ood_csv_record_open(struct ood_csv_record *r, struct ood_csv_text *text,
			 const struct ood_dialect *dialect);
void ood_csv_record_close(struct ood_csv_record *r);

/*
 * Takes the next record apart. Blank lines and comments in front are taken
 * off the text, the record itself is not (ood_csv_text_take(text, r->size,
 * r->lines) does). With `patient` unset a live stream that has no complete
 * record gives WAIT.
 */
int ood_csv_record_read(struct ood_csv_record *r, bool patient,
			enum ood_csv_got *got, struct ood_err *err);

static inline struct ood_span
ood_csv_record_cell(const struct ood_csv_record *r, size_t i)
{
	const struct ood_csv_cell *c = &r->cells[i];

	return (struct ood_span){ c->n ? r->text.text + c->at : "", c->n };
}

/* -------------------------------------------------- csv_block.c --- */

/* Copies of cells, at fixed addresses until cleared. */
struct ood_slab;
struct ood_csv_arena {
	struct ood_slab *slabs;
};
/* NULL: no memory. */
const char *ood_csv_arena_keep(struct ood_csv_arena *a, const char *at,
			       size_t n);
void ood_csv_arena_clear(struct ood_csv_arena *a);
void ood_csv_arena_free(struct ood_csv_arena *a);

/* Neighbouring members that become neighbouring columns of one pick. */
struct ood_csv_run {
	size_t first, n; /* members */
	size_t pick, column;
	enum ood_pick_kind kind;
};

/* One pick's share of a block. */
struct ood_csv_part {
	size_t width;
	enum ood_pick_kind kind;
	double *reals;		/* OOD_PICK_REAL */
	struct ood_span *words; /* OOD_PICK_WORD */
};

/* Rows that are handed out together. */
struct ood_csv_block {
	size_t n, room;
	struct ood_csv_part *parts;
	size_t n_parts;
	struct ood_csv_run *runs; /* by first member */
	size_t n_runs;
	uint64_t *lines; /* line of each row */
	struct ood_span *records;
	bool keep_records;
	struct ood_csv_arena *arenas; /* one a share of the work */
	size_t n_arenas;
	struct ood_column *columns; /* one a pick */
};

int ood_csv_block_open(struct ood_csv_block *b, const struct ood_reader *reader,
		       struct ood_err *err);
void ood_csv_block_close(struct ood_csv_block *b);
/* Empties it. */
void ood_csv_block_clear(struct ood_csv_block *b);
/* Room for `more` rows behind the n there are, at best for `all` in all. */
int ood_csv_block_reserve(struct ood_csv_block *b, size_t more, size_t all,
			  struct ood_err *err);
/* As a chunk. */
void ood_csv_block_show(struct ood_csv_block *b, struct ood_chunk *chunk);

static inline double *ood_csv_block_real(const struct ood_csv_block *b,
					 const struct ood_csv_run *run,
					 size_t row)
{
	const struct ood_csv_part *part = &b->parts[run->pick];

	return part->reals + row * part->width + run->column;
}

/* --------------------------------------------- csv_head.c, csv.c --- */

/* reader->own */
struct ood_csv {
	struct ood_dialect dialect;
	struct ood_csv_text text;
	struct ood_csv_record record;
	struct ood_csv_block block;
	char *names; /* of all members */
	char *header;
	size_t n_columns;
	uint64_t first_line;	    /* that told the number of columns */
	struct ood_csv_line *lines; /* csv_fast.c: lines of the text */
	size_t n_lines;		    /* room for them */
	size_t rest; /* bytes for libcsv before the fast path again */
	bool plain;  /* for tests: no fast path */
};

/* What open does; step: bytes asked from the source at once. */
int ood_csv_open(struct ood_reader *reader, char delimiter, size_t step,
		 struct ood_err *err);

/* Tells header and columns by the first records; fills in the members. */
int ood_csv_head(struct ood_reader *reader, struct ood_err *err);
/* Refuses columns that are taken without having a name of their own. */
int ood_csv_check_names(const struct ood_reader *reader, struct ood_err *err);

/* --------------------------------------------------- csv_fast.c --- */

/*
 * Reads plain rows of the text at hand into the block, until it holds `rows`.
 * *rest is the number of bytes behind them that are to go through libcsv
 * before this is tried again.
 */
int ood_csv_fast(struct ood_csv *csv, size_t rows, size_t *rest,
		 struct ood_err *err);

#endif
