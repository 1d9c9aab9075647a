/*
 * append.h - --append: records keep their bytes and get the scores added
 */
#ifndef OOD_CLI_APPEND_H
#define OOD_CLI_APPEND_H

#include "cli/common.h"
#include "cli/decision.h"
#include "model/chain.h"

struct ood_append;

struct ood_append_options {
	const char *key;
	const struct ood_input_options *in; /* tells how a CSV is written */
	const struct ood_set *set;
	char *const *columns; /* names of the scores */
	size_t n_columns;
	const struct ood_decision *decision;
};

/* Refuses inputs that are neither JSON Lines of objects nor CSV. What options
 * point to has to stay. */
int ood_append_open(struct ood_append **append,
		    const struct ood_append_options *options,
		    struct ood_err *err);
/* Writes the block's records, and flushes; the header with the first block. */
int ood_append_put(struct ood_append *append, const struct ood_block *block,
		   const struct ood_scored *scored, struct ood_sink *sink,
		   struct ood_err *err);
void ood_append_free(struct ood_append *append);

#endif
