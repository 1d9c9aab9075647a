/*
 * layer.h - the last layer of a network: z = W x + b
 */
#ifndef OOD_MATH_LAYER_H
#define OOD_MATH_LAYER_H

#include "core/base.h"
#include "math/linalg.h"

struct ood_layer {		  /* all zero: none */
	struct ood_mat W;	  /* c x d */
	struct ood_mat b;	  /* 1 x c; rows 0: zeros */
	struct ood_factor factor; /* W, laid out for products */
};

/* Takes over W and b (b->data may be NULL; one row or one column) and zeroes
 * them, also where it fails: OOD_INPUT with both sizes if they do not agree. */
int ood_layer_make(struct ood_layer *layer, struct ood_mat *W,
		   struct ood_mat *b, struct ood_err *err);
void ood_layer_free(struct ood_layer *layer);

/* z (n x c) of x (n x d), by the calling thread. A row's bits do not depend on
 * its neighbours. */
int ood_layer_apply(const struct ood_layer *layer, const double *x, size_t n,
		    double *z, struct ood_err *err);

#endif
