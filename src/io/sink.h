/*
 * sink.h - bytes out, all or nothing
 *
 * A regular file is written beside its place and renamed when complete, so
 * that an error, SIGINT or SIGKILL leaves what was there. "-" or NULL is
 * standard output; a device or FIFO is opened directly.
 */
#ifndef OOD_IO_SINK_H
#define OOD_IO_SINK_H

#include "core/base.h"

struct ood_sink;

int ood_sink_open(struct ood_sink **sink, const char *path,
		  struct ood_err *err);
/* Buffered; a write error is OOD_SYSTEM with errno (EPIPE among them). */
int ood_sink_write(struct ood_sink *sink, const void *bytes, size_t n,
		   struct ood_err *err);
int ood_sink_flush(struct ood_sink *sink, struct ood_err *err);
/* Can bytes already written be replaced? (A regular file, also as stdout.) */
bool ood_sink_can_seek(const struct ood_sink *sink);
int ood_sink_pwrite(struct ood_sink *sink, const void *bytes, size_t n,
		    uint64_t offset, struct ood_err *err);
bool ood_sink_is_terminal(const struct ood_sink *sink);

/* The file that the rename will replace, behind links; NULL: none. */
const char *ood_sink_target(const struct ood_sink *sink);

/* Flushes and closes: what can fail has failed but for the rename. */
int ood_sink_finish(struct ood_sink *sink, struct ood_err *err);
/* Completes: finish, rename. Frees the sink whatever it returns. */
int ood_sink_commit(struct ood_sink *sink, struct ood_err *err);
/* Completes all or none: all are finished, in order, before the first is
 * renamed. Frees them whatever it returns. */
int ood_sink_commit_all(struct ood_sink **sinks, size_t n, struct ood_err *err);
/* Drops what was written: for the way out of an error. NULL is fine. */
void ood_sink_abandon(struct ood_sink *sink);
/* For a signal handler: unlinks the temporary files that are open now. */
void ood_sink_unlink_all(void);

#endif
