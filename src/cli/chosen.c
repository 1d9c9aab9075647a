/*
 * chosen.c - scores that a set holds, as columns of scores
 */
#include "cli/chosen.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/param.h"
#include "core/view.h"

bool ood_holds_scores(const struct ood_set *set)
{
	return ood_set_score_count(set) && !ood_set_has(set, OOD_LOGITS) &&
	       !ood_set_has(set, OOD_LOGPROBS) &&
	       !ood_set_has(set, OOD_PROBS) && !ood_set_has(set, OOD_FEATURES);
}

int ood_choose_scores(struct ood_set *set, const char *list,
		      struct ood_err *err)
{
	struct ood_spec *specs = NULL;
	size_t n = 0;
	int code = ood_specs_parse(list, &specs, &n, err);
	char **names = code ? NULL : ood_calloc(n + 1, sizeof(*names));

	if (!code && !names)
		code = ood_fail_memory(err, n);
	for (size_t i = 0; !code && i < n; i++) {
		names[i] = ood_strndup(specs[i].whole.at, specs[i].whole.n);
		if (!names[i])
			code = ood_fail_memory(err, specs[i].whole.n);
	}
	if (!code)
		code = ood_set_choose_scores(set, (const char *const *)names, n,
					     err);
	ood_names_free(names);
	ood_free(specs);
	return code;
}

int ood_chosen_names(const struct ood_set *set, char ***names,
		     struct ood_err *err)
{
	size_t n = ood_set_score_count(set);

	*names = ood_calloc(n + 1, sizeof(**names));
	for (size_t i = 0; *names && i < n; i++) {
		(*names)[i] = ood_strdup(ood_set_score_name(set, i));
		if (!(*names)[i]) {
			ood_names_free(*names);
			*names = NULL;
		}
	}
	return *names ? OOD_OK : ood_fail_memory(err, n * sizeof(**names));
}

void ood_names_free(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		ood_free(names[i]);
	ood_free(names);
}

int ood_chosen_block(const struct ood_block *block, enum ood_nan nan,
		     struct ood_scored *scored, struct ood_err *err)
{
	const struct ood_view v = block->scores;
	const double x = nan == OOD_NAN_WORST ? INFINITY : NAN;

	if (block->n > scored->room || v.cols != scored->columns) {
		ood_free(scored->scores);
		scored->room = 0;
		scored->columns = v.cols;
		scored->scores = ood_calloc(block->n, v.cols * sizeof(double));
		if (!scored->scores)
			return ood_fail_memory(err, block->n * v.cols * 8);
		scored->room = block->n;
	}
	scored->n = block->n;
	for (size_t i = 0; i < block->n; i++)
		for (size_t k = 0; k < v.cols; k++)
			scored->scores[i * v.cols + k] =
				block->bad && block->bad[i]
					? x
					: ood_view_at(v, i, k);
	return OOD_OK;
}
