/*
 * report_metrics.c - the numbers of a report for dvc and for Prometheus
 *
 * metrics: {SCORER: {SET: {METRIC: number}}}, what `dvc metrics` reads.
 * openmetrics: ood_METRIC{scorer="msp",set="near"} 0.84, the text exposition
 * of OpenMetrics 1.0. Undefined figures are left out of both. Rows of a slice
 * are sets of their own: SET[SLICE], or the label slice.
 */
#include "core/err.h"
#include "core/num.h"
#include "core/utf8.h"
#include "report/report_json.h"

/* One row: who it is about. */
struct subject {
	const char *scorer, *set;
	const char *slice; /* NULL: all rows */
};

/* Columns that say what a row is about; SIZE_MAX: none. */
struct keys {
	size_t scorer, set, slice;
};

static bool find_keys(const struct ood_table *table, struct keys *keys)
{
	keys->scorer = ood_table_find(table, "scorer");
	keys->set = ood_table_find(table, "ood");
	keys->slice = ood_table_find(table, "slice");
	return keys->scorer != SIZE_MAX && keys->set != SIZE_MAX;
}

static const char *text_at(const struct ood_table *table, size_t row,
			   size_t column)
{
	if (column == SIZE_MAX)
		return NULL;
	struct ood_item item = ood_table_item(table, row, column);
	return item.kind == OOD_ITEM_TEXT ? item.text : NULL;
}

/* False for a row without scorer or set. */
static bool find_subject(const struct ood_table *table, size_t row,
			 const struct keys *keys, struct subject *subject)
{
	subject->scorer = text_at(table, row, keys->scorer);
	subject->set = text_at(table, row, keys->set);
	subject->slice = text_at(table, row, keys->slice);
	if (subject->slice && !strcmp(subject->slice, "all"))
		subject->slice = NULL;
	return subject->scorer && subject->set;
}

/* Is this entry a table to show? */
static const struct ood_table *take(const struct ood_entry *entry,
				    const char *only, struct keys *keys)
{
	if (entry->kind != OOD_ENTRY_TABLE || !entry->table ||
	    (only && strcmp(entry->key, only)) ||
	    !find_keys(entry->table, keys))
		return NULL;
	return entry->table;
}

static int check_any(const struct ood_rendering *r, struct ood_err *err)
{
	struct keys keys;

	for (size_t i = 0; i < r->report->n_entries; i++)
		if (take(&r->report->entries[i], r->render->table, &keys))
			return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"format %s needs a table with columns scorer and ood, "
			"as `ood eval` makes it",
			r->render->format);
}

static cJSON *child_of(struct ood_tree *tree, cJSON *to, const char *key)
{
	cJSON *child = cJSON_GetObjectItemCaseSensitive(to, key);

	return child ? child : ood_tree_object(tree, to, key);
}

static cJSON *subject_of(struct ood_tree *tree, cJSON *root,
			 const struct subject *subject)
{
	cJSON *scorer = child_of(tree, root, subject->scorer), *set = NULL;
	struct ood_buf name = { 0 };

	if (!subject->slice)
		return child_of(tree, scorer, subject->set);
	ood_buf_printf(&name, "%s[%s]", subject->set, subject->slice);
	if (name.failed)
		tree->failed = true;
	else if (ood_utf8_valid(name.text, name.n) < name.n)
		tree->bad = subject->slice;
	else
		set = child_of(tree, scorer, name.text);
	ood_buf_free(&name);
	return set;
}

static void add_rows(struct ood_tree *tree, cJSON *root,
		     const struct ood_table *table, const struct keys *keys)
{
	struct subject subject;

	for (size_t row = 0; row < table->n_rows; row++) {
		if (!find_subject(table, row, keys, &subject))
			continue;
		cJSON *to = subject_of(tree, root, &subject);
		for (size_t c = 0; c < table->n_columns; c++) {
			struct ood_item item = ood_table_item(table, row, c);
			if (ood_item_is_number(&item))
				ood_tree_item(tree, to,
					      ood_table_name(table, c), &item);
		}
	}
}

int ood_render_metrics(struct ood_rendering *r, struct ood_err *err)
{
	struct ood_tree tree = { 0 };
	struct keys keys;
	int code = check_any(r, err);

	if (code)
		return code;
	cJSON *root = ood_tree_object(&tree, NULL, NULL);
	for (size_t i = 0; i < r->report->n_entries; i++) {
		const struct ood_table *table =
			take(&r->report->entries[i], r->render->table, &keys);
		if (table)
			add_rows(&tree, root, table, &keys);
	}
	return ood_tree_print(&tree, root, true, r->out, err);
}

/* [a-zA-Z0-9_]; the colon is kept for rules of Prometheus. */
static char metric_char(char c)
{
	bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9');

	return word ? c : '_';
}

static void add_metric_name(struct ood_buf *out, const char *name)
{
	ood_buf_str(out, "ood_");
	for (; *name; name++)
		ood_buf_char(out, metric_char(*name));
}

static bool same_metric(const char *a, const char *b)
{
	while (*a && *b && metric_char(*a) == metric_char(*b))
		a++, b++;
	return !*a && !*b;
}

/*
 * In a label \, " and the end of a line are escaped (OpenMetrics 1.0, section
 * 4.1); control bytes and what is not UTF-8 stand as \xHH, as people see them
 * elsewhere.
 */
static void add_label(struct ood_buf *out, const char *key, const char *text)
{
	const size_t n = strlen(text);
	size_t length;

	ood_buf_printf(out, "%s=\"", key);
	for (size_t i = 0; i < n; i += OOD_MAX(length, (size_t)1)) {
		char piece[5];

		length = ood_utf8_plain(text + i, n - i);
		if (text[i] == '\\' || text[i] == '"')
			ood_buf_char(out, '\\');
		if (length) {
			ood_buf_add(out, text + i, length);
			continue;
		}
		ood_utf8_escape(piece, text[i]);
		ood_buf_str(out, text[i] == '\n' ? "" : "\\");
		ood_buf_str(out, piece);
	}
	ood_buf_char(out, '"');
}

static void add_number(struct ood_buf *out, const struct ood_item *item)
{
	double x = ood_item_number(item);

	if (item->kind == OOD_ITEM_INT)
		ood_buf_int(out, item->integer);
	else if (isinf(x))
		ood_buf_str(out, x > 0 ? "+Inf" : "-Inf");
	else
		ood_buf_num(out, x);
}

static void add_sample(struct ood_buf *out, const char *metric,
		       const struct subject *subject,
		       const struct ood_item *item)
{
	add_metric_name(out, metric);
	ood_buf_char(out, '{');
	add_label(out, "scorer", subject->scorer);
	ood_buf_char(out, ',');
	add_label(out, "set", subject->set);
	if (subject->slice) {
		ood_buf_char(out, ',');
		add_label(out, "slice", subject->slice);
	}
	ood_buf_str(out, "} ");
	add_number(out, item);
	ood_buf_char(out, '\n');
}

/* The samples of a metric from all tables stand together. */
static void add_family(struct ood_rendering *r, const char *metric)
{
	const struct ood_report *report = r->report;
	struct keys keys;
	struct subject subject;
	bool told = false;

	for (size_t i = 0; i < report->n_entries; i++) {
		const struct ood_table *table =
			take(&report->entries[i], r->render->table, &keys);
		size_t c = table ? ood_table_find(table, metric) : SIZE_MAX;
		for (size_t row = 0; c != SIZE_MAX && row < table->n_rows;
		     row++) {
			struct ood_item item = ood_table_item(table, row, c);
			if (!ood_item_is_number(&item) ||
			    !find_subject(table, row, &keys, &subject))
				continue;
			if (!told) {
				ood_buf_str(r->out, "# TYPE ");
				add_metric_name(r->out, metric);
				ood_buf_str(r->out, " gauge\n");
				told = true;
			}
			add_sample(r->out, metric, &subject, &item);
		}
	}
}

/* Has a column of an earlier table, or an earlier one of this, this metric
 * name? Returns its own name, or NULL. */
static const char *earlier(const struct ood_rendering *r, const char *metric,
			   size_t entry, size_t column)
{
	struct keys keys;

	for (size_t i = 0; i <= entry; i++) {
		const struct ood_table *table =
			take(&r->report->entries[i], r->render->table, &keys);
		size_t end = !table	  ? 0
			     : i == entry ? column
					  : table->n_columns;
		for (size_t c = 0; c < end; c++)
			if (same_metric(ood_table_name(table, c), metric))
				return ood_table_name(table, c);
	}
	return NULL;
}

static int refuse_equal(const char *a, const char *b, struct ood_err *err)
{
	char first[OOD_QUOTE_MAX], second[OOD_QUOTE_MAX];

	return ood_fail(err, OOD_USAGE,
			"\"%s\" and \"%s\" are one name for openmetrics "
			"(NAME=METRIC renames one)",
			ood_quote(first, sizeof(first), a, strlen(a)),
			ood_quote(second, sizeof(second), b, strlen(b)));
}

static int add_families(struct ood_rendering *r, size_t entry,
			struct ood_err *err)
{
	struct keys keys;
	const struct ood_table *table =
		take(&r->report->entries[entry], r->render->table, &keys);

	for (size_t c = 0; table && c < table->n_columns; c++) {
		const char *name = ood_table_name(table, c);
		const char *other = earlier(r, name, entry, c);
		if (other && strcmp(other, name))
			return refuse_equal(other, name, err);
		if (!other)
			add_family(r, name);
	}
	return OOD_OK;
}

int ood_render_openmetrics(struct ood_rendering *r, struct ood_err *err)
{
	int code = check_any(r, err);

	for (size_t i = 0; !code && i < r->report->n_entries; i++)
		code = add_families(r, i, err);
	if (!code)
		ood_buf_str(r->out, "# EOF\n");
	return code;
}
