/*
 * registry.c - the scorers that there are, by name and by alias
 */
#include "core/err.h"
#include "scorers/scorer.h"

const struct ood_scorer *const ood_scorers[] = {
#define OOD_SCORER(symbol) &ood_scorer_##symbol,
#include "scorers/scorers.def"
#undef OOD_SCORER
	NULL,
};

/* Is one of "ebo odin0=msp:T=1000" the name? *more: what stands behind its
 * first ':', NULL where nothing does. */
static bool has_alias(const char *aliases, const char *name, size_t n,
		      const char **more)
{
	for (const char *at = aliases; at && *at;) {
		size_t whole = strcspn(at, " ");
		const char *equals = memchr(at, '=', whole);
		size_t length = equals ? (size_t)(equals - at) : whole;

		if (length == n && !memcmp(at, name, n)) {
			const char *colon = memchr(at, ':', whole);

			*more = colon ? colon + 1 : NULL;
			return true;
		}
		at += whole;
		at += strspn(at, " ");
	}
	return false;
}

const struct ood_scorer *ood_scorer_find(const char *name, size_t n,
					 const char **more)
{
	*more = NULL;
	for (size_t i = 0; ood_scorers[i]; i++) {
		const struct ood_scorer *s = ood_scorers[i];

		if (ood_is(name, n, s->name) ||
		    has_alias(s->aliases, name, n, more))
			return s;
	}
	return NULL;
}

int ood_scorer_unknown(struct ood_span name, struct ood_err *err)
{
	const char *names[OOD_COUNT(ood_scorers)] = { NULL };
	char word[OOD_QUOTE_MAX];

	for (size_t i = 0; ood_scorers[i]; i++)
		names[i] = ood_scorers[i]->name;
	ood_quote(word, sizeof(word), name.at, name.n);
	const char *near = ood_nearest(name.at, name.n, names);
	if (near)
		return ood_fail(err, OOD_USAGE,
				"no scorer \"%s\" (did you mean %s?)", word,
				near);
	return ood_fail(err, OOD_USAGE,
			"no scorer \"%s\" (\"ood list scorers\" shows all)",
			word);
}
