/*
 * json_lane.c - batches of records, parsed by all threads
 *
 * One thread cuts the text into records (lines, or items of a list), a batch
 * at a time that fits the cache; then every thread parses its share, each
 * record into its own row.
 */
#include "core/err.h"
#include "core/thread.h"
#include "io/json.h"

enum {
	BATCH_BYTES = 2 << 20,
	BATCH_ROWS = 1 << 16,
	ALONE = 64 << 10, /* fewer bytes are not worth waking a team */
};

/* ------------------------------------------------------------- cutting --- */

/* True if the next record would have to be waited for. */
static bool must_wait(struct ood_json_text *t, size_t n)
{
	return t->live && n && !t->eof && ood_source_would_wait(t->source);
}

static bool all_blank(const char *at, size_t n)
{
	while (n && ood_json_is_blank(at[n - 1]))
		n--;
	return !n;
}

/* Takes what is before a line end (or the end of the file). */
static void take_line(struct ood_json_text *t, const char *end,
		      struct ood_json_record *record)
{
	const char *at = t->data + t->pos;
	size_t n = (size_t)(end - at), whole = n;

	if (end < t->data + t->end)
		whole++;
	*record =
		(struct ood_json_record){ t->pos - t->keep, n, whole, t->spot };
	if (n && end[-1] == '\r')
		record->n--;
	t->pos += whole;
	t->spot.offset += whole;
	t->spot.line++;
	t->spot.column = 0;
}

static int cut_line(struct ood_json_lane *lane, size_t n, bool *got,
		    struct ood_json_record *record, struct ood_err *err)
{
	struct ood_json_text *t = &lane->text;
	size_t seen = 0; /* bytes behind pos without a line end */

	for (*got = false;;) {
		const char *at = t->data + t->pos, *end = t->data + t->end;
		const char *line = end - at > (ptrdiff_t)seen
					   ? memchr(at + seen, '\n',
						    (size_t)(end - at) - seen)
					   : NULL;
		if (!line && !t->eof) {
			seen = (size_t)(end - at);
			if (must_wait(t, n))
				return OOD_OK;
			int rc = ood_json_text_more(t, err);
			if (rc)
				return rc;
			continue;
		}
		lane->done = !line && at == end;
		if (lane->done)
			return OOD_OK;
		take_line(t, line ? line : end, record);
		seen = 0;
		*got = !all_blank(at, record->n);
		if (*got)
			return OOD_OK;
	}
}

int ood_json_tail(struct ood_json_text *text, struct ood_err *err)
{
	char c;
	int rc = ood_json_text_blank(text, &c, err);

	if (rc || (!c && text->pos == text->end))
		return rc;
	const char *at = text->data + text->pos;
	if (c == '[' || c == '{')
		ood_fail(err, OOD_INPUT,
			 "another value after the end of the first (looks like "
			 "JSON Lines, where each line is a whole value)");
	else
		ood_fail(err, OOD_INPUT, "unexpected text after the value");
	return ood_json_text_place(text, at, at, text->spot, err);
}

static int cut_item(struct ood_json_lane *lane, size_t n, bool *got,
		    struct ood_json_record *record, struct ood_err *err)
{
	struct ood_json_text *t = &lane->text;

	*got = false;
	if (t->pos == t->end && must_wait(t, n))
		return OOD_OK;
	int rc = ood_json_text_next(t, ']', lane->first, got, err);
	if (rc)
		return rc;
	lane->first = false;
	lane->done = !*got;
	if (*got)
		return ood_json_text_value(t, true, record, err);
	return lane->root ? ood_json_tail(t, err) : OOD_OK;
}

static int cut_whole(struct ood_json_lane *lane, bool *got,
		     struct ood_json_record *record, struct ood_err *err)
{
	*got = lane->first;
	lane->done = !*got;
	lane->first = false;
	return *got ? ood_json_text_value(&lane->text, true, record, err)
		    : OOD_OK;
}

/* The next record, if n of the chunk are there already; *got = false: the
 * end, or (live) none is waiting. */
static int cut(struct ood_json_lane *lane, size_t n, bool *got,
	       struct ood_json_record *record, struct ood_err *err)
{
	if (lane->whole)
		return cut_whole(lane, got, record, err);
	return lane->lines ? cut_line(lane, n, got, record, err)
			   : cut_item(lane, n, got, record, err);
}

int ood_json_lane_drain(struct ood_json_lane *lane, uint64_t *rows,
			struct ood_err *err)
{
	struct ood_json_record record;
	bool got;
	int rc = OOD_OK;

	for (*rows = 0; !lane->done; *rows += got) {
		lane->text.keep = lane->text.pos;
		if ((rc = cut(lane, 0, &got, &record, err)))
			break;
	}
	return rc;
}

/* ------------------------------------------------------------- parsing --- */

static int place_fault(const struct ood_reader *reader,
		       const struct ood_json_lane *lane,
		       const struct ood_json_worker *w, size_t row,
		       const struct ood_json_record *record,
		       struct ood_err *err)
{
	const struct ood_json *j = reader->own;
	const char *at = lane->text.data + lane->text.keep + record->at;

	*err = w->err;
	if (w->scan.bad)
		return ood_json_text_place(&lane->text, at, w->scan.bad,
					   record->spot, err);
	ood_json_place(reader, lane->member, record->spot.line,
		       j->before + row + 1, w->column, err);
	return (int)err->code;
}

/* One thread's share; returns the row at fault, or `to`. */
static size_t parse_share(struct ood_json_worker *w, const char *base,
			  const struct ood_json_record *cuts, size_t from,
			  size_t to)
{
	size_t first = w->row;

	for (size_t i = from; i < to; i++) {
		w->row = first + i;
		if (ood_json_row(w, base + cuts[i].at, cuts[i].n))
			return i;
	}
	return to;
}

static int parse(struct ood_reader *reader, struct ood_json_lane *lane,
		 size_t row, size_t n, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	const struct ood_json_record *cuts = j->cuts;
	const char *base = lane->text.data + lane->text.keep;
	size_t bytes = cuts[n - 1].at + cuts[n - 1].n - cuts[0].at;
	int parts = bytes < ALONE ? 1 : OOD_MIN(ood_threads(), j->n_workers);
	size_t bad = n;
	int culprit = 0;

#pragma omp parallel for num_threads(parts) schedule(static, 1)
	for (int part = 0; part < parts; part++) {
		struct ood_json_worker *w = &j->workers[part];
		size_t from, to;

		ood_share(n, 1, part, parts, &from, &to);
		w->plan = &lane->plan;
		w->outs = j->outs;
		w->learn = NULL;
		w->row = row;
		size_t at = parse_share(w, base, cuts, from, to);
#pragma omp critical(ood_json_bad)
		if (at < to && at < bad) {
			bad = at;
			culprit = part;
		}
	}
	if (bad == n)
		return OOD_OK;
	return place_fault(reader, lane, &j->workers[culprit], row + bad,
			   &cuts[bad], err);
}

int ood_json_lane_learn(struct ood_reader *reader, struct ood_json_lane *lane,
			struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_worker *w = &j->workers[0];
	struct ood_json_text *t = &lane->text;
	struct ood_json_spot spot = t->spot;
	struct ood_json_record record;
	bool got;

	t->keep = t->pos;
	int rc = cut(lane, 0, &got, &record, err);
	if (rc || !got)
		return rc;
	w->plan = w->learn = &lane->plan;
	if (ood_json_row(w, t->data + t->keep + record.at, record.n))
		return place_fault(reader, lane, w, 0, &record, err);
	w->learn = NULL;
	lane->first = true;
	return ood_json_text_rewind(t, spot, err);
}

/* ---------------------------------------------------------- collecting --- */

/* Room for `rows` rows of the chunk, of which `used` are filled. */
static bool make_reals(struct ood_json_out *out, size_t used, size_t rows)
{
	size_t need;

	if (!ood_mul(rows, out->width, &need))
		return false;
	if (need <= out->reals_room)
		return true;
	size_t room = OOD_MAX(need, out->reals_room + out->reals_room / 2);
	double *grown = ood_realloc(out->reals, used * out->width, room,
				    sizeof(double));
	if (!grown)
		return false;
	out->reals = grown;
	out->reals_room = room;
	return true;
}

static bool make_array(void *array, size_t used, size_t rows, size_t *room,
		       size_t size)
{
	while (*room < rows)
		if (!ood_grow(array, OOD_MAX(used, *room), room, size))
			return false;
	return true;
}

static bool make_words(struct ood_json_words *words, size_t used, size_t rows)
{
	return make_array(&words->spans, used, rows, &words->spans_room,
			  sizeof(*words->spans)) &&
	       make_array(&words->starts, used, rows, &words->starts_room,
			  sizeof(*words->starts));
}

static int make_rows(struct ood_reader *reader, struct ood_json_lane *lane,
		     size_t used, size_t rows, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	bool ok = make_array(&j->lines, used, rows, &j->lines_room,
			     sizeof(*j->lines));

	for (size_t i = 0; ok && i < lane->plan.n; i++) {
		size_t pick = lane->plan.targets[i].pick;
		struct ood_json_out *out = &j->outs[pick];

		if (lane->plan.targets[i].kind == OOD_PICK_REAL)
			ok = make_reals(out, used, rows);
		else
			ok = make_array(&out->words, used, rows,
					&out->words_room,
					sizeof(*out->words)) &&
			     make_words(&j->words[pick], used, rows);
	}
	if (ok && reader->read->keep_records)
		ok = make_words(&j->words[reader->n_picks], used, rows);
	return ok ? OOD_OK : ood_fail_memory(err, rows);
}

static void keep_word(struct ood_json *j, struct ood_json_words *words,
		      size_t row, const struct ood_json_word *word)
{
	char *to = ood_buf_reserve(&j->bytes, word->n);
	size_t n = word->n;

	words->starts[row] = j->bytes.n;
	words->spans[row] = (struct ood_span){ NULL, 0 };
	if (!to)
		return;
	if (word->escaped)
		n = ood_json_unescape(to, word);
	else if (n)
		memcpy(to, word->at, n);
	words->spans[row].n = n;
	j->bytes.n += n;
}

/* Copies words and records out of the window, which moves on. */
static int collect(struct ood_reader *reader, struct ood_json_lane *lane,
		   size_t row, size_t n, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	const char *base = lane->text.data + lane->text.keep;

	for (size_t i = 0; i < lane->plan.n; i++) {
		size_t pick = lane->plan.targets[i].pick;
		const struct ood_json_word *words = j->outs[pick].words;

		if (lane->plan.targets[i].kind != OOD_PICK_WORD)
			continue;
		for (size_t r = row; r < row + n; r++)
			keep_word(j, &j->words[pick], r, &words[r]);
	}
	for (size_t i = 0; reader->read->keep_records && i < n; i++) {
		struct ood_json_word own = { base + j->cuts[i].at,
					     j->cuts[i].size, false };
		keep_word(j, &j->words[reader->n_picks], row + i, &own);
	}
	for (size_t i = 0; lane->lines && i < n; i++)
		j->lines[row + i] = j->cuts[i].spot.line;
	return j->bytes.failed ? ood_fail_memory(err, j->bytes.n) : OOD_OK;
}

/* Cuts a batch of at most `most` records: *n. A fault behind some records is
 * kept in *late, so that what is wrong in them comes first. */
static int cut_batch(struct ood_json *j, struct ood_json_lane *lane,
		     size_t most, size_t *n, struct ood_err *late)
{
	struct ood_json_text *t = &lane->text;
	bool got = true;
	int rc = OOD_OK;

	t->keep = t->pos;
	for (*n = 0; *n < most && t->pos - t->keep < BATCH_BYTES; ++*n) {
		if (!ood_grow(&j->cuts, *n, &j->cuts_room, sizeof(*j->cuts)))
			return ood_fail_memory(late, *n * sizeof(*j->cuts));
		rc = cut(lane, lane->rows + *n, &got, &j->cuts[*n], late);
		if (rc || !got)
			break;
	}
	return rc;
}

int ood_json_lane_fill(struct ood_reader *reader, struct ood_json_lane *lane,
		       size_t rows, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_err late;

	for (lane->rows = 0; lane->rows < rows && !lane->done;) {
		size_t most = OOD_MIN(rows - lane->rows, (size_t)BATCH_ROWS);
		size_t n, row = lane->rows;
		int faulty = cut_batch(j, lane, most, &n, &late);
		int rc =
			n ? make_rows(reader, lane, row, row + n, err) : OOD_OK;

		if (!rc && n)
			rc = parse(reader, lane, row, n, err);
		if (!rc)
			rc = collect(reader, lane, row, n, err);
		if (!rc && faulty)
			*err = late;
		if (rc || faulty)
			return rc ? rc : faulty;
		if (!n)
			break;
		lane->rows += n;
	}
	return OOD_OK;
}
