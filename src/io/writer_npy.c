/*
 * writer_npy.c - rows to one NPY array of float64
 *
 * The fields that are scores stand side by side. If the number of rows is not
 * known, the header is written last: into its place if the output can seek,
 * else before rows that were held until then.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "io/npy.h"
#include "io/pile.h"
#include "io/writer_own.h"

struct state {
	size_t cols; /* of all scores together */
	uint64_t rows;
	bool hold; /* rows wait in held for the header */
	struct ood_pile held;
	double *block; /* rows of one put */
	size_t room;
};

static bool is_score(const struct ood_field *field)
{
	return field->score && field->kind == OOD_FIELD_REAL;
}

/* N x S; of maps the image's shape, and S if there are several. */
static void make_head(const struct ood_writer *writer, uint64_t rows,
		      char head[OOD_NPY_HEAD])
{
	const struct state *s = writer->own;
	uint64_t shape[5] = { rows, s->cols };
	unsigned ndim = 2;

	if (writer->options.ndim) {
		ndim = writer->options.ndim;
		memcpy(shape, writer->options.shape, ndim * sizeof(*shape));
		shape[ndim] = s->cols;
		ndim += s->cols > 1;
	}
	ood_npy_format_head(head, OOD_NPY_NATIVE "f8", ndim, shape);
}

static int open_npy(struct ood_writer *writer, struct ood_err *err)
{
	struct state *s = ood_calloc(1, sizeof(*s));
	char head[OOD_NPY_HEAD];

	if (!s)
		return ood_fail_memory(err, sizeof(*s));
	writer->own = s;
	for (size_t f = 0; f < writer->n; f++)
		if (is_score(&writer->fields[f]))
			s->cols += ood_field_width(&writer->fields[f]);
	if (!s->cols)
		return ood_fail(err, OOD_USAGE,
				"no scores: an NPY file holds nothing else "
				"(-f npz holds all)");
	if (writer->options.ndim)
		writer->options.rows = ood_map_rows(writer);
	s->hold = writer->options.rows == UINT64_MAX &&
		  !ood_sink_can_seek(writer->sink);
	if (s->hold)
		return OOD_OK;
	/* A number that is not known takes all the digits that it may need:
	 * the length of the header is the same. */
	make_head(writer, writer->options.rows, head);
	return ood_sink_write(writer->sink, head, sizeof(head), err);
}

/* The cells as they stand, if they are already the rows of the array. */
static const double *as_rows(const struct ood_writer *writer,
			     const struct ood_cells *cells)
{
	const struct state *s = writer->own;
	const double *first = NULL;
	size_t c = 0;

	for (size_t f = 0; f < writer->n; f++) {
		if (!is_score(&writer->fields[f]))
			continue;
		if (!c)
			first = cells[f].reals;
		if (cells[f].reals != first + c || cells[f].blank ||
		    cells[f].stride != s->cols)
			return NULL;
		c += ood_field_width(&writer->fields[f]);
	}
	return first;
}

static void copy_field(double *to, size_t cols, size_t width, size_t rows,
		       const struct ood_cells *cells)
{
#pragma omp parallel for schedule(static)                                      \
	num_threads(ood_threads()) if (rows * width > 1 << 16)
	for (size_t i = 0; i < rows; i++)
		for (size_t k = 0; k < width; k++)
			to[i * cols + k] =
				ood_cell_blank(cells, i)
					? (double)NAN
					: cells->reals[i * cells->stride + k];
}

static const double *make_rows(struct ood_writer *writer, size_t rows,
			       const struct ood_cells *cells)
{
	struct state *s = writer->own;
	size_t c = 0;

	if (rows > s->room) {
		size_t n;
		ood_free(s->block);
		s->room = 0;
		s->block = ood_mul(rows, s->cols, &n)
				   ? ood_malloc(n, sizeof(double))
				   : NULL;
		if (!s->block)
			return NULL;
		s->room = rows;
	}
	for (size_t f = 0; f < writer->n; f++) {
		if (!is_score(&writer->fields[f]))
			continue;
		size_t width = ood_field_width(&writer->fields[f]);
		copy_field(s->block + c, s->cols, width, rows, &cells[f]);
		c += width;
	}
	return s->block;
}

static int hold(struct ood_writer *writer, const void *at, size_t bytes,
		struct ood_err *err)
{
	struct state *s = writer->own;
	uint64_t most = writer->options.max_bytes;

	if (most && s->held.bytes + bytes > most)
		return ood_fail(err, OOD_INPUT,
				"NPY to a pipe: scores have to be held until "
				"their number is known, and exceed --max-bytes "
				"%llu (write to a file)",
				(unsigned long long)most);
	ood_pile_add(&s->held, at, bytes);
	return s->held.failed ? ood_fail_memory(err, bytes) : OOD_OK;
}

static int put_npy(struct ood_writer *writer, size_t rows,
		   const struct ood_cells *cells, struct ood_err *err)
{
	struct state *s = writer->own;
	size_t bytes = rows * s->cols * sizeof(double);
	const double *at = as_rows(writer, cells);

	if (!at)
		at = make_rows(writer, rows, cells);
	if (!at)
		return ood_fail_memory(err, bytes);
	s->rows += rows;
	return s->hold ? hold(writer, at, bytes, err)
		       : ood_sink_write(writer->sink, at, bytes, err);
}

static int write_held(struct ood_writer *writer, const char head[OOD_NPY_HEAD],
		      struct ood_err *err)
{
	const struct ood_pile *held = &((struct state *)writer->own)->held;
	int rc = ood_sink_write(writer->sink, head, OOD_NPY_HEAD, err);

	for (size_t i = 0; i < held->n && !rc; i++)
		rc = ood_sink_write(writer->sink, held->pieces[i].at,
				    held->pieces[i].n, err);
	return rc;
}

static int finish_npy(struct ood_writer *writer, struct ood_err *err)
{
	struct state *s = writer->own;
	char head[OOD_NPY_HEAD];

	if (writer->options.ndim && s->rows != writer->options.rows)
		return ood_fail(err, OOD_BUG,
				"a map of %llu values where %llu were told",
				(unsigned long long)s->rows,
				(unsigned long long)writer->options.rows);
	make_head(writer, s->rows, head);
	if (s->hold)
		return write_held(writer, head, err);
	if (s->rows == writer->options.rows)
		return OOD_OK;
	if (ood_sink_can_seek(writer->sink))
		return ood_sink_pwrite(writer->sink, head, sizeof(head), 0,
				       err);
	return ood_fail(err, OOD_BUG, "%llu rows where %llu were told",
			(unsigned long long)s->rows,
			(unsigned long long)writer->options.rows);
}

static void free_npy(struct ood_writer *writer)
{
	struct state *s = writer->own;

	if (!s)
		return;
	ood_pile_free(&s->held);
	ood_free(s->block);
	ood_free(s);
}

const struct ood_writer_ops ood_writer_npy = {
	.open = open_npy,
	.put = put_npy,
	.finish = finish_npy,
	.release = free_npy,
};
