/*
 * feed.h - the bytes of one array: a piece of a file, of memory, or a stream
 */
#ifndef OOD_IO_FEED_H
#define OOD_IO_FEED_H

#include "core/base.h"
#include "io/source.h"

struct ood_feed {
	/* Readable at any place, by any thread: of a file or of memory the
	 * size bytes from start on. Both NULL: in order alone, by read(). */
	const struct ood_source *file;
	const unsigned char *memory;
	uint64_t start, size;

	/* Like ood_source_read(): *got < n only at the end. */
	int (*read)(void *own, void *buf, size_t n, size_t *got,
		    struct ood_err *err);
	void *own;

	uint64_t at; /* bytes taken in order so far */
};

bool ood_feed_anywhere(const struct ood_feed *feed);

/* n bytes at offset; offset + n <= size. Only where anywhere. */
int ood_feed_pread(const struct ood_feed *feed, void *buf, size_t n,
		   uint64_t offset, struct ood_err *err);

/* The next n bytes; *got < n only at the end. */
int ood_feed_read(struct ood_feed *feed, void *buf, size_t n, size_t *got,
		  struct ood_err *err);

#endif
