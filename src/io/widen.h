/*
 * widen.h - stored numbers to float, double and int64_t, exactly
 */
#ifndef OOD_IO_WIDEN_H
#define OOD_IO_WIDEN_H

#include "core/base.h"

/* Bytes of one element; 0 for OOD_TEXT. */
size_t ood_dtype_size(enum ood_dtype dtype);

/* The narrower of OOD_F4 and OOD_F8 that holds every value of a type; OOD_F8
 * for 64-bit integers, of which some do not fit. */
enum ood_dtype ood_dtype_real(enum ood_dtype dtype);

/*
 * Converts n elements at src (of any alignment; swap: in the other byte
 * order) to aligned elements at out. `to` is OOD_F4, OOD_F8 or OOD_I8 and
 * wide enough. If both sizes are equal src may be out. Returns n, or the
 * index of the first integer that `to` does not hold.
 */
size_t ood_widen(enum ood_dtype from, bool swap, const void *src, size_t n,
		 enum ood_dtype to, void *out);

/* An element of a view of OOD_F4 or OOD_F8. */
static inline double ood_view_at(struct ood_view v, size_t row, size_t col)
{
	const size_t at = row * v.stride + col;

	return v.dtype == OOD_F4 ? (double)((const float *)v.data)[at]
				 : ((const double *)v.data)[at];
}

/* One column of a view to to[0], to[stride] ... */
void ood_view_column(struct ood_view v, size_t col, double *to, size_t stride);

#endif
