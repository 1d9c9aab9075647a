/*
 * zip_out.h - writing a ZIP archive of NPY arrays
 *
 * Members are stored, not compressed, and carry the first date that the
 * format knows: equal input gives equal bytes.
 */
#ifndef OOD_IO_ZIP_OUT_H
#define OOD_IO_ZIP_OUT_H

#include "core/base.h"
#include "core/mem.h"
#include "io/pile.h"
#include "io/sink.h"

/* All zero but sink is an archive without members. */
struct ood_zip_out {
	struct ood_sink *sink;
	uint64_t at; /* bytes written */
	struct ood_buf directory;
	uint64_t n;
};

/* A member of a head and what follows. */
int ood_zip_out_add(struct ood_zip_out *zip, const char *name,
		    struct ood_piece head, const struct ood_pile *data,
		    struct ood_err *err);
/* Writes the directory. */
int ood_zip_out_end(struct ood_zip_out *zip, struct ood_err *err);
void ood_zip_out_free(struct ood_zip_out *zip);

/* An array in C order as the member NAME.npy. descr as in "<f8". */
struct ood_zip_array {
	const char *name;
	const char *descr;
	unsigned ndim; /* at most 4 */
	const uint64_t *shape;
	const struct ood_pile *data;
};
int ood_zip_out_array(struct ood_zip_out *zip,
		      const struct ood_zip_array *array, struct ood_err *err);

#endif
