/*
 * unzip.c - the plain bytes of a deflated ZIP member
 */
#include <limits.h>
#include <zlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "io/zip.h"

enum {
	RAW = 1 << 17, /* packed bytes read at once */
	/* Deflate's best: 258 bytes from 2 bits, and a block's overhead. */
	RATIO_MAX = 1032,
	OVERHEAD = 4096,
};

struct ood_unzip {
	const struct ood_zip *zip;
	const struct ood_zip_member *member;
	z_stream z;
	unsigned char *raw;
	uint64_t taken; /* packed bytes read */
	uint64_t given; /* plain bytes handed out */
	uint32_t crc;
	bool end;
};

int ood_zip_fail_crc(struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"CRC mismatch: the member is corrupt (copy the file "
			"again)");
}

static int fail_method(unsigned method, struct ood_err *err)
{
	static const struct {
		unsigned method;
		const char *name;
	} names[] = {
		{ 1, "shrink" }, { 6, "implode" }, { 9, "deflate64" },
		{ 12, "bzip2" }, { 14, "LZMA" },   { 20, "zstd" },
		{ 93, "zstd" },	 { 95, "xz" },	   { 98, "PPMd" },
		{ 99, "AES" },
	};
	const char *name = "unknown";

	for (size_t i = 0; i < OOD_COUNT(names); i++)
		if (names[i].method == method)
			name = names[i].name;
	return ood_fail(err, OOD_INPUT,
			"compressed by method %u (%s); stored and deflated "
			"members are read (np.savez, np.savez_compressed)",
			method, name);
}

int ood_zip_check(const struct ood_zip_member *m, struct ood_err *err)
{
	unsigned long long size = m->size, packed = m->packed;

	if (m->encrypted)
		return ood_fail(err, OOD_INPUT, "encrypted member");
	if (m->method == OOD_ZIP_STORED && size != packed)
		return ood_fail(err, OOD_INPUT,
				"corrupt ZIP archive: a stored member of %llu "
				"bytes claims a size of %llu",
				packed, size);
	if (m->method == OOD_ZIP_STORED)
		return OOD_OK;
	if (m->method != OOD_ZIP_DEFLATED)
		return fail_method(m->method, err);
	if (size > OVERHEAD && (size - OVERHEAD) / RATIO_MAX > packed)
		return ood_fail(err, OOD_INPUT,
				"claims a size of %llu bytes, too large for "
				"the %llu that it is packed in",
				size, packed);
	return OOD_OK;
}

int ood_unzip_open(struct ood_unzip **out, const struct ood_zip *zip,
		   const struct ood_zip_member *member, struct ood_err *err)
{
	struct ood_unzip *u = ood_calloc(1, sizeof(*u));

	*out = NULL;
	if (!u || !(u->raw = ood_malloc(RAW, 1)) ||
	    inflateInit2(&u->z, -15) != Z_OK) {
		if (u)
			ood_free(u->raw);
		ood_free(u);
		return ood_fail_memory(err, RAW);
	}
	u->zip = zip;
	u->member = member;
	*out = u;
	return OOD_OK;
}

void ood_unzip_close(struct ood_unzip *u)
{
	if (!u)
		return;
	inflateEnd(&u->z);
	ood_free(u->raw);
	ood_free(u);
}

static int refill(struct ood_unzip *u, struct ood_err *err)
{
	uint64_t left = u->member->packed - u->taken;
	size_t n = (size_t)OOD_MIN(left, (uint64_t)RAW);

	if (!n)
		return ood_fail(err, OOD_INPUT,
				"truncated: the packed bytes end before the "
				"member does");
	u->z.next_in = u->raw;
	u->z.avail_in = (uInt)n;
	u->taken += n;
	return ood_feed_pread(&u->zip->feed, u->raw, n,
			      u->member->data + u->taken - n, err);
}

static int check_end(const struct ood_unzip *u, struct ood_err *err)
{
	if (u->given != u->member->size)
		return ood_fail(err, OOD_INPUT,
				"size mismatch: the member claims %llu bytes "
				"and unpacks to %llu",
				(unsigned long long)u->member->size,
				(unsigned long long)u->given);
	if (u->taken != u->member->packed || u->z.avail_in)
		return ood_fail(err, OOD_INPUT,
				"corrupt ZIP archive: bytes after the packed "
				"data of the member");
	return u->crc == u->member->crc ? OOD_OK : ood_zip_fail_crc(err);
}

/* One call of inflate(), and what it says. */
static int step(struct ood_unzip *u, unsigned char *to, size_t n, size_t *got,
		struct ood_err *err)
{
	uInt room = (uInt)OOD_MIN(n, (size_t)UINT_MAX);

	u->z.next_out = to;
	u->z.avail_out = room;
	int status = inflate(&u->z, Z_NO_FLUSH);
	*got = room - u->z.avail_out;
	u->given += *got;
	u->crc = (uint32_t)crc32_z(u->crc, to, *got);
	u->end = status == Z_STREAM_END;
	if (u->given > u->member->size)
		return ood_fail(err, OOD_INPUT,
				"size mismatch: the member claims %llu bytes "
				"and unpacks to more",
				(unsigned long long)u->member->size);
	if (status == Z_MEM_ERROR)
		return ood_fail_memory(err, 0);
	if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
		return ood_fail(err, OOD_INPUT, "corrupt deflate data: %s",
				u->z.msg ? u->z.msg : "no reason given");
	return u->end ? check_end(u, err) : OOD_OK;
}

int ood_unzip_read(void *own, void *buf, size_t n, size_t *got,
		   struct ood_err *err)
{
	struct ood_unzip *u = own;
	unsigned char *to = buf;
	size_t more = 0;
	int rc = OOD_OK;

	for (*got = 0; !rc && *got < n && !u->end; *got += more) {
		more = 0;
		rc = step(u, to + *got, n - *got, &more, err);
		if (!rc && !u->end && !more && !u->z.avail_in)
			rc = refill(u, err);
	}
	return rc;
}
