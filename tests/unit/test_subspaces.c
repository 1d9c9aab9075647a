/*
 * test_subspaces.c - nusa, neco, pnml, and what they have in common with vim
 * and residual: what follows from their definitions, and the edges
 */
#include "core/mem.h"
#include "fitrows.h"

enum { N = 600, D = 6, C = 3 };

/* Random rows, and the same rows turned. */
static double x[N * D], turned[N * D], W[C * D], W_turned[C * D], out[N],
	again[N];
static const double b[C] = { 0.5, -1, 0.25 };
static struct ood_layer head, head_turned;

/* Q = I - 2 v v' / v'v. */
static void turn(const double *from, size_t n, double *to)
{
	static const double v[D] = { 1, -2, 0.5, 3, 0, 1 };

	for (size_t i = 0; i < n; i++) {
		double dot = 0;

		for (size_t j = 0; j < D; j++)
			dot += v[j] * from[i * D + j];
		for (size_t j = 0; j < D; j++)
			to[i * D + j] =
				from[i * D + j] - 2 * dot / 15.25 * v[j];
	}
}

static void make_rows(void)
{
	static const double scale[D] = { 4, 3, 2, 1, 0.5, 0.25 };

	logit_state = 20;
	for (size_t i = 0; i < N * D; i++)
		x[i] = scale[i % D] * logit() + (double)(i % D);
	for (size_t i = 0; i < C * D; i++)
		W[i] = logit();
	turn(x, N, turned);
	turn(W, C, W_turned);
	head = head_of(W, b, C, D);
	head_turned = head_of(W_turned, b, C, D);
}

static void free_rows(void)
{
	ood_layer_free(&head);
	ood_layer_free(&head_turned);
}

static struct fitrows rows_of(const double *features, size_t n,
			      const struct ood_layer *layer)
{
	return (struct fitrows){ .x = features, .n = n, .d = D, .head = layer };
}

static void same_scores(size_t n, double tol)
{
	for (size_t i = 0; i < n; i++)
		CLOSE(out[i], again[i], tol);
}

/* ---------------------------------------------------------------- nusa --- */

START_TEST(nusa_is_0_inside_the_row_space_and_1_outside)
{
	/* The third row is the sum of the others: rank 2. */
	static const double w[3 * 4] = { 1, 1, 0, 0, 0, 2, 0, 0, 1, 3, 0, 0 };
	static const double test[5 * 4] = {
		3, 5, 0, 0, 0, 0, 7, -1, 3, 4, 0, 5, 0, 0, 0, 0, 1e-200, 0, 0, 0
	};
	struct ood_layer layer = head_of(w, NULL, 3, 4);
	struct ood_scoring s = parse_one("nusa");

	score_rows(
		&s,
		(struct fitrows){ .x = test, .n = 5, .d = 4, .head = &layer },
		out);
	CLOSE(out[0], 0, 1e-30);
	CLOSE(out[1], 1, 1e-15);
	CLOSE(out[2], 1 - M_SQRT1_2, 1e-15);
	ck_assert_double_eq(out[3], 1);
	CLOSE(out[4], 0, 1e-30);
	ood_scoring_free(&s);
	ood_layer_free(&layer);
}
END_TEST

START_TEST(nusa_keeps_the_digits_of_small_shares)
{
	/* x = (1, e): 1 - 1/sqrt(1 + e^2) = e^2/2 - 3 e^4/8 ... */
	static const double w[2] = { 1, 0 }, test[2] = { 1, 1e-6 };
	struct ood_layer layer = head_of(w, NULL, 1, 2);
	struct ood_scoring s = parse_one("nusa");

	score_rows(
		&s,
		(struct fitrows){ .x = test, .n = 1, .d = 2, .head = &layer },
		out);
	CLOSE(out[0], 0.5e-12 - 0.375e-24, 1e-26);
	ood_scoring_free(&s);
	ood_layer_free(&layer);
}
END_TEST

START_TEST(nusa_needs_something_outside)
{
	static const double full[4] = { 1, 0, 1, 1 }, none[4] = { 0 };
	struct ood_layer layer = head_of(full, NULL, 2, 2);
	struct ood_layer zero = head_of(none, NULL, 2, 2);
	struct ood_scoring s = parse_one("nusa");

	ck_assert_int_eq(
		score_try(&s,
			  (struct fitrows){
				  .x = x, .n = 1, .d = 2, .head = &layer },
			  out, NULL),
		OOD_INPUT);
	ck_assert_ptr_nonnull(strstr(one_err.what, "rank 2"));
	ck_assert_int_eq(
		score_try(&s,
			  (struct fitrows){
				  .x = x, .n = 1, .d = 2, .head = &zero },
			  out, NULL),
		OOD_INPUT);
	ck_assert_int_eq(score_try(&s,
				   (struct fitrows){ .x = x, .n = 1, .d = 2 },
				   out, NULL),
			 OOD_USAGE);
	ood_scoring_free(&s);
	ood_layer_free(&layer);
	ood_layer_free(&zero);
}
END_TEST

/* ---------------------------------------------------------------- neco --- */

START_TEST(neco_does_not_see_scale_and_offset_of_a_feature)
{
	static const double scale[D] = { 100, 0.01, 1, -3, 5, 1e-5 };
	static double other[N * D];

	for (size_t i = 0; i < N * D; i++)
		other[i] = scale[i % D] * (x[i] - 7);
	fit_and_score("neco:dim=2", rows_of(x, N, NULL), rows_of(x, N, NULL),
		      out);
	fit_and_score("neco:dim=2", rows_of(other, N, NULL),
		      rows_of(other, N, NULL), again);
	same_scores(N, 1e-10);
}
END_TEST

START_TEST(neco_is_the_share_along_the_leading_directions)
{
	/* x1 = x0 and x2 their own: correlations have values 2, 1, 0, with
	 * (1, 1, 0) / sqrt(2) leading; x3 is constant. Means 0, 0, 0, 5, sd 1,
	 * 1, 1, 1. */
	static const double fit[4 * 4] = { 1,  1,  1, 5, 1,  1,	 -1, 5,
					   -1, -1, 1, 5, -1, -1, -1, 5 };
	static const double test[4 * 4] = { 2, 2, 0, 5, 1, -1, 0, 5,
					    0, 0, 0, 5, 3, 3,  0, 6 };
	const struct fitrows f = { .x = fit, .n = 4, .d = 4 };
	const struct fitrows t = { .x = test, .n = 4, .d = 4 };
	double logits[4 * 2] = { 3, 1, 2, -1, 5, 5, -2, -7 };
	struct fitrows with_logits = t;
	uint64_t odd = 0;

	fit_and_score("neco:dim=1", f, t, out);
	CLOSE(out[0], -1, 1e-14);
	CLOSE(out[1], 0, 1e-14);
	ck_assert_double_eq(out[2], 0);
	CLOSE(out[3], -sqrt(18.0 / 19), 1e-14);
	/* 2/3 of the variance is less than 90 %: two directions. */
	ck_assert_uint_eq(kept_rows("neco", f, "basis"), 2);

	struct ood_scoring s = fit_one("neco:dim=1:times-maxlogit=1", f);
	ck_assert_int_eq(score_try(&s, t, again, NULL), OOD_USAGE);
	ck_assert_ptr_nonnull(strstr(one_err.what, "needs logits"));
	with_logits.z = logits;
	with_logits.c = 2;
	ck_assert_int_eq(score_try(&s, with_logits, again, &odd), OOD_OK);
	ck_assert_uint_eq(odd, 1);
	CLOSE(again[0], -3, 1e-13);
	CLOSE(again[3], 2 * sqrt(18.0 / 19), 1e-13);
	ood_scoring_free(&s);
}
END_TEST

START_TEST(neco_refuses_what_does_not_vary)
{
	static double same[3 * 2] = { 0.1, 0.7, 0.1, 0.7, 0.1, 0.7 };

	fit_refuse("neco", (struct fitrows){ .x = same, .n = 3, .d = 2 },
		   OOD_NUMERIC, "equal");
	fit_refuse("neco:dim=7", rows_of(x, N, NULL), OOD_USAGE,
		   "dim=6 is the largest");
}
END_TEST

/* ---------------------------------------------------------------- pnml --- */

START_TEST(pnml_has_the_regret_of_a_uniform_answer)
{
	/* m rows along each axis: U'U = m I and q = 1/m for every row; W = 0:
	 * p = 1/C, so that the regret is -ln(1/C + (1 - 1/C) C^-k) / ln C. */
	enum { M = 500, A = 2, K = 4 };
	static double axes[M * A * A];
	static const double zero[K * A] = { 0 }, test[2 * A] = { 3, 4, 1, -9 };
	struct ood_layer layer = head_of(zero, NULL, K, A);

	for (size_t i = 0; i < M * A; i++)
		axes[i * A + i % A] = (double)(i + 1);
	for (size_t m = 1; m <= M; m += 499) {
		double k = 1.0 / ((double)m + 1);
		double want = -log1p(0.75 * expm1(-k * log(4))) / log(4);

		fit_and_score(
			"pnml",
			(struct fitrows){
				.x = axes, .n = m * A, .d = A, .head = &layer },
			(struct fitrows){
				.x = test, .n = 2, .d = A, .head = &layer },
			out);
		CLOSE(out[0], want, 1e-12 * want);
		CLOSE(out[1], want, 1e-12 * want);
	}
	ood_layer_free(&layer);
}
END_TEST

START_TEST(pnml_stays_finite_and_knows_no_length)
{
	static const double w[2 * D] = { 1e4, 0, 0, 0, 0, 0, -1e4 };
	static double longer[N * D];
	struct ood_layer sharp = head_of(w, NULL, 2, D);

	for (size_t i = 0; i < N * D; i++)
		longer[i] = 8 * x[i];
	fit_and_score("pnml", rows_of(x, N, &sharp), rows_of(x, N, &sharp),
		      out);
	fit_and_score("pnml", rows_of(longer, N, &sharp),
		      rows_of(longer, N, &sharp), again);
	same_scores(N, 1e-12);
	for (size_t i = 0; i < N; i++)
		ck_assert(out[i] >= -1e-15 && out[i] <= 1);
	ood_layer_free(&sharp);
}
END_TEST

START_TEST(pnml_refuses_one_class_and_rows_of_zeros)
{
	static const double zero[4 * D] = { 0 };
	struct ood_layer one = head_of(W, NULL, 1, D);

	fit_refuse("pnml", rows_of(x, N, &one), OOD_INPUT, "2 classes");
	fit_refuse("pnml", rows_of(zero, 4, &head), OOD_NUMERIC, "are 0");
	ood_layer_free(&one);
}
END_TEST

/* ----------------------------------------------------------------- all --- */

START_TEST(turned_features_and_weights_change_no_score)
{
	static const char *const specs[] = {
		"residual:dim=3",
		"residual:origin=mean",
		"residual:dim-var=0.9",
		"vim:dim=2",
		"vim:origin=mean",
		"nusa",
		"pnml",
	};

	for (size_t i = 0; i < OOD_COUNT(specs); i++) {
		if (!strcmp(specs[i], "nusa")) {
			struct ood_scoring s = parse_one("nusa");

			score_rows(&s, rows_of(x, N, &head), out);
			score_rows(&s, rows_of(turned, N, &head_turned), again);
			ood_scoring_free(&s);
		} else {
			fit_and_score(specs[i], rows_of(x, N, &head),
				      rows_of(x, N, &head), out);
			fit_and_score(specs[i],
				      rows_of(turned, N, &head_turned),
				      rows_of(turned, N, &head_turned), again);
		}
		same_scores(N, 1e-10);
	}
}
END_TEST

START_TEST(a_head_of_another_layer_is_refused)
{
	const struct fitrows five = { .x = x, .n = N, .d = 5, .head = &head };
	struct ood_scoring s = parse_one("nusa");

	fit_refuse("residual", five, OOD_INPUT, "6 columns");
	fit_refuse("pnml", five, OOD_INPUT, "6 columns");
	/* z cannot be made of it either: it is given. */
	struct fitrows given = five;
	given.z = x;
	given.c = C;
	ck_assert_int_eq(score_try(&s, given, out, NULL), OOD_INPUT);
	ood_scoring_free(&s);
}
END_TEST

static const char *const all[] = { "vim", "residual", "residual:origin=mean",
				   "neco", "pnml" };

START_TEST(merged_parts_score_as_the_whole)
{
	const char *spec = all[_i];
	struct ood_scoring s;

	if (!strcmp(spec, "vim")) {
		s = parse_one(spec);
		ck_assert(s.scorer->merge == NULL);
		ood_scoring_free(&s);
		return;
	}
	fit_and_score(spec, rows_of(x, N, &head), rows_of(x, N, &head), out);
	s = fit_merged(spec, rows_of(x, N, &head), 77);
	score_rows(&s, rows_of(x, N, &head), again);
	same_scores(N, 1e-11);
	ood_scoring_free(&s);
}
END_TEST

START_TEST(the_order_of_fit_rows_does_not_matter)
{
	static double backward[N * D];

	for (size_t i = 0; i < N; i++)
		memcpy(backward + i * D, x + (N - 1 - i) * D,
		       D * sizeof(double));
	fit_and_score(all[_i], rows_of(x, N, &head), rows_of(x, N, &head), out);
	fit_and_score(all[_i], rows_of(backward, N, &head),
		      rows_of(x, N, &head), again);
	same_scores(N, 1e-11);
}
END_TEST

START_TEST(a_row_has_the_same_bits_alone)
{
	struct ood_scoring s = fit_one(all[_i], rows_of(x, N, &head));

	score_rows(&s, rows_of(x, N, &head), out);
	for (size_t i = 0; i < N; i += 37) {
		score_rows(&s, rows_part(rows_of(x, N, &head), i, 1), again);
		ck_assert_mem_eq(again, out + i, sizeof(*out));
	}
	ood_scoring_free(&s);
}
END_TEST

START_TEST(a_damaged_model_is_refused)
{
	struct ood_scoring s = fit_one(all[_i], rows_of(x, N, &head));

	for (const struct ood_kept *k = s.scorer->kept; k->kind; k++) {
		struct ood_mat *mat = (void *)((char *)s.state + k->at);

		if (k->when == OOD_KEPT_PARTIAL)
			continue;
		double was = mat->data[0];
		mat->data[0] = INFINITY;
		ck_assert_msg(ood_scoring_ready(&s, &head, C, &one_err) !=
				      OOD_OK,
			      "%s: %s", all[_i], k->name);
		mat->data[0] = was;
	}
	ood_scoring_free(&s);
}
END_TEST

Suite *suite_subspaces(void);

Suite *suite_subspaces(void)
{
	Suite *suite = suite_create("subspaces");
	TCase *tests = tcase_create("subspaces");
	const int n = (int)OOD_COUNT(all);

	tcase_add_checked_fixture(tests, make_rows, free_rows);
	tcase_add_test(tests, turned_features_and_weights_change_no_score);
	tcase_add_test(tests, a_head_of_another_layer_is_refused);
	tcase_add_test(tests, nusa_is_0_inside_the_row_space_and_1_outside);
	tcase_add_test(tests, nusa_keeps_the_digits_of_small_shares);
	tcase_add_test(tests, nusa_needs_something_outside);
	tcase_add_test(tests, neco_does_not_see_scale_and_offset_of_a_feature);
	tcase_add_test(tests, neco_is_the_share_along_the_leading_directions);
	tcase_add_test(tests, neco_refuses_what_does_not_vary);
	tcase_add_test(tests, pnml_has_the_regret_of_a_uniform_answer);
	tcase_add_test(tests, pnml_stays_finite_and_knows_no_length);
	tcase_add_test(tests, pnml_refuses_one_class_and_rows_of_zeros);
	tcase_add_loop_test(tests, merged_parts_score_as_the_whole, 0, n);
	tcase_add_loop_test(tests, the_order_of_fit_rows_does_not_matter, 0, n);
	tcase_add_loop_test(tests, a_row_has_the_same_bits_alone, 0, n);
	tcase_add_loop_test(tests, a_damaged_model_is_refused, 0, n);
	suite_add_tcase(suite, tests);
	return suite;
}
