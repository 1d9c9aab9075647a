/*
 * rows.h - writes the same block of rows some times over
 */
#ifndef OOD_TESTS_ROWS_H
#define OOD_TESTS_ROWS_H

#include "io/writer.h"
#include "scratch.h"

/* One block of rows for a list of fields. */
struct rows {
	const struct ood_field *fields;
	size_t n;
	const struct ood_cells *cells;
	size_t rows;
};

static inline int write_all(const char *format, const struct rows *r,
			    size_t blocks, struct scratch *s,
			    struct ood_err *err)
{
	struct ood_writer_options options = {
		.format = ood_format_find(format),
		.rows = UINT64_MAX,
	};
	struct ood_writer *writer;
	int code;

	scratch_open(s);
	ck_assert_ptr_nonnull(options.format);
	code = ood_writer_open(&writer, s->sink, &options, r->fields, r->n,
			       err);
	if (code)
		return code;
	for (size_t b = 0; b < blocks && !code; b++)
		code = ood_writer_put(writer, r->rows, r->cells, err);
	if (code) {
		ood_writer_abandon(writer);
		return code;
	}
	return ood_writer_finish(writer, err);
}

#endif
