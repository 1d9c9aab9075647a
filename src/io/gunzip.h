/*
 * gunzip.h - undoes gzip, member after member
 */
#ifndef OOD_IO_GUNZIP_H
#define OOD_IO_GUNZIP_H

#include "core/base.h"

struct ood_gunzip;

/* NULL: no memory. */
struct ood_gunzip *ood_gunzip_new(void);
void ood_gunzip_free(struct ood_gunzip *gz);

/*
 * Takes packed bytes from *in (*in and *in_n move on) and writes at most n
 * plain ones to out; *got = 0 asks for more input. end: *in holds the last
 * bytes there are; then *got = 0 is the end of the data. Damaged, cut and
 * nested data and bytes after the last member are refused.
 */
struct ood_gunzip_in {
	const unsigned char *at;
	size_t n;
	bool end;
};
int ood_gunzip_step(struct ood_gunzip *gz, struct ood_gunzip_in *in, void *out,
		    size_t n, size_t *got, struct ood_err *err);

/* True if more can come out without more input. */
bool ood_gunzip_pending(const struct ood_gunzip *gz);

#endif
