/*
 * test_setvalues.c - values and options of a SET: rules 8 to 10 of ood(1)
 */
#include <check.h>

#include "array_file.h"
#include "set_text.h"

Suite *suite_setvalues(void);

static const double six[] = { 1, 2, 3, 4, 5, 6 };
static const struct ood_read as_scores = { .as = "scores" };
static const struct ood_read as_probs = { .as = "probs" };

START_TEST(rule_8_columns_are_names_positions_and_ranges)
{
	static const struct {
		const char *columns, *want;
	} lists[] = {
		{ "c,a", "1: 3 1\n" },	   { "#2,#1", "1: 2 1\n" },
		{ "2-4", "1: 2 3 4\n" },   { "#2-#4", "1: 2 3 4\n" },
		{ "#2-4", "1: 2 3 4\n" },  { "b-d", "1: 2 3 4\n" },
		{ "a,e-f", "1: 1 5 6\n" }, { "e-f", "1: 5 6\n" },
		{ "7", "1: 8\n" },	   { "a,7-7,g-h", "1: 1 8 7\n" },
	};
	struct ood_read read = { 0 };

	/* Column 7 by position is named g-h, the one named 7 is the eighth. */
	folder_put("a.csv", "a,b,c,d,e,f,g-h,7\n1,2,3,4,5,6,7,8\n");
	for (size_t i = 0; i < OOD_COUNT(lists); i++) {
		read.columns = lists[i].columns;
		expect_set("a.csv", &read, lists[i].want);
	}
	read.columns = "a,zz";
	expect_refused("a.csv", &read, 3, "--columns|\"zz\"|a, b");
	read.columns = "d-b";
	expect_refused("a.csv", &read, 3, "--columns|\"d-b\"");
	read.columns = "2-9";
	expect_refused("a.csv", &read, 3, "--columns 2-9: there are 8 columns");
	read.columns = "#3-#12";
	expect_refused("a.csv", &read, 3, "--columns #3-#12: there are 8");
	read.columns = "9";
	expect_refused("a.csv", &read, 3, "--columns|\"9\"");
	read.columns = "a,,b";
	expect_refused("a.csv", &read, 2, "--columns");
}
END_TEST

START_TEST(rule_8_ids_and_labels_by_option)
{
	const struct ood_read read = { .id_column = "name",
				       .label_column = "truth" };
	const struct ood_read bad = { .id_column = "nam" };

	folder_put("a.csv", "name,x,truth,id,label,y\np,1,1,z,0,2\n");
	folder_put_reals("z.npy", 1, 2, six);
	folder_put("l.csv", "name,truth,label\np,1,0\n");
	expect_set("a.csv", &read, "1: 1 2 id=p label=1:1\n");
	expect_set("logits=z.npy,labels=l.csv", &read,
		   "1: 1 2 id=p label=1:1\n");
	expect_refused("a.csv", &bad, 3, "--id-column|\"nam\"|name");
	expect_set("z.npy", &bad, "1: 1 2\n");
}
END_TEST

START_TEST(rule_8_text_options_reach_every_text_file)
{
	const struct ood_read read = { .delimiter = "semicolon",
				       .decimal = "comma",
				       .header = OOD_HEADER_NO };

	folder_put("z.csv", "1,5;2\n3;4,25\n");
	folder_put("w.csv", "0,5\n1,5\n");
	expect_set("logits=z.csv,weights=w.csv", &read,
		   "1: 1.5 2 weight=0.5\n2: 3 4.25 weight=1.5\n");
}
END_TEST

START_TEST(rule_8_rows_that_are_not_usable)
{
	const struct ood_read skip = { .nan = OOD_NAN_SKIP };
	const struct ood_read worst = { .nan = OOD_NAN_WORST };
	const struct ood_read keep = { .nan = OOD_NAN_KEEP };

	folder_put("a.csv", "logit_a,logit_b,id,label,feat_0\n"
			    "1,2,p,0,5\nnan,4,q,1,6\n-inf,-inf,r,0,7\n"
			    "1,-inf,s,1,8\n3,inf,t,0,9\n1,2,u,1,nan\n");
	expect_refused("a.csv", NULL, 3, "a.csv:3:1|NaN");
	expect_set("a.csv", &skip,
		   "1: 1 2 | F 5 id=p label=0:0\n"
		   "4: 1 -inf | F 8 id=s label=1:1\n");
	expect_words(set_warnings(), "nan-skip|a.csv: 4 of 6 rows");
	expect_set("a.csv", &worst,
		   "1: 1 2 | F 5 id=p label=0:0\n"
		   "2: 0 0 | F 0 id=q label=1:1 bad\n"
		   "3: 0 0 | F 0 id=r label=0:0 bad\n"
		   "4: 1 -inf | F 8 id=s label=1:1\n"
		   "5: 0 0 | F 0 id=t label=0:0 bad\n"
		   "6: 0 0 | F 0 id=u label=1:1 bad\n");
	expect_words(set_warnings(), "nan-worst|a.csv: 4 of 6 rows");
	expect_words(set_text("a.csv", &keep),
		     "6: 0 0 | F 0 id=u label=1:1 bad");
	folder_put("s.csv", "score_a,score_b\n1,2\nnan,3\n");
	expect_refused("s.csv", NULL, 3, "s.csv:3:1|NaN");
	expect_set("s.csv", &skip, "1: | S 1 2\n");
	expect_set("s.csv", &worst, "1: | S 1 2\n2: | S inf inf bad\n");
	expect_set("s.csv", &keep, "1: | S 1 2\n2: | S nan nan bad\n");
}
END_TEST

START_TEST(a_set_whose_rows_are_all_dropped_ends)
{
	const struct ood_read skip = { .nan = OOD_NAN_SKIP };

	folder_put("a.csv", "logit_a,logit_b\nnan,1\n");
	expect_set("a.csv", &skip, "");
	folder_put("b.csv", "logit_a,logit_b\n1,2\n");
	expect_set("a.csv b.csv", &skip, "1: 1 2\n");
}
END_TEST

START_TEST(probabilities_are_used_as_given)
{
	const struct ood_read tol = { .as = "probs", .prob_tol = 0.1 };
	const struct ood_read divide = { .as = "probs", .renormalise = true };

	folder_put("a.csv", "a,b\n0.5,0.5\n0.25,0.7495\n");
	folder_put("b.csv", "a,b\n0.5,0.5\n0.25,0.7\n");
	folder_put("c.csv", "a,b\n70,30\n");
	folder_put("d.csv", "a,b\n3,1\n0,0\n");
	expect_set("a.csv", &as_probs, "1: 0.5 0.5\n2: 0.25 0.7495\n");
	expect_words(set_warnings(), "prob-sum|a.csv|0.0005|row 2|as given");
	expect_refused("b.csv", &as_probs, 3, "b.csv:3|sum to 0.95");
	expect_set("b.csv", &tol, "1: 0.5 0.5\n2: 0.25 0.7\n");
	expect_refused("c.csv", &as_probs, 3, "c.csv:2:1|70|probability");
	expect_set("c.csv", &divide, "1: 0.7 0.3\n");
	expect_refused("d.csv", &divide, 3, "d.csv:3|sum to 0");
}
END_TEST

START_TEST(rule_9_layouts_make_pixels_rows)
{
	const struct ood_read chw = { .layout = "chw" };
	const struct ood_read mnc = { .layout = "mnc" };
	static const char header[] =
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 1, 2), "
		"}";
	struct ood_buf file = npy_of(1, header, six, sizeof(six));
	struct ood_set *set;
	struct ood_err err;

	folder_put_bytes("a.npy", file.text, file.n);
	ood_buf_free(&file);
	expect_refused("a.npy", NULL, 3, "a.npy|(3, 1, 2)|--layout");
	expect_refused("a.npy", &mnc, 2, "mnc");
	expect_set("a.npy", &chw, "1: 1 3 5\n2: 2 4 6\n");
	ck_assert_int_eq(ood_set_open(&set, "a.npy", &chw, &err), OOD_OK);
	struct ood_pixels p = ood_set_pixels(set);
	ck_assert(p.on);
	ck_assert_uint_eq(p.images, 1);
	ck_assert_uint_eq(p.height, 1);
	ck_assert_uint_eq(p.width, 2);
	ck_assert_uint_eq(ood_set_rows(set), 2);
	ck_assert_uint_eq(ood_set_classes(set), 3);
	ood_set_close(set);
}
END_TEST

START_TEST(rule_10_the_last_layer_has_no_row_a_sample)
{
	const double bias[] = { 7, 8, 9 };
	struct ood_mat mat;
	struct ood_set *set;
	struct ood_err err;

	folder_put_reals("z.npy", 1, 2, six);
	folder_put_reals("w.npy", 3, 2, six);
	folder_put_reals("b.npy", 3, 0, bias);
	static const char spec[] =
		"logits=z.npy,head-weights=w.npy,head-bias=b.npy";
	expect_set(spec, NULL, "1: 1 2\n");
	ck_assert_int_eq(ood_set_open(&set, spec, &as_scores, &err), OOD_OK);
	ck_assert(ood_set_has(set, OOD_HEAD_WEIGHTS));
	ck_assert_int_eq(ood_set_read(set, OOD_HEAD_WEIGHTS, &mat, &err),
			 OOD_OK);
	ck_assert_uint_eq(mat.rows, 3);
	ck_assert_uint_eq(mat.cols, 2);
	ck_assert_double_eq(mat.data[5], 6);
	ood_mat_free(&mat);
	ck_assert_int_eq(ood_set_read(set, OOD_HEAD_BIAS, &mat, &err), OOD_OK);
	ck_assert_uint_eq(mat.rows, 3);
	ck_assert_uint_eq(mat.cols, 1);
	ck_assert_double_eq(mat.data[2], 9);
	ood_mat_free(&mat);
	ood_set_close(set);
}
END_TEST

START_TEST(an_archive_may_hold_the_last_layer_beside_its_rows)
{
	static const char head[] =
		"{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }";
	struct ood_buf array = npy_of(1, head, six, sizeof(six));
	const struct zip_part parts[] = {
		{ .name = "logits.npy", .data = array.text, .n = array.n },
		{ .name = "head-weights.npy",
		  .data = array.text,
		  .n = array.n },
	};
	struct ood_buf file = zip_of(parts, 2);
	struct ood_set *set;
	struct ood_mat mat;
	struct ood_err err;

	folder_put_bytes("a.npz", file.text, file.n);
	ood_buf_free(&file);
	ood_buf_free(&array);
	expect_set("a.npz", NULL, "1: 1 2\n2: 3 4\n3: 5 6\n");
	ck_assert_int_eq(ood_set_open(&set, "a.npz", &as_scores, &err), OOD_OK);
	ck_assert_int_eq(ood_set_read(set, OOD_HEAD_WEIGHTS, &mat, &err),
			 OOD_OK);
	ck_assert_uint_eq(mat.rows, 3);
	ood_mat_free(&mat);
	ood_set_close(set);
}
END_TEST

START_TEST(scores_come_as_numbers_or_as_lists)
{
	folder_put("a.jsonl", "{\"scores\":[1,2]}\n{\"scores\":[1,2]}\n");
	folder_put("b.jsonl", "{\"scores\":1,\"label\":0}\n");
	expect_set("a.jsonl", NULL, "1: | S 1 2\n2: | S 1 2\n");
	expect_words(set_text_chosen("a.jsonl", NULL, "score_1"),
		     "1: | S 2\n2: | S 2\n");
	expect_set("b.jsonl", NULL, "1: | S 1 label=0:0\n");
}
END_TEST

START_TEST(a_role_is_read_whole_as_doubles)
{
	const struct ood_read tight = { .max_bytes = 8 };
	struct ood_mat mat;
	struct ood_set *set;
	struct ood_err err;

	folder_put_reals("z.npy", 3, 2, six);
	ck_assert_int_eq(ood_set_open(&set, "z.npy", &tight, &err), OOD_OK);
	ck_assert_int_eq(ood_set_read(set, OOD_LABELS, &mat, &err), OOD_INPUT);
	ck_assert_int_eq(ood_set_read(set, OOD_LOGITS, &mat, &err), OOD_INPUT);
	expect_words(err.what, "--max-bytes");
	ood_set_close(set);
	ck_assert_int_eq(
		ood_set_open(&set, "z.npy", &(struct ood_read){ 0 }, &err),
		OOD_OK);
	ck_assert_int_eq(ood_set_read(set, OOD_LOGITS, &mat, &err), OOD_OK);
	ck_assert_uint_eq(mat.rows, 3);
	ck_assert_uint_eq(mat.cols, 2);
	for (int i = 0; i < 6; i++)
		ck_assert_double_eq(mat.data[i], six[i]);
	ood_mat_free(&mat);
	ood_set_close(set);
}
END_TEST

START_TEST(what_is_ignored_is_neither_read_nor_checked)
{
	const double odd[] = { NAN, 1, 2 };
	struct ood_block block;
	struct ood_set *set;
	struct ood_err err;

	folder_put_reals("t_logits.npy", 3, 2, six);
	folder_put_reals("t_features.npy", 3, 1, odd);
	expect_refused("t", NULL, 3, "t_features.npy|row 1|NaN");
	ck_assert_int_eq(ood_set_open(&set, "t", &(struct ood_read){ 0 }, &err),
			 OOD_OK);
	ood_set_ignore(set, OOD_FEATURES);
	ck_assert(!ood_set_has(set, OOD_FEATURES));
	ck_assert_int_eq(ood_set_next(set, &block, &err), OOD_OK);
	ck_assert_uint_eq(block.n, 3);
	ck_assert_uint_eq(block.features[0].cols, 0);
	ood_set_close(set);
}
END_TEST

START_TEST(reports_learn_what_was_read)
{
	const struct ood_read read = { .want_crc = true, .as = "logits" };
	const struct ood_input *in;
	struct ood_block block = { .n = 1 };
	struct ood_set *set;
	struct ood_err err;

	folder_put_reals("t_logits.npy", 3, 2, six);
	folder_put("t_labels.csv", "y\n0\n1\n2\n");
	ck_assert_int_eq(ood_set_open(&set, "t", &read, &err), OOD_OK);
	while (block.n)
		ck_assert_int_eq(ood_set_next(set, &block, &err), OOD_OK);
	ck_assert_uint_eq(ood_set_inputs(set, &in), 2);
	ck_assert_str_eq(in[0].role, "logits");
	ck_assert_str_eq(in[0].path, "t_logits.npy");
	ck_assert_str_eq(in[0].format, "npy");
	ck_assert_str_eq(in[0].dtype, "float64");
	ck_assert_uint_eq(in[0].ndim, 2);
	ck_assert_uint_eq(in[0].shape[0], 3);
	ck_assert_uint_eq(in[0].shape[1], 2);
	ck_assert_str_eq(in[1].role, "labels");
	ck_assert_str_eq(in[1].format, "csv");
	ck_assert_uint_eq(in[1].ndim, 1);
	ck_assert_uint_eq(in[1].rows, 3);
	/* zlib.crc32(b"y\n0\n1\n2\n") in Python. */
	ck_assert_uint_eq(in[1].crc32, 0x7422b2ed);
	ood_set_close(set);
}
END_TEST

START_TEST(records_keep_their_own_bytes_beside_dropped_rows)
{
	const struct ood_read read = { .keep_records = true,
				       .nan = OOD_NAN_SKIP };

	folder_put("a.jsonl", "{\"logits\":[1,2], \"x\" :1}\n"
			      "{\"logits\":[NaN,2]}\n"
			      "{\"logits\":[3,4],\"y\":\"\\u00e9\"}\n");
	expect_set("a.jsonl", &read,
		   "1: 1 2 <{\"logits\":[1,2], \"x\" :1}\n>\n"
		   "3: 3 4 <{\"logits\":[3,4],\"y\":\"\\u00e9\"}\n>\n");
}
END_TEST

/* 3 x 70,000 rows: many blocks, and both files end between them. */
START_TEST(blocks_of_two_files_stay_side_by_side)
{
	enum { N = 70001 };
	double *z = ood_malloc(N * 3, sizeof(*z));
	int64_t *y = ood_malloc(N, sizeof(*y));
	struct ood_block b = { .n = 1 };
	struct ood_set *set;
	struct ood_err err;
	uint64_t rows = 0;

	for (size_t i = 0; i < N; i++) {
		y[i] = (int64_t)i;
		for (size_t j = 0; j < 3; j++)
			z[i * 3 + j] = (double)(i * 3 + j);
	}
	folder_put_reals("t_logits.npy", N, 3, z);
	folder_put_ints("t_labels.npy", N, y);
	ck_assert_int_eq(ood_set_open(&set, "t", &(struct ood_read){ 0 }, &err),
			 OOD_OK);
	ck_assert_uint_eq(ood_set_rows(set), N);
	for (;;) {
		ck_assert_int_eq(ood_set_next(set, &b, &err), OOD_OK);
		if (!b.n)
			break;
		ck_assert_uint_eq(b.first, rows);
		for (size_t i = 0; i < b.n; i++, rows++) {
			const double *row =
				(const double *)b.scores_of_classes.data +
				i * b.scores_of_classes.stride;
			ck_assert(b.row[i] == rows + 1);
			ck_assert(b.label[i] == (int64_t)rows);
			ck_assert(row[2] == (double)(rows * 3 + 2));
		}
	}
	ck_assert_uint_eq(rows, N);
	ood_set_close(set);
	ood_free(z);
	ood_free(y);
}
END_TEST

static void add_values(TCase *t)
{
	tcase_add_test(t, rule_8_columns_are_names_positions_and_ranges);
	tcase_add_test(t, rule_8_ids_and_labels_by_option);
	tcase_add_test(t, rule_8_text_options_reach_every_text_file);
	tcase_add_test(t, rule_8_rows_that_are_not_usable);
	tcase_add_test(t, a_set_whose_rows_are_all_dropped_ends);
	tcase_add_test(t, probabilities_are_used_as_given);
	tcase_add_test(t, rule_9_layouts_make_pixels_rows);
	tcase_add_test(t, rule_10_the_last_layer_has_no_row_a_sample);
	tcase_add_test(t, an_archive_may_hold_the_last_layer_beside_its_rows);
	tcase_add_test(t, scores_come_as_numbers_or_as_lists);
	tcase_add_test(t, a_role_is_read_whole_as_doubles);
	tcase_add_test(t, what_is_ignored_is_neither_read_nor_checked);
	tcase_add_test(t, reports_learn_what_was_read);
	tcase_add_test(t, records_keep_their_own_bytes_beside_dropped_rows);
	tcase_add_test(t, blocks_of_two_files_stay_side_by_side);
}

Suite *suite_setvalues(void)
{
	Suite *s = suite_create("setvalues");
	TCase *t = tcase_create("setvalues");

	tcase_add_checked_fixture(t, folder_enter, folder_leave);
	add_values(t);
	suite_add_tcase(s, t);
	return s;
}
