/*
 * model_tell.h - what a model holds, as a report; and the way to its file
 */
#ifndef OOD_CLI_MODEL_TELL_H
#define OOD_CLI_MODEL_TELL_H

#include "cli/common.h"
#include "model/chain.h"

/* Sizes, stages, inputs, and what was said when it was fitted. */
void ood_model_tell(const struct ood_model *model, struct ood_report *report);

/*
 * Writes the model to -o (which has to be given), and its report where -f or
 * --report asks for one: all of them, or none. Then the sentences, on stderr.
 */
int ood_model_out(const struct ood_model *model,
		  const struct ood_output_options *out, const char *command,
		  struct ood_report *report, struct ood_err *err);

/* What can be said before anything is read: -o is there, -f is known. */
int ood_model_out_check(const struct ood_output_options *out,
			struct ood_err *err);

#endif
