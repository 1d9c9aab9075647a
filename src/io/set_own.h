/*
 * set_own.h - what set.c and its neighbours know of a set
 */
#ifndef OOD_IO_SET_OWN_H
#define OOD_IO_SET_OWN_H

#include "core/base.h"
#include "core/mem.h"
#include "io/check.h"
#include "io/labels.h"
#include "io/part.h"
#include "io/set.h"

/* Memory that a block is put together in; grows and is reused. */
enum ood_room {
	OOD_ROOM_BAD,
	OOD_ROOM_LOST,
	OOD_ROOM_ORIGIN,
	OOD_ROOM_ROW,
	OOD_ROOM_CLASSES,
	OOD_ROOM_FEATURES, /* one a layer */
	OOD_ROOM_SCORES = OOD_ROOM_FEATURES + OOD_LAYERS_MAX,
	OOD_ROOM_LABEL,
	OOD_ROOM_PRED,
	OOD_ROOM_CORRECT,
	OOD_ROOM_WEIGHTS,
	OOD_ROOM_IDS,
	OOD_ROOM_LABELS,
	OOD_ROOM_PREDS,
	OOD_ROOM_GROUPS,
	OOD_ROOM_EXTRA,
	OOD_ROOM_RECORDS,
	OOD_ROOMS
};

/* A column of scores: where it is. */
struct ood_score {
	char *name;
	size_t bound; /* number in part->bounds */
	size_t col;   /* within the bound */
	size_t width; /* of the bound where it is an array of its own; else 0 */
	bool spare;   /* only for those who name it */
};

/* A SET and what reading it has found so far. */
struct ood_side {
	struct ood_part *part;
	struct ood_score *scores;
	size_t n_scores, room;
	uint64_t rows;	  /* of the input, read so far */
	uint64_t skipped; /* by --nan skip */
	uint64_t marked;  /* by --nan worst|keep */
	double deviation; /* of a probability sum, and its row from 1 */
	uint64_t deviation_row;
	size_t like_probs; /* first rows of logits, all like probabilities */
};

struct ood_set {
	struct ood_read read;
	char *name;
	struct ood_side *sides; /* joined in order */
	size_t n_sides, now;
	struct ood_classes classes;
	struct ood_labels labels, preds;
	enum ood_role scores_role; /* of class scores; OOD_ROLES: none */
	struct ood_pixels pixels;
	size_t n_classes; /* 0: none or not known yet */
	uint64_t handed;  /* rows handed out */
	bool chosen;	  /* columns of scores */
	bool begun;

	void *room[OOD_ROOMS];
	size_t room_bytes[OOD_ROOMS];
	const size_t *origin; /* row of the block -> row at hand, or NULL */

	struct ood_input *inputs;
	size_t n_inputs;
	struct ood_warning *warnings;
	size_t n_warnings, room_warnings;
};

static inline struct ood_side *ood_set_side(const struct ood_set *set)
{
	return &set->sides[OOD_MIN(set->now, set->n_sides - 1)];
}

/* NULL when memory runs out. Contents are lost when it grows. */
void *ood_set_room(struct ood_set *set, enum ood_room which, size_t count,
		   size_t size);

/* --------------------------------------------------------- set.c --- */

/* Joined sets have the same arrays, as wide and as named. */
int ood_set_check_join(const struct ood_set *set, struct ood_err *err);

/* ------------------------------------------------------- set_head.c --- */

/* Class names from the header of the class scores, if it has any: logit_cat
 * is column cat; without the stem a column is its own name. */
int ood_set_header_names(const struct ood_set *set, const struct ood_part *part,
			 struct ood_classes *classes, struct ood_err *err);
/* From --classes, else from the header. */
int ood_set_find_names(struct ood_set *set, struct ood_err *err);
void ood_set_up_labels(struct ood_set *set);
/* Images of joined sets are of one size. */
int ood_set_find_pixels(struct ood_set *set, struct ood_err *err);

/* -------------------------------------------------- set_scores.c --- */

/* Lists the columns of scores of every side and names them. */
int ood_score_columns_list(struct ood_set *set, struct ood_err *err);
/* The same, keeping those chosen before and their order. */
int ood_score_columns_again(struct ood_set *set, struct ood_err *err);
void ood_score_columns_free(struct ood_side *side);

/* -------------------------------------------------------- block.c --- */

/* Makes a block of the n rows at hand: converts, checks, drops. */
int ood_block_fill(struct ood_set *set, size_t n, struct ood_block *block,
		   struct ood_err *err);

/* ------------------------------------------------------ set_notes.c --- */

/* When a side has been read: its warnings, and what reports say of it. */
int ood_set_note_side(struct ood_set *set, const struct ood_side *side,
		      struct ood_err *err);
void ood_set_free_notes(struct ood_set *set);
/* Takes the text over. */
int ood_set_warn(struct ood_set *set, const char *code, uint64_t count,
		 struct ood_buf *text, struct ood_err *err);

/* ------------------------------------------------------ set_hints.c --- */

/* Looks at the first rows of a side. */
void ood_set_look(struct ood_set *set, const struct ood_block *block);
/* Warns of what may have been meant otherwise. */
int ood_set_hint(struct ood_set *set, const struct ood_side *side,
		 struct ood_err *err);

#endif
