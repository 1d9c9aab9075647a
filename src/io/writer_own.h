/*
 * writer_own.h - the inside of a writer, for the files that implement one
 */
#ifndef OOD_IO_WRITER_OWN_H
#define OOD_IO_WRITER_OWN_H

#include "io/writer.h"

/* What a format supplies. `release` frees own; the rest goes with the
 * writer. */
struct ood_writer_ops {
	int (*open)(struct ood_writer *writer, struct ood_err *err);
	int (*put)(struct ood_writer *writer, size_t rows,
		   const struct ood_cells *cells, struct ood_err *err);
	int (*finish)(struct ood_writer *writer, struct ood_err *err);
	void (*release)(struct ood_writer *writer);
};

struct ood_writer {
	const struct ood_writer_ops *ops;
	struct ood_sink *sink; /* the caller's */
	struct ood_writer_options options;
	struct ood_field *fields; /* copied, names too */
	size_t n;		  /* of fields */
	void *own;		  /* the format's state */
};

/* Values of a map of pixels; 1 where there is none. */
static inline uint64_t ood_map_rows(const struct ood_writer *writer)
{
	uint64_t n = 1;

	for (unsigned i = 0; i < writer->options.ndim; i++)
		n *= writer->options.shape[i];
	return n;
}

static inline bool ood_cell_blank(const struct ood_cells *cells, size_t row)
{
	return cells->blank && cells->blank[row];
}

/* Values of a row in this field. */
static inline size_t ood_field_width(const struct ood_field *field)
{
	return OOD_MAX(field->width, (size_t)1);
}

extern const struct ood_writer_ops ood_writer_npy;
extern const struct ood_writer_ops ood_writer_npz;
extern const struct ood_writer_ops ood_writer_csv;
extern const struct ood_writer_ops ood_writer_jsonl;
extern const struct ood_writer_ops ood_writer_json;
extern const struct ood_writer_ops ood_writer_table;

#endif
