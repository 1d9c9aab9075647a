/*
 * array_gather.c - rows of arrays whose rows do not stand one after another
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "io/array.h"

/* Rows moved together: a cache line of each is filled before the next. */
enum { TILE_ROWS = 64 };

/* Element (row i of a tile, column c) stands at at[i] + c * col_stride. */
struct tile {
	uint64_t at[TILE_ROWS];
	size_t rows;
	size_t cols;
	uint64_t col_stride;
	size_t item;
};

#define MOVE(bytes)                                                            \
	for (size_t c = 0; c < t->cols; c++)                                   \
		for (size_t i = 0; i < t->rows; i++)                           \
	memcpy(to + (i * t->cols + c) * (bytes),                               \
	       from + (t->at[i] + c * t->col_stride) * (bytes), (bytes))

/* The common sizes as constants, so that copies are single moves. */
static void move_tile(const struct tile *t, const char *from, char *to)
{
	switch (t->item) {
	case 1:
		MOVE(1);
		break;
	case 2:
		MOVE(2);
		break;
	case 4:
		MOVE(4);
		break;
	case 8:
		MOVE(8);
		break;
	default:
		MOVE(t->item);
	}
}

/*
 * Moves rows first, first + 1 ... (numbers of the array) to `to`. Their
 * elements are those of `from`; base: the array's element at from[0]. planes:
 * `from` holds the rows' columns one after another.
 */
struct move {
	const char *from;
	char *to;
	uint64_t first, base;
	size_t rows;
	bool planes;
};

static void run_move(const struct ood_array *array, const struct move *m)
{
	const struct ood_axes *axes = &array->axes;
	size_t tiles = m->rows / TILE_ROWS + 1;
	size_t row_bytes = (size_t)axes->cols * array->head.item;

#pragma omp parallel for schedule(static)                                      \
	num_threads(ood_threads()) if (m->rows > 4 * TILE_ROWS)
	for (size_t k = 0; k < tiles; k++) {
		size_t from = k * TILE_ROWS;
		struct tile t = {
			.rows = OOD_MIN(m->rows - from, (size_t)TILE_ROWS),
			.cols = (size_t)axes->cols,
			.col_stride = m->planes ? m->rows : axes->col_stride,
			.item = array->head.item,
		};
		for (size_t i = 0; i < t.rows; i++)
			t.at[i] = m->planes
					  ? from + i
					  : ood_axes_offset(
						    axes, m->first + from + i) -
						    m->base;
		move_tile(&t, m->from, m->to + from * row_bytes);
	}
}

/* -------------------------------------------------------- planes --- */

/* Column c of rows next, next + 1 ...; runs end where an image ends. */
static int read_plane(const struct ood_array *array, size_t c, size_t rows,
		      struct ood_err *err)
{
	const struct ood_axes *axes = &array->axes;
	uint64_t inner = axes->dim[axes->n - 1];
	size_t item = array->head.item;
	char *to = array->plane.at + c * rows * item;
	int rc = OOD_OK;

	for (size_t i = 0; i < rows && !rc;) {
		uint64_t row = array->next + i;
		uint64_t at = ood_axes_offset(axes, row) + c * axes->col_stride;
		size_t n = (size_t)OOD_MIN((uint64_t)(rows - i),
					   inner - row % inner);
		rc = ood_feed_pread(&array->feed, to + i * item, n * item,
				    array->head.begin + at * item, err);
		i += n;
	}
	return rc;
}

static int gather_planes(struct ood_array *array, size_t rows, char *to,
			 struct ood_err *err)
{
	struct move m = { .to = to, .rows = rows, .planes = true };
	size_t cols = (size_t)array->axes.cols, bytes;
	int failed = OOD_OK;

	if (!ood_mul(rows * cols, array->head.item, &bytes))
		return ood_fail_memory(err, SIZE_MAX);
	if (ood_room_need(&array->plane, bytes, 1, err))
		return OOD_SYSTEM;
#pragma omp parallel for schedule(dynamic)                                     \
	num_threads(ood_threads()) if (bytes > 1 << 16)
	for (size_t c = 0; c < cols; c++) {
		struct ood_err mine;
		int rc = read_plane(array, c, rows, &mine);
#pragma omp critical(ood_gather_planes)
		if (rc && !failed) {
			failed = rc;
			*err = mine;
		}
	}
	m.from = array->plane.at;
	if (!failed)
		run_move(array, &m);
	return failed;
}

/* ---------------------------------------------------------- slab --- */

static int fail_large(const struct ood_array *array, uint64_t bytes,
		      struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"%s: %llu bytes have to be held in memory, more than "
			"--max-bytes %llu (save it in C order with the classes "
			"last, or raise --max-bytes)",
			array->head.fortran
				? "Fortran order"
				: "classes do not stand side by side",
			(unsigned long long)bytes,
			(unsigned long long)array->max_bytes);
}

/* What a stream claims is believed as it comes: memory doubles on the way. */
static int read_slab(struct ood_array *array, size_t bytes, struct ood_err *err)
{
	struct ood_room *room = &array->plane;
	size_t n = 0, got = 1;
	int rc = OOD_OK;

	while (!rc && n < bytes && got) {
		size_t want = OOD_MIN(bytes, OOD_MAX(2 * n, (size_t)1 << 20));
		if (room->bytes < want) {
			char *grown = ood_realloc(room->at, n, want, 1);
			if (!grown)
				return ood_fail_memory(err, want);
			room->at = grown;
			room->bytes = want;
		}
		rc = ood_feed_read(&array->feed, room->at + n, want - n, &got,
				   err);
		n += got;
	}
	if (!rc && n < bytes)
		rc = ood_array_cut(array, array->feed.at - array->head.begin,
				   err);
	return rc;
}

static int load_slab(struct ood_array *array, uint64_t number,
		     struct ood_err *err)
{
	uint64_t bytes = array->slab_elements * array->head.item;

	if (array->slab == number + 1)
		return OOD_OK;
	if (bytes > array->max_bytes)
		return fail_large(array, bytes, err);
	int rc;
	if (ood_feed_anywhere(&array->feed)) {
		rc = ood_room_need(&array->plane, (size_t)bytes, 1, err);
		if (!rc)
			rc = ood_feed_pread(
				&array->feed, array->plane.at, (size_t)bytes,
				array->head.begin + number * bytes, err);
	} else {
		rc = read_slab(array, (size_t)bytes, err);
	}
	array->slab = rc ? 0 : number + 1;
	return rc;
}

static int gather_slabs(struct ood_array *array, size_t rows, char *to,
			struct ood_err *err)
{
	size_t row_bytes = (size_t)array->axes.cols * array->head.item;
	size_t n = 0;
	int rc = OOD_OK;

	for (size_t i = 0; i < rows && !rc; i += n) {
		uint64_t row = array->next + i;
		uint64_t number = row / array->slab_rows;
		uint64_t left = array->slab_rows - row % array->slab_rows;

		n = (size_t)OOD_MIN((uint64_t)(rows - i), left);
		rc = load_slab(array, number, err);
		struct move m = {
			.from = array->plane.at,
			.to = to + i * row_bytes,
			.first = row,
			.base = number * array->slab_elements,
			.rows = n,
		};
		if (!rc)
			run_move(array, &m);
	}
	return rc;
}

int ood_array_gather(struct ood_array *array, size_t rows, struct ood_err *err)
{
	size_t elements = rows * (size_t)array->axes.cols;
	char *to = ood_array_stored(array, elements, err);

	if (!to)
		return OOD_SYSTEM;
	return array->way == OOD_ARRAY_PLANES
		       ? gather_planes(array, rows, to, err)
		       : gather_slabs(array, rows, to, err);
}
