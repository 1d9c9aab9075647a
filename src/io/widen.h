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

#endif
