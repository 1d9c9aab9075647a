/*
 * set_text.c - files in a folder of their own, and sets read as text
 */
#include "set_text.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array_file.h"

static char folder[256], before[1024];
static struct ood_buf dump, warned;

void folder_enter(void)
{
	const char *dir = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/ood-set-XXXXXX",
		 dir && *dir ? dir : "/tmp");
	ck_assert_ptr_nonnull(getcwd(before, sizeof(before)));
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

/* Two levels are all that tests make. */
static void empty(const char *path, bool deeper)
{
	char name[1024];
	struct dirent *entry;
	DIR *d = opendir(path);

	while (d && (entry = readdir(d))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (unlink(name) && deeper) {
			empty(name, false);
			rmdir(name);
		}
	}
	if (d)
		closedir(d);
}

void folder_leave(void)
{
	ck_assert_int_eq(chdir(before), 0);
	empty(folder, true);
	rmdir(folder);
	ood_buf_free(&dump);
	ood_buf_free(&warned);
}

void folder_put_bytes(const char *name, const void *bytes, size_t n)
{
	char dir[256];
	const char *slash = strrchr(name, '/');
	FILE *f;

	if (slash) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - name), name);
		mkdir(dir, 0700);
	}
	f = fopen(name, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

void folder_put(const char *name, const char *text)
{
	folder_put_bytes(name, text, strlen(text));
}

static void put_npy(const char *name, const char *descr, const char *shape,
		    const void *at, size_t n)
{
	char header[200];
	struct ood_buf file;

	snprintf(header, sizeof(header),
		 "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
		 descr, shape);
	file = npy_of(1, header, at, n);
	folder_put_bytes(name, file.text, file.n);
	ood_buf_free(&file);
}

void folder_put_reals(const char *name, size_t rows, size_t cols,
		      const double *at)
{
	char shape[64];

	if (cols)
		snprintf(shape, sizeof(shape), "%zu, %zu", rows, cols);
	else
		snprintf(shape, sizeof(shape), "%zu,", rows);
	put_npy(name, "<f8", shape, at, rows * (cols ? cols : 1) * sizeof(*at));
}

void folder_put_ints(const char *name, size_t rows, const int64_t *at)
{
	char shape[64];

	snprintf(shape, sizeof(shape), "%zu,", rows);
	put_npy(name, "<i8", shape, at, rows * sizeof(*at));
}

/* ------------------------------------------------------- sets as text --- */

static void add_view(const char *mark, struct ood_view v, size_t row)
{
	if (!v.cols)
		return;
	ood_buf_str(&dump, mark);
	for (size_t j = 0; j < v.cols; j++) {
		const size_t at = row * v.stride + j;

		ood_buf_char(&dump, ' ');
		ood_buf_num(&dump, v.dtype == OOD_F4
					   ? (double)((const float *)v.data)[at]
					   : ((const double *)v.data)[at]);
	}
}

static void add_vec(const char *name, const struct ood_vec *vec, size_t row)
{
	if (!vec->ints && !vec->reals && !vec->words)
		return;
	ood_buf_printf(&dump, " %s=", name);
	if (vec->ints)
		ood_buf_int(&dump, vec->ints[row]);
	else if (vec->reals)
		ood_buf_num(&dump, vec->reals[row]);
	else
		ood_buf_add(&dump, vec->words[row].at, vec->words[row].n);
}

static void add_number(const char *name, const int64_t *at, size_t row)
{
	if (!at)
		return;
	ood_buf_str(&dump, name);
	if (at[row] == OOD_LABEL_NONE)
		ood_buf_char(&dump, '?');
	else
		ood_buf_int(&dump, at[row]);
}

static void add_row(const struct ood_block *b, size_t row)
{
	ood_buf_int(&dump, (int64_t)b->row[row]);
	ood_buf_char(&dump, ':');
	add_view("", b->scores_of_classes, row);
	for (int k = 0; k < OOD_LAYERS_MAX; k++)
		add_view(k ? " | F+" : " | F", b->features[k], row);
	add_view(" | S", b->scores, row);
	add_vec("id", &b->ids, row);
	add_vec("label", &b->labels, row);
	add_number(":", b->label, row);
	add_number(" pred=", b->pred, row);
	if (b->correct)
		ood_buf_printf(&dump, " correct=%d", b->correct[row] > 0);
	add_vec("group", &b->groups, row);
	if (b->weights) {
		ood_buf_str(&dump, " weight=");
		ood_buf_num(&dump, b->weights[row]);
	}
	add_vec("extra", &b->extra, row);
	if (b->records)
		ood_buf_printf(&dump, " <%.*s>", (int)b->records[row].n,
			       b->records[row].at);
	if (b->bad && b->bad[row])
		ood_buf_str(&dump, " bad");
	ood_buf_char(&dump, '\n');
}

static int read_all(struct ood_set *set, struct ood_err *err)
{
	const struct ood_warning *w;
	struct ood_block block = { .n = 1 };
	uint64_t rows = 0;
	size_t n;

	while (block.n) {
		const int code = ood_set_next(set, &block, err);

		if (code)
			return code;
		ck_assert_uint_eq(block.first, block.n ? rows : block.first);
		rows += block.n;
		for (size_t i = 0; i < block.n; i++)
			add_row(&block, i);
	}
	n = ood_set_warnings(set, &w);
	for (size_t i = 0; i < n; i++)
		ood_buf_printf(&warned, "%s: %s\n", w[i].code, w[i].text);
	return OOD_OK;
}

/* Cuts a list at blanks, in place. */
static size_t cut(char *list, const char **part, size_t room)
{
	size_t n = 0;

	for (char *at = strtok(list, " "); at && n < room;
	     at = strtok(NULL, " "))
		part[n++] = at;
	return n;
}

static const char *text_of(const char *specs, const struct ood_read *read,
			   const char *extra, const char *chosen)
{
	const struct ood_read none = { 0 };
	const char *part[16];
	char text[OOD_ERR_TEXT_MAX], list[2048], scores[512];
	struct ood_set *set = NULL;
	struct ood_err err = { 0 };
	int code;

	ood_buf_clear(&dump);
	ood_buf_clear(&warned);
	ood_buf_str(&dump, "");
	snprintf(list, sizeof(list), "%s", specs);
	code = ood_set_open_all(&set, part, cut(list, part, OOD_COUNT(part)),
				read ? read : &none, &err);
	if (!code && extra)
		code = ood_set_extra(set, extra, &err);
	if (!code && chosen) {
		snprintf(scores, sizeof(scores), "%s", chosen);
		const size_t n = cut(scores, part, OOD_COUNT(part));
		code = ood_set_choose_scores(set, part, n, &err);
	}
	if (!code)
		code = read_all(set, &err);
	if (code) {
		ck_assert_int_eq(code, err.code);
		ood_buf_clear(&dump);
		ood_buf_printf(&dump, "%d: %s", code,
			       ood_err_text(&err, text, sizeof(text)));
	}
	ood_set_close(set);
	return dump.text;
}

const char *set_text(const char *specs, const struct ood_read *read)
{
	return text_of(specs, read, NULL, NULL);
}

const char *set_text_extra(const char *specs, const struct ood_read *read,
			   const char *extra)
{
	return text_of(specs, read, extra, NULL);
}

const char *set_text_chosen(const char *specs, const struct ood_read *read,
			    const char *scores)
{
	return text_of(specs, read, NULL, scores);
}

const char *set_warnings(void)
{
	return warned.text ? warned.text : "";
}

void expect_set(const char *specs, const struct ood_read *read,
		const char *text)
{
	ck_assert_str_eq(set_text(specs, read), text);
}

void expect_words(const char *text, const char *words)
{
	char list[512];

	snprintf(list, sizeof(list), "%s", words);
	for (char *w = strtok(list, "|"); w; w = strtok(NULL, "|"))
		ck_assert_msg(strstr(text, w), "\"%s\" is not in: %s", w, text);
}

void expect_refused(const char *specs, const struct ood_read *read, int code,
		    const char *words)
{
	const char *text = set_text(specs, read);

	ck_assert_msg(text[0] == '0' + code && text[1] == ':',
		      "%s: expected code %d: %s", specs, code, text);
	expect_words(text, words);
}
