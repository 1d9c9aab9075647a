/*
 * model_opts.h - what a command scores with: -s, -m and the last layer
 */
#ifndef OOD_CLI_MODEL_OPTS_H
#define OOD_CLI_MODEL_OPTS_H

#include "cli/common.h"
#include "model/chain.h"

struct ood_head_options {
	const char *weights, *bias; /* WHERE */
};
extern const struct ood_opt ood_head_opts[];

struct ood_model_options {
	struct ood_texts scorers; /* lists */
	struct ood_texts models;  /* files */
	struct ood_head_options head;
};
extern const struct ood_opt ood_model_opts[]; /* -s and -m */

/*
 * The chain of all of them: the columns of -s (list: joined, or NULL) first,
 * then those of each model; neither: msp.
 */
int ood_model_of(struct ood_model **model, const struct ood_model_options *o,
		 const char *list, const struct ood_read *read,
		 struct ood_err *err);

/* Names of classes that labels are bound by where the set names none. */
void ood_model_classes(const struct ood_model *model, struct ood_read *read);

/* Leaves unread what no stage looks at (a NaN there is no matter), and has a
 * table model's columns in its order. */
int ood_model_bind(const struct ood_model *model, struct ood_set *set,
		   struct ood_err *err);

/* Refuses -o equal to a model or the head (OOD_USAGE). */
int ood_model_spares(const struct ood_model_options *o,
		     const struct ood_output_options *out, struct ood_err *err);

/* Sentences of `notes` on stderr: warnings as such, unless quiet. */
void ood_tell_notes(const char *command, const struct ood_notes *notes,
		    bool quiet);

#endif
