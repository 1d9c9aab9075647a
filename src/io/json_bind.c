/*
 * json_bind.c - from what is wanted to lanes, paths and widths
 *
 * Records of lines or of a list are read by one lane, whatever is wanted of
 * them; each list of an object has a lane of its own.
 */
#include "core/err.h"
#include "core/thread.h"
#include "io/columns.h"
#include "io/json.h"

/* A value a row, or a list of one. */
static bool is_single(const struct ood_member *m)
{
	return m->ndim == 1 || (m->ndim == 2 && m->shape[1] <= 1);
}

static int refuse_flat(const struct ood_reader *reader, const char *name,
		       struct ood_err *err)
{
	const struct ood_json *j = reader->own;

	ood_fail(err, OOD_INPUT,
		 "1-d list where a matrix N x C is wanted ([[1, 2]] is one row "
		 "of two, [[1], [2]] two rows of one%s)",
		 j->alone ? "; --input-format jsonl takes the object as one "
			    "row"
			  : "");
	return ood_json_where(reader, name, err);
}

static int check_member(const struct ood_reader *reader,
			const struct ood_pick *pick, const struct ood_member *m,
			struct ood_err *err)
{
	struct ood_buf shape = { 0 };
	bool real = pick->kind == OOD_PICK_REAL;

	if (!m->ndim) {
		ood_fail(err, OOD_INPUT,
			 "an object or a single value, not %s (a path names "
			 "what is in it: FILE:.a.b)",
			 reader->records ? "a number or a list"
					 : "a list of rows");
		return ood_json_where(reader, m->name, err);
	}
	if (real && m->ndim == 1 && m->shape[0] && !reader->records)
		return refuse_flat(reader, m->name, err);
	if (m->ndim < 3 && (real || is_single(m)))
		return OOD_OK;
	ood_buf_printf(&shape, "%u-d ", m->ndim);
	ood_shape_describe(&shape, m->ndim, m->shape);
	ood_fail(err, OOD_INPUT, "%s, expected %s", shape.text,
		 real ? "rows of numbers (arrays of more dimensions are read "
			"from NPY)"
		      : "one value a row");
	ood_buf_free(&shape);
	return ood_json_where(reader, m->name, err);
}

/* A target for each member of a pick, or for its path from step `from`. */
static int add_targets(struct ood_reader *reader, struct ood_json_lane *lane,
		       size_t pick, const struct ood_json_path *path,
		       size_t from, struct ood_err *err)
{
	const struct ood_pick *p = &reader->picks[pick];
	struct ood_json_target target = { .kind = p->kind,
					  .pick = pick,
					  .numbers = p->numbers };
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
	t->outer++;
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
	return ood_json_where(reader, text, err);
}

/* At a list: goes to its first item; false if it has none. */
static bool enter(struct ood_json_text *t, struct ood_err *err)
{
	bool more;

	if (t->pos == t->end || t->data[t->pos] != '[')
		return false;
	ood_json_text_advance(t, 1);
	return !ood_json_text_next(t, ']', true, &more, err) && more;
}

static bool at_plain_value(const struct ood_json_text *t)
{
	return t->pos < t->end && !strchr("[{", t->data[t->pos]);
}

/* Is what the path means one list of plain values? *each: it gathers them. */
static bool is_one_row(struct ood_json_text *t,
		       const struct ood_json_path *path, bool *each)
{
	struct ood_err ignored;
	bool found = true;

	for (size_t i = 0; i < path->n && found; i++) {
		const struct ood_json_step *step = &path->steps[i];

		*each |= step->kind == OOD_JSON_EACH;
		if (step->kind == OOD_JSON_EACH)
			found = enter(t, &ignored);
		else if (descend(t, step, &found, &ignored))
			return false;
	}
	return found && (*each || enter(t, &ignored)) && at_plain_value(t);
}

/* Does a pick's path lead to one row of an object that may be a record? */
static bool leads_to_row(const struct ood_reader *reader,
			 const struct ood_pick *pick, bool *each)
{
	const struct ood_json *j = reader->own;
	struct ood_json_path path;
	struct ood_json_text t;
	struct ood_err ignored;
	bool row;

	*each = false;
	if (!pick->path || pick->kind != OOD_PICK_REAL ||
	    ood_json_path_parse(&path, pick->path, &ignored))
		return false;
	row = !ood_json_text_init(&t, &j->text, j->start, &ignored) &&
	      is_one_row(&t, &path, each);
	ood_json_text_free(&t);
	ood_json_path_free(&path);
	return row;
}

/* {"outputs": [{"logits": [1, 2]}]} on a line, asked for
 * .outputs[0].logits, is a record as in JSON Lines of many. */
static void settle_shape(struct ood_reader *reader)
{
	struct ood_json *j = reader->own;
	bool row = false, each;

	if (j->shape != OOD_JSON_OBJECT || !j->alone)
		return;
	for (size_t i = 0; i < reader->n_picks && !row; i++)
		row = leads_to_row(reader, &reader->picks[i], &each);
	if (!row)
		return;
	j->shape = OOD_JSON_LINES;
	reader->records = true;
}

/* The lane of a list begins at its first item; *used: steps of the path that
 * led there. */
static int enter_list(const struct ood_reader *reader,
		      struct ood_json_lane *lane,
		      const struct ood_json_path *path, size_t *used,
		      struct ood_err *err)
{
	int rc = OOD_OK;

	if (path->steps)
		rc = locate(reader, &lane->text, path, used, lane->member, err);
	ood_json_text_advance(&lane->text, !rc);
	lane->text.outer += path->steps ? 1 : 2;
	return rc;
}

/* One pick from an object of lists: a lane of its own. A path that gathers
 * one row has the whole object for its record. */
static int bind_list(struct ood_reader *reader, size_t i, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	struct ood_json_lane *lane = &j->lanes[i];
	const struct ood_pick *pick = &reader->picks[i];
	struct ood_json_path path = { 0 };
	size_t used = 0;
	bool each;
	int rc = OOD_OK;

	j->n_lanes = i + 1;
	lane->first = true;
	if (!pick->path && pick->n != 1)
		return ood_fail(err, OOD_USAGE,
				"lists of one JSON object cannot stand side by "
				"side as columns");
	lane->member =
		pick->path ? pick->path : reader->members[pick->member[0]].name;
	lane->whole = leads_to_row(reader, pick, &each);
	if (lane->whole && !each)
		return refuse_flat(reader, pick->path, err);
	if (pick->path)
		rc = ood_json_path_parse(&path, pick->path, err);
	if (!rc)
		rc = ood_json_text_init(
			&lane->text, &j->text,
			pick->path ? j->start : j->spots[pick->member[0]], err);
	if (!rc && !lane->whole)
		rc = enter_list(reader, lane, &path, &used, err);
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

int ood_json_bind(struct ood_reader *reader, struct ood_err *err)
{
	struct ood_json *j = reader->own;
	int rc = make_state(reader, err);

	settle_shape(reader);
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
	return rc ? ood_json_where(reader, NULL, err) : OOD_OK;
}
