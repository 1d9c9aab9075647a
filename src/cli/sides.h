/*
 * sides.h - the two sides of an evaluation: ID rows against sets of OoD rows
 *
 * From --id and --ood, or from mixed sets (--scores) and their truth.
 */
#ifndef OOD_CLI_SIDES_H
#define OOD_CLI_SIDES_H

#include "cli/sample.h"
#include "model/modelfile.h"

/* Options of commands that judge ID against OoD. */
struct ood_side_options {
	const char *truth, *ood_label;
	struct ood_texts id, ood, scores;
	struct ood_model_options model;
};
extern const struct ood_opt ood_side_opts[];
/* Its parts of a command's options, at FIELD. */
#define OOD_SIDE_PARTS(at)                                                     \
	{ ood_side_opts, at, NULL },                                           \
		{ ood_model_opts,                                              \
		  (at) + offsetof(struct ood_side_options, model), NULL },     \
	{                                                                      \
		ood_head_opts,                                                 \
			(at) + offsetof(struct ood_side_options, model.head),  \
			NULL                                                   \
	}

/* What else was typed that such a command cannot take. */
int ood_sides_check(const struct ood_texts *rest,
		    const struct ood_input_options *in, struct ood_err *err);

struct ood_sides {
	struct ood_sample id;
	struct ood_sample *ood; /* n_ood sets */
	size_t n_ood;
	char **ood_names; /* of the sets, owned */
	char **columns;	  /* of the scores; ends with NULL */
	struct ood_model *model;
	char *scorers; /* -s, joined */
	/* of the only -m, without -s; else empty */
	char model_crc32[OOD_CRC_TEXT];
	bool higher_id;	  /* columns of files: they were negated */
	char *truth_path; /* file of a mixed set's truth, for messages */
};

/* Reads all sides. how->judge, model and scorers are filled in here. */
int ood_sides_read(struct ood_sides *sides,
		   const struct ood_side_options *options,
		   struct ood_sampling *how, struct ood_err *err);
void ood_sides_free(struct ood_sides *sides);

/* Full spec of score column c: the scorer's, or the column's name. */
const char *ood_sides_spec(const struct ood_sides *sides, size_t c);

/* Sorts every column; the samples' rows lose their order. */
int ood_sides_sort(struct ood_sides *sides, struct ood_err *err);

/* ID against OoD set k by column c, once sorted. */
struct ood_curve ood_sides_curve(const struct ood_sides *sides, size_t k,
				 size_t c);

/* OOD_INPUT if a side has no rows. */
int ood_sides_both(const struct ood_sides *sides, struct ood_err *err);

#endif
