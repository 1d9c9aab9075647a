/*
 * set_spec.c - the grammar of a SET
 */
#include "io/set_spec.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/param.h"
#include "io/prefix.h"
#include "io/set.h"

void ood_terms_free(struct ood_terms *terms)
{
	for (size_t i = 0; i < terms->n; i++) {
		ood_free(terms->at[i].path);
		ood_free(terms->at[i].member);
	}
	ood_free(terms->at);
	*terms = (struct ood_terms){ 0 };
}

static bool is_stdin(const char *text)
{
	return !strcmp(text, "-");
}

/* Takes path and member over (both may be NULL when memory ran out). */
static int add_term(struct ood_terms *terms, const struct ood_role_word *word,
		    char *path, char *member, struct ood_err *err)
{
	if (!path ||
	    !ood_grow(&terms->at, terms->n, &terms->room, sizeof(*terms->at))) {
		ood_free(path);
		ood_free(member);
		return ood_fail_memory(err, sizeof(*terms->at));
	}
	terms->at[terms->n++] = (struct ood_term){
		.bare = !word,
		.word = word ? *word : (struct ood_role_word){ 0 },
		.path = path,
		.member = member,
	};
	return OOD_OK;
}

/* Is there a file, FIFO, folder or prefix of this very name? */
static int names_something(const char *text, bool *yes, struct ood_err *err)
{
	struct ood_founds founds;
	int code;

	*yes = is_stdin(text) || ood_path_is_file(text) ||
	       ood_path_is_folder(text);
	if (*yes)
		return OOD_OK;
	code = ood_prefix_find(text, &founds, err);
	*yes = !code && founds.n;
	if (!code)
		ood_founds_free(&founds);
	return code;
}

/* ------------------------------------------------------------- WHERE --- */

/* Adds what a prefix stands for; with a role, that one alone. */
static int add_prefix(struct ood_terms *terms, const struct ood_role_word *word,
		      const char *text, bool *done, struct ood_err *err)
{
	struct ood_founds founds;
	size_t taken = 0;
	int code = ood_prefix_find(text, &founds, err);

	if (code)
		return code;
	for (size_t i = 0; i < founds.n && !code; i++) {
		struct ood_found *f = &founds.at[i];

		if (word && (f->word.role != word->role ||
			     f->word.layer != word->layer))
			continue;
		code = add_term(terms, &f->word, f->path, NULL, err);
		f->path = NULL;
		taken++;
	}
	*done = founds.n != 0;
	if (!code && founds.n && !taken) {
		ood_fail(err, OOD_SYSTEM, "no such file: %s_%s.npy, .csv ...",
			 text, ood_role_name(word->role));
		code = OOD_SYSTEM;
	}
	ood_founds_free(&founds);
	return code;
}

/* PATH:MEMBER, cut at the last colon that has a file before it. */
static int add_member(struct ood_terms *terms, const struct ood_role_word *word,
		      const char *text, bool *done, struct ood_err *err)
{
	for (const char *c = text + strlen(text); c-- > text;) {
		char *path;

		if (*c != ':' || c == text)
			continue;
		path = ood_strndup(text, (size_t)(c - text));
		if (!path)
			return ood_fail_memory(err, (size_t)(c - text));
		if (!is_stdin(path) && !ood_path_is_file(path)) {
			ood_free(path);
			continue;
		}
		*done = true;
		if (!c[1]) {
			ood_fail(err, OOD_USAGE,
				 "no member after the colon in \"%s\"", text);
			ood_free(path);
			return OOD_USAGE;
		}
		return add_term(terms, word, path, ood_strdup(c + 1), err);
	}
	return OOD_OK;
}

/* Is this A+B+C, at least one of which is there? */
static bool is_ensemble(const char *text)
{
	const char *at = text;

	while (strchr(text, '+') && *at) {
		const size_t n = strcspn(at, "+");
		struct ood_err ignored;
		char *piece = ood_strndup(at, n);
		bool yes = false;

		if (piece && n)
			names_something(piece, &yes, &ignored);
		ood_free(piece);
		if (yes)
			return true;
		at += n + (at[n] == '+');
	}
	return false;
}

/*
 * FILE,WORD=... with a file before the comma: an array without its role, or a
 * role that is none. Returns the code of a refusal, else OOD_OK.
 */
static int refuse_comma(const char *text, struct ood_err *err)
{
	const char *comma = strchr(text, ',');
	const size_t n = comma ? strcspn(comma + 1, "=,/:") : 0;
	struct ood_role_word word;
	char quoted[OOD_QUOTE_MAX];
	bool there;

	if (!n || comma[1 + n] != '=')
		return OOD_OK;
	char *file = ood_strndup(text, (size_t)(comma - text));
	there = file && ood_path_is_file(file);
	ood_free(file);
	if (!there)
		return OOD_OK;
	if (ood_role_parse(comma + 1, n, &word))
		return ood_fail(err, OOD_USAGE,
				"in a list each array has its role, the first "
				"too: logits=FILE,labels=FILE");
	ood_quote(quoted, sizeof(quoted), comma + 1, n);
	return ood_fail(err, OOD_USAGE, "\"%s\" is not a role (%s)", quoted,
			OOD_ROLE_WORDS);
}

/* Nothing of the name is there: what could have been meant? */
static int refuse_where(const char *text, struct ood_err *err)
{
	struct stat st;
	int code = refuse_comma(text, err);

	if (code)
		return code;
	if (is_ensemble(text))
		ood_fail(err, OOD_USAGE,
			 "\"%s\" joins ensemble members with '+': no scorer of "
			 "members is built in yet",
			 text);
	else if (strpbrk(text, "*?"))
		ood_fail(err, OOD_USAGE,
			 "\"%s\": * and ? in a path are reserved (let the "
			 "shell expand them, or name the files one by one)",
			 text);
	else if (ood_path_is_folder(text))
		ood_fail(err, OOD_SYSTEM,
			 "no such file: the folder holds no ROLE.EXT, as in "
			 "logits.npy");
	else if (stat(text, &st) && errno != ENOENT && errno != ENOTDIR)
		ood_fail_errno(err, "cannot open");
	else
		ood_fail(err, OOD_SYSTEM, "no such file");
	return err->code == OOD_USAGE ? OOD_USAGE
				      : ood_err_where(err, text, NULL);
}

static int add_where(struct ood_terms *terms, const struct ood_role_word *word,
		     const char *text, struct ood_err *err)
{
	bool done = false;
	int code;

	if (is_stdin(text) || ood_path_is_file(text))
		return add_term(terms, word, ood_strdup(text), NULL, err);
	code = add_prefix(terms, word, text, &done, err);
	if (!code && !done)
		code = add_member(terms, word, text, &done, err);
	if (!code && !done)
		code = refuse_where(text, err);
	return code;
}

/* --------------------------------------------------------------- SET --- */

/* Does ROLE= stand here? *skip is its length with the '='. */
static bool role_ahead(const char *at, struct ood_role_word *word, size_t *skip)
{
	const size_t n = strcspn(at, "=,/:");

	*skip = n + 1;
	return at[n] == '=' && ood_role_parse(at, n, word);
}

/* The next comma that a role and '=' follow, or the end. */
static const char *item_end(const char *at)
{
	struct ood_role_word word;
	size_t skip;

	for (; *at; at++)
		if (*at == ',' && role_ahead(at + 1, &word, &skip))
			break;
	return at;
}

static bool has_role(const struct ood_terms *terms, struct ood_role_word word)
{
	for (size_t i = 0; i < terms->n; i++)
		if (terms->at[i].word.role == word.role &&
		    terms->at[i].word.layer == word.layer)
			return true;
	return false;
}

/* ROLE=WHERE[,ROLE=WHERE]... */
static int parse_list(const char *at, struct ood_terms *terms,
		      struct ood_err *err)
{
	struct ood_role_word word;
	size_t skip;
	int code = OOD_OK;

	while (!code && role_ahead(at, &word, &skip)) {
		const char *from = at + skip, *end = item_end(from);
		char *where = ood_strndup(from, (size_t)(end - from));

		if (!where)
			code = ood_fail_memory(err, (size_t)(end - from));
		else if (!*where)
			code = ood_fail(err, OOD_USAGE,
					"no file after \"%.*s\"", (int)skip,
					at);
		else if (has_role(terms, word))
			code = ood_fail(err, OOD_USAGE,
					"%s is named twice in one set",
					ood_role_name(word.role));
		else
			code = add_where(terms, &word, where, err);
		ood_free(where);
		at = *end ? end + 1 : end;
	}
	return code;
}

/*
 * WORD=... with a word that is no role, and no file of the whole name: a
 * role mistyped, or a file that is not there?
 */
static int refuse_role(const char *set, size_t n, struct ood_err *err)
{
	const char *words[OOD_ROLES + 1] = { NULL };
	char quoted[OOD_QUOTE_MAX];
	struct ood_err ignored;
	bool there = false;

	for (int r = 0; r < OOD_ROLES; r++)
		words[r] = ood_role_name((enum ood_role)r);
	const char *near = ood_nearest(set, n, words);
	ood_quote(quoted, sizeof(quoted), set, n);
	if (memchr(set, ',', n))
		return ood_fail(err, OOD_USAGE,
				"\"%s\": give every array of a set its role, "
				"as in logits=FILE,labels=FILE",
				set);
	if (near)
		return ood_fail(err, OOD_USAGE,
				"\"%s\" is not a role; did you mean %s?",
				quoted, near);
	names_something(set + n + 1, &there, &ignored);
	if (there)
		return ood_fail(err, OOD_USAGE, "\"%s\" is not a role (%s)",
				quoted, OOD_ROLE_WORDS);
	return refuse_where(set, err);
}

int ood_terms_parse(const char *set, struct ood_terms *terms,
		    struct ood_err *err)
{
	const char *eq = strchr(set, '=');
	struct ood_role_word word;
	bool whole = false, done = false;
	size_t skip;
	int code;

	*terms = (struct ood_terms){ 0 };
	if (!*set)
		return ood_fail(err, OOD_USAGE, "the name of a set is empty");
	code = names_something(set, &whole, err);
	if (!code && !whole && role_ahead(set, &word, &skip)) {
		code = parse_list(set, terms, err);
		goto out;
	}
	if (!code && !whole)
		code = add_member(terms, NULL, set, &done, err);
	if (!code && !done && !whole && eq && eq > set &&
	    !memchr(set, '/', (size_t)(eq - set)))
		code = refuse_role(set, (size_t)(eq - set), err);
	else if (!code && !done)
		code = add_where(terms, NULL, set, err);
out:
	if (code)
		ood_terms_free(terms);
	return code;
}

/* -------------------------------------------------------- [NAME=]SET --- */

static bool name_is_valid(const char *name, size_t n)
{
	size_t slashes = 0;

	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)name[i];

		if (c == '/')
			slashes++;
		else if (c >= 0x80 || (!isalnum(c) && !strchr("._+-", c)))
			return false;
	}
	return n && slashes <= 1 && name[0] != '/' && name[n - 1] != '/';
}

static bool is_word(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(at, word, n);
}

/* NAME, or GROUP or NAME of GROUP/NAME: reports have rows GROUP/mean. */
static bool is_reserved(const char *text, size_t n)
{
	const char *slash = memchr(text, '/', n);
	const size_t group = slash ? (size_t)(slash - text) : n;

	const char *name = slash ? slash + 1 : text;
	const size_t rest = slash ? n - group - 1 : n;

	return is_word(text, group, "mean") || is_word(text, group, "all") ||
	       is_word(name, rest, "mean") || is_word(name, rest, "all");
}

bool ood_set_uses_stdin(const char *spec)
{
	struct ood_terms terms;
	struct ood_err ignored;
	bool uses = false;

	if (ood_terms_parse(spec, &terms, &ignored))
		return false;
	for (size_t i = 0; i < terms.n; i++)
		uses |= is_stdin(terms.at[i].path);
	ood_terms_free(&terms);
	return uses;
}

int ood_set_name_split(const char *text, char **name, const char **set,
		       struct ood_err *err)
{
	const char *eq = strchr(text, '=');
	const size_t n = eq ? (size_t)(eq - text) : 0;
	char quoted[OOD_QUOTE_MAX];
	struct ood_role_word word;
	bool whole;
	int code;

	*name = NULL;
	*set = text;
	code = names_something(text, &whole, err);
	if (code || whole || !eq || ood_role_parse(text, n, &word))
		return code;
	ood_quote(quoted, sizeof(quoted), text, n);
	if (!name_is_valid(text, n))
		return ood_fail(err, OOD_USAGE,
				"\"%s\" cannot name a set (letters, digits, "
				". _ + - and one / are allowed), and no file "
				"has the whole name",
				quoted);
	if (is_reserved(text, n))
		return ood_fail(err, OOD_USAGE,
				"a set cannot be named \"%s\": reports use it",
				quoted);
	*name = ood_strndup(text, n);
	*set = eq + 1;
	return *name ? OOD_OK : ood_fail_memory(err, n);
}
