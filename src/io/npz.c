/*
 * npz.c - NPZ files: a ZIP archive of NPY arrays
 *
 * Each array that is picked is a stream of its own over the file. Members
 * that are not arrays are offered as their bytes and otherwise left alone.
 */
#include <stdio.h>
#include <zlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "io/array.h"
#include "io/foreign.h"
#include "io/zip.h"

/* A member that is being read. */
struct entry {
	const struct ood_zip_member *member;
	struct ood_array array;
	struct ood_unzip *unzip;
	bool plain; /* bytes, not an array */
	bool checked;
};

struct npz {
	struct ood_zip zip;
	unsigned char *spool;
	size_t *index;	       /* zip's member of each of the reader's */
	struct entry *entries; /* one a pick */
	size_t n_entries;
	struct ood_column *columns;
};

static int fail_member(const struct ood_reader *reader, const char *name,
		       struct ood_err *err)
{
	const char *dot = name ? strstr(name, ".npy") : NULL;
	char shown[OOD_WHERE_MAX];
	int n = dot && !dot[4] ? (int)(dot - name) : -1;

	if (name)
		snprintf(shown, sizeof(shown), "%.*s",
			 n < 0 ? (int)sizeof(shown) - 1 : n, name);
	return ood_err_where(err, ood_source_name(reader->source),
			     name ? shown : NULL);
}

/* ------------------------------------------------------- opening --- */

/* Of a pipe the directory comes last: everything before has to be kept. */
static int spool(struct ood_reader *reader, struct npz *npz,
		 struct ood_err *err)
{
	size_t n = 0, room = 0, got = 1;
	int rc = OOD_OK;

	while (!rc && got) {
		if (n == room && room >= reader->max_bytes)
			return ood_fail(err, OOD_INPUT,
					"NPZ needs a file: in a pipe or gzip "
					"it is held in memory, and exceeds "
					"--max-bytes %llu",
					(unsigned long long)reader->max_bytes);
		if (n == room) {
			size_t more = OOD_MAX(2 * room, (size_t)1 << 20);
			more = (size_t)OOD_MIN((uint64_t)more,
					       reader->max_bytes);
			void *grown = ood_realloc(npz->spool, n, more, 1);
			if (!grown)
				return ood_fail_memory(err, more);
			npz->spool = grown;
			room = more;
		}
		rc = ood_source_read(reader->source, npz->spool + n, room - n,
				     &got, err);
		n += got;
	}
	npz->zip.feed.memory = npz->spool;
	npz->zip.feed.size = n;
	return rc;
}

static void close_entry(struct entry *e)
{
	ood_array_close(&e->array);
	ood_unzip_close(e->unzip);
}

static bool is_array(const char *name)
{
	size_t n = strlen(name);

	return n >= 4 && !strcmp(name + n - 4, ".npy");
}

/* The bytes of a member that is no array, as an array of them. */
static void make_plain(struct entry *e)
{
	struct ood_npy_head *head = &e->array.head;

	e->plain = true;
	head->dtype = OOD_U1;
	head->ndim = 1;
	head->item = 1;
	head->shape[0] = head->elements = head->bytes = e->member->size;
	snprintf(head->descr, sizeof(head->descr), "|u1");
}

/* Opens a member and takes its head. Close the entry in any case. */
static int open_entry(struct entry *e, const struct npz *npz,
		      const struct ood_zip_member *member, struct ood_err *err)
{
	struct ood_feed *feed = &e->array.feed;
	int rc = ood_zip_check(member, err);

	e->member = member;
	if (!rc && member->method == OOD_ZIP_DEFLATED)
		rc = ood_unzip_open(&e->unzip, &npz->zip, member, err);
	if (rc)
		return rc;
	if (member->method == OOD_ZIP_DEFLATED) {
		feed->read = ood_unzip_read;
		feed->own = e->unzip;
	} else {
		*feed = npz->zip.feed;
		feed->start += member->data;
		feed->size = member->size;
		e->array.want_crc = true;
	}
	if (is_array(member->name))
		return ood_array_open(&e->array, err);
	make_plain(e);
	return OOD_OK;
}

/* What is wrong with a member is told when it is asked for. */
static int add_member(struct ood_reader *reader, const struct npz *npz,
		      size_t number, struct ood_err *err)
{
	const struct ood_zip_member *from = &npz->zip.members[number];
	struct ood_member *to = &reader->members[reader->n_members];
	size_t n = strlen(from->name);
	struct entry e = { 0 };
	struct ood_err ignored;
	int rc = open_entry(&e, npz, from, &ignored);

	npz->index[reader->n_members] = number;
	to->name = ood_strndup(from->name, is_array(from->name) ? n - 4 : n);
	reader->n_members += to->name != NULL;
	to->dtype = OOD_TEXT;
	if (!rc) {
		to->ndim = e.array.head.ndim;
		memcpy(to->shape, e.array.head.shape, sizeof(to->shape));
		to->fortran = e.array.head.fortran;
		to->numeric = !e.array.head.refusal[0] &&
			      e.array.head.dtype != OOD_TEXT;
	}
	if (to->numeric)
		to->dtype = e.array.head.dtype;
	close_entry(&e);
	if (rc == OOD_SYSTEM)
		*err = ignored;
	return rc == OOD_SYSTEM ? rc
	       : to->name	? OOD_OK
				: ood_fail_memory(err, n);
}

static int add_members(struct ood_reader *reader, struct npz *npz,
		       struct ood_err *err)
{
	size_t n = npz->zip.n;
	int rc = OOD_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = ood_foreign_refuse_zip(npz->zip.members[i].name, err);
	if (rc)
		return rc;
	reader->members = ood_calloc(n, sizeof(*reader->members));
	npz->index = ood_calloc(n, sizeof(*npz->index));
	if (!reader->members || !npz->index)
		return ood_fail_memory(err, n * sizeof(*reader->members));
	for (size_t i = 0; i < n && !rc; i++) {
		const char *name = npz->zip.members[i].name;
		if (*name && name[strlen(name) - 1] != '/')
			rc = add_member(reader, npz, i, err);
	}
	return rc;
}

static int npz_open(struct ood_reader *reader, struct ood_err *err)
{
	struct npz *npz = ood_calloc(1, sizeof(*npz));
	int rc = OOD_OK;

	if (!npz)
		return ood_fail_memory(err, sizeof(*npz));
	reader->own = npz;
	if (ood_source_can_seek(reader->source)) {
		npz->zip.feed.file = reader->source;
		npz->zip.feed.size = ood_source_size(reader->source);
	} else {
		rc = spool(reader, npz, err);
	}
	if (!rc)
		rc = ood_zip_open(&npz->zip, err);
	if (!rc)
		rc = add_members(reader, npz, err);
	return rc ? fail_member(reader, NULL, err) : OOD_OK;
}

/* ------------------------------------------------------- reading --- */

/* The CRC-32 of the first n bytes of a stored member. */
static int crc_of(const struct entry *e, uint64_t n, uint32_t *crc,
		  struct ood_err *err)
{
	enum { STEP = 1 << 17 };
	unsigned char *buf = ood_malloc(STEP, 1);
	int rc = buf ? OOD_OK : ood_fail_memory(err, STEP);
	size_t got = 0;

	*crc = 0;
	for (uint64_t at = 0; at < n && !rc; at += got) {
		got = (size_t)OOD_MIN((uint64_t)STEP, n - at);
		rc = ood_feed_pread(&e->array.feed, buf, got, at, err);
		if (!rc)
			*crc = (uint32_t)crc32_z(*crc, buf, got);
	}
	ood_free(buf);
	return rc;
}

/* Rows that are not read in the order of the file are summed before. */
static int begin_crc(struct entry *e, struct ood_err *err)
{
	bool ahead = e->array.way != OOD_ARRAY_ORDER;
	uint64_t n = ahead ? e->member->size : e->array.head.begin;
	int rc = crc_of(e, n, &e->array.crc, err);

	e->checked = ahead;
	if (rc || !ahead || e->array.crc == e->member->crc)
		return rc;
	return ood_zip_fail_crc(err);
}

static int bind_entry(struct entry *e, struct npz *npz,
		      const struct ood_zip_member *member,
		      const struct ood_pick *pick, struct ood_err *err)
{
	int rc = open_entry(e, npz, member, err);
	const struct ood_npy_head *head = &e->array.head;

	if (!rc)
		rc = ood_array_bind(&e->array, pick, err);
	if (!rc && !ood_feed_anywhere(&e->array.feed) &&
	    head->begin + head->bytes > member->size)
		rc = ood_array_cut(&e->array, member->size - head->begin, err);
	if (!rc && ood_feed_anywhere(&e->array.feed))
		rc = begin_crc(e, err);
	return rc;
}

static int fail_rows(const struct ood_reader *reader, size_t pick,
		     struct ood_err *err)
{
	const struct npz *npz = reader->own;
	const struct entry *a = &npz->entries[0], *b = &npz->entries[pick];
	char one[OOD_QUOTE_MAX], two[OOD_QUOTE_MAX];
	const char *x = reader->members[reader->picks[0].member[0]].name;
	const char *y = reader->members[reader->picks[pick].member[0]].name;

	return ood_fail(err, OOD_INPUT, "%s has %llu rows, %s has %llu",
			ood_quote(one, sizeof(one), x, strlen(x)),
			(unsigned long long)a->array.axes.rows,
			ood_quote(two, sizeof(two), y, strlen(y)),
			(unsigned long long)b->array.axes.rows);
}

static int npz_bind(struct ood_reader *reader, struct ood_err *err)
{
	struct npz *npz = reader->own;
	size_t n = reader->n_picks;

	npz->entries = ood_calloc(n, sizeof(*npz->entries));
	npz->columns = ood_calloc(n, sizeof(*npz->columns));
	if (!npz->entries || !npz->columns)
		return ood_fail_memory(err, n * sizeof(*npz->entries));
	npz->n_entries = n;
	for (size_t i = 0; i < n; i++) {
		const struct ood_pick *pick = &reader->picks[i];
		struct entry *e = &npz->entries[i];
		if (pick->n != 1) {
			ood_fail(err, OOD_USAGE,
				 "arrays of an NPZ cannot stand side by side "
				 "(save them as one)");
			return fail_member(reader, NULL, err);
		}
		const struct ood_zip_member *member =
			&npz->zip.members[npz->index[pick->member[0]]];
		e->array.max_bytes = reader->max_bytes;
		if (bind_entry(e, npz, member, pick, err))
			return fail_member(reader, member->name, err);
		reader->width[i] = (size_t)e->array.axes.cols;
		if (e->array.axes.rows != npz->entries[0].array.axes.rows) {
			fail_rows(reader, i, err);
			return fail_member(reader, NULL, err);
		}
	}
	reader->rows = npz->entries[0].array.axes.rows;
	return OOD_OK;
}

static int next_entry(struct entry *e, size_t rows, size_t *n,
		      struct ood_err *err)
{
	int rc = ood_array_next(&e->array, rows, n, err);
	bool end = e->array.next == e->array.axes.rows;

	if (rc || !end || e->checked || e->unzip)
		return rc;
	e->checked = true;
	return e->array.crc == e->member->crc ? OOD_OK : ood_zip_fail_crc(err);
}

static int npz_next(struct ood_reader *reader, size_t rows,
		    struct ood_chunk *chunk, struct ood_err *err)
{
	struct npz *npz = reader->own;

	for (size_t i = 0; i < npz->n_entries; i++) {
		struct entry *e = &npz->entries[i];
		if (next_entry(e, rows, &chunk->n, err))
			return fail_member(reader, e->member->name, err);
		npz->columns[i] = e->array.column;
	}
	chunk->columns = npz->columns;
	return OOD_OK;
}

static void npz_place(const struct ood_reader *reader, size_t pick, size_t row,
		      size_t col, struct ood_err *err)
{
	const struct npz *npz = reader->own;
	const struct entry *e = &npz->entries[pick];

	fail_member(reader, e->member->name, err);
	ood_array_place(&e->array, row, col, err);
}

static void npz_close(struct ood_reader *reader)
{
	struct npz *npz = reader->own;

	if (!npz)
		return;
	for (size_t i = 0; i < npz->n_entries; i++)
		close_entry(&npz->entries[i]);
	ood_zip_close(&npz->zip);
	ood_free(npz->entries);
	ood_free(npz->columns);
	ood_free(npz->index);
	ood_free(npz->spool);
	ood_free(npz);
}

const struct ood_format ood_format_npz = {
	.name = "npz",
	.brief = "archive of NumPy arrays",
	.can_read = true,
	.can_write = true,
	.sniff = ood_zip_sniff,
	.open = npz_open,
	.bind = npz_bind,
	.next = npz_next,
	.place = npz_place,
	.close = npz_close,
};
