/*
 * rules_optimum.c - thresholds that optimise: youden, fbeta, cost, eer
 *
 * Candidates are the vertices: every distinct score, and +inf, which flags
 * nothing (unless a row has that score). Of thresholds equally good the
 * largest is taken. Merits are long double: counts times counts are exact to
 * 2^64.
 */
#include "decide/threshold.h"

#include <float.h>

typedef long double merit_fn(const struct ood_curve *curve,
			     const struct ood_vertex *v, const double *weight);

struct search {
	merit_fn *merit;
	double weight[2];
	long double slack; /* merits that differ by less are equal */
};

static bool has_infinite(const struct ood_curve *c)
{
	return (c->n_id && c->id[c->n_id - 1] > DBL_MAX) ||
	       (c->n_ood && c->ood[c->n_ood - 1] > DBL_MAX);
}

static struct ood_cut maximise(const struct ood_curve *curve,
			       const struct search *s)
{
	struct ood_vertex v = ood_curve_start();
	struct ood_cut cut = { .threshold = v.score, .tied_optima = 1 };
	long double best = s->merit(curve, &v, s->weight);

	if (has_infinite(curve))
		best = -INFINITY;
	while (ood_curve_next(curve, &v)) {
		long double merit = s->merit(curve, &v, s->weight);

		if (merit > best + s->slack) {
			best = merit;
			cut.threshold = v.score;
			cut.tied_optima = 1;
		} else if (merit >= best - s->slack) {
			cut.tied_optima++;
		}
	}
	return cut;
}

static long double informedness(const struct ood_curve *curve,
				const struct ood_vertex *v,
				const double *weight)
{
	(void)weight;
	return (long double)v->tp * (long double)curve->n_id -
	       (long double)v->fp * (long double)curve->n_ood;
}

static struct ood_cut youden(const struct ood_curve *curve,
			     const struct ood_args *args)
{
	struct search s = { .merit = informedness };

	(void)args;
	return maximise(curve, &s);
}

static void youden_promise(const struct ood_args *args, struct ood_buf *out)
{
	(void)args;
	ood_buf_str(out, "maximises TPR - FPR on this sample; on other rows "
			 "expect less");
}

const struct ood_rule ood_rule_youden = {
	.name = "youden",
	.brief = "maximise TPR - FPR",
	.cite = "Youden: Index for rating diagnostic tests, Cancer 3 (1950)",
	.needs_id = true,
	.needs_ood = true,
	.cut = youden,
	.promise = youden_promise,
};

static const struct ood_param fbeta_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "beta",
	  .help = "weight of recall against precision",
	  .def = 1,
	  .lo = 0,
	  .hi = 1e6,
	  .lo_open = true },
	{ .kind = OOD_PARAM_END },
};

/* F without its constant factor 1 + beta^2; equal fractions of integers give
 * equal quotients. */
static long double f_measure(const struct ood_curve *curve,
			     const struct ood_vertex *v, const double *weight)
{
	return (long double)v->tp /
	       ((long double)weight[0] * (long double)curve->n_ood +
		(long double)(v->tp + v->fp));
}

static struct ood_cut fbeta(const struct ood_curve *curve,
			    const struct ood_args *args)
{
	struct search s = { .merit = f_measure,
			    .weight = { args->num[0] * args->num[0] } };

	return maximise(curve, &s);
}

static void fbeta_promise(const struct ood_args *args, struct ood_buf *out)
{
	ood_buf_str(out, "maximises the F-measure with beta ");
	ood_buf_num(out, args->num[0]);
	ood_buf_str(out, " (OoD positive) on this sample; on other rows "
			 "expect less");
}

const struct ood_rule ood_rule_fbeta = {
	.name = "fbeta",
	.arg = "B",
	.brief = "maximise the F-measure, recall weighing B times precision",
	.cite = "van Rijsbergen: Information Retrieval, 2nd edition, 1979",
	.needs_id = true,
	.needs_ood = true,
	.params = fbeta_params,
	.cut = fbeta,
	.promise = fbeta_promise,
};

enum { COST_FN, COST_FP, COST_PRIOR };

static const struct ood_param cost_params[] = {
	[COST_FN] = { .kind = OOD_PARAM_REAL,
		      .name = "fn",
		      .help = "cost of an OoD row accepted",
		      .def = NAN,
		      .lo = 0,
		      .hi = 1e12,
		      .lo_open = true,
		      .need = true },
	[COST_FP] = { .kind = OOD_PARAM_REAL,
		      .name = "fp",
		      .help = "cost of an ID row flagged",
		      .def = NAN,
		      .lo = 0,
		      .hi = 1e12,
		      .lo_open = true,
		      .need = true },
	[COST_PRIOR] = { .kind = OOD_PARAM_REAL,
			 .name = "prior",
			 .help = "share of OoD rows expected; not given: that "
				 "of the sample",
			 .def = NAN,
			 .lo = 0,
			 .hi = 1,
			 .lo_open = true },
	{ .kind = OOD_PARAM_END },
};

static long double saving(const struct ood_curve *curve,
			  const struct ood_vertex *v, const double *weight)
{
	(void)curve;
	return (long double)weight[0] * (long double)v->tp -
	       (long double)weight[1] * (long double)v->fp;
}

/*
 * The expected cost prior FN (1 - TPR) + (1 - prior) FP FPR is least where
 * w_0 tp - w_1 fp is largest, w_0 = prior FN/P, w_1 = (1 - prior) FP/N; with
 * the sample's own prior they are FN and FP. Decimals make ties inexact.
 */
static struct ood_cut cost(const struct ood_curve *curve,
			   const struct ood_args *args)
{
	double fn = args->num[COST_FN], fp = args->num[COST_FP];
	double prior = args->num[COST_PRIOR];
	double p = (double)curve->n_ood, n = (double)curve->n_id;
	struct search s = { .merit = saving, .weight = { fn, fp } };

	if (args->given[COST_PRIOR]) {
		s.weight[0] = prior * fn / p;
		s.weight[1] = (1 - prior) * fp / n;
	}
	s.slack = 1e-13 * OOD_MAX(s.weight[0] * p, s.weight[1] * n);
	return maximise(curve, &s);
}

static void cost_promise(const struct ood_args *args, struct ood_buf *out)
{
	ood_buf_str(out, "least cost on this sample, an OoD row accepted "
			 "costing ");
	ood_buf_num(out, args->num[COST_FN]);
	ood_buf_str(out, ", an ID row flagged ");
	ood_buf_num(out, args->num[COST_FP]);
	if (args->given[COST_PRIOR]) {
		ood_buf_str(out, ", OoD rows being expected with share ");
		ood_buf_num(out, args->num[COST_PRIOR]);
	}
	ood_buf_str(out, "; on other rows expect more");
}

const struct ood_rule ood_rule_cost = {
	.name = "cost",
	.arg = "FN:FP[:PRIOR]",
	.brief = "least expected cost; PRIOR: share of OoD rows expected",
	.cite = "Elkan: The foundations of cost-sensitive learning, IJCAI 2001",
	.needs_id = true,
	.needs_ood = true,
	.params = cost_params,
	.cut = cost,
	.promise = cost_promise,
};

static long double balance(const struct ood_curve *curve,
			   const struct ood_vertex *v, const double *weight)
{
	(void)weight;
	return -fabsl((long double)v->fp * (long double)curve->n_ood -
		      (long double)(curve->n_ood - v->tp) *
			      (long double)curve->n_id);
}

/* The vertex where FPR and FNR are nearest: the interpolated crossing has no
 * threshold of its own. */
static struct ood_cut eer(const struct ood_curve *curve,
			  const struct ood_args *args)
{
	struct search s = { .merit = balance };

	(void)args;
	return maximise(curve, &s);
}

static void eer_promise(const struct ood_args *args, struct ood_buf *out)
{
	(void)args;
	ood_buf_str(out, "brings FPR and FNR as near together as this sample "
			 "allows");
}

const struct ood_rule ood_rule_eer = {
	.name = "eer",
	.brief = "the vertex where FPR and FNR are nearest",
	.cite = "Martin et al.: The DET curve in assessment of detection task "
		"performance, Eurospeech 1997",
	.needs_id = true,
	.needs_ood = true,
	.cut = eer,
	.promise = eer_promise,
};
