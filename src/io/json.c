/*
 * json.c - the reader of JSON and JSON Lines
 */
#include "io/json.h"

#include "core/err.h"

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

/* ------------------------------------------------------------- reading --- */

int ood_json_where(const struct ood_reader *reader, const char *member,
		   struct ood_err *err)
{
	return ood_err_where(err, ood_source_name(reader->source), member);
}

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
	return ood_json_where(reader, NULL, err);
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
			return ood_json_where(reader, NULL, err);
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

	ood_json_where(reader, member, err);
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
	.bind = ood_json_bind,
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
	.bind = ood_json_bind,
	.next = next_json,
	.place = place_json,
	.close = close_json,
};
