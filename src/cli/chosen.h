/*
 * chosen.h - scores that a set holds, as columns of scores
 */
#ifndef OOD_CLI_CHOSEN_H
#define OOD_CLI_CHOSEN_H

#include "io/set.h"
#include "model/chain.h"

/* Does it hold scores, and nothing that they could be made from? */
bool ood_holds_scores(const struct ood_set *set);

/* -s as names of columns (in the grammar of scorers, so that a spec names the
 * column that it made): keeps these, in this order. */
int ood_choose_scores(struct ood_set *set, const char *list,
		      struct ood_err *err);

/* The names of its columns; ends with NULL. Free with ood_names_free(). */
int ood_chosen_names(const struct ood_set *set, char ***names,
		     struct ood_err *err);
void ood_names_free(char **names);

/* The block's scores as if they had been made here; nan tells what rows of
 * block->bad get. */
int ood_chosen_block(const struct ood_block *block, enum ood_nan nan,
		     struct ood_scored *scored, struct ood_err *err);

#endif
