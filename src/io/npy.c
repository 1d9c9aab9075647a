/*
 * npy.c - NPY files: one array
 */
#include "io/npy.h"

#include "core/err.h"
#include "core/mem.h"
#include "io/array.h"

static bool sniff(const char *at, size_t n)
{
	return n >= OOD_NPY_MAGIC_SIZE &&
	       !memcmp(at, OOD_NPY_MAGIC, OOD_NPY_MAGIC_SIZE);
}

static int read_source(void *own, void *buf, size_t n, size_t *got,
		       struct ood_err *err)
{
	return ood_source_read(own, buf, n, got, err);
}

static int fail_here(const struct ood_reader *reader, struct ood_err *err)
{
	return ood_err_where(err, ood_source_name(reader->source), NULL);
}

static int add_member(struct ood_reader *reader,
		      const struct ood_npy_head *head, struct ood_err *err)
{
	struct ood_member *member = ood_calloc(1, sizeof(*member));

	reader->members = member;
	if (!member || !(member->name = ood_strdup("")))
		return ood_fail_memory(err, sizeof(*member));
	reader->n_members = 1;
	member->dtype = head->dtype;
	member->ndim = head->ndim;
	memcpy(member->shape, head->shape, sizeof(member->shape));
	member->fortran = head->fortran;
	member->numeric = head->dtype != OOD_TEXT;
	return OOD_OK;
}

static int npy_open(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_array *array = ood_calloc(1, sizeof(*array));

	if (!array)
		return ood_fail_memory(err, sizeof(*array));
	reader->own = array;
	array->max_bytes = reader->max_bytes;
	array->feed.read = read_source;
	array->feed.own = reader->source;
	if (ood_source_can_seek(reader->source)) {
		array->feed.file = reader->source;
		array->feed.size = ood_source_size(reader->source);
	}
	int rc = ood_array_open(array, err);
	if (!rc && array->head.refusal[0])
		rc = ood_fail(err, OOD_INPUT, "%s", array->head.refusal);
	if (!rc)
		rc = ood_array_check_size(array, err);
	if (!rc)
		rc = add_member(reader, &array->head, err);
	return rc ? fail_here(reader, err) : OOD_OK;
}

static int npy_bind(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_array *array = reader->own;

	if (reader->n_picks != 1 || reader->picks[0].n != 1) {
		ood_fail(err, OOD_USAGE,
			 "holds one array, which can be only one thing");
		return fail_here(reader, err);
	}
	if (ood_array_bind(array, &reader->picks[0], err))
		return fail_here(reader, err);
	reader->width[0] = (size_t)array->axes.cols;
	reader->rows = array->axes.rows;
	return OOD_OK;
}

static int npy_next(struct ood_reader *reader, size_t rows,
		    struct ood_chunk *chunk, struct ood_err *err)
{
	struct ood_array *array = reader->own;
	int rc = ood_array_next(array, rows, &chunk->n, err);

	chunk->columns = &array->column;
	return rc ? fail_here(reader, err) : OOD_OK;
}

static void npy_place(const struct ood_reader *reader, size_t pick, size_t row,
		      size_t col, struct ood_err *err)
{
	(void)pick;
	fail_here(reader, err);
	ood_array_place(reader->own, row, col, err);
}

static void npy_close(struct ood_reader *reader)
{
	if (reader->own)
		ood_array_close(reader->own);
	ood_free(reader->own);
}

const struct ood_format ood_format_npy = {
	.name = "npy",
	.brief = "NumPy array",
	.can_read = true,
	.can_write = true,
	.sniff = sniff,
	.open = npy_open,
	.bind = npy_bind,
	.next = npy_next,
	.place = npy_place,
	.close = npy_close,
};
