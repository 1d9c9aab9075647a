/*
 * array.h - the rows of one NPY array, from whatever its bytes come from
 *
 * Three ways lead to the elements of a block (array.c chooses):
 *	ORDER  rows stand one after another: read in order, in a file by all
 *	       threads at once
 *	PLANES a column's values stand one after another in a file (Fortran
 *	       order, chw): a piece of each column is read
 *	SLAB   all else: the smallest piece that holds rows in order (an image,
 *	       or the whole array) is held in memory
 */
#ifndef OOD_IO_ARRAY_H
#define OOD_IO_ARRAY_H

#include "core/base.h"
#include "io/axes.h"
#include "io/feed.h"
#include "io/npy.h"

enum ood_array_way { OOD_ARRAY_ORDER, OOD_ARRAY_PLANES, OOD_ARRAY_SLAB };

/* Memory that is reused from block to block. */
struct ood_room {
	char *at;
	size_t bytes;
};

struct ood_array {
	struct ood_feed feed; /* set by the owner before opening */
	uint64_t max_bytes;   /* likewise */
	bool want_crc;	      /* likewise: ORDER keeps the CRC-32 of all */

	struct ood_npy_head head;
	struct ood_axes axes;
	enum ood_array_way way;
	enum ood_dtype to; /* OOD_F4, OOD_F8, OOD_I8 or OOD_TEXT */
	uint64_t first;	   /* row number of the last chunk's first row */
	uint64_t next;	   /* row that comes next */
	uint32_t crc;
	struct ood_column column; /* the last chunk */

	struct ood_room block; /* converted elements */
	struct ood_room raw;   /* elements as stored, rows in order */
	struct ood_room plane; /* as stored: planes, or the slab */
	struct ood_room spans; /* of words */
	uint64_t slab_rows, slab_elements;
	uint64_t slab; /* the one in memory, from 1; 0: none */
};

/* Takes the head from the feed. */
int ood_array_open(struct ood_array *array, struct ood_err *err);
/* Is the array as long as its feed? Where that is known. */
int ood_array_check_size(const struct ood_array *array, struct ood_err *err);
/* pick->kind and layout count. */
int ood_array_bind(struct ood_array *array, const struct ood_pick *pick,
		   struct ood_err *err);
/*
 * The next rows to array->column, fewer only at the end. Errors name row and
 * column. Before the last rows are handed out, the end of a stream is checked.
 */
int ood_array_next(struct ood_array *array, size_t rows, size_t *n,
		   struct ood_err *err);
/* Adds row and column (SIZE_MAX: none) of the last chunk to err. */
void ood_array_place(const struct ood_array *array, size_t row, size_t col,
		     struct ood_err *err);
void ood_array_close(struct ood_array *array);

/* ------------------------------------------- between array's files --- */

int ood_room_need(struct ood_room *room, size_t count, size_t size,
		  struct ood_err *err);
/* Sentence and code for an array whose bytes end early. */
int ood_array_cut(const struct ood_array *array, uint64_t bytes,
		  struct ood_err *err);

/*
 * array_fetch.c: brings n elements into block (numbers) or raw (words). load:
 * from the feed, where the array's element `first` is next; else from raw, or
 * from block if their sizes agree.
 */
int ood_array_fetch(struct ood_array *array, uint64_t first, size_t n,
		    bool load, struct ood_err *err);
/* Where ood_array_fetch() without load expects n elements as stored. */
char *ood_array_stored(struct ood_array *array, size_t n, struct ood_err *err);

/* array_gather.c: rows of PLANES and SLAB to ood_array_stored(). */
int ood_array_gather(struct ood_array *array, size_t rows, struct ood_err *err);

/* array_words.c: n elements of raw to UTF-8 in block and spans. */
int ood_array_words(struct ood_array *array, size_t n, struct ood_err *err);

#endif
