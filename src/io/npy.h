/*
 * npy.h - the header of an NPY array
 *
 * Format: numpy.lib.format, versions 1.0, 2.0 and 3.0. A header is a Python
 * dictionary; the grammar taken here is the part of it that writers use.
 */
#ifndef OOD_IO_NPY_H
#define OOD_IO_NPY_H

#include "core/base.h"
#include "io/feed.h"
#include "io/reader.h"

#define OOD_NPY_MAGIC "\x93NUMPY"
#define OOD_NPY_MAGIC_SIZE 6

struct ood_npy_head {
	enum ood_dtype dtype; /* OOD_TEXT: unicode tells which */
	bool swap;	      /* not in this machine's byte order */
	bool unicode;	      /* UCS-4 (<U8), else bytes (S8) */
	bool fortran;
	unsigned ndim;
	uint64_t shape[OOD_NDIM_MAX];
	size_t item; /* bytes of an element */
	uint64_t elements, bytes;
	uint64_t begin;	   /* bytes of magic and header: where data begins */
	char descr[64];	   /* as written, printable */
	char refusal[256]; /* why such elements are not read; "": they are */
};

/*
 * Takes magic and header from a feed that stands at its start. A header that
 * is well formed but describes objects, records and the like is no error:
 * refusal then says what to do.
 */
int ood_npy_read_head(struct ood_npy_head *head, struct ood_feed *feed,
		      struct ood_err *err);

/* The dictionary alone. */
int ood_npy_parse(struct ood_npy_head *head, const char *at, size_t n,
		  struct ood_err *err);

/* "(5, 3)". Returns buf. */
#define OOD_SHAPE_MAX (OOD_NDIM_MAX * 22 + 4)
char *ood_shape_text(char *buf, size_t size, unsigned ndim,
		     const uint64_t *shape);

/* The order of this machine, for a descr. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OOD_NPY_NATIVE "<"
#else
#define OOD_NPY_NATIVE ">"
#endif

/*
 * Writes magic and header of a C-order array of version 1.0 to buf, padded to
 * OOD_NPY_HEAD bytes. descr as in "<f8"; ndim <= 4.
 */
#define OOD_NPY_HEAD 128
void ood_npy_format_head(char buf[OOD_NPY_HEAD], const char *descr,
			 unsigned ndim, const uint64_t *shape);

#endif
