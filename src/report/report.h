/*
 * report.h - figures as a document: one content, many renderings
 *
 * A report is an ordered list of fields and tables. JSON holds all of it and
 * is for programs; table and md are for people and show the tables and the
 * fields marked as shown; csv holds one table.
 */
#ifndef OOD_REPORT_REPORT_H
#define OOD_REPORT_REPORT_H

#include "core/base.h"
#include "core/value.h"
#include "io/set.h"
#include "io/sink.h"

enum ood_item_kind {
	OOD_ITEM_NULL, /* JSON null, CSV empty, table "-" */
	OOD_ITEM_REAL, /* NaN is written as null */
	OOD_ITEM_INT,
	OOD_ITEM_BOOL,
	OOD_ITEM_TEXT,
};

struct ood_item {
	enum ood_item_kind kind;
	double real;
	int64_t integer;  /* INT, BOOL */
	const char *text; /* TEXT; copied by the report */
	bool exact;	  /* REAL: all digits for people, too */
};
struct ood_item ood_item_null(void);
struct ood_item ood_item_real(double x);
struct ood_item ood_item_exact(double x); /* a REAL with all its digits */
struct ood_item ood_item_int(int64_t i);
struct ood_item ood_item_bool(bool b);
struct ood_item ood_item_text(const char *s); /* NULL gives null */

struct ood_report;
struct ood_table;

/*
 * command: "eval" (schema "ood.eval/1"); argv: the words typed behind "ood".
 * Calls on a report (NULL, too) never fail and copy what they are given: lack
 * of memory is told by ood_report_write(). Free with ood_report_free().
 */
struct ood_report *ood_report_new(const char *command, int argc,
				  char *const *argv);
void ood_report_free(struct ood_report *report);

/* Keys of the common head: run, seed, conventions, inputs, warnings. */
void ood_report_run(struct ood_report *report, const char *run);
void ood_report_seed(struct ood_report *report, uint64_t seed);
void ood_report_convention(struct ood_report *report, const char *key,
			   const char *text);
void ood_report_input(struct ood_report *report, const char *set,
		      const struct ood_input *input);
void ood_report_warning(struct ood_report *report, const char *code,
			const char *text, uint64_t count);

/* The i-th warning's text, from 0; NULL behind the last. */
const char *ood_report_warning_text(const struct ood_report *report, size_t i);

/* One more key at the top level. shown: also a line of table and md. */
void ood_report_field(struct ood_report *report, const char *key,
		      struct ood_item item, bool shown);
/* A key whose value is an object, filled by ood_report_field_in(). */
void ood_report_field_in(struct ood_report *report, const char *object,
			 const char *key, struct ood_item item);
/* A key whose value is a list of plain values. */
void ood_report_list(struct ood_report *report, const char *key,
		     const struct ood_item *items, size_t n);

/*
 * A table: an array of objects under `key`, in order of rows; title is for
 * people, may be NULL. Columns are made by their first use.
 */
struct ood_table *ood_report_table(struct ood_report *report, const char *key,
				   const char *title);
void ood_table_row(struct ood_table *table); /* begins a row */
void ood_table_set(struct ood_table *table, const char *column,
		   struct ood_item item);
/* Column, and where it is not ok "status" and "reason" of the row. These two
 * are always the last columns; rows that nothing is wrong with have "ok" and
 * null, and tables for people leave them out if all do. */
void ood_table_value(struct ood_table *table, const char *column,
		     const struct ood_value *value);
/* Columns that only JSON and CSV show. */
void ood_table_hide(struct ood_table *table, const char *column);
/* People see the table only where ood_render names it. */
void ood_table_quiet(struct ood_table *table);
/* Rows from here on stand in JSON under a key of their own ("means"); in all
 * other formats they follow. */
void ood_table_apart(struct ood_table *table, const char *key);
/* A line under the table for people. */
void ood_table_note(struct ood_table *table, const char *note);

struct ood_render {
	/* "table" "md" "json" "csv" "tsv" "jsonl"; "metrics" (dvc's nested
	 * numbers) and "openmetrics" (text exposition) take the tables with
	 * columns scorer and ood */
	const char *format;
	/* csv, tsv, jsonl: which table. "": the fields, as one row; NULL: the
	 * first table that has rows, else the fields. metrics, openmetrics:
	 * NULL takes all tables that fit */
	const char *table;
	int digits; /* table, md; 0 = 6 */
};

/*
 * Renders the whole report, then writes it: one that is refused leaves no
 * bytes. An unknown format or table is OOD_USAGE; text that is not UTF-8 in
 * JSON OOD_INPUT.
 */
/* OOD_USAGE if no rendering has this name. */
int ood_report_check_format(const char *name, struct ood_err *err);

int ood_report_write(const struct ood_report *report,
		     const struct ood_render *render, struct ood_sink *sink,
		     struct ood_err *err);

#endif
