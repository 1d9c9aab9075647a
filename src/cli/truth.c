/*
 * truth.c - which rows of a mixed set are OoD
 */
#include "cli/truth.h"

#include <strings.h>

#include "core/err.h"
#include "io/part.h"

struct ood_span ood_vec_text(const struct ood_vec *v, size_t i,
			     char room[OOD_NUM_MAX])
{
	if (v->words)
		return v->words[i];
	size_t n = v->ints ? ood_num_format_int(room, v->ints[i])
			   : ood_num_format(room, v->reals[i]);
	return (struct ood_span){ room, n };
}

static bool equals(struct ood_span a, const char *b)
{
	return a.n == strlen(b) && !strncasecmp(a.at, b, a.n);
}

/* 0, 1 or -1 where it is neither. */
static int truth_value(struct ood_span word)
{
	double x;

	if (equals(word, "true"))
		return 1;
	if (equals(word, "false"))
		return 0;
	if (ood_num_parse(word.at, word.n, '.', &x) == OOD_NUM_OK &&
	    (x == 0 || x == 1))
		return (int)x;
	return -1;
}

static int by_column(const struct ood_truth *truth, const struct ood_set *set,
		     const struct ood_block *block, uint8_t *is_ood,
		     struct ood_err *err)
{
	char room[OOD_NUM_MAX], quoted[OOD_QUOTE_MAX];

	for (size_t i = 0; i < block->n; i++) {
		struct ood_span word = ood_vec_text(&block->extra, i, room);
		int value = truth_value(word);

		if (value < 0) {
			ood_quote(quoted, sizeof(quoted), word.at, word.n);
			ood_fail(err, OOD_INPUT,
				 "--truth %s: expected 0 or 1, found \"%s\"",
				 truth->column, quoted);
			ood_set_place(set, OOD_EXTRA, i, SIZE_MAX, err);
			return (int)err->code;
		}
		is_ood[i] = (uint8_t)value;
	}
	return OOD_OK;
}

int ood_truth_tell(const struct ood_truth *truth, const struct ood_set *set,
		   const struct ood_block *block, uint8_t *is_ood,
		   struct ood_err *err)
{
	const char *wanted = truth->ood_label ? truth->ood_label : "-1";
	const size_t n = strlen(wanted);
	char room[OOD_NUM_MAX];

	if (truth->column)
		return by_column(truth, set, block, is_ood, err);
	for (size_t i = 0; i < block->n; i++) {
		struct ood_span word = ood_vec_text(&block->labels, i, room);
		bool same = word.n == n && !memcmp(word.at, wanted, n);

		if (!same && !truth->ood_label)
			same = block->label && block->label[i] == -1;
		is_ood[i] = same;
	}
	return OOD_OK;
}
