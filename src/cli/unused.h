/*
 * unused.h - options of inputs that no input of the command has a use for
 */
#ifndef OOD_CLI_UNUSED_H
#define OOD_CLI_UNUSED_H

#include "cli/common.h"

/* What was read so far, by all sets of a command. */
struct ood_used {
	bool csv, records, probs, scores;
};

/* After the set has been read. */
void ood_used_add(struct ood_used *used, const struct ood_set *set);

/* "--delimiter has no effect: no input is CSV", into a report (NULL: to
 * stderr). */
void ood_unused_tell(const struct ood_input_options *in,
		     const struct ood_used *used, const char *command,
		     struct ood_report *report);

#endif
