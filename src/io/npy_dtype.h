/*
 * npy_dtype.h - the descr of an NPY header: what its elements are
 */
#ifndef OOD_IO_NPY_DTYPE_H
#define OOD_IO_NPY_DTYPE_H

#include "io/npy.h"

/* Fills dtype, item, swap, unicode and descr, or refusal. */
void ood_npy_dtype(struct ood_npy_head *head, struct ood_span descr);

/* The same for a descr that begins with a bracket (always refused). Returns
 * the byte behind its end; NULL if it has none. */
const char *ood_npy_records(struct ood_npy_head *head, const char *at,
			    const char *end);

#endif
