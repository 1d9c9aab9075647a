/*
 * report_own.h - the inside of a report, for its renderings
 */
#ifndef OOD_REPORT_REPORT_OWN_H
#define OOD_REPORT_REPORT_OWN_H

#include "core/mem.h"
#include "report/report.h"

struct ood_pair {
	char *key;
	struct ood_item item;
};

struct ood_pairs {
	struct ood_pair *at;
	size_t n, room;
};

struct ood_table_column {
	char *name;
	bool hidden;
};

struct ood_table_cell {
	size_t column;
	struct ood_item item;
};

struct ood_table_row {
	size_t first;		 /* cell */
	struct ood_item tail[2]; /* status, reason */
};

/*
 * The columns "status" and "reason" stand last and in every row (status "ok",
 * reason null) once one of them or a value was set.
 */
struct ood_table {
	struct ood_report *report;
	char *title;
	struct ood_table_column *columns;
	size_t n_columns, room_columns;
	struct ood_table_cell *cells; /* of all rows; in a row as set */
	size_t n_cells, room_cells;
	struct ood_table_row *rows;
	size_t n_rows, room_rows;
	bool quiet;  /* for people only by name */
	char *apart; /* key of the rows from n_first on, or NULL */
	size_t n_first;
	char **notes;
	size_t n_notes, room_notes;
	bool has_tail, hide_tail[2];
};

enum ood_entry_kind {
	OOD_ENTRY_FIELD,
	OOD_ENTRY_OBJECT,
	OOD_ENTRY_LIST,
	OOD_ENTRY_TABLE,
};

/* One key of the top level. */
struct ood_entry {
	enum ood_entry_kind kind;
	char *key;
	struct ood_item item; /* FIELD */
	bool shown;
	struct ood_pairs pairs; /* OBJECT; LIST: keys NULL */
	struct ood_table *table;
};

struct ood_report_input {
	char *set, *role, *path, *format, *dtype;
	unsigned ndim;
	uint64_t shape[4];
	uint64_t rows, skipped;
	uint32_t crc32;
};

struct ood_report_warning {
	char *code, *text;
	uint64_t count;
};

struct ood_report {
	char *schema;
	char **words;
	size_t n_words;
	char *run;
	uint64_t seed;
	struct ood_pairs conventions;
	struct ood_report_input *inputs;
	size_t n_inputs, room_inputs;
	struct ood_report_warning *warnings;
	size_t n_warnings, room_warnings;
	struct ood_entry *entries;
	size_t n_entries, room_entries;
	bool failed; /* memory ran out */
};

/* For the builders: copies of what the caller owns (NULL stays NULL); lack of
 * memory is noted in the report. */
char *ood_report_copy(struct ood_report *report, const char *s);
bool ood_report_grow(struct ood_report *report, void *array, size_t n,
		     size_t *room, size_t size);
struct ood_item ood_report_own(struct ood_report *report, struct ood_item item);
void ood_report_drop(struct ood_item *item);
void ood_table_free(struct ood_table *table);

/* Columns, status and reason among them, by number. */
size_t ood_table_width(const struct ood_table *table);
const char *ood_table_name(const struct ood_table *table, size_t column);
bool ood_table_hidden(const struct ood_table *table, size_t column);
/* SIZE_MAX if the table has no such column. */
size_t ood_table_find(const struct ood_table *table, const char *column);
/* What stands in a cell; null where nothing was set. */
struct ood_item ood_table_item(const struct ood_table *table, size_t row,
			       size_t column);
/* Null, or NaN, which is null in every rendering. */
bool ood_item_is_null(const struct ood_item *item);
/* A number that is not NaN. */
bool ood_item_is_number(const struct ood_item *item);
double ood_item_number(const struct ood_item *item);

/* The table that csv, tsv and jsonl show. *table NULL: the fields, as one
 * row. */
int ood_report_choose(const struct ood_report *report, const char *key,
		      const struct ood_table **table, struct ood_err *err);

/* Renderings: add to `out`. */
struct ood_rendering {
	const struct ood_report *report;
	const struct ood_render *render;
	struct ood_buf *out;
};
int ood_render_table(struct ood_rendering *r, struct ood_err *err);
int ood_render_csv(struct ood_rendering *r, struct ood_err *err);
int ood_render_json(struct ood_rendering *r, struct ood_err *err);
int ood_render_jsonl(struct ood_rendering *r, struct ood_err *err);
int ood_render_metrics(struct ood_rendering *r, struct ood_err *err);
int ood_render_openmetrics(struct ood_rendering *r, struct ood_err *err);

#endif
