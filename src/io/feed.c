/*
 * feed.c - the bytes of one array: a piece of a file, of memory, or a stream
 */
#include "io/feed.h"

bool ood_feed_anywhere(const struct ood_feed *feed)
{
	return feed->file || feed->memory;
}

int ood_feed_pread(const struct ood_feed *feed, void *buf, size_t n,
		   uint64_t offset, struct ood_err *err)
{
	assert(offset <= feed->size && n <= feed->size - offset);
	if (!feed->memory)
		return ood_source_pread(feed->file, buf, n,
					feed->start + offset, err);
	memcpy(buf, feed->memory + feed->start + offset, n);
	return OOD_OK;
}

int ood_feed_read(struct ood_feed *feed, void *buf, size_t n, size_t *got,
		  struct ood_err *err)
{
	int rc;

	if (ood_feed_anywhere(feed)) {
		*got = (size_t)OOD_MIN((uint64_t)n, feed->size - feed->at);
		rc = ood_feed_pread(feed, buf, *got, feed->at, err);
	} else {
		rc = feed->read(feed->own, buf, n, got, err);
	}
	if (!rc)
		feed->at += *got;
	return rc;
}
