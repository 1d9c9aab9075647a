/*
 * csv_text.c - lines of a text, whatever ends them
 *
 * LF, CRLF and CR alone end a line; the last one may lack its end. There is
 * no limit to a line but that of a record.
 */
#include "core/err.h"
#include "io/csv.h"

/* Offset behind the next `c` at or after `at`; SIZE_MAX if there is none. */
static size_t behind(const struct ood_csv_text *t, size_t at, char c)
{
	const char *hit = memchr(t->bytes + at, c, t->to - at);

	return hit ? (size_t)(hit - t->bytes) + 1 : SIZE_MAX;
}

bool ood_csv_text_line(struct ood_csv_text *t, size_t skip,
		       struct ood_csv_line *line)
{
	size_t at = t->from + skip, next;

	if (at >= t->to)
		return false;
	/* Each is looked for once: a text without CR is not read twice a
	 * line, nor one without LF. */
	if (at < t->seen)
		t->lf = t->cr = 0;
	t->seen = at;
	if (t->lf <= at)
		t->lf = behind(t, at, '\n');
	if (t->cr <= at)
		t->cr = behind(t, at, '\r');
	line->at = t->bytes + at;
	next = OOD_MIN(t->lf, t->cr);
	if (next == SIZE_MAX) {
		line->n = line->size = t->to - at;
		return t->eof;
	}
	line->n = next - at - 1;
	if (t->cr < t->lf) {
		if (next == t->to && !t->eof)
			return false; /* the LF may be yet to come */
		next += next < t->to && t->bytes[next] == '\n';
	}
	line->size = next - at;
	return true;
}

static int grow(struct ood_csv_text *t, size_t room, struct ood_err *err)
{
	char *bytes = ood_realloc(t->bytes, t->to, room, 1);

	if (!bytes)
		return ood_fail_memory(err, room);
	t->bytes = bytes;
	t->room = room;
	return OOD_OK;
}

/* Moves the rest to the front and makes room for another step. */
static int make_room(struct ood_csv_text *t, struct ood_err *err)
{
	size_t used = t->to - t->from, room = t->room;

	if (used >= OOD_CSV_RECORD_MAX) {
		ood_fail(err, OOD_INPUT,
			 "line longer than %zu MiB: not a table",
			 OOD_CSV_RECORD_MAX >> 20);
		return ood_err_at(err, OOD_PLACE_LINE, t->line, 0);
	}
	if (t->from && used)
		memmove(t->bytes, t->bytes + t->from, used);
	t->from = 0;
	t->to = used;
	t->lf = t->cr = t->seen = 0;
	if (room - used >= t->step)
		return OOD_OK;
	/* A small file needs little; one byte more shows that it ended. */
	if (!room && ood_source_size(t->source) < t->step)
		return grow(t, (size_t)ood_source_size(t->source) + 1, err);
	/* Several long lines at once, so that there is work to share. */
	room = OOD_MAX(used * 4, t->step);
	room = OOD_MIN(room, OOD_CSV_RECORD_MAX) + t->step;
	return room > t->room ? grow(t, room, err) : OOD_OK;
}

int ood_csv_text_fill(struct ood_csv_text *t, struct ood_err *err)
{
	size_t want, got;
	int rc = make_room(t, err);

	if (rc)
		return rc;
	want = t->room - t->to;
	/* Tests ask for a few bytes at a time. */
	if (t->step < OOD_CSV_STEP)
		want = OOD_MIN(want, t->step);
	if (t->live)
		rc = ood_source_read_some(t->source, t->bytes + t->to, want,
					  &got, err);
	else
		rc = ood_source_read(t->source, t->bytes + t->to, want, &got,
				     err);
	if (rc)
		return rc;
	t->to += got;
	t->eof = t->live ? got == 0 : got < want;
	return OOD_OK;
}

bool ood_csv_text_waits(const struct ood_csv_text *t)
{
	return t->live && !t->eof && ood_source_would_wait(t->source);
}

void ood_csv_text_take(struct ood_csv_text *t, size_t size, uint64_t lines)
{
	assert(size <= t->to - t->from);
	t->from += size;
	t->line += lines;
}

bool ood_csv_line_is_void(const struct ood_dialect *d,
			  const struct ood_csv_line *line)
{
	struct ood_span text = ood_trim(d, line->at, line->n);

	return !text.n || (d->blanks && *text.at == '#');
}
