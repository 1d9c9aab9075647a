/*
 * tile.h - a tile: up to OOD_DIGEST_ROWS rows in double, for scorers to see
 *
 * One thread's memory. Rows come in as views; scorings with the same
 * (logit-norm, map, T) get the same digest.
 */
#ifndef OOD_SCORERS_TILE_H
#define OOD_SCORERS_TILE_H

#include "scorers/scoring.h"

/* What the scorings of a run ask for, together. */
struct ood_tile_plan {
	size_t rows;		  /* of a tile */
	size_t c;		  /* classes; 0 none */
	size_t d[OOD_LAYERS_MAX]; /* features that are used; 0 not */
	bool is_probs;
	bool from_head; /* class scores are made by the head */
	bool keep;	/* class scores in double are needed */
	bool mapped;	/* room for changed class scores is needed */
	bool fitting;	/* those that reshape are fitted on rows as they are */
};
void ood_tile_plan(struct ood_tile_plan *plan,
		   const struct ood_scoring *scorings, size_t n,
		   const struct ood_batch *batch);

struct ood_tile {
	const struct ood_tile_plan *plan;
	const struct ood_layer *head;
	size_t n;
	struct ood_view view; /* class scores; its data may be z */
	double *z;	      /* class scores as they are */
	double *mapped;	      /* after logit-norm, map or reshaping */
	double *x[OOD_LAYERS_MAX];
	int64_t *label;
	uint64_t *row;
	struct ood_digest *digest;
	bool has_labels;
	uint64_t odd;
};
int ood_tile_make(struct ood_tile *tile, const struct ood_tile_plan *plan,
		  struct ood_err *err);
void ood_tile_free(struct ood_tile *tile);

/* Copies rows [from, from + n) of a batch behind those that are there.
 * Adds to *zero (may be NULL) the rows whose features are all zero. */
void ood_tile_add(struct ood_tile *tile, const struct ood_batch *batch,
		  size_t from, size_t n, uint64_t *zero);
/* Takes rows [from, from + n) alone; class scores stay where they are if no
 * scoring wants them in double. */
int ood_tile_take(struct ood_tile *tile, const struct ood_batch *batch,
		  size_t from, size_t n, uint64_t *zero, struct ood_err *err);
/* Makes class scores by the head where it has to; before the first rows(). */
int ood_tile_close(struct ood_tile *tile, struct ood_err *err);

/* The rows as a scoring wants them; valid until the next call. */
int ood_tile_rows(struct ood_tile *tile, const struct ood_scoring *scoring,
		  struct ood_rows *rows, struct ood_err *err);

/* Would both get the same rows? */
bool ood_scoring_same_rows(const struct ood_scoring *a,
			   const struct ood_scoring *b);
/* No norm, map or reshaping in front. */
bool ood_scoring_is_plain(const struct ood_scoring *scoring);

#endif
