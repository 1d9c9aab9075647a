/*
 * zip_out.c - writing a ZIP archive of NPY arrays
 */
#include "io/zip_out.h"

#include <zlib.h>

#include "core/err.h"
#include "core/thread.h"
#include "core/utf8.h"
#include "io/npy.h"
#include "io/writer.h"

enum {
	VERSION = 20,	   /* deflate and folders */
	VERSION64 = 45,	   /* zip64 */
	UNIX = 3 << 8,	   /* made by: attributes are a file's mode */
	DATE = 1 << 5 | 1, /* 1980-01-01 */
	UTF8 = 1 << 11,
	EXTRA64 = 1,
};
#define MODE ((uint64_t)0100644 << 16)
#define MAX16 0xFFFFu
#define MAX32 0xFFFFFFFFu

static void put(struct ood_buf *b, uint64_t x, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		ood_buf_char(b, (char)(x >> 8 * i & 0xFF));
}

static int write_all(struct ood_zip_out *zip, const void *at, size_t n,
		     struct ood_err *err)
{
	zip->at += n;
	return ood_sink_write(zip->sink, at, n, err);
}

/* CRC-32 by all threads. */
static uint32_t crc_of(const unsigned char *at, size_t n)
{
	enum { PARTS = 16, GRAIN = 1 << 16 };
	size_t from[PARTS], to[PARTS];
	uint32_t part[PARTS], crc = 0;

#pragma omp parallel for schedule(static)                                      \
	num_threads(ood_threads()) if (n > 16 * (size_t)GRAIN)
	for (int i = 0; i < PARTS; i++) {
		ood_share(n, GRAIN, i, PARTS, &from[i], &to[i]);
		part[i] = (uint32_t)crc32_z(0, at + from[i], to[i] - from[i]);
	}
	for (int i = 0; i < PARTS; i++)
		crc = (uint32_t)crc32_combine(crc, part[i],
					      (z_off_t)(to[i] - from[i]));
	return crc;
}

struct member {
	const char *name;
	uint32_t crc;
	uint64_t size, header;
	unsigned flags;
};

/* What the local header and the directory have in common. */
static void put_common(struct ood_buf *b, const struct member *m, bool wide,
		       uint64_t extra)
{
	put(b, wide ? VERSION64 : VERSION, 2);
	put(b, m->flags, 2);
	put(b, 0, 2); /* stored */
	put(b, 0, 2); /* 00:00:00 */
	put(b, (uint64_t)DATE, 2);
	put(b, m->crc, 4);
	put(b, m->size < MAX32 ? m->size : MAX32, 4);
	put(b, m->size < MAX32 ? m->size : MAX32, 4);
	put(b, strlen(m->name), 2);
	put(b, extra, 2);
}

static void put_local(struct ood_buf *b, const struct member *m)
{
	bool wide = m->size >= MAX32;

	ood_buf_add(b, "PK\3\4", 4);
	put_common(b, m, wide, wide ? 20 : 0);
	ood_buf_str(b, m->name);
	if (!wide)
		return;
	put(b, EXTRA64, 2);
	put(b, 16, 2);
	put(b, m->size, 8);
	put(b, m->size, 8);
}

static void put_entry(struct ood_buf *b, const struct member *m)
{
	bool far = m->header >= MAX32;
	bool large = m->size >= MAX32;
	uint64_t extra = (large ? 16u : 0u) + (far ? 8u : 0u);

	ood_buf_add(b, "PK\1\2", 4);
	put(b, UNIX | (uint64_t)(extra ? VERSION64 : VERSION), 2);
	put_common(b, m, extra, extra ? extra + 4 : 0);
	put(b, 0, 2); /* comment */
	put(b, 0, 2); /* disk */
	put(b, 0, 2); /* internal attributes */
	put(b, MODE, 4);
	put(b, far ? MAX32 : m->header, 4);
	ood_buf_str(b, m->name);
	if (!extra)
		return;
	put(b, EXTRA64, 2);
	put(b, extra, 2);
	if (large) {
		put(b, m->size, 8);
		put(b, m->size, 8);
	}
	if (far)
		put(b, m->header, 8);
}

static bool is_ascii(const char *s)
{
	while (*s && (unsigned char)*s < 0x80)
		s++;
	return !*s;
}

/* The CRC-32 of a, then b. */
static uint32_t crc_join(uint32_t a, const struct ood_piece *b)
{
	return (uint32_t)crc32_combine(a, crc_of((const void *)b->at, b->n),
				       (z_off_t)b->n);
}

int ood_zip_out_add(struct ood_zip_out *zip, const char *name,
		    struct ood_piece head, const struct ood_pile *data,
		    struct ood_err *err)
{
	size_t length = strlen(name);
	struct member m = {
		.name = name,
		.size = head.n + data->bytes,
		.header = zip->at,
		.flags = is_ascii(name) ? 0 : UTF8,
	};
	struct ood_buf local = { 0 };

	if (length > MAX16 || ood_utf8_valid(name, length) != length)
		return ood_fail(err, OOD_INPUT,
				"a name of an array is not UTF-8, or too long "
				"for NPZ");
	m.crc = crc_join(0, &head);
	for (size_t i = 0; i < data->n; i++)
		m.crc = crc_join(m.crc, &data->pieces[i]);
	put_local(&local, &m);
	put_entry(&zip->directory, &m);
	int rc = local.failed || zip->directory.failed
			 ? ood_fail_memory(err, local.n)
			 : write_all(zip, local.text, local.n, err);
	if (!rc)
		rc = write_all(zip, head.at, head.n, err);
	for (size_t i = 0; i < data->n && !rc; i++)
		rc = write_all(zip, data->pieces[i].at, data->pieces[i].n, err);
	ood_buf_free(&local);
	zip->n++;
	return rc;
}

int ood_zip_out_array(struct ood_zip_out *zip,
		      const struct ood_zip_array *array, struct ood_err *err)
{
	char bytes[OOD_NPY_HEAD];
	struct ood_piece head = { bytes, sizeof(bytes) };
	struct ood_buf name = { 0 };

	ood_npy_format_head(bytes, array->descr, array->ndim, array->shape);
	ood_buf_str(&name, array->name);
	ood_buf_str(&name, ".npy");
	int rc = name.failed ? ood_fail_memory(err, name.n)
			     : ood_zip_out_add(zip, name.text, head,
					       array->data, err);
	ood_buf_free(&name);
	return rc;
}

int ood_zip_out_end(struct ood_zip_out *zip, struct ood_err *err)
{
	struct ood_buf *b = &zip->directory;
	uint64_t at = zip->at, size = b->n, n = zip->n;

	if (n >= MAX16 || at >= MAX32 || size >= MAX32) {
		ood_buf_add(b, "PK\6\6", 4);
		put(b, 44, 8); /* bytes that follow in this record */
		put(b, UNIX | VERSION64, 2);
		put(b, VERSION64, 2);
		put(b, 0, 8); /* disks */
		put(b, n, 8);
		put(b, n, 8);
		put(b, size, 8);
		put(b, at, 8);
		ood_buf_add(b, "PK\6\7", 4);
		put(b, 0, 4);
		put(b, at + size, 8);
		put(b, 1, 4);
	}
	ood_buf_add(b, "PK\5\6", 4);
	put(b, 0, 4); /* disks */
	put(b, n < MAX16 ? n : MAX16, 2);
	put(b, n < MAX16 ? n : MAX16, 2);
	put(b, size < MAX32 ? size : MAX32, 4);
	put(b, at < MAX32 ? at : MAX32, 4);
	put(b, 0, 2); /* comment */
	return b->failed ? ood_fail_memory(err, b->n)
			 : write_all(zip, b->text, b->n, err);
}

void ood_zip_out_free(struct ood_zip_out *zip)
{
	ood_buf_free(&zip->directory);
}

/* ------------------------------------------------- all in one go --- */

/* A model's meta.json is a plain file that any unzip shows. */
static bool is_plain(const struct ood_npz_array *array)
{
	const char *dot = strrchr(array->name, '.');

	return array->dtype == OOD_U1 && array->ndim == 1 && dot &&
	       !strcmp(dot, ".json");
}

static int add_array(struct ood_zip_out *zip, const struct ood_npz_array *a,
		     struct ood_err *err)
{
	/* Borrowed: nothing is written to it. */
	struct ood_piece whole = { (char *)(uintptr_t)a->data, 1 };
	struct ood_pile data = { .pieces = &whole, .n = 1 };
	struct ood_zip_array array = {
		.name = a->name,
		.descr = a->dtype == OOD_F8   ? OOD_NPY_NATIVE "f8"
			 : a->dtype == OOD_F4 ? OOD_NPY_NATIVE "f4"
			 : a->dtype == OOD_I8 ? OOD_NPY_NATIVE "i8"
					      : "|u1",
		.ndim = a->ndim,
		.shape = a->shape,
		.data = &data,
	};

	assert(a->dtype == OOD_F8 || a->dtype == OOD_F4 || a->dtype == OOD_I8 ||
	       a->dtype == OOD_U1);
	whole.n = a->dtype == OOD_U1 ? 1 : a->dtype == OOD_F4 ? 4 : 8;
	for (unsigned i = 0; i < a->ndim; i++)
		if (!ood_mul(whole.n, (size_t)a->shape[i], &whole.n))
			return ood_fail_memory(err, SIZE_MAX);
	data.bytes = whole.n;
	if (!is_plain(a))
		return ood_zip_out_array(zip, &array, err);
	return ood_zip_out_add(zip, a->name, (struct ood_piece){ NULL, 0 },
			       &data, err);
}

int ood_npz_write(struct ood_sink *sink, const struct ood_npz_array *arrays,
		  size_t n, struct ood_err *err)
{
	struct ood_zip_out zip = { .sink = sink };
	int rc = OOD_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = add_array(&zip, &arrays[i], err);
	if (!rc)
		rc = ood_zip_out_end(&zip, err);
	ood_zip_out_free(&zip);
	return rc;
}
