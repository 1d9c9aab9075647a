/*
 * source.c - the bytes of a file, a pipe or standard input
 */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "io/gunzip.h"

enum {
	AHEAD = 2 * OOD_SOURCE_PEEK, /* plain bytes shown by peek */
	RAW = 1 << 18,		     /* packed bytes of a gzip file */
};

struct ood_source {
	char *name;
	int fd;
	bool own_fd;
	bool regular;	     /* and not empty */
	uint64_t base, size; /* where it began; bytes from there on */

	char *ahead; /* bytes read and not yet taken */
	size_t ahead_at, ahead_n;
	bool end; /* nothing comes after what is ahead */

	struct ood_gunzip *gunzip; /* NULL: not compressed */
	unsigned char *raw;
	struct ood_gunzip_in in; /* the rest of raw */

	bool want_crc;
	uint32_t crc;
};

static int fail_here(const struct ood_source *src, struct ood_err *err)
{
	return ood_err_where(err, src->name, NULL);
}

/* ------------------------------------------------------- opening --- */

static int open_file(struct ood_source *src, const char *path,
		     struct ood_err *err)
{
	struct stat st;

	src->fd = STDIN_FILENO;
	if (strcmp(path, "-")) {
		do {
			src->fd = open(path, O_RDONLY | O_CLOEXEC);
		} while (src->fd < 0 && errno == EINTR);
		src->own_fd = src->fd >= 0;
	}
	if (src->fd < 0 && errno == ENOENT) {
		ood_fail(err, OOD_SYSTEM, "no such file");
		err->os_errno = ENOENT;
		return OOD_SYSTEM;
	}
	if (src->fd < 0 || fstat(src->fd, &st))
		return ood_fail_errno(err, "cannot open");
	if (S_ISDIR(st.st_mode))
		return ood_fail(err, OOD_SYSTEM, "is a folder, not a file");
	off_t at = S_ISREG(st.st_mode) ? lseek(src->fd, 0, SEEK_CUR) : -1;
	/* Files of /proc say 0 and still hold bytes: read them as streams. */
	src->regular = at >= 0 && st.st_size > at;
	if (!src->regular)
		return OOD_OK;
	src->base = (uint64_t)at;
	src->size = (uint64_t)(st.st_size - at);
	posix_fadvise(src->fd, at, 0, POSIX_FADV_SEQUENTIAL);
	return OOD_OK;
}

/* One read(2); *got = 0 at the end. */
static int read_raw(struct ood_source *src, void *buf, size_t n, size_t *got,
		    struct ood_err *err)
{
	enum { MOST = 1 << 30 };
	ssize_t r;

	while ((r = read(src->fd, buf, OOD_MIN(n, (size_t)MOST))) < 0) {
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			struct pollfd wait = { src->fd, POLLIN, 0 };
			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			ood_fail_errno(err, "cannot read");
			return fail_here(src, err);
		}
	}
	*got = (size_t)r;
	if (src->want_crc && !src->regular)
		src->crc = (uint32_t)crc32_z(src->crc, buf, *got);
	return OOD_OK;
}

/* Reads ahead until at least n bytes are there or the file ends. */
static int look(struct ood_source *src, size_t n, struct ood_err *err);

static int start_gunzip(struct ood_source *src, struct ood_err *err)
{
	src->gunzip = ood_gunzip_new();
	src->raw = ood_malloc(RAW, 1);
	if (!src->gunzip || !src->raw)
		return ood_fail_memory(err, RAW);
	memcpy(src->raw, src->ahead, src->ahead_n);
	src->in.at = src->raw;
	src->in.n = src->ahead_n;
	src->ahead_n = 0;
	src->in.end = src->end;
	src->end = false;
	return OOD_OK;
}

static int detect(struct ood_source *src, struct ood_err *err)
{
	static const char magic[] = { 0x1F, (char)0x8B };
	int rc = look(src, sizeof(magic), err);

	if (rc || !src->ahead_n || src->ahead[0] != magic[0])
		return rc;
	if (src->ahead_n == 1)
		return ood_fail(err, OOD_INPUT,
				"truncated gzip data: the file ends after one "
				"byte");
	return src->ahead[1] == magic[1] ? start_gunzip(src, err) : OOD_OK;
}

int ood_source_open(struct ood_source **out, const char *path,
		    struct ood_err *err)
{
	struct ood_source *src = ood_calloc(1, sizeof(*src));
	int rc = OOD_OK;

	*out = NULL;
	if (!src)
		return ood_fail_memory(err, sizeof(*src));
	src->fd = -1;
	src->size = UINT64_MAX;
	src->name = ood_strdup(strcmp(path, "-") ? path : "standard input");
	src->ahead = ood_malloc(AHEAD, 1);
	if (!src->name || !src->ahead)
		rc = ood_fail_memory(err, AHEAD);
	if (!rc)
		rc = open_file(src, path, err);
	if (!rc)
		rc = detect(src, err);
	if (rc) {
		if (src->name)
			fail_here(src, err);
		ood_source_close(src);
		return rc;
	}
	*out = src;
	return OOD_OK;
}

void ood_source_close(struct ood_source *src)
{
	if (!src)
		return;
	if (src->own_fd)
		close(src->fd);
	ood_gunzip_free(src->gunzip);
	ood_free(src->raw);
	ood_free(src->ahead);
	ood_free(src->name);
	ood_free(src);
}

const char *ood_source_name(const struct ood_source *src)
{
	return src->name;
}

bool ood_source_is_gzip(const struct ood_source *src)
{
	return src->gunzip != NULL;
}

/* ----------------------------------------------------- in order --- */

/* More packed bytes behind those that gunzip has left. */
static int refill(struct ood_source *src, struct ood_err *err)
{
	size_t got;
	int rc;

	if (src->in.n)
		memmove(src->raw, src->in.at, src->in.n);
	src->in.at = src->raw;
	rc = read_raw(src, src->raw + src->in.n, RAW - src->in.n, &got, err);
	if (rc)
		return rc;
	src->in.n += got;
	src->in.end = !got;
	return OOD_OK;
}

/* At least one plain byte that is not ahead; *got = 0 at the end. */
static int take(struct ood_source *src, void *buf, size_t n, size_t *got,
		struct ood_err *err)
{
	int rc = OOD_OK;

	*got = 0;
	if (!n || src->end)
		return OOD_OK;
	if (!src->gunzip)
		rc = read_raw(src, buf, n, got, err);
	while (src->gunzip && !rc && !*got) {
		bool last = src->in.end;
		if (!last && !src->in.n && !ood_gunzip_pending(src->gunzip)) {
			rc = refill(src, err);
			last = src->in.end;
		}
		if (!rc)
			rc = ood_gunzip_step(src->gunzip, &src->in, buf, n, got,
					     err);
		if (last && !rc && !*got)
			break;
	}
	if (rc)
		return fail_here(src, err);
	src->end = !*got;
	return OOD_OK;
}

static int look(struct ood_source *src, size_t n, struct ood_err *err)
{
	int rc = OOD_OK;

	if (src->ahead_at + n > AHEAD || src->ahead_at == src->ahead_n) {
		memmove(src->ahead, src->ahead + src->ahead_at,
			src->ahead_n - src->ahead_at);
		src->ahead_n -= src->ahead_at;
		src->ahead_at = 0;
	}
	while (!rc && !src->end && src->ahead_n - src->ahead_at < n) {
		size_t got;
		rc = take(src, src->ahead + src->ahead_n, AHEAD - src->ahead_n,
			  &got, err);
		if (!rc)
			src->ahead_n += got;
	}
	return rc;
}

int ood_source_peek(struct ood_source *src, size_t n, const char **at,
		    size_t *got, struct ood_err *err)
{
	assert(n <= OOD_SOURCE_PEEK);
	int rc = look(src, n, err);

	*at = src->ahead + src->ahead_at;
	*got = src->ahead_n - src->ahead_at;
	return rc;
}

int ood_source_read_some(struct ood_source *src, void *buf, size_t n,
			 size_t *got, struct ood_err *err)
{
	size_t there = src->ahead_n - src->ahead_at;

	if (!there)
		return take(src, buf, n, got, err);
	*got = OOD_MIN(n, there);
	memcpy(buf, src->ahead + src->ahead_at, *got);
	src->ahead_at += *got;
	return OOD_OK;
}

int ood_source_read(struct ood_source *src, void *buf, size_t n, size_t *got,
		    struct ood_err *err)
{
	char *to = buf;
	size_t more = 1;
	int rc = OOD_OK;

	for (*got = 0; !rc && more && *got < n; *got += more) {
		more = 0;
		rc = ood_source_read_some(src, to + *got, n - *got, &more, err);
	}
	return rc;
}

int ood_source_slurp(const char *path, size_t most, struct ood_buf *buf,
		     struct ood_err *err)
{
	enum { STEP = 1 << 16 };
	struct ood_source *src;
	size_t got = 1;
	int rc = ood_source_open(&src, path, err);

	if (rc)
		return rc;
	while (!rc && got) {
		char *at = ood_buf_reserve(buf, STEP);
		rc = at ? ood_source_read(src, at, STEP, &got, err)
			: ood_fail_memory(err, STEP);
		buf->n += rc ? 0 : got;
		if (!rc && buf->n > most) {
			ood_fail(err, OOD_INPUT, "larger than %zu MiB",
				 most >> 20);
			rc = fail_here(src, err);
		}
	}
	ood_source_close(src);
	return rc;
}

bool ood_source_would_wait(const struct ood_source *src)
{
	struct pollfd wait = { src->fd, POLLIN, 0 };

	if (src->ahead_at < src->ahead_n || src->end || src->regular)
		return false;
	if (src->gunzip &&
	    (src->in.n || src->in.end || ood_gunzip_pending(src->gunzip)))
		return false;
	return poll(&wait, 1, 0) == 0;
}

/* ---------------------------------------------------- anywhere --- */

bool ood_source_can_seek(const struct ood_source *src)
{
	return src->regular && !src->gunzip;
}

uint64_t ood_source_size(const struct ood_source *src)
{
	return ood_source_can_seek(src) ? src->size : UINT64_MAX;
}

static int pread_all(const struct ood_source *src, void *buf, size_t n,
		     uint64_t offset, struct ood_err *err)
{
	char *to = buf;

	while (n) {
		ssize_t r = pread(src->fd, to, n, (off_t)offset);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			ood_fail_errno(err, "cannot read");
		if (r == 0)
			ood_fail(err, OOD_INPUT,
				 "truncated: the file became shorter while it "
				 "was read");
		if (r <= 0)
			return fail_here(src, err);
		to += r;
		n -= (size_t)r;
		offset += (uint64_t)r;
	}
	return OOD_OK;
}

int ood_source_pread(const struct ood_source *src, void *buf, size_t n,
		     uint64_t offset, struct ood_err *err)
{
	return pread_all(src, buf, n, src->base + offset, err);
}

void ood_source_will_read(const struct ood_source *src, uint64_t offset,
			  uint64_t n)
{
	if (ood_source_can_seek(src))
		posix_fadvise(src->fd, (off_t)(src->base + offset), (off_t)n,
			      POSIX_FADV_WILLNEED);
}

/* ---------------------------------------------------- CRC-32 --- */

void ood_source_want_crc(struct ood_source *src)
{
	src->want_crc = true;
	if (src->regular)
		return;
	/* Nothing has been taken yet: what was read is in one buffer. */
	src->crc = src->gunzip ? (uint32_t)crc32_z(0, src->in.at, src->in.n)
			       : (uint32_t)crc32_z(0, (void *)src->ahead,
						   src->ahead_n);
}

static int crc_share(const struct ood_source *src, uint64_t from, uint64_t to,
		     uint32_t *crc, struct ood_err *err)
{
	unsigned char *buf = ood_malloc(RAW, 1);
	int rc = buf ? OOD_OK : ood_fail_memory(err, RAW);

	*crc = 0;
	while (!rc && from < to) {
		size_t n = (size_t)OOD_MIN(to - from, (uint64_t)RAW);
		rc = pread_all(src, buf, n, from, err);
		if (!rc)
			*crc = (uint32_t)crc32_z(*crc, buf, n);
		from += n;
	}
	ood_free(buf);
	return rc;
}

int ood_source_crc(struct ood_source *src, uint32_t *crc, struct ood_err *err)
{
	enum { PARTS = 16 };
	uint64_t end = src->base + src->size;
	uint32_t part[PARTS] = { 0 };
	size_t from[PARTS], to[PARTS];
	int failed = OOD_OK;

	*crc = src->crc;
	if (!src->regular)
		return OOD_OK;
#pragma omp parallel for schedule(dynamic) num_threads(ood_threads())
	for (int i = 0; i < PARTS; i++) {
		struct ood_err mine;
		ood_share(end, RAW, i, PARTS, &from[i], &to[i]);
		int rc = crc_share(src, from[i], to[i], &part[i], &mine);
#pragma omp critical(ood_source_crc)
		if (rc && !failed) {
			failed = rc;
			*err = mine;
		}
	}
	*crc = 0;
	for (int i = 0; i < PARTS; i++)
		*crc = (uint32_t)crc32_combine(*crc, part[i],
					       (z_off_t)(to[i] - from[i]));
	return failed;
}
