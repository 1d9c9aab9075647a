/*
 * role.c - the words that say what an array is
 */
#include "io/role.h"

#include "io/set.h"

static const char *const names[OOD_ROLES] = {
	[OOD_LOGITS] = "logits",
	[OOD_PROBS] = "probs",
	[OOD_LOGPROBS] = "logprobs",
	[OOD_FEATURES] = "features",
	[OOD_LABELS] = "labels",
	[OOD_PRED] = "pred",
	[OOD_CORRECT] = "correct",
	[OOD_IDS] = "ids",
	[OOD_SCORES] = "scores",
	[OOD_CONFIDENCE] = "confidence",
	[OOD_GROUPS] = "groups",
	[OOD_WEIGHTS] = "weights",
	[OOD_TOKENS] = "tokens",
	[OOD_TOKEN_LOGPROBS] = "token-logprobs",
	[OOD_TOP_LOGPROBS] = "top-logprobs",
	[OOD_HEAD_WEIGHTS] = "head-weights",
	[OOD_HEAD_BIAS] = "head-bias",
};

/* Read as well, never written. */
static const struct {
	const char *word;
	enum ood_role role;
} others[] = {
	{ "label", OOD_LABELS },    { "id", OOD_IDS },
	{ "score", OOD_SCORES },    { "group", OOD_GROUPS },
	{ "conf", OOD_CONFIDENCE },
};

const char *ood_role_name(enum ood_role role)
{
	return (unsigned)role < OOD_ROLES ? names[role] : "?";
}

static bool same(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(at, word, n);
}

/* features.K, K from 1 to OOD_LAYERS_MAX, without leading zeros. */
static bool layer_parse(const char *at, size_t n, struct ood_role_word *word)
{
	static const char stem[] = "features.";
	const size_t skip = sizeof(stem) - 1;

	if (n != skip + 1 || memcmp(at, stem, skip))
		return false;
	if (at[skip] < '1' || at[skip] > '0' + OOD_LAYERS_MAX)
		return false;
	word->role = OOD_FEATURES;
	word->layer = (unsigned)(at[skip] - '1');
	return true;
}

bool ood_role_parse(const char *at, size_t n, struct ood_role_word *word)
{
	word->layer = 0;
	for (int r = 0; r < OOD_ROLES; r++)
		if (same(at, n, names[r])) {
			word->role = (enum ood_role)r;
			return true;
		}
	for (size_t i = 0; i < OOD_COUNT(others); i++)
		if (same(at, n, others[i].word)) {
			word->role = others[i].role;
			return true;
		}
	return layer_parse(at, n, word);
}

bool ood_role_is_matrix(enum ood_role role)
{
	return role == OOD_LOGITS || role == OOD_PROBS ||
	       role == OOD_LOGPROBS || role == OOD_FEATURES ||
	       role == OOD_SCORES;
}

bool ood_role_is_row(enum ood_role role)
{
	return role < OOD_TOKENS;
}
