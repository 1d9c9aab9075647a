/*
 * model_tell.c - what a model holds, as a report; and the way to its file
 */
#include "cli/model_tell.h"

#include <stdio.h>

#include "cli/model_opts.h"
#include "core/err.h"
#include "model/modelfile.h"

static void tell_stages(const struct ood_model *model,
			struct ood_report *report)
{
	struct ood_table *table =
		ood_report_table(report, "scorers", "scorers");

	for (size_t i = 0; i < model->n; i++) {
		const struct ood_scoring *s = &model->scorings[i];
		size_t column = ood_model_score_column(model, i);

		ood_table_row(table);
		ood_table_set(table, "scorer", ood_item_text(s->scorer->name));
		ood_table_set(table, "column",
			      ood_item_text(model->columns[column]));
		ood_table_set(table, "spec", ood_item_text(s->spec));
		ood_table_set(table, "fitted",
			      ood_item_bool(ood_scoring_learns(s)));
	}
}

static void tell_inputs(const struct ood_model *model,
			struct ood_report *report)
{
	struct ood_table *table =
		ood_report_table(report, "fitted_on", "fitted on");
	char crc[OOD_CRC_TEXT];

	for (size_t i = 0; i < model->n_inputs; i++) {
		const struct ood_model_input *in = &model->inputs[i];

		snprintf(crc, sizeof(crc), "%08lx", (unsigned long)in->crc32);
		ood_table_row(table);
		ood_table_set(table, "set", ood_item_text(in->set));
		ood_table_set(table, "role", ood_item_text(in->role));
		ood_table_set(table, "name", ood_item_text(in->name));
		ood_table_set(table, "rows", ood_item_int((int64_t)in->rows));
		ood_table_set(table, "bytes", ood_item_int((int64_t)in->bytes));
		ood_table_set(table, "crc32", ood_item_text(crc));
	}
}

static void tell_sizes(const struct ood_model *model, struct ood_report *report)
{
	struct ood_item layers[OOD_LAYERS_MAX];
	size_t n = 0;

	for (size_t k = 0; k < OOD_LAYERS_MAX; k++)
		if (model->d[k])
			layers[n++] = ood_item_int((int64_t)model->d[k]);
	ood_report_field(report, "partial", ood_item_bool(model->partial),
			 model->partial);
	ood_report_field(report, "classes",
			 model->c ? ood_item_int((int64_t)model->c)
				  : ood_item_null(),
			 model->c > 0);
	ood_report_list(report, "features", layers, n);
	ood_report_field(report, "head", ood_item_bool(model->head.W.rows > 0),
			 true);
}

static void tell_made(const struct ood_notes *made, struct ood_report *report)
{
	struct ood_table *table = ood_report_table(report, "fit", NULL);

	for (size_t i = 0; i < made->n; i++) {
		if (made->at[i].code) {
			ood_report_warning(report, made->at[i].code,
					   made->at[i].text, made->at[i].count);
			continue;
		}
		ood_table_row(table);
		ood_table_set(table, "fit", ood_item_text(made->at[i].text));
	}
}

void ood_model_tell(const struct ood_model *model, struct ood_report *report)
{
	tell_sizes(model, report);
	tell_stages(model, report);
	tell_inputs(model, report);
	tell_made(&model->made, report);
}

int ood_model_out_check(const struct ood_output_options *out,
			struct ood_err *err)
{
	struct ood_output_options of_report = *out;

	if (!out->output || !*out->output)
		return ood_fail(err, OOD_USAGE,
				"-o FILE is needed: where the model goes");
	of_report.output = NULL;
	return ood_report_check(&of_report, err);
}

/* -f is for the report: without it, and without --report, there is none. */
static int report_out(struct ood_report *report,
		      const struct ood_output_options *out, struct ood_err *err)
{
	struct ood_output_options of_report = *out;

	of_report.output = out->format ? NULL : "/dev/null";
	return out->format || out->reports.n
		       ? ood_report_out(report, &of_report, NULL, err)
		       : OOD_OK;
}

int ood_model_out(const struct ood_model *model,
		  const struct ood_output_options *out, const char *command,
		  struct ood_report *report, struct ood_err *err)
{
	struct ood_sink *sink = NULL;
	int code = ood_sink_open(&sink, out->output, err);

	if (!code)
		code = ood_binary_check("npz", sink, err);
	if (!code)
		code = ood_model_write(model, sink, err);
	if (!code)
		code = ood_sink_finish(sink, err);
	if (!code) {
		ood_model_tell(model, report);
		code = report_out(report, out, err);
	}
	if (!code) {
		code = ood_sink_commit(sink, err);
		sink = NULL;
	}
	ood_sink_abandon(sink);
	if (!code)
		ood_tell_notes(command, &model->made, out->quiet);
	return code;
}
