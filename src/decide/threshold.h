/*
 * threshold.h - thresholds by a stated rule
 *
 * To add a rule: one function, one line in rules.def.
 */
#ifndef OOD_DECIDE_THRESHOLD_H
#define OOD_DECIDE_THRESHOLD_H

#include "core/base.h"
#include "core/param.h"
#include "core/value.h"
#include "math/curve.h"

struct ood_cut {
	double threshold; /* row is flagged if score >= it; +inf flags none */
	enum ood_status status;
	const char *reason; /* static */
	/* Thresholds that reach the optimum, this one (the largest) included;
	 * 0 for rules that look for none. */
	size_t tied_optima;
};

struct ood_rule {
	const char *name;  /* option --NAME and word of the rule: "keep" */
	const char *arg;   /* "Q", or NULL where it takes none */
	const char *brief; /* for help */
	const char *cite;
	bool needs_id, needs_ood;
	const struct ood_param *params; /* NULL: none */
	/* Called by ood_ruling_cut() with the sides that it needs. */
	struct ood_cut (*cut)(const struct ood_curve *curve,
			      const struct ood_args *args);
	/* What it promises, one sentence with the numbers, for reports. */
	void (*promise)(const struct ood_args *args, struct ood_buf *out);
};
extern const struct ood_rule *const ood_rules[]; /* ends with NULL */

/* As typed: "keep=0.95", "cost=10:1:0.01", "youden". The numbers fill the
 * parameters in order. Free with ood_ruling_free(). OOD_USAGE: no such rule,
 * wrong numbers. */
struct ood_ruling {
	const struct ood_rule *rule;
	struct ood_args args;
	char *text;
};
int ood_ruling_parse(struct ood_ruling *ruling, const char *text,
		     struct ood_err *err);
void ood_ruling_free(struct ood_ruling *ruling);

/*
 * The threshold. Status:
 *	ok		it meets the rule
 *	not_resolvable	it meets the rule, but the rows are too few to tell
 *			the share asked for from all (or none) of them
 *	infeasible	no threshold meets the rule; threshold is NaN
 *	undefined	a side that the rule needs has no rows; NaN
 */
struct ood_cut ood_ruling_cut(const struct ood_ruling *ruling,
			      const struct ood_curve *curve);

/* What a threshold achieves, with Clopper-Pearson intervals at level. */
struct ood_achieved {
	struct ood_value id_kept;      /* share of ID rows with score < t */
	struct ood_value ood_detected; /* share of OoD rows with score >= t */
};
struct ood_achieved ood_achieve(const struct ood_curve *curve, double threshold,
				double level);

#endif
