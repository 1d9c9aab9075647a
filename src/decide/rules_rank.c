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

#define TOO_FEW "too few rows to tell this share from all of them"

/* "95" for 0.95: 15 digits hide the rounding of the product. */
static void percent(struct ood_buf *out, double share)
{
	char text[OOD_NUM_MAX];

	ood_num_format_digits(text, 100 * share, 15);
	ood_buf_str(out, text);
	ood_buf_str(out, " %");
}

static struct ood_cut infeasible(const char *reason)
{
	return (struct ood_cut){ .threshold = NAN,
				 .status = OOD_STATUS_INFEASIBLE,
				 .reason = reason };
}

static const struct ood_param keep_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "q",
	  .help = "least share of ID rows accepted",
	  .def = NAN,
	  .lo = 0,
	  .hi = 1,
	  .lo_open = true,
	  .need = true },
	{ .kind = OOD_PARAM_END },
};

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
	struct ood_cut cut = { .threshold = nextafter(last, INFINITY) };

	if (last > DBL_MAX)
		return infeasible("ID rows of score +inf would have to be "
				  "accepted");
	if (k == n && args->num[0] < 1) {
		cut.status = OOD_STATUS_NOT_RESOLVABLE;
		cut.reason = TOO_FEW;
	}
	return cut;
}

static void keep_promise(const struct ood_args *args, struct ood_buf *out)
{
	ood_buf_str(out, "accepts at least ");
	percent(out, args->num[0]);
	ood_buf_str(out, " of the ID rows of this sample");
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

static const struct ood_param fpr_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "f",
	  .help = "largest share of ID rows flagged",
	  .def = NAN,
	  .lo = 0,
	  .hi = 1,
	  .need = true },
	{ .kind = OOD_PARAM_END },
};

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
	struct ood_cut cut = { 0 };

	if (last > DBL_MAX)
		return infeasible("too many ID rows have the score +inf, "
				  "which every threshold flags");
	if (m == n)
		cut.threshold = OOD_MIN(
			curve->id[0], curve->n_ood ? curve->ood[0] : INFINITY);
	else
		cut.threshold =
			OOD_MIN(next_above(curve->id, n, last),
				next_above(curve->ood, curve->n_ood, last));
	if (!m && args->num[0] > 0) {
		cut.status = OOD_STATUS_NOT_RESOLVABLE;
		cut.reason = "too few ID rows to tell this share from none";
	}
	return cut;
}

static void fpr_promise(const struct ood_args *args, struct ood_buf *out)
{
	ood_buf_str(out, "flags at most ");
	percent(out, args->num[0]);
	ood_buf_str(out, " of the ID rows of this sample");
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

static const struct ood_param tpr_params[] = {
	{ .kind = OOD_PARAM_REAL,
	  .name = "t",
	  .help = "least share of OoD rows flagged",
	  .def = NAN,
	  .lo = 0,
	  .hi = 1,
	  .lo_open = true,
	  .need = true },
	{ .kind = OOD_PARAM_END },
};

static struct ood_cut tpr(const struct ood_curve *curve,
			  const struct ood_args *args)
{
	size_t n = curve->n_ood, k = ood_quota_least(args->num[0], n);
	struct ood_cut cut = { .threshold = curve->ood[n - OOD_MAX(k, 1)] };

	if (k == n && args->num[0] < 1) {
		cut.status = OOD_STATUS_NOT_RESOLVABLE;
		cut.reason = TOO_FEW;
	}
	return cut;
}

static void tpr_promise(const struct ood_args *args, struct ood_buf *out)
{
	ood_buf_str(out, "flags at least ");
	percent(out, args->num[0]);
	ood_buf_str(out, " of the OoD rows of this sample");
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
