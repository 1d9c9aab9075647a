/*
 * append.c - --append: records keep their bytes and get the scores added
 */
#include "cli/append.h"

#include "core/err.h"
#include "core/num.h"
#include "io/csv.h"
#include "io/json.h"
#include "io/writer.h"

struct ood_append {
	struct ood_append_options options;
	bool csv, started;
	struct ood_dialect dialect; /* of a CSV */
	struct ood_buf out;
};

static int check_options(const struct ood_append_options *o,
			 struct ood_err *err)
{
	const char *format = ood_set_format(o->set);

	if (strcmp(format, "csv") && strcmp(format, "tsv") &&
	    strcmp(format, "jsonl"))
		return ood_fail(err, OOD_USAGE,
				"--append is for JSON Lines and CSV, found %s",
				format);
	if (!*o->key)
		return ood_fail(err, OOD_USAGE, "--append= needs a KEY");
	return OOD_OK;
}

int ood_append_open(struct ood_append **append,
		    const struct ood_append_options *options,
		    struct ood_err *err)
{
	const char *format = ood_set_format(options->set);
	const struct ood_read read = ood_read_of(options->in);
	struct ood_append *a;
	int code = check_options(options, err);

	*append = NULL;
	if (code)
		return code;
	a = ood_calloc(1, sizeof(*a));
	if (!a)
		return ood_fail_memory(err, sizeof(*a));
	*append = a;
	a->options = *options;
	a->csv = strcmp(format, "jsonl") != 0;
	return ood_dialect_open(&a->dialect, &read,
				strcmp(format, "tsv") ? ',' : '\t', err);
}

/* What follows the values; a last line without an end gets one. */
static void end_record(struct ood_append *a, struct ood_span rest)
{
	ood_buf_add(&a->out, rest.at, rest.n);
	if (!rest.n ||
	    (rest.at[rest.n - 1] != '\n' && rest.at[rest.n - 1] != '\r'))
		ood_buf_char(&a->out, '\n');
}

/* Bytes of a record without its line end. */
static size_t body(struct ood_span record)
{
	size_t n = record.n;

	while (n && (record.at[n - 1] == '\n' || record.at[n - 1] == '\r'))
		n--;
	return n;
}

static struct ood_span line_end(struct ood_span record)
{
	size_t n = body(record);

	return (struct ood_span){ record.at + n, record.n - n };
}

/* ---------------------------------------------------------------- JSON */

static void json_number(struct ood_buf *out, double x)
{
	if (isfinite(x)) {
		ood_buf_num(out, x);
		return;
	}
	ood_buf_char(out, '"');
	ood_buf_num(out, x);
	ood_buf_char(out, '"');
}

static void json_key(struct ood_buf *out, const char *key)
{
	if (out->n && out->text[out->n - 1] != '{')
		ood_buf_char(out, ',');
	ood_json_quote(out, key, strlen(key));
	ood_buf_char(out, ':');
}

static void json_word(struct ood_buf *out, const char *key,
		      struct ood_span word)
{
	json_key(out, key);
	if (!ood_json_quote(out, word.at, word.n))
		ood_buf_str(out, "null");
}

static void json_object(struct ood_append *a, const struct ood_block *block,
			const struct ood_scored *scored, size_t i)
{
	struct ood_buf *out = &a->out;
	const double *scores = scored->scores + i * scored->columns;

	ood_buf_char(out, '{');
	if (scored->has_top && !(block->bad && block->bad[i])) {
		const char *name = ood_set_class_name(a->options.set,
						      (size_t)scored->pred[i]);
		json_key(out, "pred");
		ood_buf_int(out, scored->pred[i]);
		if (name)
			json_word(out, "pred_name",
				  (struct ood_span){ name, strlen(name) });
		json_key(out, "confidence");
		json_number(out, scored->confidence[i]);
	}
	for (size_t s = 0; s < scored->columns; s++) {
		json_key(out, a->options.columns[s]);
		json_number(out, scores[s]);
	}
	if (a->options.decision->on)
		json_word(
			out, "decision",
			ood_decision_word(a->options.decision,
					  scores[a->options.decision->column]));
	ood_buf_char(out, '}');
}

static int json_record(struct ood_append *a, const struct ood_block *block,
		       const struct ood_scored *scored, size_t i,
		       struct ood_err *err)
{
	struct ood_span record = block->records[i];
	bool there;
	int code = ood_json_has_key(record, a->options.key, &there, err);
	size_t n = body(record);

	if (code)
		code = ood_fail(err, OOD_INPUT,
				"--append needs objects, found a bare value "
				"(one object with a key logits a line)");
	else if (there)
		code = ood_fail(err, OOD_INPUT,
				"the record has a key \"%s\" already "
				"(--append=KEY takes another)",
				a->options.key);
	if (code) {
		ood_set_place(a->options.set, OOD_LOGITS, i, SIZE_MAX, err);
		return code;
	}
	while (record.at[n - 1] != '}')
		n--;
	ood_buf_add(&a->out, record.at, n - 1);
	ood_buf_char(&a->out, ',');
	ood_json_quote(&a->out, a->options.key, strlen(a->options.key));
	ood_buf_char(&a->out, ':');
	json_object(a, block, scored, i);
	end_record(a, (struct ood_span){ record.at + n - 1, record.n - n + 1 });
	return OOD_OK;
}

/* ----------------------------------------------------------------- CSV */

static void csv_number(struct ood_append *a, double x)
{
	char text[OOD_NUM_MAX];
	size_t n = ood_num_format(text, x);
	char *point = memchr(text, '.', n);

	if (point)
		*point = a->dialect.decimal;
	ood_buf_char(&a->out, a->dialect.delimiter);
	ood_csv_quote(&a->out, text, n, a->dialect.delimiter);
}

static void csv_word(struct ood_append *a, struct ood_span word)
{
	ood_buf_char(&a->out, a->dialect.delimiter);
	ood_csv_quote(&a->out, word.at, word.n, a->dialect.delimiter);
}

static void csv_name(struct ood_append *a, const char *name)
{
	struct ood_buf whole = { 0 };

	ood_buf_printf(&whole, "%s_%s", a->options.key, name);
	if (whole.failed)
		a->out.failed = true;
	else
		csv_word(a, (struct ood_span){ whole.text, whole.n });
	ood_buf_free(&whole);
}

static int csv_header(struct ood_append *a, const struct ood_scored *scored,
		      struct ood_err *err)
{
	struct ood_span header = ood_set_header(a->options.set);
	struct ood_buf prefix = { 0 };

	if (!header.n)
		return OOD_OK;
	ood_buf_printf(&prefix, "%s_", a->options.key);
	for (size_t i = 0; prefix.n && i + prefix.n <= header.n; i++)
		if ((i == 0 || header.at[i - 1] == a->dialect.delimiter ||
		     header.at[i - 1] == '"') &&
		    !memcmp(header.at + i, prefix.text, prefix.n)) {
			ood_buf_free(&prefix);
			ood_fail(err, OOD_INPUT,
				 "there is a column that begins with %s_ "
				 "already "
				 "(--append=KEY takes another)",
				 a->options.key);
			/* The file, without the row. */
			ood_set_place(a->options.set, OOD_LOGITS, 0, SIZE_MAX,
				      err);
			return ood_err_at(err, OOD_PLACE_NONE, 0, 0);
		}
	ood_buf_free(&prefix);
	ood_buf_add(&a->out, header.at, body(header));
	if (scored->has_top) {
		csv_name(a, "pred");
		if (ood_set_class_name(a->options.set, 0))
			csv_name(a, "pred_name");
		csv_name(a, "confidence");
	}
	for (size_t s = 0; s < a->options.n_columns; s++)
		csv_name(a, a->options.columns[s]);
	if (a->options.decision->on)
		csv_name(a, "decision");
	end_record(a, line_end(header));
	return OOD_OK;
}

static void csv_top(struct ood_append *a, const struct ood_scored *scored,
		    size_t i, bool bad)
{
	int64_t k = OOD_MAX(scored->pred[i], 0); /* -1: a bad row */
	const char *name = ood_set_class_name(a->options.set, (size_t)k);
	char text[OOD_NUM_MAX];
	struct ood_span none = { "", 0 };

	csv_word(a, bad ? none
			: (struct ood_span){
				  text,
				  ood_num_format_int(text, scored->pred[i]) });
	if (name)
		csv_word(a,
			 bad ? none : (struct ood_span){ name, strlen(name) });
	if (bad)
		csv_word(a, none);
	else
		csv_number(a, scored->confidence[i]);
}

static void csv_record(struct ood_append *a, const struct ood_block *block,
		       const struct ood_scored *scored, size_t i)
{
	const double *scores = scored->scores + i * scored->columns;

	ood_buf_add(&a->out, block->records[i].at, body(block->records[i]));
	if (scored->has_top)
		csv_top(a, scored, i, block->bad && block->bad[i]);
	for (size_t s = 0; s < scored->columns; s++)
		csv_number(a, scores[s]);
	if (a->options.decision->on)
		csv_word(a, ood_decision_word(
				    a->options.decision,
				    scores[a->options.decision->column]));
	end_record(a, line_end(block->records[i]));
}

int ood_append_put(struct ood_append *a, const struct ood_block *block,
		   const struct ood_scored *scored, struct ood_sink *sink,
		   struct ood_err *err)
{
	int code = OOD_OK;

	ood_buf_clear(&a->out);
	if (!a->started && a->csv)
		code = csv_header(a, scored, err);
	a->started = true;
	for (size_t i = 0; !code && i < block->n; i++)
		if (a->csv)
			csv_record(a, block, scored, i);
		else
			code = json_record(a, block, scored, i, err);
	if (!code && a->out.failed)
		code = ood_fail_memory(err, a->out.n);
	if (!code)
		code = ood_sink_write(sink, a->out.text, a->out.n, err);
	return code ? code : ood_sink_flush(sink, err);
}

void ood_append_free(struct ood_append *a)
{
	if (!a)
		return;
	ood_buf_free(&a->out);
	ood_free(a);
}
