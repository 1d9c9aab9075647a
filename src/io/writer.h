/*
 * writer.h - rows out, in any format
 *
 * The other end of reader.h: named columns, blocks of rows, one line or array
 * element a row. Numbers are shortest round trip, text is quoted as the format
 * wants. Rows are formatted by all threads and written in order.
 */
#ifndef OOD_IO_WRITER_H
#define OOD_IO_WRITER_H

#include "core/base.h"
#include "io/reader.h"
#include "io/sink.h"

/* The word after -f; index of ood_formats by name. Returns NULL if unknown or
 * not writable. */
const struct ood_format *ood_format_find(const char *name);
/* By the extension of a path (.csv .tsv .json .jsonl .ndjson .npy .npz .md
 * .txt), or NULL. */
const struct ood_format *ood_format_of_path(const char *path);

enum ood_field_kind {
	OOD_FIELD_REAL, /* double */
	OOD_FIELD_INT,	/* int64_t */
	OOD_FIELD_WORD, /* text, echoed digit for digit; JSON: a string, but a
			   number as typed where .bare is set */
};

struct ood_field {
	const char *name;
	enum ood_field_kind kind;
	bool bare;  /* WORD: JSON numbers may go unquoted (labels) */
	bool score; /* npy writes these alone; npz names them scores.NAME */
	/* Columns of a matrix, which text writes as NAME_0, NAME_1 ...; 0: one
	 * value a row. A matrix of one column is still one. */
	size_t width;
};

/* One block's values of a field. */
struct ood_cells {
	const double *reals; /* n x stride, `width` (or 1) used */
	size_t stride;
	const int64_t *ints;
	const struct ood_span *words;
	const uint8_t *blank; /* 1 = null / empty in this row; or NULL */
};

struct ood_writer_options {
	const struct ood_format *format;
	uint64_t rows; /* if known, else UINT64_MAX */
	int digits;    /* table, md; 0 = 6 */
	/* Shape of a map of pixels instead of N (npy, npz): ndim 0 = rows. */
	unsigned ndim;
	uint64_t shape[4];
	uint64_t max_bytes; /* for what has to be held (npz, npy on a pipe) */
};

struct ood_writer;

/* fields are copied. The sink stays the caller's (commit it after close). */
int ood_writer_open(struct ood_writer **writer, struct ood_sink *sink,
		    const struct ood_writer_options *options,
		    const struct ood_field *fields, size_t n,
		    struct ood_err *err);
int ood_writer_put(struct ood_writer *writer, size_t rows,
		   const struct ood_cells *cells, struct ood_err *err);
/* Writes what is left (closing brackets, headers); frees in any case. */
int ood_writer_finish(struct ood_writer *writer, struct ood_err *err);
void ood_writer_abandon(struct ood_writer *writer);

/* One NPY array / NPZ of arrays in one go, for models and tests. */
struct ood_npz_array {
	const char *name;
	enum ood_dtype dtype; /* OOD_F8, OOD_F4, OOD_I8, OOD_U1 */
	unsigned ndim;
	uint64_t shape[4];
	const void *data;
};
int ood_npz_write(struct ood_sink *sink, const struct ood_npz_array *arrays,
		  size_t n, struct ood_err *err);

/* Text pieces that append modes and reports share. */
struct ood_buf;
void ood_csv_quote(struct ood_buf *buf, const char *at, size_t n, char delim);
/* Ends the line that began at `start`; one empty cell is written as "":
 * readers skip blank lines. */
void ood_csv_end_line(struct ood_buf *buf, size_t start);
/* False (nothing added) if the bytes are not UTF-8. */
bool ood_json_quote(struct ood_buf *buf, const char *at, size_t n);

#endif
