/*
 * missing.c - spellings of "no value" in text (--missing)
 */
#include "io/missing.h"

static bool same(struct ood_span cell, const char *word, size_t n)
{
	return cell.n == n && !memcmp(cell.at, word, n);
}

bool ood_missing_is_usual(struct ood_span cell)
{
	static const char *const usual[] = { "",     "NA",   "N/A",
					     "null", "None", "-" };

	for (size_t i = 0; i < OOD_COUNT(usual); i++)
		if (same(cell, usual[i], strlen(usual[i])))
			return true;
	return false;
}

bool ood_missing_lists(const char *list, struct ood_span cell)
{
	while (list) {
		const size_t n = strcspn(list, ",");

		if (same(cell, list, n))
			return true;
		if (n == 5 && !memcmp(list, "usual", 5) &&
		    ood_missing_is_usual(cell))
			return true;
		list = list[n] ? list + n + 1 : NULL;
	}
	return false;
}
