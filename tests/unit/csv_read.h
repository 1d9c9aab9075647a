/*
 * csv_read.h - a whole text table, as one string
 */
#ifndef OOD_TESTS_CSV_READ_H
#define OOD_TESTS_CSV_READ_H

#include "io/csv.h"

extern const struct ood_format ood_format_csv, ood_format_tsv;

/* How to read; all zero: every column as a number, in one block. */
struct csv_how {
	struct ood_read read;
	bool tsv;
	size_t words; /* leading columns that are taken as words */
	size_t skip;  /* columns behind them that are not taken */
	size_t step;  /* bytes asked from the source at once */
	size_t rows;  /* a block */
	bool plain;   /* libcsv alone */
};

/*
 * What was read. The dump has a line a row: its line in the file, words,
 * numbers, record, by '|':
 *	2|img0|1 2.5|img0,1,2.5
 */
struct csv_result {
	int code;
	char error[OOD_ERR_TEXT_MAX]; /* from the line on: ":4:2: ..." */
	struct ood_buf dump;
	struct ood_buf names; /* of the columns, by '|' */
	struct ood_buf header;
	size_t rows;
	const char *note;
};

void csv_read(struct csv_result *r, const char *path,
	      const struct csv_how *how);
void csv_result_free(struct csv_result *r);

/* A temporary file with these bytes; remove it with csv_file_drop(). */
void csv_file_make(char path[256], const char *bytes, size_t n);
void csv_file_drop(const char *path);

/* Reads a file in many ways (libcsv alone, odd buffers, small blocks, live),
 * which must agree in everything; gives the common result. */
void csv_read_all_ways(struct csv_result *r, const char *path,
		       const struct csv_how *how);

/* The bytes read, in all ways, to this dump, or are refused so. */
void csv_check_reads(const struct csv_how *how, const char *bytes, size_t n,
		     const char *dump);
void csv_check_refuses(const struct csv_how *how, const char *bytes, size_t n,
		       const char *error);

/* Fields of struct csv_how, or of its options. */
#define HOW(...) (&(struct csv_how){ __VA_ARGS__ })
#define PLAIN HOW(.skip = 0)
#define OPTION(...) HOW(.read = { __VA_ARGS__ })
#define READS(how, bytes, dump)                                                \
	csv_check_reads(how, bytes, sizeof(bytes) - 1, dump)
#define REFUSES(how, bytes, error)                                             \
	csv_check_refuses(how, bytes, sizeof(bytes) - 1, error)

#endif
