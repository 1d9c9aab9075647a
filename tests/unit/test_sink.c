/*
 * test_sink.c - files appear whole or not at all
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array_file.h"
#include "core/err.h"
#include "io/sink.h"

static void expect_content(const char *path, const char *want)
{
	struct ood_buf b = file_bytes(path);

	ck_assert_str_eq(b.text ? b.text : "", want);
	ood_buf_free(&b);
}

/* Temporary files beside a path. */
static size_t beside(const char *path)
{
	char pattern[300];
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s.*", path);
	size_t n = glob(pattern, 0, NULL, &g) ? 0 : g.gl_pathc;
	globfree(&g);
	return n;
}

static struct ood_sink *open_sink(const char *path)
{
	struct ood_sink *sink;
	struct ood_err err;

	ck_assert_int_eq(ood_sink_open(&sink, path, &err), OOD_OK);
	return sink;
}

static void put(struct ood_sink *sink, const char *text)
{
	struct ood_err err;

	ck_assert_int_eq(ood_sink_write(sink, text, strlen(text), &err), 0);
}

START_TEST(a_file_is_replaced_when_complete)
{
	struct ood_sink *sink;
	struct ood_err err;
	struct stat st;
	char path[256];

	file_make(path, "old", 3);
	chmod(path, 0640);
	sink = open_sink(path);
	ck_assert(ood_sink_can_seek(sink));
	ck_assert(!ood_sink_is_terminal(sink));
	put(sink, "new");
	expect_content(path, "old");
	ck_assert_uint_eq(beside(path), 1);
	ck_assert_int_eq(ood_sink_commit(sink, &err), OOD_OK);
	expect_content(path, "new");
	ck_assert_uint_eq(beside(path), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0640);
	file_drop(path);
}
END_TEST

START_TEST(what_is_abandoned_leaves_nothing)
{
	char path[256];
	struct ood_sink *sink;

	file_make(path, "old", 3);
	sink = open_sink(path);
	put(sink, "new");
	ood_sink_abandon(sink);
	ood_sink_abandon(NULL);
	expect_content(path, "old");
	ck_assert_uint_eq(beside(path), 0);
	file_drop(path);
	sink = open_sink(path);
	ood_sink_abandon(sink);
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(a_signal_handler_can_drop_all)
{
	char a[256], b[256];
	struct ood_sink *one, *two;

	file_make(a, "a", 1);
	file_make(b, "b", 1);
	one = open_sink(a);
	two = open_sink(b);
	ck_assert_uint_eq(beside(a) + beside(b), 2);
	ood_sink_unlink_all();
	ck_assert_uint_eq(beside(a) + beside(b), 0);
	ood_sink_abandon(one);
	ood_sink_abandon(two);
	expect_content(a, "a");
	file_drop(a);
	file_drop(b);
}
END_TEST

START_TEST(a_link_stays_and_its_file_is_replaced)
{
	char path[256], link[300];
	struct ood_sink *sink;
	struct ood_err err;
	struct stat st;

	file_make(path, "old", 3);
	snprintf(link, sizeof(link), "%s-link", path);
	ck_assert_int_eq(symlink(path, link), 0);
	sink = open_sink(link);
	put(sink, "new");
	ck_assert_int_eq(ood_sink_commit(sink, &err), OOD_OK);
	expect_content(path, "new");
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	unlink(link);
	file_drop(path);
}
END_TEST

START_TEST(a_link_to_nothing_yet_stays_and_its_file_is_made)
{
	char path[256], link[300], far[304];
	struct ood_sink *sink;
	struct ood_err err;
	struct stat st;

	file_make(path, "", 0);
	unlink(path);
	snprintf(link, sizeof(link), "%s-link", path);
	snprintf(far, sizeof(far), "%s-far", link);
	/* One link with the folder, and one without, to the other. */
	ck_assert_int_eq(symlink(path, link), 0);
	ck_assert_int_eq(symlink(strrchr(link, '/') + 1, far), 0);
	sink = open_sink(far);
	put(sink, "new");
	ck_assert_uint_eq(beside(path), 1);
	ck_assert_int_eq(ood_sink_commit(sink, &err), OOD_OK);
	expect_content(path, "new");
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(lstat(far, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	unlink(far);
	unlink(link);
	file_drop(path);
}
END_TEST

START_TEST(links_in_a_circle_are_a_system_error)
{
	char path[256];
	struct ood_sink *sink;
	struct ood_err err;

	file_make(path, "", 0);
	unlink(path);
	ck_assert_int_eq(symlink(strrchr(path, '/') + 1, path), 0);
	ck_assert_int_eq(ood_sink_open(&sink, path, &err), OOD_SYSTEM);
	ck_assert_int_eq(err.os_errno, ELOOP);
	ck_assert_uint_eq(beside(path), 0);
	file_drop(path);
}
END_TEST

START_TEST(several_appear_together_or_not_at_all)
{
	char a[256], b[256];
	struct ood_sink *sinks[2];
	struct ood_err err;

	file_make(a, "a", 1);
	file_make(b, "b", 1);
	sinks[0] = open_sink(a);
	sinks[1] = open_sink("/dev/full");
	put(sinks[0], "new");
	put(sinks[1], "new");
	ck_assert_int_eq(ood_sink_commit_all(sinks, 2, &err), OOD_SYSTEM);
	expect_content(a, "a");
	sinks[0] = open_sink(a);
	sinks[1] = open_sink(b);
	put(sinks[0], "1");
	put(sinks[1], "2");
	ck_assert_int_eq(ood_sink_finish(sinks[0], &err), OOD_OK);
	expect_content(a, "a");
	ck_assert_int_eq(ood_sink_commit_all(sinks, 2, &err), OOD_OK);
	expect_content(a, "1");
	expect_content(b, "2");
	ck_assert_uint_eq(beside(a) + beside(b), 0);
	file_drop(a);
	file_drop(b);
}
END_TEST

START_TEST(bytes_in_all_sizes_arrive_in_order)
{
	enum { N = 1000003 };
	char *want = ood_malloc(N + 1, 1), path[256];
	struct ood_sink *sink;
	struct ood_err err;
	size_t step = 1;

	for (size_t i = 0; i < N; i++)
		want[i] = (char)('a' + i * 7 % 26);
	want[N] = '\0';
	file_make(path, "", 0);
	sink = open_sink(path);
	for (size_t at = 0; at < N; at += step, step = step * 3 + 1) {
		size_t n = OOD_MIN(step, N - at);
		ck_assert_int_eq(ood_sink_write(sink, want + at, n, &err), 0);
	}
	ck_assert_int_eq(ood_sink_pwrite(sink, "XYZ", 3, 5, &err), 0);
	memcpy(want + 5, "XYZ", 3);
	put(sink, "!");
	ck_assert_int_eq(ood_sink_commit(sink, &err), OOD_OK);
	struct ood_buf b = file_bytes(path);
	ck_assert_uint_eq(b.n, N + 1);
	ck_assert(!memcmp(b.text, want, N));
	ck_assert_int_eq(b.text[N], '!');
	ood_buf_free(&b);
	ood_free(want);
	file_drop(path);
}
END_TEST

START_TEST(a_full_device_is_a_system_error)
{
	struct ood_sink *sink = open_sink("/dev/full");
	struct ood_err err;
	char text[OOD_ERR_TEXT_MAX];

	ck_assert(!ood_sink_can_seek(sink));
	put(sink, "x");
	ck_assert_int_eq(ood_sink_commit(sink, &err), OOD_SYSTEM);
	ck_assert_int_eq(err.os_errno, ENOSPC);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)),
			 "/dev/full: cannot write: no space left on device");
}
END_TEST

START_TEST(a_fifo_is_written_directly)
{
	char path[256], got[4] = "";
	struct ood_sink *sink;
	struct ood_err err;

	file_make(path, "", 0);
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	sink = open_sink(path);
	put(sink, "new");
	ck_assert(!ood_sink_can_seek(sink));
	ck_assert_int_eq(ood_sink_commit(sink, &err), OOD_OK);
	ck_assert_int_eq(read(fd, got, 3), 3);
	ck_assert_str_eq(got, "new");
	close(fd);
	file_drop(path);
}
END_TEST

START_TEST(folders_and_missing_folders_are_system_errors)
{
	struct ood_sink *sink;
	struct ood_err err;
	char text[OOD_ERR_TEXT_MAX];

	ck_assert_int_eq(ood_sink_open(&sink, "/tmp", &err), OOD_SYSTEM);
	ck_assert_int_eq(ood_sink_open(&sink, "/no/such/x.csv", &err),
			 OOD_SYSTEM);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)),
			 "/no/such/x.csv: cannot create: no such file or "
			 "directory");
}
END_TEST

Suite *suite_sink(void);

Suite *suite_sink(void)
{
	Suite *s = suite_create("sink");
	TCase *t = tcase_create("sink");

	tcase_add_test(t, a_file_is_replaced_when_complete);
	tcase_add_test(t, what_is_abandoned_leaves_nothing);
	tcase_add_test(t, a_signal_handler_can_drop_all);
	tcase_add_test(t, a_link_stays_and_its_file_is_replaced);
	tcase_add_test(t, a_link_to_nothing_yet_stays_and_its_file_is_made);
	tcase_add_test(t, links_in_a_circle_are_a_system_error);
	tcase_add_test(t, several_appear_together_or_not_at_all);
	tcase_add_test(t, bytes_in_all_sizes_arrive_in_order);
	tcase_add_test(t, a_full_device_is_a_system_error);
	tcase_add_test(t, a_fifo_is_written_directly);
	tcase_add_test(t, folders_and_missing_folders_are_system_errors);
	suite_add_tcase(s, t);
	return s;
}
