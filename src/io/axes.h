/*
 * axes.h - which elements of an array make a row
 */
#ifndef OOD_IO_AXES_H
#define OOD_IO_AXES_H

#include "core/base.h"
#include "io/npy.h"

/* Widest row, as for classes. */
#define OOD_COLUMNS_MAX ((uint64_t)1 << 24)

/*
 * Rows are numbered by up to three axes, outermost first; strides count
 * elements. Element (row, c) stands at sum(index_k * stride_k) + c *
 * col_stride. Axes that run on into each other are one.
 */
struct ood_axes {
	unsigned n;
	uint64_t dim[3], stride[3];
	uint64_t rows, cols, col_stride;
};

/*
 * Plans the rows of an array of this shape for a pick. Shapes that do not
 * give them are refused with the shape and the remedy.
 */
int ood_axes_plan(struct ood_axes *axes, const struct ood_npy_head *head,
		  const struct ood_pick *pick, struct ood_err *err);

/* Refuses a --layout that is none (OOD_USAGE); NULL is the default. */
int ood_layout_check(const char *layout, struct ood_err *err);

/* The element at which a row begins. */
uint64_t ood_axes_offset(const struct ood_axes *axes, uint64_t row);

#endif
