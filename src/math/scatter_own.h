/*
 * scatter_own.h - what the files of scatter share
 */
#ifndef OOD_MATH_SCATTER_OWN_H
#define OOD_MATH_SCATTER_OWN_H

#include "math/scatter.h"

static inline size_t ood_scatter_classes(const struct ood_scatter *s)
{
	return s->classes.label.rows;
}

/* Rows of `square` that k classes take. */
static inline size_t ood_scatter_square_rows(const struct ood_scatter *s,
					     size_t k, size_t d)
{
	return s->kind == OOD_SCATTER_SHARED ? d
	       : s->kind == OOD_SCATTER_EACH ? k * d
					     : k;
}

/* Room for the classes that there are now. */
int ood_scatter_make_room(struct ood_scatter *s, size_t d, struct ood_err *err);

#endif
