/*
 * json_read.h - a whole JSON file, as one string
 */
#ifndef OOD_TESTS_JSON_READ_H
#define OOD_TESTS_JSON_READ_H

#include "io/json.h"

/* How to read; all zero but picks: in one block. */
struct json_how {
	/* What is wanted, by blanks: w:id (a word), r:logits, r:c1,c0 (side by
	 * side), r:.a.b[0] (a path), r: (the only array). */
	const char *picks;
	struct ood_read read;
	bool pipe;   /* through a pipe: nothing may seek */
	size_t step; /* bytes asked from the source at once */
	size_t rows; /* a block */
};

/*
 * What was read. The dump has a line a row, picks by '|', numbers shortest:
 *	img0|1 2.5
 * and the record at the end with keep_records.
 */
struct json_result {
	int code;
	char error[OOD_ERR_TEXT_MAX]; /* behind the file's name */
	char format[8];
	struct ood_buf members; /* "id:1 logits:2(3) name:1s": s = no number */
	struct ood_buf dump;
	size_t rows;
};

void json_read(struct json_result *r, const char *text, size_t n,
	       const struct json_how *how);
void json_result_free(struct json_result *r);

/* Reads in many ways (file and pipe, odd steps, small blocks), which
 * must agree in everything; gives the common result. */
void json_read_all_ways(struct json_result *r, const char *text, size_t n,
			const struct json_how *how);

#endif
