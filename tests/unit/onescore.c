/*
 * onescore.c - one scorer as typed over rows, for tests
 */
#include "onescore.h"

#include "core/mem.h"

struct ood_err one_err;
uint64_t logit_state;

struct ood_scoring parse_one(const char *text)
{
	struct ood_scoring scoring;
	struct ood_spec *specs;
	size_t n;

	ck_assert_int_eq(ood_specs_parse(text, &specs, &n, &one_err), OOD_OK);
	int rc = ood_scoring_parse(&scoring, specs, &one_err);
	ck_assert_msg(!rc, "%s: %s", text, one_err.what);
	ood_free(specs);
	return scoring;
}

struct ood_view view_of(const double *z, size_t n, size_t c)
{
	return (struct ood_view){ z, OOD_F8, n, c, c };
}

bool takes_classes_alone(const struct ood_scorer *s)
{
	return !s->fit && s->needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS) &&
	       !(s->needs & (OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD));
}

struct ood_batch batch_of(struct ood_view view, bool is_probs)
{
	return (struct ood_batch){ .n = view.rows,
				   .z = view,
				   .is_probs = is_probs };
}

/* Checked first, as the chain does. */
int run_some(const struct ood_scoring *s, size_t n, struct ood_batch batch,
	     struct ood_scores_out out)
{
	const struct ood_given given = { .logits = !batch.is_probs,
					 .probs = batch.is_probs,
					 .c = batch.z.cols };
	int rc = OOD_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = ood_scoring_check(&s[i], &given, false, &one_err);
	return rc ? rc : ood_scorings_run(s, n, &batch, &out, &one_err);
}

int run_one(const char *text, struct ood_view view, bool is_probs, double *out)
{
	struct ood_scoring s = parse_one(text);
	int rc =
		run_some(&s, 1, batch_of(view, is_probs),
			 (struct ood_scores_out){ .scores = out, .stride = 1 });

	ood_scoring_free(&s);
	return rc;
}

double score(const char *text, const double *z, size_t c)
{
	double out = NAN;

	ck_assert_msg(!run_one(text, view_of(z, 1, c), false, &out), "%s: %s",
		      text, one_err.what);
	return out;
}

double probs_score(const char *text, const double *p, size_t c)
{
	double out = NAN;

	ck_assert_msg(!run_one(text, view_of(p, 1, c), true, &out), "%s: %s",
		      text, one_err.what);
	return out;
}

double logit(void)
{
	logit_state = logit_state * 6364136223846793005u + 1442695040888963407u;
	return (double)(logit_state >> 40) * 0x1p-21 - 4;
}
