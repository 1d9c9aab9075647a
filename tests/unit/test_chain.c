/*
 * test_chain.c - models of the public header, over matrices
 */
#include <check.h>

#include "core/err.h"
#include "model/chain.h"

static struct ood_err err;

static struct ood_model *parse(const char *list)
{
	struct ood_model *model;
	int rc = ood_model_parse(&model, list, &err);

	ck_assert_msg(!rc, "%s: %s", list, err.what);
	return model;
}

static void refused(enum ood_role role, const double *rows, size_t n, size_t c,
		    const char *sentence)
{
	struct ood_model *model = parse("msp");
	struct ood_view view = { rows, OOD_F8, n, c, c };
	char text[OOD_ERR_TEXT_MAX];
	double out[8];

	ck_assert_int_eq(ood_model_score(model, role, view, out, &err),
			 OOD_INPUT);
	ck_assert_str_eq(ood_err_text(&err, text, sizeof(text)), sentence);
	ood_model_free(model);
}

START_TEST(columns_are_named_as_typed)
{
	struct ood_model *model = parse("msp,e2=energy:T=2,odin0");

	ck_assert_uint_eq(ood_model_columns(model), 3);
	ck_assert_str_eq(ood_model_column(model, 0), "msp");
	ck_assert_str_eq(ood_model_column(model, 1), "e2");
	ck_assert_str_eq(ood_model_column(model, 2), "odin0");
	ck_assert_ptr_null(ood_model_column(model, 3));
	ood_model_free(model);
	ood_model_free(NULL);
}
END_TEST

START_TEST(equal_columns_are_refused)
{
	struct ood_model *model;

	ck_assert_int_eq(ood_model_parse(&model, "msp,energy,msp", &err),
			 OOD_USAGE);
	ck_assert_ptr_null(model);
	ck_assert_str_eq(err.what, "two columns are named msp (NAME=SCORER "
				   "names one)");
	ck_assert_int_eq(ood_model_parse(&model, "a=msp,a=energy", &err),
			 OOD_USAGE);
	ck_assert_int_eq(ood_model_parse(&model, "msp,mps", &err), OOD_USAGE);
	ck_assert_int_eq(ood_model_parse(&model, "", &err), OOD_USAGE);
}
END_TEST

START_TEST(a_matrix_is_scored_column_by_column)
{
	static const float z[2][4] = { { 0, 0, 0, 9 }, { 2, 2, -1, 9 } };
	struct ood_view view = { z, OOD_F4, 2, 3, 4 };
	struct ood_model *model = parse("maxlogit,margin-logit");
	double out[4];

	ck_assert_int_eq(ood_model_score(model, OOD_LOGITS, view, out, &err),
			 OOD_OK);
	ck_assert_double_eq(out[0], 0);
	ck_assert_double_eq(out[1], 0);
	ck_assert_double_eq(out[2], -2);
	ck_assert_double_eq(out[3], 0);
	ood_model_free(model);
}
END_TEST

START_TEST(rows_that_cannot_be_scored_are_refused_with_their_place)
{
	const double z[] = { 1, 2, 3, NAN };
	const double inf[] = { 1, INFINITY };
	const double none[] = { 1, 2, -INFINITY, -INFINITY };
	const double p[] = { 0.5, 0.5, 0.5, 0.4 };
	const double high[] = { 70, 30 };

	refused(OOD_LOGITS, z, 2, 2,
		"row 2, column 2: NaN (--nan skip drops such rows)");
	refused(OOD_LOGPROBS, inf, 1, 2,
		"row 1, column 2: inf, as after an overflow of half floats "
		"(--nan skip drops such rows)");
	refused(OOD_LOGITS, none, 2, 2,
		"row 2: all values are -inf: no class has any weight "
		"(--nan skip drops such rows)");
	refused(OOD_PROBS, p, 2, 2,
		"row 2: the probabilities sum to 0.9, not to 1 "
		"(--prob-tol allows more, --renormalise divides by the sum)");
	refused(OOD_PROBS, high, 1, 2,
		"row 1, column 1: 70 is not a probability, which is from 0 to "
		"1 (--as logits if these are logits)");
}
END_TEST

/* As the command has it: a list of the largest alone is no distribution. */
START_TEST(log_probabilities_are_checked_as_such)
{
	const double z[] = { -0.5, -2, 0.5, -1 };
	struct ood_view view = { z, OOD_F8, 1, 2, 2 };
	struct ood_model *model = parse("msp");
	double out[2];

	ck_assert_int_eq(ood_model_score(model, OOD_LOGITS, view, out, &err),
			 OOD_OK);
	ck_assert_int_eq(ood_model_score(model, OOD_LOGPROBS, view, out, &err),
			 OOD_INPUT);
	view.data = z + 2;
	ck_assert_int_eq(ood_model_score(model, OOD_LOGPROBS, view, out, &err),
			 OOD_INPUT);
	ck_assert_uint_eq(err.line, 1);
	ck_assert_uint_eq(err.column, 1);
	ood_model_free(model);
}
END_TEST

START_TEST(other_roles_and_types_are_refused)
{
	const double z[] = { 1, 2 };
	struct ood_view view = { z, OOD_F8, 1, 2, 2 };
	struct ood_model *model = parse("msp");
	double out[1];

	ck_assert_int_eq(ood_model_score(model, OOD_FEATURES, view, out, &err),
			 OOD_USAGE);
	view.dtype = OOD_I4;
	ck_assert_int_eq(ood_model_score(model, OOD_LOGITS, view, out, &err),
			 OOD_USAGE);
	view.dtype = OOD_F8;
	view.cols = 0;
	ck_assert_int_eq(ood_model_score(model, OOD_LOGITS, view, out, &err),
			 OOD_INPUT);
	ood_model_free(model);
}
END_TEST

Suite *suite_chain(void);

Suite *suite_chain(void)
{
	Suite *suite = suite_create("chain");
	TCase *t = tcase_create("chain");

	tcase_add_test(t, columns_are_named_as_typed);
	tcase_add_test(t, equal_columns_are_refused);
	tcase_add_test(t, a_matrix_is_scored_column_by_column);
	tcase_add_test(t,
		       rows_that_cannot_be_scored_are_refused_with_their_place);
	tcase_add_test(t, log_probabilities_are_checked_as_such);
	tcase_add_test(t, other_roles_and_types_are_refused);
	suite_add_tcase(suite, t);
	return suite;
}
