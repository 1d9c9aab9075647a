/*
 * partial.c - partial area under the ROC curve
 *
 * The area under the polyline of TPR over FPR in [a, b], or of 1 - FPR over
 * TPR. Corrected as McClish (Analyzing a portion of the ROC curve, Medical
 * Decision Making 9 (1989) 190-195): (1 + (A - min)/(max - min))/2, where min
 * is the area under chance and max = b - a; 0.5 is chance, 1 perfect.
 */
#include "math/reduce.h"
#include "metrics/figure.h"

enum { FROM, TO, AXIS, CORRECTED };

static const struct ood_param params[] = {
	[FROM] = { .kind = OOD_PARAM_REAL,
		   .name = "from",
		   .help = "lower end of the rates",
		   .def = 0,
		   .lo = 0,
		   .hi = 1 },
	[TO] = { .kind = OOD_PARAM_REAL,
		 .name = "to",
		 .help = "upper end, above the lower",
		 .def = 0.1,
		 .lo = 0,
		 .hi = 1 },
	[AXIS] = { .kind = OOD_PARAM_WORD,
		   .name = "axis",
		   .help = "rate that the range is of",
		   .choices = "fpr tpr" },
	[CORRECTED] = { .kind = OOD_PARAM_SWITCH,
			.name = "corrected",
			.help = "McClish's correction" },
	{ .kind = OOD_PARAM_END },
};

struct point {
	double x, y;
};

static struct point point_at(const struct ood_curve *c,
			     const struct ood_vertex *v, bool by_tpr)
{
	double fpr = (double)v->fp / (double)c->n_id;
	double tpr = (double)v->tp / (double)c->n_ood;
	double tnr = (double)(c->n_id - v->fp) / (double)c->n_id;

	return by_tpr ? (struct point){ tpr, tnr } : (struct point){ fpr, tpr };
}

/* Area under the line from p to q between x = a and x = b. */
static double strip(struct point p, struct point q, double a, double b)
{
	double from = OOD_MAX(p.x, a), to = OOD_MIN(q.x, b);

	if (!(to > from))
		return 0;
	double slope = (q.y - p.y) / (q.x - p.x);
	double y_from = p.y + slope * (from - p.x);
	double y_to = q.y - slope * (q.x - to);

	return (to - from) * (y_from + y_to) / 2;
}

static double area(const struct ood_curve *c, const struct ood_args *args)
{
	bool by_tpr = args->num[AXIS] > 0;
	struct ood_vertex v = ood_curve_start();
	struct point before = point_at(c, &v, by_tpr);
	struct ood_sum sum = { 0 };

	while (ood_curve_next(c, &v)) {
		struct point here = point_at(c, &v, by_tpr);

		ood_sum_add(&sum, strip(before, here, args->num[FROM],
					args->num[TO]));
		before = here;
	}
	return ood_sum_value(&sum);
}

/* The area under the diagonal. */
static double area_of_chance(const struct ood_args *args)
{
	double a = args->num[FROM], b = args->num[TO];
	double least = (b - a) * (a + b) / 2;

	return args->num[AXIS] > 0 ? b - a - least : least;
}

static double chance(const struct ood_args *args)
{
	return args->num[CORRECTED] > 0 ? 0.5 : area_of_chance(args);
}

static struct ood_value pauroc(const struct ood_evidence *evidence,
			       const struct ood_args *args)
{
	const char *reason = ood_one_sided(&evidence->curve);
	double a = args->num[FROM], b = args->num[TO];

	if (reason)
		return ood_value_undefined(reason);
	if (!(b > a))
		return ood_value_undefined("empty range: to is not above from");
	double got = area(&evidence->curve, args);
	double most = b - a, least = area_of_chance(args);

	if (!(args->num[CORRECTED] > 0))
		return ood_value_ok(got);
	return ood_value_ok((1 + (got - least) / (most - least)) / 2);
}

const struct ood_metric ood_metric_pauroc = {
	.name = "pauroc",
	.brief = "area under a part of the ROC curve",
	.formula = "integral of TPR over FPR in [from, to]",
	.cite = "McClish: Analyzing a portion of the ROC curve, Medical "
		"Decision Making 9 (1989)",
	.kind = OOD_METRIC_DETECTION,
	.larger_better = true,
	.params = params,
	.meant = "pauc partial_auc",
	.chance = chance,
	.value = pauroc,
};
