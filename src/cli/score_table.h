/*
 * score_table.h - the table that `ood score` writes
 */
#ifndef OOD_CLI_SCORE_TABLE_H
#define OOD_CLI_SCORE_TABLE_H

#include "cli/decision.h"
#include "io/sink.h"
#include "model/chain.h"

struct ood_score_table;

struct ood_score_table_options {
	const char *format;
	int digits;
	uint64_t max_bytes;
	const struct ood_set *set;
	const struct ood_block *first; /* tells how ids and labels are kept */
	char *const *columns;	       /* names of the scores */
	size_t n_columns;
	const struct ood_decision *decision;
	struct ood_sink *sink;
	bool has_classes; /* pred and confidence are known */
};

int ood_score_table_open(struct ood_score_table **table,
			 const struct ood_score_table_options *options,
			 struct ood_err *err);
int ood_score_table_put(struct ood_score_table *table,
			const struct ood_block *block,
			const struct ood_scored *scored, struct ood_err *err);
/* Ends the table (code OK) or drops it; returns the first error. */
int ood_score_table_close(struct ood_score_table *table, int code,
			  struct ood_err *err);

#endif
