/*
 * rules_rank.c - thresholds that hold a share: keep, fpr, tpr
 *
 * Shares are counts: k = ceil(q n) rows or more, floor(f n) or fewer.
 */
#include "core/num.h"
#include "decide/threshold.h"
#include "math/order.h"
#include "math/quota.h"

#include <float.h>

/* "95" for 0.95: 15 digits hide the rounding of the product. */
static void percent(struct ood_buf *out, double share)
{
	char text[OOD_NUM_MAX];

	ood_num_format_digits(text, 100 * share, 15);
	ood_buf_str(out, text);
	ood_buf_str(out, " %");
}

/* A share of the rows of a side. */
#define SHARE(word, what, open)                                                \
	{                                                                      \
		{ .kind = OOD_PARAM_REAL,                                      \
		  .name = word,                                                \
		  .help = what,                                                \
		  .def = NAN,                                                  \
		  .lo = 0,                                                     \
		  .hi = 1,                                                     \
		  .lo_open = open,                                             \
		  .need = true },                                              \
			{ .kind = OOD_PARAM_END },                             \
	}

static void promise(struct ood_buf *out, const char *before, double share,
		    const char *behind)
{
	ood_buf_str(out, before);
	percent(out, share);
	ood_buf_str(out, behind);
}

static struct ood_cut infeasible(const char *reason)
{
	return (struct ood_cut){ .threshold = NAN,
				 .status = OOD_STATUS_INFEASIBLE,
				 .reason = reason };
}

/* too_few: why the rows cannot resolve the share; NULL if they do. */
static struct ood_cut cut_at(double threshold, const char *too_few)
{
	return (struct ood_cut){ .threshold = threshold,
				 .status = too_few ? OOD_STATUS_NOT_RESOLVABLE
						   : OOD_STATUS_OK,
				 .reason = too_few };
}

/* k rows of n hold the share, which is not all of them. */
static const char *only_all(size_t k, size_t n, double share)
{
	return k == n && share < 1
		       ? "too few rows to tell this share from all of them"
		       : NULL;
}

static const struct ood_param keep_params[] =
	SHARE("q", "least share of ID rows accepted", true);

/*
 * The k-th smallest ID score must be accepted; the next double above it is
 * the least threshold that does so. An interpolated quantile keeps fewer rows
 * than asked.
 */
static struct ood_cut keep(const struct ood_curve *curve,
			   const struct ood_args *args)
{
	size_t n = curve->n_id, k = ood_quota_least(args->num[0], n);
	double last = curve->id[OOD_MAX(k, 1) - 1];

	if (last > DBL_MAX)
		return infeasible("ID rows of score +inf would have to be "
				  "accepted");
	return cut_at(nextafter(last, INFINITY), only_all(k, n, args->num[0]));
}

static void keep_promise(const struct ood_args *args, struct ood_buf *out)
{
	promise(out, "accepts at least ", args->num[0],
		" of the ID rows of this sample");
}

const struct ood_rule ood_rule_keep = {
	.name = "keep",
	.arg = "Q",
	.brief = "accept at least the share Q of the ID rows",
	.needs_id = true,
	.params = keep_params,
	.cut = keep,
	.promise = keep_promise,
};

static const struct ood_param fpr_params[] =
	SHARE("f", "largest share of ID rows flagged", false);

/* The first entry of the ascending array x above t; +inf if none is. */
static double next_above(const double *x, size_t n, double t)
{
	size_t k = ood_count_upto(x, n, t);

	return k < n ? x[k] : INFINITY;
}

/* With m false alarms allowed, every observed score will do that lies above
 * the ID score that would be one more. */
static struct ood_cut fpr(const struct ood_curve *curve,
			  const struct ood_args *args)
{
	size_t n = curve->n_id, m = ood_quota_most(args->num[0], n);
	double last = m < n ? curve->id[n - m - 1] : -INFINITY;

	if (last > DBL_MAX)
		return infeasible("too many ID rows have the score +inf, "
				  "which every threshold flags");
	double id = m < n ? next_above(curve->id, n, last) : curve->id[0];
	double ood = m < n	    ? next_above(curve->ood, curve->n_ood, last)
		     : curve->n_ood ? curve->ood[0]
				    : INFINITY;

	return cut_at(OOD_MIN(id, ood),
		      !m && args->num[0] > 0
			      ? "too few ID rows to tell this share from none"
			      : NULL);
}

static void fpr_promise(const struct ood_args *args, struct ood_buf *out)
{
	promise(out, "flags at most ", args->num[0],
		" of the ID rows of this sample");
}

const struct ood_rule ood_rule_fpr = {
	.name = "fpr",
	.arg = "F",
	.brief = "flag at most the share F of the ID rows",
	.needs_id = true,
	.params = fpr_params,
	.cut = fpr,
	.promise = fpr_promise,
};

static const struct ood_param tpr_params[] =
	SHARE("t", "least share of OoD rows flagged", true);

static struct ood_cut tpr(const struct ood_curve *curve,
			  const struct ood_args *args)
{
	size_t n = curve->n_ood, k = ood_quota_least(args->num[0], n);

	return cut_at(curve->ood[n - OOD_MAX(k, 1)],
		      only_all(k, n, args->num[0]));
}

static void tpr_promise(const struct ood_args *args, struct ood_buf *out)
{
	promise(out, "flags at least ", args->num[0],
		" of the OoD rows of this sample");
}

const struct ood_rule ood_rule_tpr = {
	.name = "tpr",
	.arg = "T",
	.brief = "flag at least the share T of the OoD rows",
	.needs_ood = true,
	.params = tpr_params,
	.cut = tpr,
	.promise = tpr_promise,
};
