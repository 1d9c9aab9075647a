/*
 * registry.c - the metrics there are, and those that were typed
 */
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

static int fail_unknown(struct ood_span name, struct ood_err *err)
{
	const char *names[OOD_COUNT(ood_metrics)];
	char quoted[OOD_QUOTE_MAX];

	for (size_t i = 0; ood_metrics[i]; i++)
		names[i] = ood_metrics[i]->name;
	names[OOD_COUNT(ood_metrics) - 1] = NULL;
	ood_quote(quoted, sizeof(quoted), name.at, name.n);

	const char *near = ood_nearest(name.at, name.n, names);

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
