/*
 * cmd_eval.c - ood eval: detection figures, ID against OoD sets
 */
#include <stdio.h>

#include "cli/eval_tables.h"
#include "core/err.h"
#include "metrics/calibration.h"

struct options {
	struct ood_side_options sides;
	struct ood_input_options in;
	struct ood_output_options out;
	const char *metrics, *table, *ci;
	bool allow_undefined, bins_left;
	int64_t bins;
	double level;
};

#define FIELD(name) offsetof(struct options, name)

static const struct ood_opt eval_opts[] = {
	{ .kind = OOD_OPT_GROUP, .name = "Figures" },
	{ OOD_OPT_TEXT, 0, "metrics", FIELD(metrics), "LIST",
	  "figures to report, in this order (ood list metrics)",
	  "the usual ones", 0, 0, NULL },
	{ OOD_OPT_TEXT, 0, "table", FIELD(table), "NAME",
	  "the table that csv writes: detection, selective or bins",
	  "detection if there are OoD sets, else selective", 0, 0, NULL },
	{ OOD_OPT_INT, 0, "bins", FIELD(bins), "N",
	  "bins of the calibration errors", "15", 1, OOD_BINS_MAX, NULL },
	{ OOD_OPT_FLAG, 0, "bins-left", FIELD(bins_left), NULL,
	  "bins [a,b) as netcal and torchmetrics have them, not (a,b]", NULL, 0,
	  0, NULL },
	{ OOD_OPT_TEXT, 0, "ci", FIELD(ci), "METHOD",
	  "interval of the AUROC: delong, also where rows share groups",
	  "delong, none where rows share groups", 0, 0, NULL },
	{ OOD_OPT_REAL, 0, "level", FIELD(level), "X", "level of intervals",
	  "0.95", 0.5, 0.999999, NULL },
	{ OOD_OPT_FLAG, 0, "allow-undefined", FIELD(allow_undefined), NULL,
	  "report undefined figures as null with their reason, exit 0", NULL, 0,
	  0, NULL },
	{ .kind = OOD_OPT_END },
};

static const struct ood_opt_part parts[] = {
	OOD_SIDE_PARTS(FIELD(sides)),
	{ eval_opts, 0, NULL },
	{ ood_input_opts, FIELD(in), NULL },
	{ ood_report_out_opts, FIELD(out), NULL },
	{ 0 },
};

/* The measures asked for; without --metrics the usual ones. */
struct measures {
	struct ood_measure *at;
	size_t n;
};

static int parse_measures(struct measures *m, const char *list,
			  struct ood_err *err)
{
	struct ood_spec *specs = NULL;
	size_t n = 0;
	int code = ood_specs_parse(list, &specs, &n, err);

	m->at = ood_calloc(n + 1, sizeof(*m->at));
	if (!code && !m->at)
		code = ood_fail_memory(err, n);
	for (; !code && m->n < n; m->n += code == OOD_OK)
		code = ood_measure_parse(&m->at[m->n], &specs[m->n], err);
	ood_free(specs);
	return code;
}

static int usual_measures(struct measures *m, struct ood_err *err)
{
	struct ood_buf list = { 0 };

	for (size_t i = 0; ood_metrics[i]; i++)
		if (ood_metrics[i]->shown)
			ood_buf_printf(&list, "%s%s", list.n ? "," : "",
				       ood_metrics[i]->name);
	int code = list.failed ? ood_fail_memory(err, list.n)
			       : parse_measures(m, list.text, err);
	ood_buf_free(&list);
	return code;
}

/* --bins and --bins-left for measures that do not say their own. */
static void default_bins(struct measures *m, const struct options *o)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct ood_param *p = m->at[i].metric->params;
		struct ood_args *args = &m->at[i].args;
		for (size_t k = 0; k < ood_param_count(p); k++) {
			if (args->given[k])
				continue;
			if (!strcmp(p[k].name, "bins"))
				args->num[k] = (double)o->bins;
			if (!strcmp(p[k].name, "left"))
				args->num[k] = o->bins_left;
		}
	}
}

static void free_measures(struct measures *m)
{
	for (size_t i = 0; i < m->n; i++)
		ood_measure_free(&m->at[i]);
	ood_free(m->at);
}

static int make_calibration(struct ood_calibration **c,
			    const struct measures *m, const struct options *o,
			    struct ood_err *err)
{
	int code = ood_calibration_new(c, err);

	if (!code)
		code = ood_calibration_bin(*c, (size_t)o->bins, o->bins_left,
					   err);
	for (size_t i = 0; !code && i < m->n; i++)
		code = ood_calibration_want(*c, &m->at[i], err);
	return code;
}

static void tell_conventions(struct ood_report *report, const struct options *o)
{
	static const char *const told[][2] = {
		{ "score", "larger = more out-of-distribution" },
		{ "decision", "OoD if score >= threshold" },
		{ "positive", "OoD for auroc; else the suffix: _ood, _id" },
		{ "ties", "count half in auroc; move together elsewhere" },
		{ "aupr", "average precision, a step sum" },
		{ "fpr95", "first vertex whose recall reaches 95%, counted in "
			   "integers" },
		{ "aurc", "mean of the risks, averaged over orders of ties" },
		{ "means", "unweighted over sets" },
	};
	char bins[80];

	for (size_t i = 0; i < OOD_COUNT(told); i++)
		ood_report_convention(report, told[i][0], told[i][1]);
	snprintf(bins, sizeof(bins),
		 "%lld of equal width, top label, %s, first %s closed",
		 (long long)o->bins, o->bins_left ? "[a,b)" : "(a,b]",
		 o->bins_left ? "and last" : "bin");
	ood_report_convention(report, "bins", bins);
	static const char *const nan[] = { "error", "skip", "worst", "keep" };
	ood_report_convention(report, "nan", nan[o->in.nan]);
}

static bool has_groups(const struct ood_sides *s)
{
	bool groups = s->id.has_groups;

	for (size_t k = 0; k < s->n_ood; k++)
		groups = groups || s->ood[k].has_groups;
	return groups;
}

static int check_options(const struct options *o, const struct ood_texts *rest,
			 struct ood_err *err)
{
	static const char *const tables[] = { "detection", "selective",
					      "bins" };
	bool known = !o->table;

	for (size_t i = 0; i < OOD_COUNT(tables); i++)
		known = known || !strcmp(o->table, tables[i]);
	if (!known)
		return ood_fail(err, OOD_USAGE,
				"--table %s: expected detection, selective or "
				"bins",
				o->table);
	if (o->sides.ood.n && !o->sides.id.n && !o->sides.scores.n)
		return ood_fail(err, OOD_USAGE,
				"OoD sets need ID rows to be judged against "
				"(--id SET)");
	if (o->ci && strcmp(o->ci, "delong") != 0)
		return ood_fail(err, OOD_USAGE,
				"--ci %s: expected delong (the only method "
				"built in)",
				o->ci);
	return ood_sides_check(rest, &o->in, err);
}

/* A figure that was named must stand in some table. */
static int check_chosen(const struct ood_eval *e, bool judged,
			struct ood_err *err)
{
	for (size_t i = 0; e->chosen && i < e->n_measures; i++) {
		const struct ood_measure *m = &e->measures[i];
		bool detection = m->metric->kind == OOD_METRIC_DETECTION;
		if (detection ? e->sides->n_ood != 0 : judged)
			continue;
		return ood_fail(err, OOD_INPUT, "--metrics %s: needs %s",
				m->column,
				detection ? "an OoD set (--ood)"
					  : "ID rows with labels or correct");
	}
	return OOD_OK;
}

/* sides -> tables; selective first, since sorting loses the rows. */
static int make_tables(struct ood_eval *e, const struct options *o,
		       struct ood_err *err)
{
	int code = OOD_OK;

	if (e->sides->n_ood && !o->allow_undefined)
		code = ood_sides_both(e->sides, err);
	if (!code && !e->sides->n_ood && !ood_eval_judged(e->sides))
		code = ood_fail(err, OOD_INPUT,
				"nothing to judge: no OoD set, and no ID rows "
				"with known labels (--ood SET, or "
				"labels=FILE in the ID set)");
	if (!code)
		code = check_chosen(e, ood_eval_judged(e->sides), err);
	if (!code)
		code = ood_eval_selective(e, err);
	if (!code)
		code = ood_sides_sort(e->sides, err);
	if (!code && e->sides->n_ood)
		code = ood_eval_detection(e, err);
	if (!code)
		ood_eval_bins(e, (size_t)o->bins, o->bins_left);
	return code;
}

static const char *csv_table(const struct options *o,
			     const struct ood_sides *sides)
{
	if (o->table)
		return o->table;
	return sides->n_ood ? "detection" : "selective";
}

static int evaluate(const struct options *o, struct ood_report *report,
		    struct ood_err *err)
{
	struct measures measures = { 0 };
	struct ood_calibration *calibration = NULL;
	struct ood_sides sides = { 0 };
	struct ood_read read = ood_read_of(&o->in);
	struct ood_used used = { 0 };
	struct ood_sampling how = {
		.read = &read, .out = &o->out, .report = report, .used = &used
	};
	struct ood_eval e = { .report = report,
			      .sides = &sides,
			      .chosen = o->metrics != NULL,
			      .allow_undefined = o->allow_undefined,
			      .level = o->level,
			      .out = &o->out };
	int code = o->metrics ? parse_measures(&measures, o->metrics, err)
			      : usual_measures(&measures, err);

	read.want_crc = true;
	if (!code)
		default_bins(&measures, o);
	if (!code)
		code = make_calibration(&calibration, &measures, o, err);
	how.calibration = calibration;
	if (!code)
		code = ood_sides_read(&sides, &o->sides, &how, err);
	if (!code) {
		ood_unused_tell(&o->in, &used, "eval", report);
		ood_calibration_close(calibration);
		e.calibration =
			ood_calibration_rows(calibration) ? calibration : NULL;
		e.measures = measures.at;
		e.n_measures = measures.n;
		e.clustered = has_groups(&sides) && !o->ci;
		tell_conventions(report, o);
		code = make_tables(&e, o, err);
	}
	if (!code)
		code = ood_report_out(report, &o->out, csv_table(o, &sides),
				      err);
	ood_sides_free(&sides);
	ood_calibration_free(calibration);
	free_measures(&measures);
	return code;
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	struct ood_report *report;
	int code = check_options(o, &call->rest, err);

	if (!code)
		code = ood_report_check(&o->out, err);
	if (code)
		return code;
	ood_threads_option(&o->out);
	report = ood_report_new("eval", call->argc, call->argv);
	ood_report_run(report, o->out.run);
	code = evaluate(o, report, err);
	if (!code)
		ood_warn_report("eval", report, o->out.quiet);
	ood_report_free(report);
	return code;
}

static const char *const usage[] = {
	"eval [-s LIST] --id SET [--ood [NAME=]SET]... [OPTION]...",
	"eval --scores SET --truth COL [-s COLUMNS] [OPTION]...", NULL
};
static const char *const text[] = {
	"Judges how well scores tell OoD rows from ID rows: AUROC with its "
	"interval, average precision and FPR at 95% recall for either side as "
	"the positive class, detection error; a row for each scorer and OoD "
	"set. If the ID set has labels, a second table tells how well the "
	"scores find wrong predictions and how well probabilities are "
	"calibrated.",
	NULL
};
static const char *const examples[] = {
	"ood eval -s msp,entropy,energy --id letters/test --ood "
	"near=letters/ood_near",
	"ood eval --scores all.csv --truth is_ood -f json",
	"ood eval --as scores --id id.npy --ood ood.npy", NULL
};

const struct ood_command ood_command_eval = {
	.name = "eval",
	.brief = "AUROC and other detection figures, ID against OoD sets",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
