/*
 * json_member.c - is a key among those of an object
 */
#include "io/json.h"

#include "core/err.h"

static bool same(const struct ood_json_word *word, const char *key, char *room)
{
	size_t n = strlen(key);

	if (!word->escaped)
		return word->n == n && !memcmp(word->at, key, n);
	return ood_json_unescape(room, word) == n && !memcmp(room, key, n);
}

int ood_json_has_key(struct ood_span object, const char *key, bool *has,
		     struct ood_err *err)
{
	struct ood_json_scan s = { .at = object.at,
				   .end = object.at + object.n,
				   .err = err };
	char *room = ood_malloc(object.n + 1, 1);
	bool first = true, more = true;
	int code = room ? OOD_OK : ood_fail_memory(err, object.n);

	*has = false;
	ood_json_blank(&s);
	if (!code && ood_json_byte(&s) != '{')
		code = ood_json_unexpected(&s, "an object");
	else
		s.at++;
	while (!code && !*has) {
		struct ood_json_word word;
		code = ood_json_next(&s, '}', first, &more);
		first = false;
		if (code || !more)
			break;
		code = ood_json_key(&s, &word);
		if (!code)
			*has = same(&word, key, room);
		if (!code)
			code = ood_json_skip(&s);
	}
	ood_free(room);
	return code;
}
