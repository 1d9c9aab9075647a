/*
 * role.h - the words that say what an array is
 */
#ifndef OOD_IO_ROLE_H
#define OOD_IO_ROLE_H

#include "core/base.h"

/* A role as it stands in a list: features.2 is layer 1 of the features. */
struct ood_role_word {
	enum ood_role role;
	unsigned layer; /* from 0 */
};

/* Reads a whole word (also label id score group conf); false: no role. */
bool ood_role_parse(const char *at, size_t n, struct ood_role_word *word);

/* Class scores, features, scores: what a bare matrix can be. */
bool ood_role_is_matrix(enum ood_role role);

/* Has one row a sample? The last layer and token lists have not. */
bool ood_role_is_row(enum ood_role role);

/* All roles by blanks, for messages. */
#define OOD_ROLE_WORDS                                                         \
	"logits probs logprobs features labels pred correct ids scores "       \
	"confidence groups weights tokens token-logprobs top-logprobs "        \
	"head-weights head-bias"

#endif
