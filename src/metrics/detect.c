/*
 * detect.c - the public call for detection figures
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/ranked.h"
#include "metrics/figure.h"

static double figure(const char *name, const struct ood_evidence *evidence)
{
	static const struct ood_args none;

	return ood_metric_find(name, strlen(name))->value(evidence, &none).x;
}

static void fill(const struct ood_evidence *evidence,
		 struct ood_detection *figures)
{
	*figures = (struct ood_detection){
		.n_id = evidence->curve.n_id,
		.n_ood = evidence->curve.n_ood,
		.auroc = figure("auroc", evidence),
		.auroc_lo = figure("auroc_lo", evidence),
		.auroc_hi = figure("auroc_hi", evidence),
		.aupr_ood = figure("aupr_ood", evidence),
		.aupr_id = figure("aupr_id", evidence),
		.fpr95_ood = figure("fpr95_ood", evidence),
		.fpr95_id = figure("fpr95_id", evidence),
		.detection_error = figure("detection_error", evidence),
	};
}

int ood_detect(const double *id, size_t n_id, const double *ood, size_t n_ood,
	       struct ood_detection *figures, struct ood_err *err)
{
	double *id_side = NULL, *ood_side = NULL;
	struct ood_tally tally;
	int rc;

	if (!n_id && !n_ood)
		return ood_fail(err, OOD_INPUT, "no rows");
	rc = ood_ranked("ID", id, n_id, &id_side, err);
	if (!rc)
		rc = ood_ranked("OoD", ood, n_ood, &ood_side, err);
	if (rc)
		goto out;
	struct ood_evidence evidence = {
		.curve = { .id = id_side,
			   .n_id = n_id,
			   .ood = ood_side,
			   .n_ood = n_ood },
		.tally = &tally,
		.level = 0.95,
	};

	ood_tally(&evidence.curve, &tally);
	fill(&evidence, figures);
out:
	ood_free(ood_side);
	ood_free(id_side);
	return rc;
}
