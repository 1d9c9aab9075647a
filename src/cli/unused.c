/*
 * unused.c - options of inputs that no input of the command has a use for
 */
#include "cli/unused.h"

#include <stdio.h>

void ood_used_add(struct ood_used *used, const struct ood_set *set)
{
	const struct ood_input *inputs;
	size_t n = ood_set_inputs(set, &inputs);

	for (size_t i = 0; i < n; i++) {
		const char *format = inputs[i].format;
		const bool csv =
			!strcmp(format, "csv") || !strcmp(format, "tsv");

		used->csv |= csv;
		used->records |= csv || !strncmp(format, "json", 4);
		used->probs |= !strcmp(inputs[i].role, "probs");
		used->scores |= !strcmp(inputs[i].role, "scores");
	}
}

/* The i-th sentence, from 0; false behind the last. */
static bool say(const struct ood_input_options *in, const struct ood_used *used,
		size_t i, char *text, size_t size)
{
	const struct {
		const char *option;
		bool typed, used;
		const char *why;
	} all[] = {
		{ "columns", in->columns, used->records, "is a table" },
		{ "id-column", in->id_column, used->records, "is a table" },
		{ "label-column", in->label_column, used->records,
		  "is a table" },
		{ "header", in->header != OOD_HEADER_AUTO, used->csv,
		  "is CSV" },
		{ "delimiter", in->delimiter, used->csv, "is CSV" },
		{ "decimal", in->decimal, used->csv, "is CSV" },
		{ "missing", in->missing, used->records, "is text" },
		{ "higher", in->higher == 1, used->scores, "holds scores" },
		{ "renormalise", in->renormalise, used->probs,
		  "holds probabilities" },
	};
	size_t n = 0;

	for (size_t k = 0; k < OOD_COUNT(all); k++) {
		if (!all[k].typed || all[k].used || n++ != i)
			continue;
		snprintf(text, size, "--%s has no effect: no input %s",
			 all[k].option, all[k].why);
		return true;
	}
	return false;
}

void ood_unused_tell(const struct ood_input_options *in,
		     const struct ood_used *used, const char *command,
		     struct ood_report *report)
{
	char text[100];

	for (size_t i = 0; say(in, used, i, text, sizeof(text)); i++)
		if (report)
			ood_report_warning(report, "no-effect", text, 0);
		else
			ood_warn(command, text);
}
