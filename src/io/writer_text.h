/*
 * writer_text.h - what the text formats share: rows formatted by all threads
 */
#ifndef OOD_IO_WRITER_TEXT_H
#define OOD_IO_WRITER_TEXT_H

#include "core/mem.h"
#include "io/writer_own.h"

/* The rows of one put, as a row's formatter sees them. */
struct ood_text_block {
	struct ood_writer *writer;
	const struct ood_cells *cells;
	uint64_t before; /* rows written by earlier puts */
};

/*
 * Adds row `row` of the block to buf. Returns the number of the field whose
 * text the format cannot hold, or OOD_TEXT_DONE.
 */
#define OOD_TEXT_DONE SIZE_MAX
typedef size_t ood_text_row(const struct ood_text_block *block, size_t row,
			    struct ood_buf *buf);

struct ood_text_share;

/* State of a text format; writer->own. */
struct ood_text {
	ood_text_row *row;
	char delim;	      /* csv, tsv */
	bool array;	      /* json: one array instead of a line a row */
	bool started;	      /* the heading is out */
	uint64_t rows;	      /* written */
	struct ood_buf *keys; /* json: what stands before each field's value */
	struct ood_text_share *shares;
	size_t n_shares;
};

int ood_text_open(struct ood_writer *writer, ood_text_row *row,
		  struct ood_err *err);
/* Formats and writes the rows, in order; the same bytes for any number of
 * threads, also up to a row that is refused. */
int ood_text_put(struct ood_writer *writer, size_t rows,
		 const struct ood_cells *cells, struct ood_err *err);
void ood_text_free(struct ood_writer *writer);

/* Sends a buffer to the sink; its failure is the writer's. */
int ood_text_send(struct ood_writer *writer, const struct ood_buf *buf,
		  struct ood_err *err);

#endif
