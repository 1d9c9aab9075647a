/*
 * view.h - elements and parts of a borrowed matrix
 */
#ifndef OOD_CORE_VIEW_H
#define OOD_CORE_VIEW_H

#include "core/base.h"

/* One element, in double; both counted from 0. */
static inline double ood_view_at(struct ood_view view, size_t row, size_t col)
{
	size_t at = row * view.stride + col;

	return view.dtype == OOD_F4 ? (double)((const float *)view.data)[at]
				    : ((const double *)view.data)[at];
}

/* The view of `rows` rows from `first` on. */
static inline struct ood_view ood_view_part(struct ood_view view, size_t first,
					    size_t rows)
{
	size_t size = view.dtype == OOD_F4 ? sizeof(float) : sizeof(double);

	view.data = (const char *)view.data + first * view.stride * size;
	view.rows = rows;
	return view;
}

#endif
