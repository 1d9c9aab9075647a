/*
 * prefix.c - the files that a PREFIX or a folder stands for
 */
#include "io/prefix.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "core/err.h"
#include "core/mem.h"

static const char *const extensions[] = { "npy",  "npz",   "csv",   "tsv",
					  "json", "jsonl", "ndjson" };

bool ood_path_is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

bool ood_path_is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

void ood_founds_free(struct ood_founds *founds)
{
	for (size_t i = 0; i < founds->n; i++)
		ood_free(founds->at[i].path);
	ood_free(founds->at);
	*founds = (struct ood_founds){ 0 };
}

static bool ends_with(const char *name, size_t n, const char *ext)
{
	const size_t m = strlen(ext);

	return n > m + 1 && name[n - m - 1] == '.' &&
	       !memcmp(name + n - m, ext, m);
}

/* Is name ROLE.EXT or ROLE.EXT.gz? */
static bool role_of_name(const char *name, struct ood_role_word *word)
{
	size_t n = strlen(name);

	if (ends_with(name, n, "gz"))
		n -= 3;
	for (size_t i = 0; i < OOD_COUNT(extensions); i++)
		if (ends_with(name, n, extensions[i])) {
			n -= strlen(extensions[i]) + 1;
			return ood_role_parse(name, n, word);
		}
	return false;
}

static bool add(struct ood_founds *founds, struct ood_role_word word,
		const char *stem, size_t stem_n, const char *name)
{
	struct ood_buf path = { 0 };

	if (!ood_grow(&founds->at, founds->n, &founds->room,
		      sizeof(*founds->at)))
		return false;
	ood_buf_add(&path, stem, stem_n);
	ood_buf_str(&path, name);
	if (path.failed || !ood_path_is_file(path.text)) {
		const bool failed = path.failed;
		ood_buf_free(&path);
		return !failed;
	}
	founds->at[founds->n++] = (struct ood_found){ word, path.text };
	return true;
}

/* By role and layer, then by path: the order of a folder is chance. */
static int by_role(const void *a, const void *b)
{
	const struct ood_found *x = a, *y = b;

	if (x->word.role != y->word.role)
		return x->word.role < y->word.role ? -1 : 1;
	if (x->word.layer != y->word.layer)
		return x->word.layer < y->word.layer ? -1 : 1;
	return strcmp(x->path, y->path);
}

static int refuse_twice(const struct ood_founds *founds, struct ood_err *err)
{
	for (size_t i = 1; i < founds->n; i++) {
		const struct ood_found *a = &founds->at[i - 1],
				       *b = &founds->at[i];

		if (a->word.role == b->word.role &&
		    a->word.layer == b->word.layer)
			return ood_fail(err, OOD_INPUT,
					"two files for %s: %s and %s (name the "
					"one that is meant: %s=FILE)",
					ood_role_name(a->word.role), a->path,
					b->path, ood_role_name(a->word.role));
	}
	return OOD_OK;
}

/* Adds the files of folder `dir` whose names are `base` and ROLE.EXT. */
static int scan(const char *dir, const char *prefix, const char *base,
		struct ood_founds *founds, struct ood_err *err)
{
	const size_t n = strlen(base), stem_n = strlen(prefix);
	struct ood_role_word word;
	struct dirent *entry;
	int code = OOD_OK;
	DIR *d = opendir(dir);

	if (!d) {
		if (errno == ENOENT || errno == ENOTDIR)
			return OOD_OK;
		ood_fail_errno(err, "cannot list the folder");
		return ood_err_where(err, dir, NULL);
	}
	while (!code && (entry = readdir(d)))
		if (!strncmp(entry->d_name, base, n) &&
		    role_of_name(entry->d_name + n, &word) &&
		    !add(founds, word, prefix, stem_n, entry->d_name + n))
			code = ood_fail_memory(err, stem_n);
	closedir(d);
	return code;
}

/* d/ holds d/ROLE.EXT. */
static int scan_folder(const char *prefix, struct ood_founds *founds,
		       struct ood_err *err)
{
	const size_t n = strlen(prefix);
	struct ood_buf stem = { 0 };
	int code;

	ood_buf_str(&stem, prefix);
	if (n && prefix[n - 1] != '/')
		ood_buf_char(&stem, '/');
	code = stem.failed ? ood_fail_memory(err, n)
			   : scan(prefix, stem.text, "", founds, err);
	ood_buf_free(&stem);
	return code;
}

/* a/b holds a/b_ROLE.EXT. */
static int scan_prefix(const char *prefix, struct ood_founds *founds,
		       struct ood_err *err)
{
	const char *slash = strrchr(prefix, '/');
	struct ood_buf dir = { 0 }, stem = { 0 };
	int code;

	ood_buf_add(&dir, prefix, slash ? (size_t)(slash - prefix) + 1 : 0);
	if (!slash)
		ood_buf_str(&dir, ".");
	ood_buf_printf(&stem, "%s_", prefix);
	if (dir.failed || stem.failed)
		code = ood_fail_memory(err, strlen(prefix));
	else
		code = scan(dir.text, stem.text,
			    slash ? stem.text + (slash + 1 - prefix)
				  : stem.text,
			    founds, err);
	ood_buf_free(&dir);
	ood_buf_free(&stem);
	return code;
}

int ood_prefix_find(const char *prefix, struct ood_founds *founds,
		    struct ood_err *err)
{
	const size_t n = strlen(prefix);
	int code = OOD_OK;

	*founds = (struct ood_founds){ 0 };
	if (!n)
		return OOD_OK;
	if (ood_path_is_folder(prefix))
		code = scan_folder(prefix, founds, err);
	if (!code && !founds->n && prefix[n - 1] != '/')
		code = scan_prefix(prefix, founds, err);
	if (!code && founds->n) {
		qsort(founds->at, founds->n, sizeof(*founds->at), by_role);
		code = refuse_twice(founds, err);
	}
	if (code)
		ood_founds_free(founds);
	return code;
}
