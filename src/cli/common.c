/*
 * common.c - option tables and endings that commands share
 */
#include "cli/common.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/err.h"
#include "core/thread.h"
#include "io/writer.h"

#define IN(field) offsetof(struct ood_input_options, field)

const struct ood_opt ood_input_opts[] = {
	{ .kind = OOD_OPT_GROUP, .name = "Input" },
	{ OOD_OPT_TEXT, 0, "as", IN(as), "ROLE",
	  "what a matrix without a role holds: logits, logprobs, probs, "
	  "features or scores",
	  "logits", 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "columns", IN(columns), "LIST",
	  "columns of a text file that hold the matrix: names, numbers from 1, "
	  "ranges a-b",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "id-column", IN(id_column), "COL",
	  "column of ids: a name, or #N by position", NULL, 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "label-column", IN(label_column), "COL",
	  "column of labels: a name, or #N by position", NULL, 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "classes", IN(classes), "LIST",
	  "class names in the order of the columns, by comma, or @FILE with "
	  "one a line",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_CHOICE, 0, "header", IN(header), "WHEN",
	  "does the first line of a text file hold names", "auto", 0, 0,
	  "auto yes no" },
	{ OOD_OPT_TEXT, 0, "delimiter", IN(delimiter), "C",
	  "between the cells of a text file: a byte, or tab, space, semicolon",
	  ",", 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "decimal", IN(decimal), "C",
	  "decimal mark of a text file: point or comma", "point", 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "missing", IN(missing), "LIST",
	  "cells to read as NaN, by comma; \"usual\": empty, NA, N/A, null, "
	  "None, -",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_CHOICE, 0, "nan", IN(nan), "WHAT",
	  "what becomes of a row with a NaN: refused, dropped, scored +inf, or "
	  "scored nan",
	  "error", 0, 0, "error skip worst keep" },
	{ OOD_OPT_TEXT, 0, "layout", IN(layout), "AXES",
	  "axes of a 3-d or 4-d array: chw, hwc, nchw, nhwc (pixels are rows)",
	  "nc", 0, 0, NULL },
	{ OOD_OPT_CHOICE, 0, "higher", IN(higher), "SIDE",
	  "which side larger scores of a file mean", "ood", 0, 0, "ood id" },
	{ OOD_OPT_REAL, 0, "prob-tol", IN(prob_tol), "X",
	  "how far a row of probabilities may be from a sum of 1", "0.001", 0,
	  1, NULL },
	{ OOD_OPT_FLAG, 0, "renormalise", IN(renormalise), NULL,
	  "divide each row of probabilities by its sum", NULL, 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "input-format", IN(input_format), "F",
	  "npy, npz, csv, tsv, json or jsonl instead of what the content says",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_SIZE, 0, "max-bytes", IN(max_bytes), "N",
	  "largest array to hold in memory, as 512M or 8G",
	  "half of the memory", 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};

struct ood_read ood_read_of(const struct ood_input_options *in)
{
	return (struct ood_read){
		.as = in->as,
		.input_format = in->input_format,
		.layout = in->layout,
		.columns = in->columns,
		.id_column = in->id_column,
		.label_column = in->label_column,
		.delimiter = in->delimiter,
		.decimal = in->decimal,
		.missing = in->missing,
		.classes = in->classes,
		.header = (enum ood_header)in->header,
		.nan = (enum ood_nan)in->nan,
		.prob_tol = in->prob_tol,
		.renormalise = in->renormalise,
		.higher_id = in->higher == 1,
		.max_bytes = in->max_bytes,
	};
}

#define OUT(field) offsetof(struct ood_output_options, field)

#define OUTPUT_OPT                                                             \
	{                                                                      \
		OOD_OPT_TEXT, 'o', "output", OUT(output), "FILE",              \
			"write to FILE, complete or not at all",               \
			"standard output", 0, 0, NULL                          \
	}
#define DIGITS_OPT                                                             \
	{                                                                      \
		OOD_OPT_INT, 0, "digits", OUT(digits), "N",                    \
			"significant digits in tables", "6", 1, 17, NULL       \
	}
#define WORK_OPTS                                                              \
	{ OOD_OPT_INT,	'j', "threads",                                        \
	  OUT(threads), "N", "worker threads; results do not depend on it",    \
	  "all cores",	1,   1024,                                             \
	  NULL },                                                              \
		{ OOD_OPT_FLAG, 'q',  "quiet",                                 \
		  OUT(quiet),	NULL, "no warnings, no progress",              \
		  NULL,		0,    0,                                       \
		  NULL },                                                      \
	{                                                                      \
		OOD_OPT_CHOICE, 0, "progress", OUT(progress), "WHEN",          \
			"progress on stderr", "auto", 0, 0,                    \
			"auto always never"                                    \
	}

const struct ood_opt ood_rows_out_opts[] = {
	{ .kind = OOD_OPT_GROUP, .name = "Output" },
	OUTPUT_OPT,
	{ OOD_OPT_TEXT, 'f', "format", OUT(format), "F",
	  "csv, tsv, json, jsonl, npy, npz, table or md; by the extension of "
	  "-o if that says one",
	  "csv", 0, 0, NULL },
	DIGITS_OPT,
	WORK_OPTS,
	{ .kind = OOD_OPT_END },
};

const struct ood_opt ood_report_out_opts[] = {
	{ .kind = OOD_OPT_GROUP, .name = "Output" },
	OUTPUT_OPT,
	{ OOD_OPT_TEXT, 'f', "format", OUT(format), "F",
	  "table, csv, tsv, json, jsonl or md; by the extension of -o if that "
	  "says one",
	  "table", 0, 0, NULL },
	{ OOD_OPT_TEXTS, 0, "report", OUT(reports), "KIND:FILE",
	  "one more output, repeatable: json, csv, md, metrics, openmetrics",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "run", OUT(run), "NAME",
	  "a name for this run, noted in the report", NULL, 0, 0, NULL },
	DIGITS_OPT,
	WORK_OPTS,
	{ .kind = OOD_OPT_END },
};

const struct ood_opt ood_model_out_opts[] = {
	{ .kind = OOD_OPT_GROUP, .name = "Output" },
	OUTPUT_OPT,
	{ OOD_OPT_TEXT, 'f', "format", OUT(format), "F",
	  "a report of what was made on standard output: table, csv, tsv, "
	  "json, jsonl or md",
	  "none", 0, 0, NULL },
	{ OOD_OPT_TEXTS, 0, "report", OUT(reports), "KIND:FILE",
	  "the report to a file, repeatable: json, csv, md", NULL, 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "run", OUT(run), "NAME",
	  "a name for this run, noted in the report", NULL, 0, 0, NULL },
	DIGITS_OPT,
	WORK_OPTS,
	{ .kind = OOD_OPT_END },
};

int ood_complain(const char *command, const struct ood_err *err)
{
	char text[OOD_ERR_TEXT_MAX];

	/* Where SIGPIPE is ignored, a closed pipe ends us quietly all the
	 * same. */
	if (err->os_errno == EPIPE)
		return (int)err->code;
	ood_err_text(err, text, sizeof(text));
	fprintf(stderr, "ood %s: %s\n", command, text);
	return (int)err->code;
}

void ood_warn(const char *command, const char *text)
{
	struct ood_err err;
	char plain[OOD_ERR_TEXT_MAX];

	/* Names of files and classes may hold control bytes. */
	ood_fail(&err, OOD_OK, "%s", text);
	fprintf(stderr, "ood %s: warning: %s\n", command,
		ood_err_text(&err, plain, sizeof(plain)));
}

void ood_warn_report(const char *command, const struct ood_report *report,
		     bool quiet)
{
	const char *text;

	for (size_t i = 0;
	     !quiet && (text = ood_report_warning_text(report, i)); i++)
		ood_warn(command, text);
}

void ood_warn_set(const char *command, const struct ood_set *set, bool quiet)
{
	const struct ood_warning *warnings;
	size_t n = ood_set_warnings(set, &warnings);

	for (size_t i = 0; i < n && !quiet; i++)
		ood_warn(command, warnings[i].text);
}

/* The same file under both names? */
static bool same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	bool standard = !strcmp(b, "-");

	if (!strcmp(a, b) && !standard)
		return true;
	if (stat(a, &sa) || !S_ISREG(sa.st_mode) ||
	    (standard ? fstat(STDIN_FILENO, &sb) : stat(b, &sb)))
		return false;
	return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

static int refuse_same(const char *output, const char *input,
		       struct ood_err *err)
{
	if (!output || !input || !same_file(output, input))
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"output %s is an input as well (write to another file)",
			output);
}

static int clash(const char *output, const struct ood_set *set,
		 struct ood_err *err)
{
	const char *path;
	int code = OOD_OK;

	for (size_t i = 0; !code && (path = ood_set_path(set, i)); i++)
		code = refuse_same(output, path, err);
	return code;
}

int ood_output_spares(const struct ood_output_options *out, const char *input,
		      struct ood_err *err)
{
	return refuse_same(out->output, input, err);
}

/* Two outputs of one name: the second would replace the first. */
static int twice(const struct ood_output_options *out, struct ood_err *err)
{
	const struct ood_texts *r = &out->reports;

	for (size_t i = 0; i < r->n; i++) {
		const char *file = strchr(r->at[i], ':');
		bool same =
			file && out->output && !strcmp(file + 1, out->output);
		for (size_t k = 0; k < i && file; k++)
			same = same || (strchr(r->at[k], ':') &&
					!strcmp(strchr(r->at[k], ':'), file));
		if (same)
			return ood_fail(err, OOD_USAGE,
					"two outputs would go to %s", file + 1);
	}
	return OOD_OK;
}

int ood_outputs_clash(const struct ood_output_options *out,
		      const struct ood_set *set, struct ood_err *err)
{
	int code = clash(out->output, set, err);

	if (!code && out->output && !*out->output)
		code = ood_fail(err, OOD_USAGE, "-o needs the name of a file");
	if (!code)
		code = twice(out, err);
	for (size_t i = 0; !code && i < out->reports.n; i++) {
		const char *file = strchr(out->reports.at[i], ':');
		code = clash(file ? file + 1 : NULL, set, err);
	}
	return code;
}

void ood_threads_option(const struct ood_output_options *out)
{
	if (out->threads > 0)
		ood_threads_set((int)out->threads);
}

/* A name that promises what it would not hold. */
static bool is_foreign(const char *path)
{
	static const char *const names[] = {
		".gz",	".bz2", ".xz",	 ".zst",   ".zip",	   ".parquet",
		".pt",	".pth", ".pkl",	 ".h5",	   ".hdf5",	   ".feather",
		".mat", ".xls", ".xlsx", ".arrow", ".safetensors",
	};
	const char *dot = path ? strrchr(path, '.') : NULL;

	for (size_t i = 0; dot && i < OOD_COUNT(names); i++)
		if (!strcmp(dot, names[i]))
			return true;
	return false;
}

const char *ood_rows_format(const struct ood_output_options *out,
			    struct ood_err *err)
{
	const struct ood_format *format = NULL;

	if (out->format)
		format = ood_format_find(out->format);
	else if (out->output)
		format = ood_format_of_path(out->output);
	if (!format && !out->format && !is_foreign(out->output))
		format = ood_format_find("csv");
	if (!format && !out->format) {
		ood_fail(err, OOD_USAGE,
			 "-o %s: such files are not written (csv, tsv, json, "
			 "jsonl, npy, npz, md; -f says which under any name)",
			 out->output);
		return NULL;
	}
	if (format)
		return format->name;
	ood_fail(err, OOD_USAGE,
		 "-f %s: unknown format (csv, tsv, json, jsonl, npy, npz, "
		 "table or md)",
		 out->format);
	return NULL;
}

int ood_binary_check(const char *format, const struct ood_sink *sink,
		     struct ood_err *err)
{
	bool binary = !strcmp(format, "npy") || !strcmp(format, "npz");

	if (binary && ood_sink_is_terminal(sink))
		return ood_fail(err, OOD_USAGE,
				"%s is not for a terminal (-o FILE, or a pipe)",
				format);
	return OOD_OK;
}

/* ------------------------------------------------------------ progress */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ood_progress_begin(struct ood_progress *p, const char *what,
			uint64_t total, const struct ood_output_options *out)
{
	enum { AUTO, ALWAYS, NEVER };
	const char *term = getenv("TERM");
	bool able = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;

	*p = (struct ood_progress){ .what = what, .total = total };
	p->on = !out->quiet &&
		(out->progress == ALWAYS || (out->progress == AUTO && able));
	if (p->on)
		p->started = p->shown = now();
}

void ood_progress_add(struct ood_progress *p, uint64_t rows)
{
	p->done += rows;
	if (!p->on)
		return;
	double t = now();
	if (t - p->shown < 0.5)
		return;
	p->shown = t;
	if (p->total != UINT64_MAX && p->total > 0)
		fprintf(stderr, "\r%s: %llu of %llu rows (%d%%), %.0f s",
			p->what, (unsigned long long)p->done,
			(unsigned long long)p->total,
			(int)(100.0 * (double)p->done / (double)p->total),
			t - p->started);
	else
		fprintf(stderr, "\r%s: %llu rows, %.0f s", p->what,
			(unsigned long long)p->done, t - p->started);
}

void ood_progress_end(struct ood_progress *p)
{
	if (p->on && p->shown > p->started)
		fprintf(stderr, "\r%70s\r", "");
	p->on = false;
}
