/*
 * scratch.h - what a writer or a report put into a sink, as a string
 */
#ifndef OOD_TESTS_SCRATCH_H
#define OOD_TESTS_SCRATCH_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sink.h"

struct scratch {
	char path[256];
	struct ood_sink *sink;
	char *text; /* after scratch_read() */
	size_t n;
};

static inline void scratch_open(struct scratch *s)
{
	const char *dir = getenv("TMPDIR");
	struct ood_err err;

	snprintf(s->path, sizeof(s->path), "%s/ood-test-XXXXXX",
		 dir && *dir ? dir : "/tmp");
	int fd = mkstemp(s->path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	s->text = NULL;
	ck_assert_int_eq(ood_sink_open(&s->sink, s->path, &err), OOD_OK);
}

/* Completes the sink and reads what it holds. */
static inline char *scratch_read(struct scratch *s)
{
	struct ood_err err;
	size_t room = 1 << 22;

	ck_assert_int_eq(ood_sink_commit(s->sink, &err), OOD_OK);
	FILE *f = fopen(s->path, "rb");
	ck_assert_ptr_nonnull(f);
	s->text = malloc(room);
	ck_assert_ptr_nonnull(s->text);
	s->n = fread(s->text, 1, room - 1, f);
	s->text[s->n] = '\0';
	fclose(f);
	return s->text;
}

static inline void scratch_close(struct scratch *s)
{
	unlink(s->path);
	free(s->text);
	s->text = NULL;
}

#endif
