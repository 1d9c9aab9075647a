/*
 * json.c - the reader of JSON and JSON Lines
 */
#include "io/json.h"

#include "core/err.h"
#include "core/thread.h"

static bool sniff(const char *at, size_t n)
{
	size_t i = n >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3) ? 3 : 0;

	while (i < n && ood_json_is_blank(at[i]))
		i++;
	return i < n && (at[i] == '[' || at[i] == '{');
}

/* --------------------------------------------------- opening, closing --- */

int ood_json_open(struct ood_reader *reader, size_t step, struct ood_err *err)
{
	struct ood_json *j = ood_calloc(1, sizeof(*j));

	if (!j)
		return ood_fail_memory(err, sizeof(*j));
	reader->own = j;
	j->text = (struct ood_json_text){
		.source = reader->source,
		.seek = ood_source_can_seek(reader->source),
		.hold = !ood_source_can_seek(reader->source),
		.live = reader->read->live,
		.max_bytes = reader->max_bytes,
		.step = step,
		.spot = { 0, 1, 0 },
	};
	return ood_json_head(reader, err);
}

static int open_json(struct ood_reader *reader, struct ood_err *err)
{
	return ood_json_open(reader, OOD_JSON_STEP, err);
}

static void close_words(struct ood_json_words *words)
{
	ood_free(words->spans);
	ood_free(words->starts);
}

static void close_json(struct ood_reader *reader)
{
	struct ood_json *j = reader->own;

	if (!j)
		return;
	for (size_t i = 0; i < j->n_lanes; i++) {
		ood_json_text_free(&j->lanes[i].text);
		ood_json_plan_free(&j->lanes[i].plan);
	}
	for (int i = 0; i < j->n_workers; i++)
		ood_json_worker_free(&j->workers[i]);
	for (size_t i = 0; j->outs && i < reader->n_picks; i++) {
		ood_free(j->outs[i].reals);
		ood_free(j->outs[i].words);
	}
	for (size_t i = 0; j->words && i <= reader->n_picks; i++)
		close_words(&j->words[i]);
	ood_json_text_free(&j->text);
	ood_free(j->spots);
	ood_free(j->lanes);
	ood_free(j->outs);
	ood_free(j->columns);
	ood_free(j->workers);
	ood_free(j->lines);
	ood_free(j->cuts);
	ood_free(j->words);
	ood_buf_free(&j->bytes);
	ood_free(j);
	reader->own = NULL;
}

/* ------------------------------------------------------------- binding --- */

static int fail_here(const struct ood_reader *reader, const char *member,
		     struct ood_err *err)
{
	return ood_err_where(err, ood_source_name(reader->source), member);
}

/* "3-d (?, 4, 5)": what is known of a member's shape. */
static void shape_text(const struct ood_member *m, struct ood_buf *buf)
{
	ood_buf_printf(buf, "%u-d (", m->ndim);
	for (unsigned i = 0; i < m->ndim; i++) {
		ood_buf_str(buf, i ? ", " : "");
		if (m->shape[i] == UINT64_MAX)
			ood_buf_str(buf, "N");
		else
			ood_buf_printf(buf, "%llu",
				       (unsigned long long)m->shape[i]);
	}
	ood_buf_str(buf, ")");
}

/* A value a row, or a list of one. */
static bool is_single(const struct ood_member *m)
{
	return m->ndim == 1 || (m->ndim == 2 && m->shape[1] <= 1);
}

static int check_member(const struct ood_reader *reader,
			const struct ood_pick *pick, const struct ood_member *m,
			struct ood_err *err)
{
	struct ood_buf shape = { 0 };

	if (!m->ndim) {
		ood_fail(err, OOD_INPUT,
			 "not a list of rows (name what is in it by a path: "
			 "FILE:.a.b)");
		return fail_here(reader, m->name, err);
	}
	if (m->ndim < 3 && (pick->kind == OOD_PICK_REAL || is_single(m)))
		return OOD_OK;
	shape_text(m, &shape);
	ood_fail(
		err, OOD_INPUT, "%s, expected %s", shape.text,
		pick->kind == OOD_PICK_REAL
			? "rows of numbers (arrays of more dimensions are read "
			  "from NPY)"
			: "one value a row");
	ood_buf_free(&shape);
	return fail_here(reader, m->name, err);
}

/* A target for each member of a pick, or for its path from step `from`. */
static int add_targets(struct ood_reader *reader, struct ood_json_lane *lane,
		       size_t pick, const struct ood_json_path *path,
		       size_t from, struct ood_err *err)
{
	const struct ood_pick *p = &reader->picks[pick];
	struct ood_json_target target = { .kind = p->kind, .pick = pick };
	int rc = OOD_OK;

	if (path) {
		bool each = false;
		for (size_t i = from; i < path->n; i++)
			each |= path->steps[i].kind == OOD_JSON_EACH;
		if (each && p->kind == OOD_PICK_WORD)
			return ood_fail(err, OOD_INPUT,
					"[] gathers a list where one value a "
					"row is wanted");
		if (from < path->n && !(target.name = ood_strdup(p->path)))
			return ood_fail_memory(err, strlen(p->path));
		return ood_json_plan_add(&lane->plan, path, from, &target, err);
	}
	for (size_t i = 0; !rc && i < p->n; i++) {
		const char *name = reader->members[p->member[i]].name;
		struct ood_json_path key = { 0 };

		target.name = NULL;
		target.column = i;
		if (reader->records) {
			if ((rc = ood_json_path_key(&key, name, err)))
				break;
			if (!(target.name = ood_strdup(name)))
				rc = ood_fail_memory(err, strlen(name));
		}
		if (!rc)
			rc = ood_json_plan_add(&lane->plan, &key, 0, &target,
					       err);
		ood_json_path_free(&key);
	}
	return rc;
}

/* Lines and lists: all picks from one lane. */
static int bind_records(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_lane *lane = &j->lanes[0];
	int rc = OOD_OK;

	j->n_lanes = 1;
	lane->lines = j->shape == OOD_JSON_LINES;
	lane->root = lane->first = true;
	lane->text = j->text;
	j->text.data = NULL;
	for (size_t i = 0; !rc && i < reader->n_picks; i++) {
		const char *text = reader->picks[i].path;
		struct ood_json_path path;

		if (!text) {
			rc = add_targets(reader, lane, i, NULL, 0, err);
			continue;
		}
		if ((rc = ood_json_path_parse(&path, text, err)))
			break;
		/* jq's .[].x over the list of all records. */
		size_t from = !lane->lines && path.n &&
			      path.steps[0].kind == OOD_JSON_EACH;
		rc = add_targets(reader, lane, i, &path, from, err);
		ood_json_path_free(&path);
	}
	return rc;
}

/* Below the value at pos: *found false, or pos is at what the step means. */
static int descend(struct ood_json_text *t, const struct ood_json_step *step,
		   bool *found, struct ood_err *err)
{
	bool key = step->kind == OOD_JSON_KEY, more;
	struct ood_json_record record;
	struct ood_buf name = { 0 };
	int rc = OOD_OK;

	*found = false;
	if (t->data[t->pos] != (key ? '{' : '['))
		return OOD_OK;
	ood_json_text_advance(t, 1);
	for (uint64_t i = 0; !rc; i++) {
		rc = ood_json_text_next(t, key ? '}' : ']', !i, &more, err);
		if (rc || !more)
			break;
		if (key && (rc = ood_json_text_key(t, &name, err)))
			break;
		*found = key ? name.n == step->n &&
					 !memcmp(name.text, step->key, step->n)
			     : i == step->index;
		if (*found)
			break;
		rc = ood_json_text_value(t, false, &record, err);
	}
	ood_buf_free(&name);
	return rc;
}

/* Finds the list that a path leads to, up to its first []; *used steps. */
static int locate(const struct ood_reader *reader, struct ood_json_text *t,
		  const struct ood_json_path *path, size_t *used,
		  const char *text, struct ood_err *err)
{
	bool found = true;
	size_t i;

	for (i = 0; i < path->n && path->steps[i].kind != OOD_JSON_EACH; i++) {
		int rc = descend(t, &path->steps[i], &found, err);
		if (rc)
			return rc;
		if (!found)
			break;
	}
	if (found && t->pos < t->end && t->data[t->pos] == '[') {
		*used = i + (i < path->n);
		return OOD_OK;
	}
	ood_fail(err, OOD_INPUT,
		 found ? "the path leads to %s, not to a list of rows"
		       : "no such path in the file",
		 t->pos < t->end ? ood_json_kind(t->data[t->pos]) : "nothing");
	return fail_here(reader, text, err);
}

/* One pick from an object of lists: a lane of its own. */
static int bind_list(struct ood_reader *reader, size_t i, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_lane *lane = &j->lanes[i];
	const struct ood_pick *pick = &reader->picks[i];
	struct ood_json_path path = { 0 };
	size_t used = 0;
	int rc;

	j->n_lanes = i + 1;
	lane->first = true;
	if (!pick->path && pick->n != 1)
		return ood_fail(err, OOD_USAGE,
				"lists of one JSON object cannot stand side by "
				"side as columns");
	lane->member =
		pick->path ? pick->path : reader->members[pick->member[0]].name;
	if (pick->path && (rc = ood_json_path_parse(&path, pick->path, err)))
		return rc;
	rc = ood_json_text_init(
		&lane->text, &j->text,
		pick->path ? j->start : j->spots[pick->member[0]], err);
	if (!rc && pick->path)
		rc = locate(reader, &lane->text, &path, &used, pick->path, err);
	ood_json_text_advance(&lane->text, !rc);
	if (!rc)
		rc = add_targets(reader, lane, i, pick->path ? &path : NULL,
				 used, err);
	ood_json_path_free(&path);
	return rc;
}

/* After the first record: where each target's columns begin. */
static void set_widths(struct ood_reader *reader, struct ood_json_lane *lane)
{
	struct ood_json *j = reader->own;

	for (size_t i = 0; i < lane->plan.n; i++) {
		struct ood_json_target *t = &lane->plan.targets[i];
		size_t *width = &reader->width[t->pick];

		t->column = t->kind == OOD_PICK_REAL ? *width : 0;
		*width += t->kind == OOD_PICK_REAL ? t->width : 1;
		j->outs[t->pick].width = *width;
	}
}

static int make_state(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	size_t n = reader->n_picks;

	j->lanes = ood_calloc(n, sizeof(*j->lanes));
	j->outs = ood_calloc(n, sizeof(*j->outs));
	j->columns = ood_calloc(n, sizeof(*j->columns));
	j->words = ood_calloc(n + 1, sizeof(*j->words));
	if (!j->lanes || !j->outs || !j->columns || !j->words)
		return ood_fail_memory(err, n * sizeof(*j->lanes));
	return OOD_OK;
}

static int make_workers(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	int threads = ood_threads();
	size_t targets = 0;

	for (size_t i = 0; i < j->n_lanes; i++)
		targets = OOD_MAX(targets, j->lanes[i].plan.n);
	j->workers = ood_calloc((size_t)threads, sizeof(*j->workers));
	if (!j->workers)
		return ood_fail_memory(err, sizeof(*j->workers));
	for (; j->n_workers < threads; j->n_workers++)
		if (ood_json_worker_init(&j->workers[j->n_workers], targets,
					 reader->read->missing))
			return ood_fail_memory(err, targets * sizeof(size_t));
	return OOD_OK;
}

static int bind_json(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	int rc = make_state(reader, err);

	for (size_t i = 0; !rc && i < reader->n_picks; i++) {
		const struct ood_pick *pick = &reader->picks[i];

		if (pick->layout)
			return ood_fail(err, OOD_INPUT,
					"--layout: JSON arrays are read as "
					"rows (save pixels or members as NPY)");
		for (size_t k = 0; !rc && !pick->path && k < pick->n; k++)
			rc = check_member(reader, pick,
					  &reader->members[pick->member[k]],
					  err);
	}
	if (!rc && j->shape != OOD_JSON_OBJECT)
		rc = bind_records(reader, err);
	for (size_t i = 0; !rc && j->shape == OOD_JSON_OBJECT; i++) {
		if (i == reader->n_picks)
			break;
		rc = bind_list(reader, i, err);
	}
	if (!rc)
		rc = make_workers(reader, err);
	for (size_t i = 0; !rc && i < j->n_lanes; i++) {
		rc = ood_json_lane_learn(reader, &j->lanes[i], err);
		set_widths(reader, &j->lanes[i]);
	}
	return rc ? fail_here(reader, NULL, err) : OOD_OK;
}

/* ------------------------------------------------------------- reading --- */

/* Lists of one object that do not have the same number of rows. */
static int fail_counts(struct ood_reader *reader, size_t other,
		       struct ood_err *err)
{
	struct ood_json *j = reader->own;
	const size_t pair[] = { 0, other };
	char name[2][OOD_QUOTE_MAX];
	uint64_t rows[2];

	for (int i = 0; i < 2; i++) {
		struct ood_json_lane *lane = &j->lanes[pair[i]];
		int rc = ood_json_lane_drain(lane, &rows[i], err);

		if (rc)
			return rc;
		rows[i] += j->before + lane->rows;
		ood_quote(name[i], sizeof(name[i]), lane->member,
			  strlen(lane->member));
	}
	ood_fail(err, OOD_INPUT, "%s has %llu rows, %s has %llu", name[0],
		 (unsigned long long)rows[0], name[1],
		 (unsigned long long)rows[1]);
	return fail_here(reader, NULL, err);
}

static struct ood_span *hand_words(struct ood_json *j,
				   struct ood_json_words *words)
{
	for (size_t i = 0; i < j->rows; i++)
		words->spans[i].at = j->bytes.text + words->starts[i];
	return words->spans;
}

static void hand_out(struct ood_reader *reader, struct ood_chunk *chunk)
{
	struct ood_json *j = reader->own;

	chunk->n = j->rows;
	chunk->columns = j->columns;
	for (size_t i = 0; j->rows && i < reader->n_picks; i++) {
		struct ood_json_out *out = &j->outs[i];

		if (reader->picks[i].kind == OOD_PICK_WORD)
			j->columns[i].vec.words = hand_words(j, &j->words[i]);
		else
			j->columns[i].view = (struct ood_view){
				out->reals, OOD_F8,	j->rows,
				out->width, out->width,
			};
	}
	if (j->rows && reader->read->keep_records)
		chunk->records = hand_words(j, &j->words[reader->n_picks]);
}

static int next_json(struct ood_reader *reader, size_t rows,
		     struct ood_chunk *chunk, struct ood_err *err)
{
	struct ood_json *j = reader->own;

	j->before += j->rows;
	j->rows = 0;
	ood_buf_clear(&j->bytes);
	for (size_t i = 0; i < j->n_lanes; i++) {
		int rc = ood_json_lane_fill(reader, &j->lanes[i], rows, err);
		if (rc)
			return fail_here(reader, NULL, err);
	}
	for (size_t i = 1; i < j->n_lanes; i++)
		if (j->lanes[i].rows != j->lanes[0].rows)
			return fail_counts(reader, i, err);
	j->rows = j->lanes[0].rows;
	hand_out(reader, chunk);
	return OOD_OK;
}

void ood_json_place(const struct ood_reader *reader, const char *member,
		    uint64_t line, uint64_t row, size_t column,
		    struct ood_err *err)
{
	const struct ood_json *j = reader->own;
	uint64_t at = column == SIZE_MAX ? 0 : (uint64_t)column + 1;

	fail_here(reader, member, err);
	if (j->shape == OOD_JSON_LINES)
		ood_err_at(err, OOD_PLACE_LINE, line, at);
	else
		ood_err_at(err, OOD_PLACE_ROW, row, at);
}

static void place_json(const struct ood_reader *reader, size_t pick, size_t row,
		       size_t col, struct ood_err *err)
{
	const struct ood_json *j = reader->own;
	bool object = j->shape == OOD_JSON_OBJECT;
	bool lines = j->shape == OOD_JSON_LINES && row < j->rows;

	ood_json_place(reader, object ? j->lanes[pick].member : NULL,
		       lines ? j->lines[row] : 0, j->before + row + 1, col,
		       err);
}

const struct ood_format ood_format_json = {
	.name = "json",
	.brief = "JSON: one list, or one object of lists",
	.can_read = true,
	.can_write = true,
	.sniff = sniff,
	.open = open_json,
	.bind = bind_json,
	.next = next_json,
	.place = place_json,
	.close = close_json,
};

/* Never by its first bytes: the reader of JSON finds out. */
const struct ood_format ood_format_jsonl = {
	.name = "jsonl",
	.brief = "JSON Lines (NDJSON): a record a line",
	.can_read = true,
	.can_write = true,
	.open = open_json,
	.bind = bind_json,
	.next = next_json,
	.place = place_json,
	.close = close_json,
};
