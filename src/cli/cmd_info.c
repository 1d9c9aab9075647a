/*
 * cmd_info.c - ood info: what a file holds, as the tool sees it
 */
#include <stdio.h>
#include <sys/stat.h>

#include "cli/common.h"
#include "core/err.h"
#include "core/num.h"
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

extern const struct ood_command ood_command_info;

static const char *dtype_name(enum ood_dtype dtype)
{
	static const char *const names[] = {
		[OOD_F2] = "float16", [OOD_F4] = "float32",
		[OOD_F8] = "float64", [OOD_I1] = "int8",
		[OOD_I2] = "int16",   [OOD_I4] = "int32",
		[OOD_I8] = "int64",   [OOD_U1] = "uint8",
		[OOD_U2] = "uint16",  [OOD_U4] = "uint32",
		[OOD_U8] = "uint64",  [OOD_B1] = "bool",
		[OOD_TEXT] = "text",
	};

	return names[dtype];
}

/* "(3000, 16)"; a length that only reading tells is "?". */
static void shape_text(struct ood_buf *out, const uint64_t *shape,
		       unsigned ndim)
{
	char number[OOD_NUM_MAX];

	ood_buf_char(out, '(');
	for (unsigned i = 0; i < OOD_MIN(ndim, (unsigned)OOD_AXES_MAX); i++) {
		ood_num_format_uint(number, shape[i]);
		ood_buf_printf(out, "%s%s", i ? ", " : "",
			       shape[i] == UINT64_MAX ? "?" : number);
	}
	ood_buf_str(out, ndim == 1	       ? ",)"
			 : ndim > OOD_AXES_MAX ? ", ...)"
					       : ")");
}

static void set_shape(struct ood_table *table, const uint64_t *shape,
		      unsigned ndim)
{
	struct ood_buf text = { 0 };

	shape_text(&text, shape, ndim);
	ood_table_set(table, "size",
		      ood_item_text(text.failed ? NULL : text.text));
	ood_buf_free(&text);
}

/* The members of one file. */
static int list_members(struct ood_report *report, const char *path,
			const struct ood_read *read, struct ood_err *err)
{
	struct ood_reader *reader = NULL;
	size_t n;
	bool records;
	int code = ood_reader_open(&reader, path, read, err);

	if (code)
		return code;
	const struct ood_member *m = ood_reader_members(reader, &n, &records);
	ood_report_field(report, "path", ood_item_text(path), true);
	ood_report_field(report, "format",
			 ood_item_text(ood_reader_format(reader)), true);
	struct ood_table *table = ood_report_table(
		report, "members", records ? "columns" : "arrays");
	for (size_t i = 0; i < n; i++) {
		const char *dtype = m[i].dtype != OOD_TEXT || !m[i].numeric
					    ? dtype_name(m[i].dtype)
					    : "number";
		ood_table_row(table);
		ood_table_set(table, "member", ood_item_int((int64_t)i + 1));
		ood_table_set(table, "name",
			      ood_item_text(*m[i].name ? m[i].name : NULL));
		ood_table_set(table, "dtype", ood_item_text(dtype));
		set_shape(table, m[i].shape, m[i].ndim);
	}
	ood_reader_close(reader);
	return OOD_OK;
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
	bool more;
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

static bool is_one_file(const char *spec)
{
	struct stat st;

	return stat(spec, &st) == 0 && !S_ISDIR(st.st_mode) &&
	       !S_ISFIFO(st.st_mode);
}

/* A problem inside a readable file is news, not a failure. */
static int info(const struct options *o, const char *spec,
		struct ood_report *report, struct ood_err *err)
{
	struct ood_read read = ood_read_of(&o->in);
	struct ood_set *set = NULL;
	struct ood_err inner;
	char text[OOD_ERR_TEXT_MAX];
	int code = OOD_OK;

	if (is_one_file(spec))
		code = list_members(report, spec, &read, err);
	else
		ood_report_field(report, "path", ood_item_text(spec), true);
	if (code)
		return code;
	code = ood_set_open(&set, spec, &read, &inner);
	if (code && !is_one_file(spec)) {
		*err = inner;
		return code;
	}
	if (!code)
		code = look_through(report, set, &inner);
	ood_report_field(
		report, "problem",
		ood_item_text(code ? ood_err_text(&inner, text, sizeof(text))
				   : NULL),
		code != OOD_OK);
	ood_set_close(set);
	return OOD_OK;
}

static int run(int argc, char **argv)
{
	struct options o = { 0 };
	struct ood_texts rest = { 0 };
	struct ood_report *report = NULL;
	struct ood_err err;
	bool done;
	int code = ood_opt_parse(&ood_command_info, argc, argv, &o, &rest,
				 &done, &err);

	if (!code && !done && o.in.nan >= OOD_NAN_WORST)
		code = ood_fail(&err, OOD_USAGE,
				"--nan worst and keep are for scores");
	if (!code && !done && rest.n != 1)
		code = ood_fail(&err, OOD_USAGE,
				"expected one file or SET (ood info FILE)");
	if (!code && !done) {
		report = ood_report_new("info", argc, argv);
		code = info(&o, rest.at[0], report, &err);
		if (!code)
			code = ood_report_out(report, &o.out, NULL, &err);
	}
	ood_report_free(report);
	ood_texts_free(&rest);
	ood_texts_free(&o.out.reports);
	return code ? ood_complain("info", &err) : OOD_OK;
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
	"info", "what a file or set holds, as the tool sees it",
	usage,	text,
	parts,	examples,
	run,
};
