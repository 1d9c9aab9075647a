/*
 * array_fetch.c - elements of an array, read and converted by all threads
 */
#include <zlib.h>

#include "core/err.h"
#include "core/thread.h"
#include "io/array.h"
#include "io/widen.h"

enum {
	TILE = 1 << 18, /* bytes a thread reads before it converts them: they
			   are then still in its cache */
	PARTS_MAX = 64,
};

/* What one thread does, and what came of it. */
struct part {
	size_t from, to; /* elements of the block */
	size_t bad;	 /* the first that does not fit; SIZE_MAX: none */
	uint32_t crc;
	int rc;
	struct ood_err err;
};

struct job {
	struct ood_array *array;
	uint64_t offset; /* of the block in the feed */
	char *stored;	 /* the block as stored */
	char *out;	 /* as wanted; may be stored */
	bool pread;	 /* each thread reads its part */
	bool widen;
};

static bool same_size(const struct ood_array *array)
{
	return array->head.item == ood_dtype_size(array->to);
}

char *ood_array_stored(struct ood_array *array, size_t n, struct ood_err *err)
{
	struct ood_room *room = same_size(array) ? &array->block : &array->raw;

	return ood_room_need(room, n, array->head.item, err) ? NULL : room->at;
}

static void run_part(const struct job *job, struct part *part)
{
	struct ood_array *array = job->array;
	size_t item = array->head.item;
	size_t step = OOD_MAX((size_t)TILE / item, 1);

	part->bad = SIZE_MAX;
	for (size_t i = part->from; i < part->to && !part->rc; i += step) {
		size_t n = OOD_MIN(step, part->to - i);
		char *stored = job->stored + i * item;
		if (job->pread)
			part->rc = ood_feed_pread(
				&array->feed, stored, n * item,
				job->offset + i * item, &part->err);
		if (part->rc)
			return;
		if (array->want_crc && array->way == OOD_ARRAY_ORDER)
			part->crc = (uint32_t)crc32_z(
				part->crc, (const void *)stored, n * item);
		if (!job->widen)
			continue;
		size_t size = ood_dtype_size(array->to);
		size_t good =
			ood_widen(array->head.dtype, array->head.swap, stored,
				  n, array->to, job->out + i * size);
		if (good < n) {
			part->bad = i + good;
			return;
		}
	}
}

static int fail_value(const struct job *job, size_t element,
		      struct ood_err *err)
{
	const struct ood_array *array = job->array;
	size_t cols = (size_t)array->axes.cols;
	bool flat = array->to == OOD_I8;
	uint64_t bits;

	memcpy(&bits, job->stored + element * sizeof(bits), sizeof(bits));
	if (array->head.swap)
		bits = __builtin_bswap64(bits);
	bool negative = array->head.dtype == OOD_I8 && bits > INT64_MAX;
	ood_fail(err, OOD_INPUT,
		 flat ? "integer %s%llu is larger than 2^63 - 1"
		      : "integer %s%llu is not exact as a double (beyond "
			"2^53)",
		 negative ? "-" : "",
		 (unsigned long long)(negative ? 0 - bits : bits));
	ood_array_place(array, element / cols, element % cols, err);
	return OOD_INPUT;
}

/* The first part that failed speaks, whatever the order of the threads. */
static int settle(const struct job *job, const struct part *parts, int n,
		  struct ood_err *err)
{
	size_t item = job->array->head.item;

	for (int i = 0; i < n; i++) {
		if (parts[i].rc) {
			*err = parts[i].err;
			return parts[i].rc;
		}
		if (parts[i].bad != SIZE_MAX)
			return fail_value(job, parts[i].bad, err);
	}
	for (int i = 0; i < n; i++)
		job->array->crc = (uint32_t)crc32_combine(
			job->array->crc, parts[i].crc,
			(z_off_t)((parts[i].to - parts[i].from) * item));
	return OOD_OK;
}

static int run_all(const struct job *job, size_t n, struct ood_err *err)
{
	struct part parts[PARTS_MAX];
	size_t grain = OOD_MAX((size_t)4096 / job->array->head.item, 1);
	size_t tiles = n * job->array->head.item / TILE + 1;
	int count = (int)OOD_MIN(
		tiles, (size_t)OOD_MIN(ood_threads(), (int)PARTS_MAX));

	memset(parts, 0, (size_t)count * sizeof(parts[0]));
	for (int i = 0; i < count; i++)
		ood_share(n, grain, i, count, &parts[i].from, &parts[i].to);
	if (count == 1) {
		run_part(job, &parts[0]);
		return settle(job, parts, 1, err);
	}
#pragma omp parallel for schedule(static, 1) num_threads(count)
	for (int i = 0; i < count; i++)
		run_part(job, &parts[i]);
	return settle(job, parts, count, err);
}

/* A stream is read by one, then converted by all. */
static int read_stream(struct ood_array *array, char *to, size_t bytes,
		       struct ood_err *err)
{
	size_t got;
	int rc = ood_feed_read(&array->feed, to, bytes, &got, err);

	if (!rc && got < bytes)
		rc = ood_array_cut(array, array->feed.at - array->head.begin,
				   err);
	return rc;
}

int ood_array_fetch(struct ood_array *array, uint64_t first, size_t n,
		    bool load, struct ood_err *err)
{
	bool text = array->to == OOD_TEXT;
	size_t item = array->head.item;
	struct job job = {
		.array = array,
		.offset = array->head.begin + first * item,
		.stored = ood_array_stored(array, n, err),
		.pread = load && ood_feed_anywhere(&array->feed),
	};

	if (!job.stored)
		return OOD_SYSTEM;
	if (!text &&
	    ood_room_need(&array->block, n, ood_dtype_size(array->to), err))
		return OOD_SYSTEM;
	job.out = array->block.at;
	job.widen =
		!text && (array->head.dtype != array->to || array->head.swap);
	if (load && !job.pread) {
		int rc = read_stream(array, job.stored, n * item, err);
		if (rc)
			return rc;
	}
	bool crc = array->want_crc && array->way == OOD_ARRAY_ORDER;
	return job.pread || job.widen || crc ? run_all(&job, n, err) : OOD_OK;
}
