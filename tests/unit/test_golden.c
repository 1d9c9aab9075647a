/*
 * test_golden.c - every scorer against worked values: fitted on a few rows,
 * scored on a few others
 *
 * tests/ref/golden_scorers.json: exact inputs, parameters, and scores that
 * two programs agree on; its own tolerances.
 */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "core/mem.h"
#include "figures.h"
#include "io/source.h"
#include "scorers/scoring.h"

static struct ood_err err;

static cJSON *read_golden(void)
{
	struct ood_buf text = { 0 };

	ck_assert_int_eq(ood_source_slurp("tests/ref/golden_scorers.json",
					  1 << 22, &text, &err),
			 OOD_OK);
	cJSON *json = cJSON_ParseWithLength(text.text, text.n);
	ck_assert_ptr_nonnull(json);
	ood_buf_free(&text);
	return json;
}

static cJSON *get(cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* A matrix, or a vector as one row; rows 0 if there is none. */
static struct ood_mat matrix(cJSON *list)
{
	struct ood_mat m = { 0 };
	cJSON *row, *x;

	if (!list)
		return m;
	bool flat = !cJSON_IsArray(list->child);
	m.rows = flat ? 1 : (size_t)cJSON_GetArraySize(list);
	m.cols = (size_t)cJSON_GetArraySize(flat ? list : list->child);
	m.data = ood_malloc(m.rows * m.cols, sizeof(double));
	double *to = m.data;
	if (flat) {
		cJSON_ArrayForEach(x, list) *to++ = x->valuedouble;
		return m;
	}
	cJSON_ArrayForEach(row, list)
	{
		cJSON_ArrayForEach(x, row) *to++ = x->valuedouble;
	}
	return m;
}

static bool lists(cJSON *names, const char *name)
{
	cJSON *x;

	cJSON_ArrayForEach(
		x, names) if (!strcmp(x->valuestring, name)) return true;
	return false;
}

static void put_value(struct ood_buf *spec, cJSON *value)
{
	cJSON *x;

	if (cJSON_IsString(value)) {
		ood_buf_str(spec, value->valuestring);
	} else if (cJSON_IsArray(value)) {
		ood_buf_char(spec, '[');
		cJSON_ArrayForEach(x, value)
		{
			ood_buf_str(spec, x == value->child ? "" : ",");
			ood_buf_num(spec, x->valuedouble);
		}
		ood_buf_char(spec, ']');
	} else {
		ood_buf_num(spec, value->valuedouble);
	}
}

/* "knn:k=3:unit=1" */
static void put_spec(struct ood_buf *spec, cJSON *item)
{
	cJSON *param;

	ood_buf_str(spec, get(item, "scorer")->valuestring);
	cJSON_ArrayForEach(param, get(item, "params"))
	{
		ood_buf_printf(spec, ":%s=", param->string);
		put_value(spec, param);
	}
}

/* One side of a case: its rows, or only sizes where `has` says no. */
struct side {
	struct ood_mat x, z;
	int64_t label[64];
	struct ood_batch batch;
	struct ood_given given;
};

static void make_side(struct side *s, cJSON *set, const char *which, cJSON *has,
		      const struct ood_layer *head)
{
	char key[64];

	*s = (struct side){ 0 };
	snprintf(key, sizeof(key), "%s_features", which);
	if (lists(has, "features"))
		s->x = matrix(get(set, key));
	snprintf(key, sizeof(key), "%s_logits", which);
	if (lists(has, "logits"))
		s->z = matrix(get(set, key));
	s->batch = (struct ood_batch){
		.n = OOD_MAX(s->x.rows, s->z.rows),
		.z = ood_mat_view(&s->z),
		.x = { ood_mat_view(&s->x) },
		.head = head && head->W.rows ? head : NULL,
	};
	s->given = (struct ood_given){
		.logits = s->z.rows > 0,
		.labels = lists(has, "labels"),
		.head = s->batch.head != NULL,
		.c = s->z.cols ? s->z.cols : head->W.rows,
		.d = { s->x.cols },
		.features = { s->x.rows > 0 },
	};
}

static void label_side(struct side *s, cJSON *set, bool predicted)
{
	cJSON *labels = get(set, "fit_labels");

	for (size_t i = 0; i < s->batch.n; i++) {
		s->label[i] = (int64_t)cJSON_GetArrayItem(labels, (int)i)
				      ->valuedouble;
		if (!predicted)
			continue;
		const double *z = s->z.data + i * s->z.cols;
		s->label[i] = 0;
		for (size_t j = 1; j < s->z.cols; j++)
			if (z[j] > z[s->label[i]])
				s->label[i] = (int64_t)j;
	}
	s->batch.label = s->label;
}

static void fit_side(struct ood_scoring *scoring, const struct side *s,
		     const char *id)
{
	struct ood_fitting *f;
	struct ood_fitting_options options = { .scorings = scoring,
					       .n = 1,
					       .given = &s->given,
					       .head = s->batch.head };

	ck_assert_msg(!ood_scoring_check(scoring, &s->given, true, &err),
		      "%s: %s", id, err.what);
	ck_assert_msg(!ood_fitting_begin(&f, &options, &err), "%s: %s", id,
		      err.what);
	while (ood_fitting_side(f) != OOD_PASS_NONE) {
		ck_assert_msg(!ood_fitting_add(f, &s->batch, &err), "%s: %s",
			      id, err.what);
		ck_assert_msg(!ood_fitting_pass(f, &err), "%s: %s", id,
			      err.what);
	}
	ck_assert_msg(!ood_fitting_end(f, &err), "%s: %s", id, err.what);
	ood_fitting_free(f);
}

static void score_side(const struct ood_scoring *scoring, const struct side *s,
		       cJSON *item, const char *id)
{
	double out[64 * 4], rel = get(item, "rel_tol")->valuedouble,
			    abs = get(item, "abs_tol")->valuedouble;
	size_t width = ood_scoring_width(scoring);
	cJSON *expected = get(item, "expected");

	ck_assert_msg(!ood_scoring_check(scoring, &s->given, false, &err),
		      "%s: %s", id, err.what);
	ck_assert_msg(
		!ood_scorings_run(scoring, 1, &s->batch,
				  &(struct ood_scores_out){ .scores = out,
							    .stride = width },
				  &err),
		"%s: %s", id, err.what);
	ck_assert_uint_eq(s->batch.n, (size_t)cJSON_GetArraySize(expected));
	for (size_t i = 0; i < s->batch.n; i++) {
		cJSON *x = cJSON_GetArrayItem(expected, (int)i);
		double want = cJSON_IsString(x) ? number(x->valuestring)
						: x->valuedouble;
		double got = out[i * width];

		ck_assert_msg(got == want || fabs(got - want) <=
						     abs + rel * fabs(want),
			      "%s row %zu is %.17g, not %.17g", id, i, got,
			      want);
	}
}

static void run_case(cJSON *golden, cJSON *item)
{
	const char *id = get(item, "id")->valuestring;
	cJSON *set = get(get(golden, "sets"), get(item, "set")->valuestring);
	cJSON *needs = get(item, "needs"), *fit = get(item, "fit");
	struct ood_mat W = { 0 }, b = { 0 };
	struct ood_layer head = { 0 };
	struct ood_buf text = { 0 };
	struct ood_spec *specs;
	struct ood_scoring scoring;
	struct side side;
	size_t n;

	if (lists(needs, "W"))
		W = matrix(get(set, "W"));
	if (lists(needs, "b"))
		b = matrix(get(set, "b"));
	if (W.rows)
		ck_assert_int_eq(ood_layer_make(&head, &W, &b, &err), OOD_OK);
	put_spec(&text, item);
	ck_assert_int_eq(ood_specs_parse(text.text, &specs, &n, &err), OOD_OK);
	ck_assert_msg(!ood_scoring_parse(&scoring, specs, &err), "%s: %s", id,
		      err.what);
	ck_assert_int_eq(scoring.scorer->fit != 0, fit->child != NULL);
	if (fit->child) {
		make_side(&side, set, "fit", fit, &head);
		if (lists(fit, "labels"))
			label_side(&side, set,
				   strstr(id, "no-wrong-row") != NULL);
		fit_side(&scoring, &side, id);
		ood_mat_free(&side.x);
		ood_mat_free(&side.z);
	}
	make_side(&side, set, "test", needs, &head);
	score_side(&scoring, &side, item, id);
	ood_mat_free(&side.x);
	ood_mat_free(&side.z);
	ood_scoring_free(&scoring);
	ood_free(specs);
	ood_buf_free(&text);
	ood_layer_free(&head);
}

/* The cases of a scorer; none is no test. */
static void run_cases(const char *scorer)
{
	cJSON *golden = read_golden(), *item;
	size_t n = 0;

	cJSON_ArrayForEach(item, get(golden, "cases"))
	{
		if (strcmp(get(item, "scorer")->valuestring, scorer) != 0)
			continue;
		run_case(golden, item);
		n++;
	}
	ck_assert_msg(n > 0, "no case of %s", scorer);
	cJSON_Delete(golden);
}

/* All scorers of the file, in its order. */
static const char *const scorers[] = {
	"msp",	    "maxlogit",	   "margin",  "margin-logit",  "entropy",
	"energy",   "energy-w",	   "gen",     "doctor-alpha",  "doctor-beta",
	"logitgap", "mahalanobis", "rmd",     "mahalanobis++", "rmd++",
	"gmm",	    "residual",	   "vim",     "nusa",	       "knn",
	"nnguide",  "relation",	   "maxcos",  "norm-l1",       "norm-l2",
	"she",	    "neco",	   "pnml",    "caref",	       "cadref",
	"react",    "dice",	   "ash-s",   "ash-p",	       "ash-b",
	"scale",    "lts",	   "vra",     "fdbd",	       "nci",
	"gradnorm", "ecod",	   "hbos",    "msp-t",	       "klm",
	"igeood",   "rel-u",	   "openmax",
};

START_TEST(a_scorer_has_the_worked_values)
{
	run_cases(scorers[_i]);
}
END_TEST

START_TEST(every_scorer_of_the_file_is_tested)
{
	cJSON *golden = read_golden(), *item;

	cJSON_ArrayForEach(item, get(golden, "cases"))
	{
		const char *name = get(item, "scorer")->valuestring;
		size_t i = 0;

		while (i < OOD_COUNT(scorers) && strcmp(scorers[i], name) != 0)
			i++;
		ck_assert_msg(i < OOD_COUNT(scorers), "%s is not", name);
	}
	cJSON_Delete(golden);
}
END_TEST

Suite *suite_golden(void);

Suite *suite_golden(void)
{
	Suite *suite = suite_create("golden");
	TCase *tests = tcase_create("scorers");

	tcase_add_loop_test(tests, a_scorer_has_the_worked_values, 0,
			    (int)OOD_COUNT(scorers));
	tcase_add_test(tests, every_scorer_of_the_file_is_tested);
	suite_add_tcase(suite, tests);
	return suite;
}
