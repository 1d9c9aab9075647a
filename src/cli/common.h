/*
 * common.h - what commands share: options for inputs, outputs and threads,
 * and the way to the end of a command
 */
#ifndef OOD_CLI_COMMON_H
#define OOD_CLI_COMMON_H

#include "cli/opt.h"
#include "io/set.h"
#include "io/sink.h"
#include "report/report.h"

/* --as --columns --id-column ... : fields of struct ood_read, as typed. */
struct ood_input_options {
	const char *as, *input_format, *layout, *columns, *id_column,
		*label_column, *delimiter, *decimal, *missing, *classes;
	int header; /* enum ood_header */
	int nan;    /* enum ood_nan */
	int higher; /* 0 ood, 1 id */
	double prob_tol;
	bool renormalise;
	uint64_t max_bytes;
};
extern const struct ood_opt ood_input_opts[];
struct ood_read ood_read_of(const struct ood_input_options *in);

/* -o -f --digits -j -q --progress; for reports also --run, --report */
struct ood_output_options {
	const char *output, *format, *run;
	int64_t digits, threads;
	bool quiet;
	int progress;		  /* auto always never */
	struct ood_texts reports; /* KIND:FILE */
};
extern const struct ood_opt ood_rows_out_opts[];   /* commands of rows */
extern const struct ood_opt ood_report_out_opts[]; /* commands of reports */
extern const struct ood_opt ood_model_out_opts[];  /* -o is a model there */

/* Prints "ood COMMAND: sentence" on stderr; returns the exit status. */
int ood_complain(const char *command, const struct ood_err *err);
/* Prints held warnings (unless quiet). */
void ood_warn(const char *command, const char *text);
void ood_warn_set(const char *command, const struct ood_set *set, bool quiet);

/* Refuses -o or --report equal to a file that the set reads (OOD_USAGE). */
int ood_outputs_clash(const struct ood_output_options *out,
		      const struct ood_set *set, struct ood_err *err);
/* Refuses -o equal to this file, read beside the set (--threshold FILE). */
int ood_output_spares(const struct ood_output_options *out, const char *input,
		      struct ood_err *err);
/* Sets the team of -j. */
void ood_threads_option(const struct ood_output_options *out);
/* Name of the format of a command of rows: -f, else the extension of -o, else
 * csv. NULL and err filled if there is none of that name. */
const char *ood_rows_format(const struct ood_output_options *out,
			    struct ood_err *err);
/* Refuses NPY and NPZ on a terminal. */
int ood_binary_check(const char *format, const struct ood_sink *sink,
		     struct ood_err *err);

/* -f and every --report: names and syntax, before anything is read. */
int ood_report_check(const struct ood_output_options *out, struct ood_err *err);
/* The report's warnings, for stderr: when all is written. */
void ood_warn_report(const char *command, const struct ood_report *report,
		     bool quiet);

/* Writes a report to -o/stdout and to every --report. */
int ood_report_out(const struct ood_report *report,
		   const struct ood_output_options *out, const char *table,
		   struct ood_err *err);

/* Progress on stderr, when it is a terminal and work is long. */
struct ood_progress {
	const char *what;
	uint64_t done, total; /* total UINT64_MAX: not known */
	double started, shown;
	bool on;
};
void ood_progress_begin(struct ood_progress *p, const char *what,
			uint64_t total, const struct ood_output_options *out);
void ood_progress_add(struct ood_progress *p, uint64_t rows);
void ood_progress_end(struct ood_progress *p);

#endif
