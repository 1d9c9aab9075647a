/*
 * cmd_info.c - ood info: what a file holds, as the tool sees it
 */
#include <stdio.h>
#include <sys/stat.h>

#include "cli/common.h"
#include "cli/unused.h"
#include "core/err.h"
#include "core/num.h"
#include "io/columns.h"
#include "io/reader.h"

struct options {
	struct ood_input_options in;
	struct ood_output_options out;
};

#define FIELD(name) offsetof(struct options, name)

static const struct ood_opt_part parts[] = {
	{ ood_input_opts, FIELD(in), NULL },
	{ ood_report_out_opts, FIELD(out), NULL },
	{ 0 },
};

static void set_shape(struct ood_table *table, const uint64_t *shape,
		      unsigned ndim)
{
	struct ood_buf text = { 0 };

	ood_shape_describe(&text, ndim, shape);
	ood_table_set(table, "size",
		      ood_item_text(text.failed ? NULL : text.text));
	ood_buf_free(&text);
}

static void list_members(struct ood_report *report,
			 const struct ood_reader *reader)
{
	size_t n;
	bool records;
	const struct ood_member *m = ood_reader_members(reader, &n, &records);
	struct ood_table *table = ood_report_table(
		report, "members", records ? "columns" : "arrays");

	for (size_t i = 0; i < n; i++) {
		const char *dtype = m[i].dtype != OOD_TEXT || !m[i].numeric
					    ? ood_dtype_name(m[i].dtype)
					    : "number";
		ood_table_row(table);
		ood_table_set(table, "member", ood_item_int((int64_t)i + 1));
		ood_table_set(table, "name",
			      ood_item_text(*m[i].name ? m[i].name : NULL));
		ood_table_set(table, "dtype", ood_item_text(dtype));
		set_shape(table, m[i].shape, m[i].ndim);
	}
}

static void tell_file(struct ood_report *report,
		      const struct ood_reader *reader)
{
	bool gzip = ood_source_is_gzip(ood_reader_source(reader));

	ood_report_field(report, "format",
			 ood_item_text(ood_reader_format(reader)), true);
	ood_report_field(report, "compression",
			 ood_item_text(gzip ? "gzip" : NULL), gzip);
	list_members(report, reader);
}

/* -------------------------------------------------------- label counts */

enum { MOST_LABELS = 256 };

struct count {
	char *text;
	uint64_t n;
};

struct tally {
	struct count label[MOST_LABELS];
	size_t n, last;
	bool more, failed;
};

static void count_label(struct tally *t, const char *text, size_t n)
{
	for (size_t k = 0; k < t->n; k++) {
		size_t i = (t->last + k) % t->n;
		if (strlen(t->label[i].text) == n &&
		    !memcmp(t->label[i].text, text, n)) {
			t->label[i].n++;
			t->last = i;
			return;
		}
	}
	if (t->n == MOST_LABELS) {
		t->more = true;
		return;
	}
	char *copy = ood_strndup(text, n);
	t->failed |= !copy;
	if (!copy)
		return;
	t->label[t->n].text = copy;
	t->label[t->n++].n = 1;
}

static void count_block(struct tally *t, const struct ood_block *block)
{
	const struct ood_vec *v = &block->labels;
	bool any = v->ints || v->reals || v->words;

	for (size_t i = 0; any && i < block->n && !t->more; i++) {
		char text[OOD_NUM_MAX];
		if (v->words)
			count_label(t, v->words[i].at, v->words[i].n);
		else if (v->ints)
			count_label(t, text,
				    ood_num_format_int(text, v->ints[i]));
		else
			count_label(t, text, ood_num_format(text, v->reals[i]));
	}
}

/* Numbers by size, then words by bytes. */
static int by_label(const void *a, const void *b)
{
	const struct count *x = a, *y = b;
	double p, q;
	bool is_p =
		ood_num_parse(x->text, strlen(x->text), '.', &p) == OOD_NUM_OK;
	bool is_q =
		ood_num_parse(y->text, strlen(y->text), '.', &q) == OOD_NUM_OK;

	if (is_p != is_q)
		return is_p ? -1 : 1;
	if (is_p && p != q)
		return p < q ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void list_labels(struct ood_report *report, struct tally *t)
{
	struct ood_table *table;

	if (!t->n)
		return;
	qsort(t->label, t->n, sizeof(*t->label), by_label);
	table = ood_report_table(report, "labels", "labels");
	for (size_t i = 0; i < t->n; i++) {
		ood_table_row(table);
		ood_table_set(table, "label", ood_item_text(t->label[i].text));
		ood_table_set(table, "rows",
			      ood_item_int((int64_t)t->label[i].n));
	}
	if (t->more)
		ood_table_note(table, "more than 256 different labels");
}

static void list_inputs(struct ood_report *report, const struct ood_set *set)
{
	const struct ood_input *in;
	size_t n = ood_set_inputs(set, &in);
	struct ood_table *table = ood_report_table(report, "roles", "roles");

	for (size_t i = 0; i < n; i++) {
		ood_table_row(table);
		ood_table_set(table, "role", ood_item_text(in[i].role));
		ood_table_set(table, "path", ood_item_text(in[i].path));
		ood_table_set(table, "format", ood_item_text(in[i].format));
		ood_table_set(table, "dtype", ood_item_text(in[i].dtype));
		set_shape(table, in[i].shape, in[i].ndim);
	}
}

/* Reads the set to the end: rows, labels, and the first thing wrong. */
static int look_through(struct ood_report *report, struct ood_set *set,
			struct ood_err *err)
{
	struct ood_block block;
	struct tally *labels = ood_calloc(1, sizeof(*labels));
	uint64_t rows = 0;
	int code = labels ? OOD_OK : ood_fail_memory(err, sizeof(*labels));

	while (!code) {
		code = ood_set_next(set, &block, err);
		if (code || !block.n)
			break;
		rows += block.n;
		count_block(labels, &block);
		if (labels->failed)
			code = ood_fail_memory(err, MOST_LABELS);
	}
	list_inputs(report, set);
	ood_report_field(report, "rows",
			 code ? ood_item_null() : ood_item_int((int64_t)rows),
			 true);
	if (ood_set_classes(set))
		ood_report_field(report, "classes",
				 ood_item_int((int64_t)ood_set_classes(set)),
				 true);
	if (labels)
		list_labels(report, labels);
	for (size_t i = 0; labels && i < labels->n; i++)
		ood_free(labels->label[i].text);
	ood_free(labels);
	return code;
}

static void note_warnings(struct ood_report *report,
			  const struct ood_input_options *in,
			  const struct ood_set *set)
{
	const struct ood_warning *warnings;
	size_t n = ood_set_warnings(set, &warnings);
	struct ood_used used = { 0 };

	for (size_t i = 0; i < n; i++)
		ood_report_warning(report, warnings[i].code, warnings[i].text,
				   warnings[i].count);
	ood_used_add(&used, set);
	ood_unused_tell(in, &used, "info", report);
}

/* Reads what a set refused as a whole: its file may still have members. */
static int tell_refused(struct ood_report *report, const char *path,
			const struct ood_read *read, struct ood_err *err)
{
	struct ood_reader *reader = NULL;
	int code = ood_reader_open(&reader, path, read, err);

	if (!code)
		tell_file(report, reader);
	ood_reader_close(reader);
	return code;
}

static bool can_read_again(const char *spec)
{
	struct stat st;

	return stat(spec, &st) == 0 && S_ISREG(st.st_mode);
}

/* Is the SET one file, as typed? */
static bool is_one_file(const struct ood_set *set, const char *spec)
{
	return !strcmp(ood_set_path(set, 0), spec) && !ood_set_path(set, 1);
}

/* A problem inside a readable file is news, not a failure. */
static int info(const struct options *o, const char *spec,
		struct ood_report *report, struct ood_err *err)
{
	struct ood_read read = ood_read_of(&o->in);
	struct ood_set *set = NULL;
	struct ood_err problem;
	char text[OOD_ERR_TEXT_MAX];
	int code = ood_set_open(&set, spec, &read, &problem);

	ood_report_field(report, "path", ood_item_text(spec), true);
	if (code && !can_read_again(spec)) {
		*err = problem;
		return code;
	}
	if (code && tell_refused(report, spec, &read, err))
		return (int)err->code;
	if (!code && is_one_file(set, spec))
		tell_file(report, ood_set_reader(set));
	if (!code)
		code = look_through(report, set, &problem);
	if (!code)
		note_warnings(report, &o->in, set);
	if (code)
		ood_err_text(&problem, text, sizeof(text));
	ood_report_field(report, "problem", ood_item_text(code ? text : NULL),
			 code != OOD_OK);
	ood_set_close(set);
	return OOD_OK;
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	struct ood_report *report;
	int code;

	if (o->in.nan >= OOD_NAN_WORST)
		return ood_fail(err, OOD_USAGE,
				"--nan worst and keep are for scores");
	if (call->rest.n != 1)
		return ood_fail(err, OOD_USAGE,
				"expected one file or SET (ood info FILE)");
	ood_threads_option(&o->out);
	report = ood_report_new("info", call->argc, call->argv);
	code = info(o, call->rest.at[0], report, err);
	if (!code)
		code = ood_report_out(report, &o->out, NULL, err);
	if (!code)
		ood_warn_report("info", report, o->out.quiet);
	ood_report_free(report);
	return code;
}

static const char *const usage[] = { "info [OPTION]... FILE|SET", NULL };
static const char *const text[] = {
	"Tells the format of a file, its arrays or columns, what ood takes "
	"each of them for, how many rows there are, which labels, and the "
	"first thing that would be refused. A PREFIX lists the files taken.",
	NULL
};
static const char *const examples[] = { "ood info logits.npy",
					"ood info letters/test", NULL };

const struct ood_command ood_command_info = {
	.name = "info",
	.brief = "what a file or set holds, as the tool sees it",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
