/*
 * cmd_threshold.c - ood threshold: a threshold by a stated rule
 */
#include <stdio.h>

#include "cli/sides.h"
#include "core/err.h"
#include "core/num.h"
#include "decide/threshold.h"

enum { RULES_MAX = 32 };

struct options {
	struct ood_side_options sides;
	struct ood_input_options in;
	struct ood_output_options out;
	const char *rule[RULES_MAX]; /* by number in ood_rules */
	bool flag[RULES_MAX];	     /* for rules without a number */
	bool value;
	double level;
};

#define FIELD(name) offsetof(struct options, name)

/* An option for every rule of the registry. */
static const struct ood_opt *rule_opts(void)
{
	static struct ood_opt table[RULES_MAX + 2];
	size_t i = 0;

	table[0] = (struct ood_opt){ .kind = OOD_OPT_GROUP, .name = "Rules" };
	for (; ood_rules[i] && i < RULES_MAX; i++) {
		const struct ood_rule *r = ood_rules[i];
		table[i + 1] = (struct ood_opt){
			.kind = r->arg ? OOD_OPT_TEXT : OOD_OPT_FLAG,
			.name = r->name,
			.offset = r->arg ? FIELD(rule) + i * sizeof(char *)
					 : FIELD(flag) + i * sizeof(bool),
			.arg = r->arg,
			.help = r->brief,
		};
	}
	table[i + 1] = (struct ood_opt){ .kind = OOD_OPT_END };
	return table;
}

static const struct ood_opt threshold_opts[] = {
	{ OOD_OPT_FLAG, 0, "value", FIELD(value), NULL,
	  "print the threshold alone, for $(...)", NULL, 0, 0, NULL },
	{ OOD_OPT_REAL, 0, "level", FIELD(level), "X",
	  "level of the intervals of what is achieved", "0.95", 0.5, 0.999999,
	  NULL },
	{ .kind = OOD_OPT_END },
};

static const struct ood_opt_part parts[] = {
	{ NULL, 0, rule_opts },
	{ threshold_opts, 0, NULL },
	OOD_SIDE_PARTS(FIELD(sides)),
	{ ood_input_opts, FIELD(in), NULL },
	{ ood_report_out_opts, FIELD(out), NULL },
	{ 0 },
};

/* The one rule that was typed. */
static int parse_rule(const struct options *o, struct ood_ruling *ruling,
		      struct ood_err *err)
{
	struct ood_buf text = { 0 };
	size_t n = 0;

	for (size_t i = 0; ood_rules[i]; i++) {
		if (!o->rule[i] && !o->flag[i])
			continue;
		n++;
		ood_buf_clear(&text);
		ood_buf_str(&text, ood_rules[i]->name);
		if (o->rule[i])
			ood_buf_printf(&text, "=%s", o->rule[i]);
	}
	int code = OOD_OK;
	if (n != 1)
		code = ood_fail(err, OOD_USAGE,
				"expected exactly one rule, found %zu (--keep "
				"0.95, --fpr 0.05 ...; ood list rules)",
				n);
	else if (text.failed)
		code = ood_fail_memory(err, text.n);
	if (!code)
		code = ood_ruling_parse(ruling, text.text, err);
	ood_buf_free(&text);
	return code;
}

/* All OoD sets are one side of a threshold. */
static int join_ood(struct ood_sides *s, struct ood_err *err)
{
	size_t n = 0;

	if (s->n_ood < 2)
		return OOD_OK;
	for (size_t k = 0; k < s->n_ood; k++)
		n += s->ood[k].n;
	double *all = ood_malloc(n, sizeof(*all));
	if (!all)
		return ood_fail_memory(err, n * sizeof(*all));
	n = 0;
	for (size_t k = 0; k < s->n_ood; k++) {
		memcpy(all + n, s->ood[k].score[0], s->ood[k].n * sizeof(*all));
		n += s->ood[k].n;
	}
	ood_free(s->ood[0].score[0]);
	s->ood[0].score[0] = all;
	s->ood[0].n = n;
	return OOD_OK;
}

static int one_scorer(const struct ood_sides *s, struct ood_err *err)
{
	size_t n = s->id.columns ? s->id.columns
		   : s->n_ood	 ? s->ood[0].columns
				 : 0;

	if (n == 1)
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"a threshold is for one scorer, found %zu (-s names "
			"one)",
			n);
}

static int no_threshold(const struct ood_ruling *ruling,
			const struct ood_cut *cut, struct ood_err *err)
{
	return ood_fail(err,
			cut->status == OOD_STATUS_UNDEFINED ? OOD_INPUT
							    : OOD_NUMERIC,
			"--%s: %s", ruling->rule->name,
			cut->reason ? cut->reason : "no threshold meets it");
}

static struct ood_item share(double x)
{
	return isnan(x) ? ood_item_null() : ood_item_real(x);
}

static void tell_share(struct ood_report *r, const char *key,
		       const struct ood_value *v)
{
	static const char *const ends[] = { "", "_lo", "_hi" };
	const double value[] = { v->x, v->lo, v->hi };
	char name[64];

	for (size_t i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s%s", key, ends[i]);
		ood_report_field(r, name, share(value[i]), true);
	}
}

static void tell(struct ood_report *r, const struct ood_sides *s,
		 const struct ood_ruling *ruling, const struct ood_cut *cut,
		 const struct ood_curve *curve, double level)
{
	struct ood_achieved a = ood_achieve(curve, cut->threshold, level);
	struct ood_item words[] = { ood_item_text("id"), ood_item_text("ood") };
	struct ood_buf promise = { 0 };

	ood_report_convention(r, "score", "larger = more out-of-distribution");
	ood_report_convention(r, "decision", "OoD if score >= threshold");
	ood_report_field(r, "scorer", ood_item_text(ood_sides_spec(s, 0)),
			 true);
	ood_report_field(r, "model_crc32",
			 *s->model_crc32 ? ood_item_text(s->model_crc32)
					 : ood_item_null(),
			 false);
	ood_report_field(r, "rule", ood_item_text(ruling->text), true);
	ood_report_field(r, "threshold", ood_item_exact(cut->threshold), true);
	ood_report_list(r, "words", words, OOD_COUNT(words));
	ood_report_field(r, "status",
			 ood_item_text(ood_status_name(cut->status)), true);
	ood_report_field(r, "reason", ood_item_text(cut->reason),
			 cut->reason != NULL);
	ood_report_field(r, "n_id", ood_item_int((int64_t)curve->n_id), true);
	ood_report_field(r, "n_ood", ood_item_int((int64_t)curve->n_ood), true);
	tell_share(r, "id_kept", &a.id_kept);
	tell_share(r, "ood_detected", &a.ood_detected);
	ood_report_field(r, "ci_method", ood_item_text("clopper-pearson"),
			 false);
	ood_report_field(r, "level", ood_item_real(level), false);
	if (cut->tied_optima)
		ood_report_field(r, "tied_optima",
				 ood_item_int((int64_t)cut->tied_optima),
				 cut->tied_optima > 1);
	if (ruling->rule->promise)
		ruling->rule->promise(&ruling->args, &promise);
	ood_report_field(r, "promise",
			 ood_item_text(promise.n && !promise.failed
					       ? promise.text
					       : NULL),
			 promise.n != 0);
	ood_report_field(r, "slices", ood_item_null(), false);
	if (!s->model)
		ood_report_field(r, "higher",
				 ood_item_text(s->higher_id ? "id" : "ood"),
				 s->higher_id);
	ood_buf_free(&promise);
}

static int print_value(double threshold, const struct options *o,
		       struct ood_err *err)
{
	char text[OOD_NUM_MAX + 1];
	size_t n = ood_num_format(text, threshold);
	struct ood_sink *sink;
	int code = ood_sink_open(&sink, o->out.output, err);

	text[n++] = '\n';
	if (code)
		return code;
	code = ood_sink_write(sink, text, n, err);
	if (!code)
		return ood_sink_commit(sink, err);
	ood_sink_abandon(sink);
	return code;
}

static int find(const struct options *o, struct ood_report *report,
		struct ood_err *err)
{
	struct ood_ruling ruling = { 0 };
	struct ood_sides sides = { 0 };
	struct ood_read read = ood_read_of(&o->in);
	struct ood_used used = { 0 };
	struct ood_sampling how = {
		.read = &read, .out = &o->out, .report = report, .used = &used
	};
	int code = parse_rule(o, &ruling, err);

	read.want_crc = true;
	if (!code)
		code = ood_sides_read(&sides, &o->sides, &how, err);
	if (!code)
		ood_unused_tell(&o->in, &used, "threshold", report);
	if (!code)
		code = one_scorer(&sides, err);
	if (!code)
		code = join_ood(&sides, err);
	if (!code)
		code = ood_sides_sort(&sides, err);
	if (!code) {
		struct ood_curve curve = ood_sides_curve(&sides, 0, 0);
		struct ood_cut cut = ood_ruling_cut(&ruling, &curve);
		if (isnan(cut.threshold))
			code = no_threshold(&ruling, &cut, err);
		else if (o->value)
			code = print_value(cut.threshold, o, err);
		if (cut.status != OOD_STATUS_OK && cut.reason)
			ood_report_warning(report, ood_status_name(cut.status),
					   cut.reason, 1);
		if (!code && !o->value) {
			tell(report, &sides, &ruling, &cut, &curve, o->level);
			code = ood_report_out(report, &o->out, NULL, err);
		}
	}
	ood_sides_free(&sides);
	ood_ruling_free(&ruling);
	return code;
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	struct ood_report *report;
	int code = ood_sides_check(&call->rest, &o->in, err);

	if (!code)
		code = ood_report_check(&o->out, err);
	if (!code && o->value && (o->out.format || o->out.reports.n))
		code = ood_fail(err, OOD_USAGE,
				"--value prints the number alone: -f and "
				"--report do not go with it");
	if (code)
		return code;
	ood_threads_option(&o->out);
	report = ood_report_new("threshold", call->argc, call->argv);
	ood_report_run(report, o->out.run);
	code = find(o, report, err);
	if (!code)
		ood_warn_report("threshold", report, o->out.quiet);
	ood_report_free(report);
	return code;
}

static const char *const usage[] = {
	"threshold RULE [-s SCORER] --id SET [--ood SET] [OPTION]...",
	"threshold RULE --scores SET --truth COL [-s COLUMN] [OPTION]...", NULL
};
static const char *const text[] = {
	"Picks the threshold that RULE asks for, and tells what it achieves on "
	"these rows: the share of ID rows kept (score < threshold) and of OoD "
	"rows detected (score >= threshold), with exact intervals. The JSON "
	"report is what ood score --threshold takes.",
	NULL
};
static const char *const examples[] = {
	"ood threshold --keep 0.95 -s energy --id letters/val -o energy.json",
	"ood score -s energy --threshold energy.json letters/test",
	"t=$(ood threshold --fpr 0.05 -s msp --id letters/val --value)", NULL
};

const struct ood_command ood_command_threshold = {
	.name = "threshold",
	.brief = "a threshold by a stated rule, and what it achieves",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
