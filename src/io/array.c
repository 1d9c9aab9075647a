/*
 * array.c - the rows of one NPY array, from whatever its bytes come from
 */
#include "io/array.h"

#include "core/err.h"
#include "core/mem.h"
#include "io/widen.h"

int ood_room_need(struct ood_room *room, size_t count, size_t size,
		  struct ood_err *err)
{
	size_t bytes;

	if (!ood_mul(count, size, &bytes))
		return ood_fail_memory(err, SIZE_MAX);
	if (room->at && bytes <= room->bytes)
		return OOD_OK;
	ood_free(room->at);
	room->at = ood_malloc(bytes, 1);
	room->bytes = room->at ? bytes : 0;
	return room->at ? OOD_OK : ood_fail_memory(err, bytes);
}

int ood_array_open(struct ood_array *array, struct ood_err *err)
{
	return ood_npy_read_head(&array->head, &array->feed, err);
}

int ood_array_cut(const struct ood_array *array, uint64_t bytes,
		  struct ood_err *err)
{
	const struct ood_npy_head *head = &array->head;
	char shape[OOD_SHAPE_MAX];

	return ood_fail(
		err, OOD_INPUT,
		"truncated: shape %s of '%s' needs %llu bytes, %llu "
		"are there",
		ood_shape_text(shape, sizeof(shape), head->ndim, head->shape),
		head->descr, (unsigned long long)head->bytes,
		(unsigned long long)bytes);
}

static const char *what_follows(const char *at, size_t n)
{
	return n == OOD_NPY_MAGIC_SIZE &&
			       !memcmp(at, OOD_NPY_MAGIC, OOD_NPY_MAGIC_SIZE)
		       ? " (another array starts there)"
		       : "";
}

int ood_array_check_size(const struct ood_array *array, struct ood_err *err)
{
	const struct ood_npy_head *head = &array->head;
	const struct ood_feed *feed = &array->feed;
	char more[OOD_NPY_MAGIC_SIZE];

	if (!ood_feed_anywhere(feed) || head->refusal[0])
		return OOD_OK;
	uint64_t there = feed->size - head->begin;
	if (there < head->bytes)
		return ood_array_cut(array, there, err);
	uint64_t extra = there - head->bytes;
	if (!extra)
		return OOD_OK;
	size_t n = (size_t)OOD_MIN(extra, (uint64_t)sizeof(more));
	int rc = ood_feed_pread(feed, more, n, head->begin + head->bytes, err);
	return rc ? rc
		  : ood_fail(err, OOD_INPUT, "%llu bytes after the array%s",
			     (unsigned long long)extra, what_follows(more, n));
}

/* A stream tells only at its end that it goes on. */
static int check_end(struct ood_array *array, struct ood_err *err)
{
	char more[OOD_NPY_MAGIC_SIZE];
	size_t got;

	if (ood_feed_anywhere(&array->feed))
		return OOD_OK;
	int rc = ood_feed_read(&array->feed, more, sizeof(more), &got, err);
	if (rc || !got)
		return rc;
	return ood_fail(err, OOD_INPUT, "bytes after the array%s",
			what_follows(more, got));
}

static int choose_type(struct ood_array *array, enum ood_pick_kind kind,
		       struct ood_err *err)
{
	const struct ood_npy_head *head = &array->head;
	enum ood_dtype from = head->dtype;

	if (head->refusal[0])
		return ood_fail(err, OOD_INPUT, "%s", head->refusal);
	if (kind == OOD_PICK_WORD) {
		bool real = from == OOD_F2 || from == OOD_F4 || from == OOD_F8;
		array->to = real	       ? OOD_F8
			    : from == OOD_TEXT ? OOD_TEXT
					       : OOD_I8;
		return OOD_OK;
	}
	if (from == OOD_TEXT)
		return ood_fail(err, OOD_INPUT,
				"strings of dtype '%s' where numbers are "
				"wanted (they may be labels)",
				head->descr);
	if (from == OOD_B1)
		return ood_fail(err, OOD_INPUT,
				"booleans of dtype '%s' where numbers are "
				"wanted (they may be labels; else save "
				"x.astype(\"float32\"))",
				head->descr);
	array->to = ood_dtype_real(from);
	return OOD_OK;
}

static void choose_way(struct ood_array *array)
{
	const struct ood_axes *axes = &array->axes;
	unsigned last = axes->n - 1;
	bool solid = axes->cols == 1 || axes->col_stride == 1;

	array->way = OOD_ARRAY_SLAB;
	if (axes->n == 1 && solid && axes->stride[0] == axes->cols)
		array->way = OOD_ARRAY_ORDER;
	else if (ood_feed_anywhere(&array->feed) && axes->stride[last] == 1)
		array->way = OOD_ARRAY_PLANES;

	array->slab_rows = axes->rows;
	array->slab_elements = array->head.elements;
	/* An outermost axis that is the slowest in the file: one at a time. */
	if (axes->n > 1 &&
	    axes->stride[0] == array->head.elements / axes->dim[0]) {
		array->slab_rows = axes->rows / axes->dim[0];
		array->slab_elements = axes->stride[0];
	}
}

int ood_array_bind(struct ood_array *array, const struct ood_pick *pick,
		   struct ood_err *err)
{
	int rc = choose_type(array, pick->kind, err);

	if (!rc)
		rc = ood_axes_plan(&array->axes, &array->head, pick, err);
	if (!rc)
		rc = ood_array_check_size(array, err);
	if (!rc && array->axes.rows)
		choose_way(array);
	return rc;
}

static void fill_column(struct ood_array *array, size_t n)
{
	struct ood_column *column = &array->column;
	const void *data = array->block.at;

	memset(column, 0, sizeof(*column));
	if (array->to == OOD_I8)
		column->vec.ints = data;
	else if (array->to == OOD_TEXT)
		column->vec.words = (const void *)array->spans.at;
	else
		column->view = (struct ood_view){ data, array->to, n,
						  (size_t)array->axes.cols,
						  (size_t)array->axes.cols };
	/* A vector of doubles is a matrix of one column. */
	if (array->to == OOD_F8 && array->axes.cols == 1)
		column->vec.reals = data;
}

static void advise(const struct ood_array *array, size_t elements)
{
	const struct ood_feed *feed = &array->feed;
	uint64_t at = array->head.begin +
		      array->next * array->axes.cols * array->head.item;

	if (feed->file && array->next < array->axes.rows)
		ood_source_will_read(feed->file, feed->start + at,
				     elements * array->head.item);
}

int ood_array_next(struct ood_array *array, size_t rows, size_t *n,
		   struct ood_err *err)
{
	uint64_t left = array->axes.rows - array->next;
	size_t take = (size_t)OOD_MIN((uint64_t)rows, left), count;
	int rc = OOD_OK;

	*n = take;
	array->first = array->next;
	if (!ood_mul(take, (size_t)array->axes.cols, &count))
		return ood_fail_memory(err, SIZE_MAX);
	if (!take)
		rc = ood_room_need(&array->block, 1, 1, err);
	else if (array->way == OOD_ARRAY_ORDER)
		rc = ood_array_fetch(array, array->next * array->axes.cols,
				     count, true, err);
	else
		rc = ood_array_gather(array, take, err);
	if (!rc && take && array->way != OOD_ARRAY_ORDER)
		rc = ood_array_fetch(array, 0, count, false, err);
	if (!rc && array->to == OOD_TEXT)
		rc = ood_array_words(array, take, err);
	if (rc)
		return rc;
	array->next += take;
	if (take && array->way == OOD_ARRAY_ORDER)
		advise(array, count);
	fill_column(array, take);
	return array->next == array->axes.rows && rows ? check_end(array, err)
						       : OOD_OK;
}

void ood_array_place(const struct ood_array *array, size_t row, size_t col,
		     struct ood_err *err)
{
	ood_err_at(err, OOD_PLACE_ROW, array->first + row + 1,
		   col == SIZE_MAX ? 0 : (uint64_t)col + 1);
}

void ood_array_close(struct ood_array *array)
{
	ood_free(array->block.at);
	ood_free(array->raw.at);
	ood_free(array->plane.at);
	ood_free(array->spans.at);
}
