/*
 * array_file.h - array files made byte by byte, and read as text
 */
#ifndef OOD_TESTS_ARRAY_FILE_H
#define OOD_TESTS_ARRAY_FILE_H

#include "core/base.h"
#include "core/mem.h"
#include "io/reader.h"

/* A temporary file with these bytes; remove it with file_drop(). */
void file_make(char path[256], const void *bytes, size_t n);
void file_drop(const char *path);
/* The bytes of a whole file. */
struct ood_buf file_bytes(const char *path);

/* Opens "/dev/fd/N" of a pipe that these bytes come through. */
struct pipe_feed {
	char path[32];
	int fd;
	void *thread;
};
void pipe_make(struct pipe_feed *pipe, const void *bytes, size_t n);
/* The reading end that pipe_make() opened: after the reader has its own. */
void pipe_release(struct pipe_feed *pipe);
void pipe_drop(struct pipe_feed *pipe);

/* gzip, one member. */
struct ood_buf gzip_of(const void *bytes, size_t n);

/* An NPY array: version 1 or 2, the dictionary as it stands, and data. */
struct ood_buf npy_of(int version, const char *header, const void *data,
		      size_t n);

/* A member of an archive; crc, size, packed: what is claimed (0: the truth) */
struct zip_part {
	const char *name;
	const void *data;
	size_t n;
	bool deflated;
	bool descriptor; /* sizes stand behind the data alone */
	bool zip64;	 /* sizes stand in extra fields alone */
	unsigned method, flags;
	uint32_t crc;
	uint64_t size;
	int64_t shift; /* added to the place in the directory */
};
struct ood_buf zip_of(const struct zip_part *parts, size_t n);

/* How to read; all zero: matrix of the first member, in one block. */
struct array_how {
	bool word;
	const char *member; /* by name */
	const char *layout;
	size_t rows;
	uint64_t max_bytes;
	bool pipe, gzip;
	const char *input_format;
};

/* A line a row, numbers by blanks. */
struct array_result {
	int code;
	char error[OOD_ERR_TEXT_MAX]; /* behind the file's name and ": " */
	struct ood_buf dump;
	size_t rows, cols;
	enum ood_dtype dtype; /* of the view */
};
void array_read(struct array_result *r, const void *bytes, size_t n,
		const struct array_how *how);
void array_result_free(struct array_result *r);

/* Reads in blocks of 1, 7 and 4096 rows, as file, through a pipe and gzipped;
 * all must agree. Gives that of the file. */
void array_read_all_ways(struct array_result *r, const struct ood_buf *file,
			 const struct array_how *how);

/* Expects the dump; expects a refusal that contains these words. Frees file
 * if it is the last use (drop). */
void expect_rows(const struct ood_buf *file, const struct array_how *how,
		 const char *dump);
void expect_refusal(const struct ood_buf *file, const struct array_how *how,
		    const char *words);

#endif
