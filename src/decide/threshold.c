/*
 * threshold.c - thresholds by a stated rule
 */
#include "decide/threshold.h"

#include "core/err.h"
#include "math/binomial.h"
#include "math/order.h"
#include "math/ranked.h"

#define OOD_RULE(symbol) extern const struct ood_rule ood_rule_##symbol;
#include "decide/rules.def"
#undef OOD_RULE

const struct ood_rule *const ood_rules[] = {
#define OOD_RULE(symbol) &ood_rule_##symbol,
#include "decide/rules.def"
#undef OOD_RULE
	NULL
};

static const struct ood_rule *find(const char *name, size_t n)
{
	for (size_t i = 0; ood_rules[i]; i++)
		if (ood_is(name, n, ood_rules[i]->name))
			return ood_rules[i];
	return NULL;
}

static int fail_unknown(const char *name, size_t n, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];
	struct ood_buf known = { 0 };
	int rc;

	for (size_t i = 0; ood_rules[i]; i++) {
		ood_buf_str(&known, i ? ", " : "");
		ood_buf_str(&known, ood_rules[i]->name);
	}
	ood_quote(quoted, sizeof(quoted), name, n);
	rc = ood_fail(err, OOD_USAGE, "unknown rule \"%s\" (there are %s)",
		      quoted, known.text ? known.text : "");
	ood_buf_free(&known);
	return rc;
}

/* "10:1" as "fn=10:fp=1": the numbers in the order of the table. */
static int name_values(const struct ood_rule *rule, struct ood_span values,
		       struct ood_buf *out, struct ood_err *err)
{
	size_t most = ood_param_count(rule->params), i = 0;
	const char *at = values.at, *end = at + values.n;

	while (at && at < end) {
		const char *stop = memchr(at, ':', (size_t)(end - at));

		if (i == most && !most)
			return ood_fail(err, OOD_USAGE,
					"rule %s takes no number", rule->name);
		if (i == most)
			return ood_fail(err, OOD_USAGE,
					"rule %s takes %s, no more", rule->name,
					rule->arg);
		if (!stop)
			stop = end;
		ood_buf_str(out, i ? ":" : "");
		ood_buf_str(out, rule->params[i++].name);
		ood_buf_char(out, '=');
		ood_buf_add(out, at, (size_t)(stop - at));
		at = stop < end ? stop + 1 : end;
	}
	if (i < most && rule->params[i].need)
		return ood_fail(err, OOD_USAGE, "rule %s needs %s=%s",
				rule->name, rule->name, rule->arg);
	return out->failed ? ood_fail_memory(err, values.n) : OOD_OK;
}

static int parse_values(struct ood_ruling *ruling, struct ood_span values,
			struct ood_err *err)
{
	struct ood_buf named = { 0 };
	char who[32] = "rule ";
	int rc = name_values(ruling->rule, values, &named, err);

	strncat(who, ruling->rule->name, sizeof(who) - strlen(who) - 1);
	if (!rc)
		rc = ood_args_parse(ruling->rule->params, who,
				    (struct ood_span){ named.text, named.n },
				    &ruling->args, err);
	ood_buf_free(&named);
	return rc;
}

int ood_ruling_parse(struct ood_ruling *ruling, const char *text,
		     struct ood_err *err)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : strlen(text);
	struct ood_span values = { NULL, 0 };
	int rc;

	*ruling = (struct ood_ruling){ .rule = find(text, n) };
	if (!ruling->rule)
		return fail_unknown(text, n, err);
	if (equals)
		values = (struct ood_span){ equals + 1, strlen(equals + 1) };
	rc = parse_values(ruling, values, err);
	if (rc)
		return rc;
	ruling->text = ood_strdup(text);
	if (ruling->text)
		return OOD_OK;
	ood_ruling_free(ruling);
	return ood_fail_memory(err, strlen(text));
}

void ood_ruling_free(struct ood_ruling *ruling)
{
	ood_args_free(&ruling->args);
	ood_free(ruling->text);
	*ruling = (struct ood_ruling){ .rule = NULL };
}

static struct ood_cut undefined(const char *reason)
{
	return (struct ood_cut){ .threshold = NAN,
				 .status = OOD_STATUS_UNDEFINED,
				 .reason = reason };
}

struct ood_cut ood_ruling_cut(const struct ood_ruling *ruling,
			      const struct ood_curve *curve)
{
	if (ruling->rule->needs_id && !curve->n_id)
		return undefined("the rule needs ID rows, and there are none");
	if (ruling->rule->needs_ood && !curve->n_ood)
		return undefined("the rule needs OoD rows, and there are none");
	return ruling->rule->cut(curve, &ruling->args);
}

static struct ood_value share(size_t k, size_t n, double level)
{
	struct ood_value v;

	if (!n)
		return ood_value_undefined("no rows");
	v = ood_value_ok((double)k / (double)n);
	v.method = "clopper-pearson";
	ood_clopper_pearson(k, n, level, &v.lo, &v.hi);
	return v;
}

struct ood_achieved ood_achieve(const struct ood_curve *curve, double threshold,
				double level)
{
	size_t kept = ood_count_below(curve->id, curve->n_id, threshold);
	size_t missed = ood_count_below(curve->ood, curve->n_ood, threshold);

	return (struct ood_achieved){
		.id_kept = share(kept, curve->n_id, level),
		.ood_detected =
			share(curve->n_ood - missed, curve->n_ood, level),
	};
}

int ood_threshold(const char *rule, const double *id, size_t n_id,
		  const double *ood, size_t n_ood, double *threshold,
		  struct ood_err *err)
{
	struct ood_ruling ruling;
	double *a = NULL, *b = NULL;
	int rc = ood_ruling_parse(&ruling, rule, err);

	if (rc)
		return rc;
	rc = ood_ranked("ID", id, n_id, &a, err);
	if (!rc)
		rc = ood_ranked("OoD", ood, n_ood, &b, err);
	if (rc)
		goto out;
	struct ood_cut cut = ood_ruling_cut(
		&ruling,
		&(struct ood_curve){
			.id = a, .n_id = n_id, .ood = b, .n_ood = n_ood });

	if (cut.status == OOD_STATUS_UNDEFINED)
		rc = ood_fail(err, OOD_INPUT, "rule %s: %s", rule, cut.reason);
	else if (cut.status == OOD_STATUS_INFEASIBLE)
		rc = ood_fail(err, OOD_NUMERIC, "rule %s: %s", rule,
			      cut.reason);
	else
		*threshold = cut.threshold;
out:
	ood_free(a);
	ood_free(b);
	ood_ruling_free(&ruling);
	return rc;
}
