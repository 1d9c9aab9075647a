/*
 * sink.c - bytes out, all or nothing
 */
#include "io/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/err.h"
#include "core/mem.h"

enum {
	BUFFER = 1 << 18,
	NAMES = 100,	/* tried for a temporary file */
	LINKS = 40,	/* one behind the other, as the kernel has it */
	OPEN_MOST = 32, /* sinks that a signal handler can know of */
};

struct ood_sink {
	char *path;	 /* as typed; "standard output" */
	char *target;	 /* what the rename replaces; NULL: written directly */
	char *temporary; /* beside it */
	bool made;	 /* temporary is there */
	bool finished;	 /* all is written, and closed */
	int slot;	 /* in open_now; -1: none */
	int fd;
	bool own_fd;
	bool seekable;
	uint64_t base; /* where in the file the first byte is */
	char *buf;
	size_t n;
};

/*
 * Temporary files that are open now, for a signal handler: the one piece of
 * state that the process shares. Names are kept in place, so that a handler
 * never reads memory that is being freed.
 */
enum { FREE, FILLING, SET };
static struct {
	atomic_int state;
	char path[PATH_MAX];
} open_now[OPEN_MOST];

void ood_sink_unlink_all(void)
{
	for (int i = 0; i < OPEN_MOST; i++)
		if (atomic_load(&open_now[i].state) == SET)
			unlink(open_now[i].path);
}

static int enlist(const char *path)
{
	for (int i = 0; strlen(path) < PATH_MAX && i < OPEN_MOST; i++) {
		int free_slot = FREE;
		if (!atomic_compare_exchange_strong(&open_now[i].state,
						    &free_slot, FILLING))
			continue;
		memcpy(open_now[i].path, path, strlen(path) + 1);
		atomic_store(&open_now[i].state, SET);
		return i;
	}
	return -1;
}

static void delist(const struct ood_sink *sink)
{
	if (sink->slot >= 0)
		atomic_store(&open_now[sink->slot].state, FREE);
}

static int fail_errno(const struct ood_sink *sink, const char *what,
		      struct ood_err *err)
{
	ood_fail_errno(err, "%s", what);
	return ood_err_where(err, sink->path, NULL);
}

/* ------------------------------------------------------- opening --- */

static int open_retry(const char *path, int flags)
{
	int fd;

	do {
		fd = open(path, flags | O_WRONLY | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* What an append wrote stays where it is: O_APPEND moves every write. */
static void look_at_fd(struct ood_sink *sink)
{
	struct stat st;
	int flags = fcntl(sink->fd, F_GETFL);
	off_t at = lseek(sink->fd, 0, SEEK_CUR);

	sink->seekable = at >= 0 && flags >= 0 && !(flags & O_APPEND) &&
			 !fstat(sink->fd, &st) && S_ISREG(st.st_mode);
	sink->base = sink->seekable ? (uint64_t)at : 0;
}

/* What a link says, from the folder that it is in: one step. */
static char *follow(const char *link)
{
	char text[PATH_MAX];
	const ssize_t r = readlink(link, text, sizeof(text));
	const char *slash = strrchr(link, '/');
	struct ood_buf path = { 0 };

	if (r < 0 || (size_t)r == sizeof(text))
		return NULL;
	if (slash && text[0] != '/')
		ood_buf_add(&path, link, (size_t)(slash - link) + 1);
	ood_buf_add(&path, text, (size_t)r);
	if (path.failed)
		ood_buf_free(&path);
	return path.text;
}

/* Its folder without links and dots, so that equal places have equal names. */
static char *straighten(char *path)
{
	char real[PATH_MAX];
	char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char *folder = slash ? ood_strndup(path, (size_t)(base - path))
			     : ood_strdup(".");
	struct ood_buf whole = { 0 };

	if (*base && folder && realpath(folder, real)) {
		ood_buf_printf(&whole, "%s/%s", strcmp(real, "/") ? real : "",
			       base);
		ood_free(path);
		path = whole.text;
	}
	ood_free(folder);
	return path;
}

/*
 * The file behind links is replaced, not the link; it need not be there yet.
 * NULL and errno where links lead nowhere.
 */
static char *target_of(const char *path)
{
	char *at = ood_strdup(path);
	struct stat st;

	for (int i = 0; at && !lstat(at, &st) && S_ISLNK(st.st_mode); i++) {
		char *next = i < LINKS ? follow(at) : NULL;

		if (i == LINKS)
			errno = ELOOP;
		ood_free(at);
		at = next;
	}
	return at ? straighten(at) : NULL;
}

/* Creates TARGET.PID.N.tmp; old: the file that will be replaced, or NULL. */
static int open_beside(struct ood_sink *sink, const char *path,
		       const struct stat *old, struct ood_err *err)
{
	sink->target = target_of(path);
	if (!sink->target)
		return fail_errno(sink, "cannot create", err);

	const char *target = sink->target;
	size_t size = strlen(target) + 48;
	sink->temporary = ood_malloc(size, 1);
	if (!sink->temporary)
		return ood_fail_memory(err, size);
	sink->fd = -1;
	errno = EEXIST;
	for (int i = 0; i < NAMES && sink->fd < 0 && errno == EEXIST; i++) {
		snprintf(sink->temporary, size, "%s.%ld.%d.tmp", target,
			 (long)getpid(), i);
		sink->fd = open_retry(sink->temporary, O_CREAT | O_EXCL);
	}
	if (sink->fd < 0)
		return fail_errno(sink, "cannot create", err);
	sink->own_fd = sink->made = true;
	sink->slot = enlist(sink->temporary);
	if (old)
		(void)!fchmod(sink->fd, old->st_mode & 0777);
	return OOD_OK;
}

static int open_path(struct ood_sink *sink, const char *path,
		     struct ood_err *err)
{
	struct stat st;
	bool there = !stat(path, &st);

	if (there && S_ISDIR(st.st_mode)) {
		ood_fail(err, OOD_SYSTEM, "is a folder, not a file");
		return ood_err_where(err, sink->path, NULL);
	}
	if (!there || (S_ISREG(st.st_mode) && strncmp(path, "/dev/", 5) != 0))
		return open_beside(sink, path, there ? &st : NULL, err);
	sink->fd = open_retry(path, 0);
	sink->own_fd = sink->fd >= 0;
	return sink->own_fd ? OOD_OK : fail_errno(sink, "cannot open", err);
}

int ood_sink_open(struct ood_sink **out, const char *path, struct ood_err *err)
{
	bool standard =
		!path || !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
	struct ood_sink *sink = ood_calloc(1, sizeof(*sink));
	int rc = OOD_OK;

	*out = NULL;
	if (!sink)
		return ood_fail_memory(err, sizeof(*sink));
	sink->slot = -1;
	sink->fd = STDOUT_FILENO;
	sink->path = ood_strdup(standard ? "standard output" : path);
	sink->buf = ood_malloc(BUFFER, 1);
	if (!sink->path || !sink->buf)
		rc = ood_fail_memory(err, BUFFER);
	if (!rc && !standard)
		rc = open_path(sink, path, err);
	if (rc) {
		ood_sink_abandon(sink);
		return rc;
	}
	look_at_fd(sink);
	*out = sink;
	return OOD_OK;
}

/* ------------------------------------------------------- writing --- */

/* offset UINT64_MAX: where the file stands. */
static int write_all(struct ood_sink *sink, const char *at, size_t n,
		     uint64_t offset, struct ood_err *err)
{
	bool here = offset == UINT64_MAX;

	while (n) {
		size_t most = OOD_MIN(n, (size_t)1 << 30);
		ssize_t r = here ? write(sink->fd, at, most)
				 : pwrite(sink->fd, at, most, (off_t)offset);
		if (r < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			struct pollfd wait = { sink->fd, POLLOUT, 0 };
			poll(&wait, 1, -1);
		} else if (r < 0 && errno != EINTR) {
			return fail_errno(sink, "cannot write", err);
		}
		if (r <= 0)
			continue;
		at += r;
		n -= (size_t)r;
		offset += here ? 0 : (uint64_t)r;
	}
	return OOD_OK;
}

int ood_sink_flush(struct ood_sink *sink, struct ood_err *err)
{
	size_t n = sink->n;

	sink->n = 0;
	return write_all(sink, sink->buf, n, UINT64_MAX, err);
}

int ood_sink_write(struct ood_sink *sink, const void *bytes, size_t n,
		   struct ood_err *err)
{
	if (!n)
		return OOD_OK;
	if (n > BUFFER - sink->n) {
		int rc = ood_sink_flush(sink, err);
		if (rc)
			return rc;
	}
	if (n >= BUFFER)
		return write_all(sink, bytes, n, UINT64_MAX, err);
	memcpy(sink->buf + sink->n, bytes, n);
	sink->n += n;
	return OOD_OK;
}

bool ood_sink_can_seek(const struct ood_sink *sink)
{
	return sink->seekable;
}

int ood_sink_pwrite(struct ood_sink *sink, const void *bytes, size_t n,
		    uint64_t offset, struct ood_err *err)
{
	assert(sink->seekable);
	int rc = ood_sink_flush(sink, err);

	return rc ? rc : write_all(sink, bytes, n, sink->base + offset, err);
}

bool ood_sink_is_terminal(const struct ood_sink *sink)
{
	return isatty(sink->fd);
}

/* ------------------------------------------------------- the end --- */

static void release(struct ood_sink *sink)
{
	delist(sink);
	ood_free(sink->temporary);
	ood_free(sink->target);
	ood_free(sink->path);
	ood_free(sink->buf);
	ood_free(sink);
}

const char *ood_sink_target(const struct ood_sink *sink)
{
	return sink->target;
}

int ood_sink_finish(struct ood_sink *sink, struct ood_err *err)
{
	int rc;

	if (sink->finished)
		return OOD_OK;
	rc = ood_sink_flush(sink, err);
	/* Some file systems tell only now that the disk is full. */
	if (sink->own_fd && close(sink->fd) && !rc)
		rc = fail_errno(sink, "cannot write", err);
	sink->own_fd = false;
	sink->finished = !rc;
	return rc;
}

static int put_in_place(struct ood_sink *sink, struct ood_err *err)
{
	if (!sink->target)
		return OOD_OK;
	if (rename(sink->temporary, sink->target))
		return fail_errno(sink, "cannot rename the finished file", err);
	sink->made = false;
	return OOD_OK;
}

int ood_sink_commit_all(struct ood_sink **sinks, size_t n, struct ood_err *err)
{
	int rc = OOD_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = ood_sink_finish(sinks[i], err);
	for (size_t i = 0; i < n && !rc; i++)
		rc = put_in_place(sinks[i], err);
	for (size_t i = 0; i < n; i++)
		ood_sink_abandon(sinks[i]);
	return rc;
}

int ood_sink_commit(struct ood_sink *sink, struct ood_err *err)
{
	return ood_sink_commit_all(&sink, 1, err);
}

void ood_sink_abandon(struct ood_sink *sink)
{
	if (!sink)
		return;
	if (sink->own_fd)
		close(sink->fd);
	if (sink->made)
		unlink(sink->temporary);
	release(sink);
}
