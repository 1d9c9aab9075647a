/*
 * sample.h - the scores of one side of an evaluation, gathered from its sets
 */
#ifndef OOD_CLI_SAMPLE_H
#define OOD_CLI_SAMPLE_H

#include "cli/model_opts.h"
#include "cli/truth.h"
#include "cli/unused.h"
#include "io/idset.h"
#include "metrics/calibration.h"
#include "model/chain.h"

/* Right or wrong, as a prediction. */
enum ood_verdict { OOD_RIGHT, OOD_WRONG, OOD_NO_VERDICT };

/*
 * All rows of one side: a column of scores for each scorer, and what is known
 * of the predictions. 8 bytes a row and scorer, and one for the verdict.
 */
struct ood_sample {
	const char *name; /* "near", "id" */
	size_t n, room, columns;
	size_t classes;	  /* of its class scores; 0 none */
	double **score;	  /* columns x n */
	uint8_t *verdict; /* n, enum ood_verdict; NULL: predictions unknown */
	uint8_t *is_ood;  /* n, for a mixed set with its truth; else NULL */
	char *truth_path; /* file that told is_ood, for messages */
	bool has_groups;
	struct ood_idset ids;
};

struct ood_sampling {
	const struct ood_read *read;
	/* -s: scorers, or names of columns where the file has scores. */
	const char *scorers;
	const struct ood_model_options *from; /* -m and the last layer */
	/* Made of them by the first set that is no set of scores; the
	 * caller's. */
	struct ood_model **model;
	struct ood_truth truth;
	bool judge; /* note verdicts where predictions are known ... */
	struct ood_calibration *calibration; /* ... and sum up probabilities */
	const struct ood_output_options *out;
	struct ood_report *report;
	struct ood_used *used; /* noted as well; NULL: not wanted */
};

/*
 * Reads all sets (joined in order) into sample: class scores through the
 * model, else the scores that the files hold. Fails on the first row that is
 * no good; notes inputs and warnings in the report. The columns' names are
 * left in *names where it is NULL, else they must be the same again (free
 * with ood_names_free()).
 */
int ood_sample_read(struct ood_sample *sample, const struct ood_texts *specs,
		    const struct ood_sampling *how, char ***names,
		    struct ood_err *err);
void ood_sample_free(struct ood_sample *sample);

/* Moves the rows of a mixed sample to its two sides. */
int ood_sample_split(struct ood_sample *mixed, struct ood_sample *id,
		     struct ood_sample *ood, struct ood_err *err);

#endif
