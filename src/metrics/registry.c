/*
 * registry.c - the metrics there are, and those that were typed
 */
#include <strings.h>

#include "core/err.h"
#include "metrics/metric.h"

#define OOD_METRIC(symbol) extern const struct ood_metric ood_metric_##symbol;
#include "metrics/metrics.def"
#undef OOD_METRIC

const struct ood_metric *const ood_metrics[] = {
#define OOD_METRIC(symbol) &ood_metric_##symbol,
#include "metrics/metrics.def"
#undef OOD_METRIC
	NULL
};

const struct ood_metric *ood_metric_find(const char *name, size_t n)
{
	for (size_t i = 0; ood_metrics[i]; i++)
		if (ood_is(name, n, ood_metrics[i]->name))
			return ood_metrics[i];
	return NULL;
}

static bool is_among(const char *words, const char *word, size_t n)
{
	for (const char *at = words; at && *at;) {
		size_t m = strcspn(at, " ");

		if (m == n && !strncasecmp(at, word, n))
			return true;
		at += m + (at[m] == ' ');
	}
	return false;
}

/* The metric that others call so; else one that is written like it. */
static const char *suggest(struct ood_span name)
{
	const char *names[OOD_COUNT(ood_metrics)];

	for (size_t i = 0; ood_metrics[i]; i++)
		if (is_among(ood_metrics[i]->name, name.at, name.n) ||
		    is_among(ood_metrics[i]->meant, name.at, name.n))
			return ood_metrics[i]->name;
	for (size_t i = 0; ood_metrics[i]; i++)
		names[i] = ood_metrics[i]->name;
	names[OOD_COUNT(ood_metrics) - 1] = NULL;
	return ood_nearest(name.at, name.n, names);
}

static int fail_unknown(struct ood_span name, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];
	const char *near = suggest(name);

	ood_quote(quoted, sizeof(quoted), name.at, name.n);

	if (near)
		return ood_fail(err, OOD_USAGE,
				"unknown metric \"%s\" (did you mean %s?)",
				quoted, near);
	return ood_fail(err, OOD_USAGE,
			"unknown metric \"%s\" (ood list metrics shows all)",
			quoted);
}

int ood_measure_parse(struct ood_measure *measure, const struct ood_spec *spec,
		      struct ood_err *err)
{
	struct ood_span column = spec->column.n ? spec->column : spec->whole;
	char who[64] = "metric ";
	int rc;

	*measure = (struct ood_measure){ .metric = ood_metric_find(
						 spec->name.at, spec->name.n) };
	if (!measure->metric)
		return fail_unknown(spec->name, err);
	strncat(who, measure->metric->name, sizeof(who) - strlen(who) - 1);
	rc = ood_args_parse(measure->metric->params, who, spec->params,
			    &measure->args, err);
	if (rc)
		return rc;
	measure->column = ood_strndup(column.at, column.n);
	if (measure->column)
		return OOD_OK;
	ood_measure_free(measure);
	return ood_fail_memory(err, column.n);
}

void ood_measure_free(struct ood_measure *measure)
{
	ood_args_free(&measure->args);
	ood_free(measure->column);
	*measure = (struct ood_measure){ .metric = NULL };
}
