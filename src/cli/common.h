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

/* -o -f --digits -j -q --progress --seed --run, --report for reports */
struct ood_output_options {
	const char *output, *format, *run;
	int64_t digits, threads, seed;
	bool quiet;
	int progress;		  /* auto always never */
	struct ood_texts reports; /* KIND:FILE */
};
extern const struct ood_opt ood_rows_out_opts[];   /* commands of rows */
extern const struct ood_opt ood_report_out_opts[]; /* commands of reports */

/* Prints "ood COMMAND: sentence" on stderr; returns the exit status. */
int ood_complain(const char *command, const struct ood_err *err);
/* Prints held warnings (unless quiet). */
void ood_warn(const char *command, const char *text);
void ood_warn_set(const char *command, const struct ood_set *set, bool quiet);

/* Refuses -o equal to an input, binary to a terminal, unknown formats. */
int ood_output_check(const struct ood_output_options *out,
		     const char *const *inputs, size_t n, struct ood_err *err);

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
