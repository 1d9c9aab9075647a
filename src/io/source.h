/*
 * source.h - the bytes of a file, a pipe or standard input
 *
 * gzip (any number of members, by content) is undone on the way; the bytes
 * seen here are the plain ones. A damaged or cut stream is refused, never
 * taken as a short file. Memory: one buffer.
 */
#ifndef OOD_IO_SOURCE_H
#define OOD_IO_SOURCE_H

#include "core/base.h"
#include "core/mem.h"

struct ood_source;

/* path "-" is standard input. Missing file: OOD_SYSTEM, "no such file". */
int ood_source_open(struct ood_source **src, const char *path,
		    struct ood_err *err);
void ood_source_close(struct ood_source *src);

/* The path as typed; "standard input" for "-". For messages and reports. */
const char *ood_source_name(const struct ood_source *src);

/* Is gzip undone on the way? */
bool ood_source_is_gzip(const struct ood_source *src);

/*
 * Shows the next bytes without taking them: at least n of them unless the
 * stream ends before; n <= OOD_SOURCE_PEEK. *got tells how many are at *at,
 * valid until the next call.
 */
#define OOD_SOURCE_PEEK 65536
int ood_source_peek(struct ood_source *src, size_t n, const char **at,
		    size_t *got, struct ood_err *err);

/* Fills buf with n bytes; *got < n only where the stream ends. */
int ood_source_read(struct ood_source *src, void *buf, size_t n, size_t *got,
		    struct ood_err *err);

/* Like read, but returns what is there as soon as there is any (*got = 0
 * only at the end): for filters on a pipe. */
int ood_source_read_some(struct ood_source *src, void *buf, size_t n,
			 size_t *got, struct ood_err *err);

/* Adds a whole small file to buf; one of more than `most` bytes (a whole number
 * of MiB) is refused. */
int ood_source_slurp(const char *path, size_t most, struct ood_buf *buf,
		     struct ood_err *err);

/* True if another read_some() would have to wait for the other end. */
bool ood_source_would_wait(const struct ood_source *src);

/*
 * A regular file that is not compressed can be read at any place by any
 * thread at once: pread never moves the stream. size is UINT64_MAX where it
 * cannot be known.
 */
bool ood_source_can_seek(const struct ood_source *src);
uint64_t ood_source_size(const struct ood_source *src);
int ood_source_pread(const struct ood_source *src, void *buf, size_t n,
		     uint64_t offset, struct ood_err *err);
/* Tells the system what is read soon; does nothing elsewhere. */
void ood_source_will_read(const struct ood_source *src, uint64_t offset,
			  uint64_t n);

/*
 * CRC-32 (zlib's) of the file's own bytes, before gzip is undone. A regular
 * file is read once more; of a pipe the bytes read so far are meant, which
 * must have been asked for right after opening.
 */
void ood_source_want_crc(struct ood_source *src);
int ood_source_crc(struct ood_source *src, uint32_t *crc, struct ood_err *err);

#endif
