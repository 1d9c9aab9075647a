/*
 * zip.h - the members of a ZIP archive, and the bytes of one
 *
 * Format: APPNOTE.TXT 6.3 (PKWARE), through the central directory: stored and
 * deflated members, zip64. What the archive claims is checked against the
 * bytes that are there.
 */
#ifndef OOD_IO_ZIP_H
#define OOD_IO_ZIP_H

#include "core/base.h"
#include "io/feed.h"

#define OOD_ZIP_MEMBERS_MAX 65536
#define OOD_ZIP_NAME_MAX 4096

enum { OOD_ZIP_STORED = 0, OOD_ZIP_DEFLATED = 8 };

struct ood_zip_member {
	char *name;
	unsigned method;
	bool encrypted;
	uint32_t crc; /* of the plain bytes */
	uint64_t packed, size;
	uint64_t header; /* place of the local header */
	uint64_t data;	 /* of the packed bytes */
};

struct ood_zip {
	struct ood_feed feed; /* the archive; anywhere; set by the owner */
	struct ood_zip_member *members;
	size_t n;
};

/* Does a file that starts so look like an archive? */
bool ood_zip_sniff(const char *at, size_t n);

/* Reads the directory. Equal names, members that overlap and places outside
 * of the archive are refused. Release with ood_zip_close() in any case. */
int ood_zip_open(struct ood_zip *zip, struct ood_err *err);
void ood_zip_close(struct ood_zip *zip);

/* Refuses encryption, other methods, sizes that cannot be. */
int ood_zip_check(const struct ood_zip_member *member, struct ood_err *err);

/* A deflated member's bytes in order. */
struct ood_unzip;
int ood_unzip_open(struct ood_unzip **unzip, const struct ood_zip *zip,
		   const struct ood_zip_member *member, struct ood_err *err);
/* For ood_feed.read: own is a struct ood_unzip. At the end of the member its
 * size and CRC-32 are checked. */
int ood_unzip_read(void *own, void *buf, size_t n, size_t *got,
		   struct ood_err *err);
void ood_unzip_close(struct ood_unzip *unzip);

/* "CRC mismatch ..." */
int ood_zip_fail_crc(struct ood_err *err);

#endif
