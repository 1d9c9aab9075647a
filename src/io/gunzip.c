/*
 * gunzip.c - undoes gzip, member after member
 *
 * gzopen() is not used: it takes what is not gzip for plain data, drops bytes
 * after the last member, and reports a cut file as its end.
 */
#include "io/gunzip.h"

#include <limits.h>
#include <zlib.h>

#include "core/err.h"
#include "core/mem.h"

enum state {
	IN_MEMBER,
	BETWEEN, /* a member has ended */
	PADDING, /* zero bytes after the last one */
};

struct ood_gunzip {
	z_stream z;
	enum state state;
	bool later;   /* not the first member */
	bool pending; /* the last call filled its output */
	uint64_t in;  /* packed bytes taken */
	unsigned char head[2];
	size_t n_head; /* plain bytes seen, at most 2 */
};

struct ood_gunzip *ood_gunzip_new(void)
{
	struct ood_gunzip *gz = ood_calloc(1, sizeof(*gz));

	/* 16 + 15: gzip alone, the largest window. */
	if (gz && inflateInit2(&gz->z, 16 + 15) != Z_OK) {
		ood_free(gz);
		return NULL;
	}
	return gz;
}

void ood_gunzip_free(struct ood_gunzip *gz)
{
	if (!gz)
		return;
	inflateEnd(&gz->z);
	ood_free(gz);
}

bool ood_gunzip_pending(const struct ood_gunzip *gz)
{
	return gz->pending;
}

static int fail_after(const struct ood_gunzip *gz, struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"bytes that are not gzip after the end of the gzip "
			"data (at byte %llu)",
			(unsigned long long)gz->in + 1);
}

/* What inflate() found wrong. */
static int fail_data(struct ood_gunzip *gz, int status, struct ood_err *err)
{
	const char *msg = gz->z.msg ? gz->z.msg : "no reason given";

	if (status == Z_MEM_ERROR)
		return ood_fail_memory(err, 0);
	if (status == Z_NEED_DICT)
		msg = "a dictionary is needed";
	if (gz->later && !strcmp(msg, "incorrect header check"))
		return fail_after(gz, err);
	return ood_fail(
		err, OOD_INPUT, "corrupt gzip data: %s%s", msg,
		strcmp(msg, "incorrect data check") ? "" : " (CRC mismatch)");
}

/* One layer is undone; the second is most likely a mistake of the writer. */
static int check_nested(struct ood_gunzip *gz, const unsigned char *out,
			size_t n, struct ood_err *err)
{
	for (size_t i = 0; i < n && gz->n_head < 2; i++)
		gz->head[gz->n_head++] = out[i];
	if (gz->n_head == 2 && gz->head[0] == 0x1F && gz->head[1] == 0x8B)
		return ood_fail(err, OOD_INPUT,
				"gzip inside gzip (gunzip it once)");
	return OOD_OK;
}

/* Looks at what follows a member; state says what it is. */
static int pass_gap(struct ood_gunzip *gz, struct ood_gunzip_in *in,
		    struct ood_err *err)
{
	if (gz->state == BETWEEN && in->n && in->at[0] == 0x1F) {
		gz->state = IN_MEMBER;
		gz->later = true;
		return inflateReset(&gz->z) == Z_OK ? OOD_OK
						    : ood_fail_memory(err, 0);
	}
	while (in->n && in->at[0] == 0) {
		gz->state = PADDING;
		in->at++;
		in->n--;
		gz->in++;
	}
	return in->n ? fail_after(gz, err) : OOD_OK;
}

static int run(struct ood_gunzip *gz, struct ood_gunzip_in *in,
	       unsigned char *out, size_t n, size_t *got, struct ood_err *err)
{
	uInt room = (uInt)OOD_MIN(n, (size_t)UINT_MAX);
	uInt there = (uInt)OOD_MIN(in->n, (size_t)UINT_MAX);

	/* inflate() does not write to its input; its type is older. */
	gz->z.next_in = (unsigned char *)(uintptr_t)in->at;
	gz->z.avail_in = there;
	gz->z.next_out = out;
	gz->z.avail_out = room;
	int status = inflate(&gz->z, Z_NO_FLUSH);
	*got = room - gz->z.avail_out;
	there -= gz->z.avail_in;
	in->at += there;
	in->n -= there;
	gz->in += there;
	gz->pending = !gz->z.avail_out && status != Z_STREAM_END;
	if (status == Z_STREAM_END)
		gz->state = BETWEEN;
	else if (status != Z_OK && status != Z_BUF_ERROR)
		return fail_data(gz, status, err);
	return check_nested(gz, out, *got, err);
}

int ood_gunzip_step(struct ood_gunzip *gz, struct ood_gunzip_in *in, void *out,
		    size_t n, size_t *got, struct ood_err *err)
{
	int rc = OOD_OK;

	*got = 0;
	while (!rc && !*got && n) {
		if (gz->state != IN_MEMBER)
			rc = pass_gap(gz, in, err);
		if (rc || gz->state != IN_MEMBER)
			return rc;
		if (!in->n && !gz->pending)
			break;
		rc = run(gz, in, out, n, got, err);
	}
	if (!rc && !*got && n && in->end)
		return ood_fail(err, OOD_INPUT,
				"truncated gzip data: the file ends inside a "
				"member (after %llu bytes)",
				(unsigned long long)gz->in);
	return rc;
}
