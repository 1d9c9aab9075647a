/*
 * test_csv_feed.c - large tables, threads, pipes, random bytes
 */
#include "core/thread.h"
#include "csv_read.h"

#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/rng.h"

static void add_number(struct ood_buf *b, uint64_t row, uint32_t draw)
{
	double u = ood_rng_uniform(7, OOD_RNG_TEST, row, draw);

	if (u < 0.01)
		ood_buf_str(b, u < 0.005 ? "NA" : " -inf");
	else if (u < 0.5)
		ood_buf_num(b, (u - 0.25) * 40);
	else
		ood_buf_int(b, (int64_t)(u * 1e6) - 750000);
}

/* id,label,c0,... ; every `odd`th row is one that the fast path leaves. */
static void make_table(struct ood_buf *b, size_t rows, size_t cols, size_t odd)
{
	ood_buf_str(b, "id,label");
	for (size_t k = 0; k < cols; k++)
		ood_buf_printf(b, ",c%zu", k);
	ood_buf_str(b, "\r\n");
	for (size_t i = 0; i < rows; i++) {
		bool is_odd = odd && i % odd == odd - 1;

		ood_buf_printf(
			b, is_odd ? "\"im\n%zu\",\"c,d\"" : "im%zu, cat ", i);
		for (uint32_t k = 0; k < cols; k++) {
			ood_buf_char(b, ',');
			add_number(b, i, k);
		}
		ood_buf_str(b, i % 17 ? "\n" : "\r\n\n");
	}
	ck_assert(!b->failed);
}

static void compare(const struct csv_result *a, const struct csv_result *b)
{
	ck_assert_str_eq(a->error, b->error);
	if (a->code)
		return;
	ck_assert_uint_eq(a->rows, b->rows);
	ck_assert_uint_eq(a->dump.n, b->dump.n);
	ck_assert(!memcmp(a->dump.text, b->dump.text, a->dump.n));
}

/* The same through both paths, with one thread and with several. */
static void check_agree(const struct ood_buf *text, const struct csv_how *how)
{
	int threads = ood_threads();
	struct csv_result plain, fast;
	struct csv_how h = *how;
	char path[256];

	csv_file_make(path, text->text, text->n);
	h.plain = true;
	csv_read(&plain, path, &h);
	h.plain = false;
	for (int n = 1; n <= 5; n += 2) {
		ood_threads_set(n);
		csv_read(&fast, path, &h);
		compare(&plain, &fast);
		csv_result_free(&fast);
	}
	ood_threads_set(threads);
	csv_result_free(&plain);
	csv_file_drop(path);
}

START_TEST(both_paths_agree_on_large_tables)
{
	static const size_t odd[] = { 0, 1, 40, 3000 };
	struct csv_how how = { .read = { .missing = "NA" },
			       .words = 2,
			       .rows = 777 };

	for (size_t i = 0; i < OOD_COUNT(odd); i++) {
		struct ood_buf b = { .n = 0 };

		make_table(&b, 9000, 12, odd[i]);
		how.skip = i;
		how.read.keep_records = i % 2;
		check_agree(&b, &how);
		ood_buf_free(&b);
	}
}
END_TEST

/* Offset of line `line` (from 1). */
static size_t line_start(const struct ood_buf *b, size_t line)
{
	const char *at = b->text;

	while (--line)
		at = strchr(at, '\n') + 1;
	return (size_t)(at - b->text);
}

START_TEST(the_first_of_many_errors_is_reported)
{
	struct ood_buf b = { .n = 0 };
	struct csv_how how = { .read = { .missing = "NA" },
			       .words = 2,
			       .rows = 100000 };
	struct csv_result r;
	char path[256];

	make_table(&b, 9000, 12, 0);
	/* Later in the file and in other threads' shares there are more. */
	for (size_t line = 9000; line >= 5000; line -= 100)
		b.text[line_start(&b, line) + 8] = '\0';
	check_agree(&b, &how);
	csv_file_make(path, b.text, b.n);
	csv_read(&r, path, &how);
	ck_assert_ptr_nonnull(strstr(r.error, ":5000:"));
	csv_result_free(&r);
	csv_file_drop(path);
	ood_buf_free(&b);
}
END_TEST

START_TEST(rows_of_100000_columns)
{
	struct ood_buf b = { .n = 0 };
	struct csv_how how = { .rows = 2 };
	struct csv_result r;
	char path[256];

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 100000; k++)
			ood_buf_printf(&b, "%zu.%zu%c", i, k + 100000,
				       k < 99999 ? ',' : '\n');
	check_agree(&b, &how);
	csv_file_make(path, b.text, b.n);
	csv_read(&r, path, &how);
	ck_assert_uint_eq(r.rows, 4);
	ck_assert_ptr_nonnull(strstr(r.dump.text, "\n4|3.1 3.100001 "));
	csv_result_free(&r);
	csv_file_drop(path);
	ood_buf_free(&b);
}
END_TEST

static void check_flood(const char *unit, size_t times, const char *error)
{
	struct ood_buf b = { .n = 0 };
	struct csv_result r;
	char path[256];

	for (size_t i = 0; i < times; i++)
		ood_buf_str(&b, unit);
	csv_file_make(path, b.text, b.n);
	csv_read(&r, path, &(struct csv_how){ .rows = 10 });
	ck_assert_str_eq(r.error, error);
	csv_result_free(&r);
	csv_file_drop(path);
	ood_buf_free(&b);
}

START_TEST(floods_of_one_byte_are_refused)
{
	check_flood(",", 1000001, ":1: more than 1000000 fields");
	check_flood("\"\"\"\"", 1 << 20,
		    ":1:1: cell longer than 1 MiB (is its quote closed?)");
	check_flood("7", 2 << 20, ":1:1: cell longer than 1 MiB");
	check_flood("x\n", 1 << 20,
		    ":2:1: expected a number, found \"x\" in "
		    "a column of text (--columns names those "
		    "to use)");
}
END_TEST

/* ------------------------------------------------------------ live --- */

struct pipe_end {
	char path[256];
	pthread_mutex_t lock;
	pthread_cond_t more;
	int allowed; /* lines that may be written */
};

static const char *const live_lines[] = { "a,b\n1,2\n", "3,4\n5,6\n7",
					  ",8\n\"9", "\",10\n", "11,12" };

static void *write_lines(void *arg)
{
	struct pipe_end *end = arg;
	int fd = open(end->path, O_WRONLY);

	for (int i = 0; i < (int)OOD_COUNT(live_lines); i++) {
		size_t n = strlen(live_lines[i]);

		pthread_mutex_lock(&end->lock);
		while (end->allowed <= i)
			pthread_cond_wait(&end->more, &end->lock);
		pthread_mutex_unlock(&end->lock);
		if (write(fd, live_lines[i], n) != (ssize_t)n)
			break;
	}
	close(fd);
	return NULL;
}

static void allow(struct pipe_end *end, int lines)
{
	pthread_mutex_lock(&end->lock);
	end->allowed = lines;
	pthread_cond_signal(&end->more);
	pthread_mutex_unlock(&end->lock);
}

START_TEST(live_rows_come_before_the_next_input)
{
	/* Rows that must come when only so much was written. */
	static const size_t rows[] = { 1, 2, 1, 1, 1 };
	struct pipe_end end = { .lock = PTHREAD_MUTEX_INITIALIZER,
				.more = PTHREAD_COND_INITIALIZER,
				.allowed = 1 };
	struct ood_read read = { .live = true };
	struct ood_reader reader = { .read = &read };
	size_t member[] = { 0, 1 };
	struct ood_pick pick = { .kind = OOD_PICK_REAL,
				 .n = 2,
				 .member = member };
	struct ood_chunk chunk;
	struct ood_err err;
	size_t width[1];
	pthread_t thread;
	double next = 1;

	csv_file_make(end.path, "", 0);
	csv_file_drop(end.path);
	ck_assert_int_eq(mkfifo(end.path, 0600), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, write_lines, &end), 0);
	ck_assert_int_eq(ood_source_open(&reader.source, end.path, &err), 0);
	reader.format = &ood_format_csv;
	ck_assert_int_eq(reader.format->open(&reader, &err), 0);
	reader.picks = &pick;
	reader.n_picks = 1;
	reader.width = width;
	ck_assert_int_eq(reader.format->bind(&reader, &err), 0);
	for (size_t i = 0; i < OOD_COUNT(rows); i++) {
		allow(&end, (int)i + 1);
		for (size_t got = 0; got < rows[i]; got += chunk.n) {
			ck_assert_int_eq(
				reader.format->next(&reader, 100, &chunk, &err),
				0);
			ck_assert_uint_ge(chunk.n, 1);
			for (size_t k = 0; k < 2 * chunk.n; k++)
				ck_assert_double_eq(
					((const double *)
						 chunk.columns->view.data)[k],
					next++);
		}
	}
	ck_assert_int_eq(reader.format->next(&reader, 100, &chunk, &err), 0);
	ck_assert_uint_eq(chunk.n, 0);
	pthread_join(thread, NULL);
	reader.format->close(&reader);
	ood_source_close(reader.source);
	unlink(end.path);
}
END_TEST

/* ---------------------------------------------------------- random --- */

START_TEST(both_paths_agree_on_random_bytes)
{
	static const char bytes[] = "0123456789..,,,,\n\n\n\r\"\"- \te+N;x#";

	for (uint64_t i = 0; i < 3000; i++) {
		size_t n = ood_rng_bits(1, OOD_RNG_TEST, i, 0) % 60;
		struct ood_buf b = { .n = 0 };
		struct csv_how how = { .words = i % 3, .rows = 4 };

		how.read.delimiter = i % 5 ? i % 7 ? "," : ";" : "space";
		how.read.keep_records = i % 2;
		how.read.missing = i % 4 ? NULL : "N";
		ood_buf_str(&b, i % 2 ? "1,2,3\n" : "");
		for (uint32_t k = 1; k <= n; k++)
			ood_buf_char(&b,
				     bytes[ood_rng_bits(1, OOD_RNG_TEST, i, k) %
					   (sizeof(bytes) - 1)]);
		check_agree(&b, &how);
		ood_buf_free(&b);
	}
}
END_TEST

Suite *suite_csv_feed(void);

Suite *suite_csv_feed(void)
{
	Suite *s = suite_create("csv_feed");
	TCase *t = tcase_create("feed");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, both_paths_agree_on_large_tables);
	tcase_add_test(t, the_first_of_many_errors_is_reported);
	tcase_add_test(t, rows_of_100000_columns);
	tcase_add_test(t, floods_of_one_byte_are_refused);
	tcase_add_test(t, live_rows_come_before_the_next_input);
	tcase_add_test(t, both_paths_agree_on_random_bytes);
	suite_add_tcase(s, t);
	return s;
}
