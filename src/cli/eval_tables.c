/*
 * eval_tables.c - the tables of `ood eval`
 */
#include "cli/eval_tables.h"

#include <stdio.h>

#include "core/err.h"
#include "math/order.h"
#include "metrics/calibration.h"
#include "metrics/walk.h"

/* Does the measure belong into this table? */
static bool is_for(const struct ood_measure *m, bool detection)
{
	return (m->metric->kind == OOD_METRIC_DETECTION) == detection;
}

/* Does any measure? */
static bool asked_for(const struct ood_eval *e, bool detection)
{
	for (size_t i = 0; i < e->n_measures; i++)
		if (is_for(&e->measures[i], detection))
			return true;
	return false;
}

static int refuse_undefined(const struct ood_measure *m,
			    const struct ood_value *v, const char *scorer,
			    struct ood_err *err)
{
	return ood_fail(err, OOD_INPUT,
			"%s of %s is undefined: %s (--allow-undefined reports "
			"it as null)",
			m->column, scorer, v->reason ? v->reason : "no data");
}

/* One cell; the first that is not ok gives the row its status. */
static int set_cell(const struct ood_eval *e, struct ood_table *table,
		    const struct ood_measure *m, struct ood_value v,
		    const char *scorer, struct ood_err *err)
{
	if (v.status == OOD_STATUS_UNDEFINED && e->chosen &&
	    !e->allow_undefined)
		return refuse_undefined(m, &v, scorer, err);
	ood_table_value(table, m->column, &v);
	return OOD_OK;
}

static void warn(const struct ood_eval *e, const char *code, const char *text)
{
	ood_report_warning(e->report, code, text, 1);
}

/* ------------------------------------------------------------ detection */

/* Sums for the means of a group of sets. */
struct mean {
	char *name; /* "near/mean", "mean" */
	size_t sets;
	double *sum; /* columns x measures; NaN once a set was undefined */
};

struct means {
	struct mean *at;
	size_t n;
};

static bool add_mean(struct means *means, char *name, size_t cells)
{
	struct mean *m = &means->at[means->n++];

	*m = (struct mean){ .name = name,
			    .sum = ood_calloc(cells, sizeof(double)) };
	return name && m->sum;
}

/* Length of GROUP in GROUP/NAME; 0 without one. */
static size_t group_length(const char *name)
{
	const char *slash = strchr(name, '/');

	return slash ? (size_t)(slash - name) : 0;
}

static bool in_mean(const struct mean *m, const char *set)
{
	size_t n = group_length(set);

	return !strcmp(m->name, "mean") ||
	       (n && !strncmp(m->name, set, n + 1) &&
		!strcmp(m->name + n, "/mean"));
}

static char *group_mean_name(const char *set)
{
	struct ood_buf name = { 0 };

	ood_buf_add(&name, set, group_length(set));
	ood_buf_str(&name, "/mean");
	return name.text;
}

static int make_means(const struct ood_eval *e, struct means *means,
		      struct ood_err *err)
{
	const struct ood_sides *s = e->sides;
	size_t cells = s->id.columns * e->n_measures;
	bool ok = true;

	means->at = ood_calloc(s->n_ood + 1, sizeof(*means->at));
	ok = means->at != NULL;
	for (size_t k = 0; ok && k < s->n_ood; k++) {
		bool known = group_length(s->ood_names[k]) == 0;
		for (size_t i = 0; i < means->n && !known; i++)
			known = in_mean(&means->at[i], s->ood_names[k]);
		if (!known)
			ok = add_mean(means, group_mean_name(s->ood_names[k]),
				      cells);
	}
	if (ok && s->n_ood > 1)
		ok = add_mean(means, ood_strdup("mean"), cells);
	return ok ? OOD_OK : ood_fail_memory(err, cells * sizeof(double));
}

static void free_means(struct means *means)
{
	for (size_t i = 0; i < means->n; i++) {
		ood_free(means->at[i].name);
		ood_free(means->at[i].sum);
	}
	ood_free(means->at);
}

static void begin_row(const struct ood_eval *e, struct ood_table *table,
		      size_t column, const char *set)
{
	ood_table_row(table);
	ood_table_set(table, "scorer",
		      ood_item_text(e->sides->columns[column]));
	ood_table_set(table, "ood", ood_item_text(set));
}

static void end_row(struct ood_table *table, const char *method, double level)
{
	ood_table_set(table, "ci_method", ood_item_text(method));
	ood_table_set(table, "level",
		      method ? ood_item_real(level) : ood_item_null());
	ood_table_set(table, "slice", ood_item_null());
}

static void hide_small_print(struct ood_table *table)
{
	ood_table_hide(table, "ci_method");
	ood_table_hide(table, "level");
	ood_table_hide(table, "slice");
}

static bool is_bound(const struct ood_metric *metric)
{
	return metric->is_bound;
}

/* The number stands; that it is worse than a coin's is told. (Of the AUROC
 * hints() tells.) */
static void note_chance(const struct ood_eval *e, const struct ood_measure *m,
			double x, const char *scorer, const char *set)
{
	const double rounding = 1e-12; /* of areas, which are 1 at most */
	char text[256];

	if (!m->metric->chance || !(x < m->metric->chance(&m->args) - rounding))
		return;
	snprintf(text, sizeof(text),
		 "%s of %s against %s is below chance: the score may be "
		 "reversed (--higher id)",
		 m->column, scorer, set);
	warn(e, "below-chance", text);
}

/* All measures of scorer c against set k: one row. */
static int detect_row(const struct ood_eval *e, struct ood_table *table,
		      size_t k, size_t c, double *values, struct ood_err *err)
{
	struct ood_tally tally = { 0 };
	struct ood_evidence evidence = {
		.curve = ood_sides_curve(e->sides, k, c), .level = e->level
	};
	const char *scorer = e->sides->columns[c], *method = NULL;
	bool both = evidence.curve.n_id && evidence.curve.n_ood;
	int code = OOD_OK;

	if (both) {
		ood_tally(&evidence.curve, &tally);
		evidence.tally = &tally;
	}
	begin_row(e, table, c, e->sides->ood_names[k]);
	ood_table_set(table, "n_id",
		      ood_item_int((int64_t)evidence.curve.n_id));
	ood_table_set(table, "n_ood",
		      ood_item_int((int64_t)evidence.curve.n_ood));
	for (size_t i = 0; !code && i < e->n_measures; i++) {
		const struct ood_measure *m = &e->measures[i];
		if (!is_for(m, true))
			continue;
		struct ood_value v = m->metric->value(&evidence, &m->args);
		if (is_bound(m->metric) && e->clustered)
			v = (struct ood_value){ .x = NAN };
		values[i] = v.x;
		if (is_bound(m->metric) && v.method)
			method = v.method;
		code = set_cell(e, table, m, v, scorer, err);
		note_chance(e, m, v.x, scorer, e->sides->ood_names[k]);
	}
	end_row(table, method, e->level);
	return code;
}

static void add_to_means(const struct ood_eval *e, struct means *means,
			 size_t k, size_t c, const double *values)
{
	for (size_t i = 0; i < means->n; i++) {
		struct mean *m = &means->at[i];
		if (!in_mean(m, e->sides->ood_names[k]))
			continue;
		m->sets += c == 0;
		for (size_t j = 0; j < e->n_measures; j++)
			m->sum[c * e->n_measures + j] += values[j];
	}
}

/* Unweighted means over sets; ends of intervals have none. */
static void write_means(const struct ood_eval *e, const struct means *means,
			struct ood_table *table)
{
	for (size_t i = 0; i < means->n; i++)
		for (size_t c = 0; c < e->sides->id.columns; c++) {
			const struct mean *m = &means->at[i];
			const double *sum = m->sum + c * e->n_measures;
			begin_row(e, table, c, m->name);
			ood_table_set(table, "n_id", ood_item_null());
			ood_table_set(table, "n_ood", ood_item_null());
			for (size_t j = 0; j < e->n_measures; j++) {
				const struct ood_measure *x = &e->measures[j];
				double mean = sum[j] / (double)m->sets;
				if (!is_for(x, true))
					continue;
				ood_table_set(table, x->column,
					      is_bound(x->metric)
						      ? ood_item_null()
						      : ood_item_real(mean));
			}
			end_row(table, NULL, e->level);
		}
}

/* Is a figure at 95 % recall among the measures? */
static bool asks_recall(const struct ood_eval *e)
{
	for (size_t i = 0; i < e->n_measures; i++)
		if (!strncmp(e->measures[i].metric->name, "fpr95", 5))
			return true;
	return false;
}

/* Two hints that users of the peers have asked for. */
static void hints(const struct ood_eval *e, const double *auroc)
{
	char text[256];
	const struct ood_sides *s = e->sides;

	for (size_t k = 0; k < s->n_ood; k++)
		for (size_t c = 0; c < s->id.columns; c++)
			if (auroc[k * s->id.columns + c] < 0.5) {
				snprintf(text, sizeof(text),
					 "the AUROC of %s against %s is below "
					 "0.5: the score may be reversed "
					 "(--higher id)",
					 s->columns[c], s->ood_names[k]);
				warn(e, "auroc-below-half", text);
			}
	for (size_t k = 0; k < s->n_ood && asks_recall(e); k++)
		if (s->ood[k].n < 20 || s->id.n < 20) {
			snprintf(text, sizeof(text),
				 "%s: with %zu ID and %zu OoD rows a recall of "
				 "95%% is not resolvable (20 rows a side)",
				 s->ood_names[k], s->id.n, s->ood[k].n);
			warn(e, "not-resolvable", text);
		}
	if (e->clustered)
		warn(e, "no-clustered-interval",
		     "the rows have groups: intervals would have to be "
		     "clustered, which is not built, so there are none (--ci "
		     "delong takes rows as independent)");
}

static double auroc_of(const struct ood_eval *e, const double *values)
{
	for (size_t i = 0; i < e->n_measures; i++)
		if (!strcmp(e->measures[i].metric->name, "auroc"))
			return values[i];
	return NAN;
}

int ood_eval_detection(const struct ood_eval *e, struct ood_err *err)
{
	const struct ood_sides *s = e->sides;
	struct means means = { 0 };
	struct ood_table *table =
		ood_report_table(e->report, "detection", "detection");
	double *values = ood_calloc(e->n_measures + 1, sizeof(*values));
	double *auroc =
		ood_calloc(s->n_ood * s->id.columns + 1, sizeof(*auroc));
	int code = values && auroc ? make_means(e, &means, err)
				   : ood_fail_memory(err, s->n_ood * 8);

	for (size_t k = 0; !code && k < s->n_ood; k++)
		for (size_t c = 0; !code && c < s->id.columns; c++) {
			code = detect_row(e, table, k, c, values, err);
			add_to_means(e, &means, k, c, values);
			auroc[k * s->id.columns + c] = auroc_of(e, values);
		}
	if (!code && means.n) {
		ood_table_apart(table, "means");
		write_means(e, &means, table);
	}
	if (!code) {
		hide_small_print(table);
		hints(e, auroc);
	}
	free_means(&means);
	ood_free(values);
	ood_free(auroc);
	return code;
}

/* ------------------------------------------------------------ selective */

/* The scores of right and of wrong rows, sorted. */
static int part(const struct ood_sample *id, size_t c, double *room,
		struct ood_curve *curve, struct ood_err *err)
{
	double *right = room, *wrong = room + id->n;
	size_t n_right = 0, n_wrong = 0;

	for (size_t i = 0; i < id->n; i++)
		if (id->verdict[i] == OOD_RIGHT)
			right[n_right++] = id->score[c][i];
		else if (id->verdict[i] == OOD_WRONG)
			*(wrong - ++n_wrong) = id->score[c][i];
	wrong -= n_wrong;
	if (!ood_sort(right, n_right) || !ood_sort(wrong, n_wrong))
		return ood_fail_memory(err, id->n * sizeof(*room));
	*curve = (struct ood_curve){ right, wrong, n_right, n_wrong };
	return OOD_OK;
}

static int selective_row(const struct ood_eval *e, struct ood_table *table,
			 size_t c, double *room, struct ood_err *err)
{
	struct ood_evidence evidence = { .calibration = e->calibration,
					 .level = e->level };
	const char *scorer = e->sides->columns[c];
	int code = part(&e->sides->id, c, room, &evidence.curve, err);

	if (code)
		return code;
	ood_table_row(table);
	ood_table_set(table, "scorer", ood_item_text(scorer));
	ood_table_set(table, "n",
		      ood_item_int((int64_t)(evidence.curve.n_id +
					     evidence.curve.n_ood)));
	for (size_t i = 0; !code && i < e->n_measures; i++) {
		const struct ood_measure *m = &e->measures[i];
		struct ood_value v;
		if (is_for(m, false)) {
			v = m->metric->kind == OOD_METRIC_PROBABILITY &&
					    !e->calibration
				    ? ood_value_undefined(
					      "no class scores with labels")
				    : m->metric->value(&evidence, &m->args);
			code = set_cell(e, table, m, v, scorer, err);
		}
	}
	ood_table_set(table, "slice", ood_item_null());
	ood_table_hide(table, "slice");
	return code;
}

bool ood_eval_judged(const struct ood_sides *sides)
{
	const struct ood_sample *id = &sides->id;

	for (size_t i = 0; i < id->n; i++)
		if (id->verdict[i] != OOD_NO_VERDICT)
			return true;
	return false;
}

int ood_eval_selective(const struct ood_eval *e, struct ood_err *err)
{
	const struct ood_sample *id = &e->sides->id;
	struct ood_table *table;
	int code = OOD_OK;

	/* Detection stands first, whatever is computed first. */
	if (e->sides->n_ood)
		ood_report_table(e->report, "detection", "detection");
	if (!ood_eval_judged(e->sides) || !asked_for(e, false))
		return OOD_OK;
	double *room = ood_malloc(id->n, sizeof(*room));
	if (!room)
		return ood_fail_memory(err, id->n * sizeof(*room));
	table = ood_report_table(e->report, "selective",
				 "predictions of the ID rows");
	for (size_t c = 0; !code && c < id->columns; c++)
		code = selective_row(e, table, c, room, err);
	if (e->calibration)
		ood_report_field(e->report, "n_clipped",
				 ood_item_int((int64_t)ood_calibration_clipped(
					 e->calibration)),
				 false);
	ood_free(room);
	return code;
}

void ood_eval_bins(const struct ood_eval *e, size_t n, bool left)
{
	const struct ood_bins *bins =
		e->calibration ? ood_calibration_bins(e->calibration, n, left)
			       : NULL;
	struct ood_table *table;

	if (!bins || !ood_calibration_rows(e->calibration))
		return;
	table = ood_report_table(e->report, "bins", "confidence bins");
	ood_table_quiet(table);
	for (size_t i = 0; i < bins->m; i++) {
		struct ood_bin_row row = ood_bins_row(bins, i);
		ood_table_row(table);
		ood_table_set(table, "bin", ood_item_int((int64_t)i + 1));
		ood_table_set(table, "lower", ood_item_real(row.lower));
		ood_table_set(table, "upper", ood_item_real(row.upper));
		ood_table_set(table, "n", ood_item_int((int64_t)row.n));
		ood_table_set(table, "confidence",
			      ood_item_real(row.confidence));
		ood_table_set(table, "accuracy", ood_item_real(row.accuracy));
		ood_table_set(table, "gap", ood_item_real(row.gap));
	}
}
