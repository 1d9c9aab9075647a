/*
 * num.h - numbers to text and back: exact, shortest, free of locale
 */
#ifndef OOD_CORE_NUM_H
#define OOD_CORE_NUM_H

#include "core/base.h"

/* Room for any number that the functions below write, terminator included. */
#define OOD_NUM_MAX 32

/*
 * The fewest digits that read back as the same double; of those the closest.
 * Plain notation for 1e-5 <= |x| < 1e16 (0.1, 12, 0.00001234), else 1.5e-7,
 * 1e22. -0 is "0", infinities "inf" and "-inf", NaN "nan".
 * Returns the length; buf (OOD_NUM_MAX bytes) is terminated.
 */
size_t ood_num_format(char *buf, double x);

/* The same with at most `digits` (1..17) significant digits, correctly
 * rounded, trailing zeros dropped; for people. */
size_t ood_num_format_digits(char *buf, double x, int digits);

/* All digits, as above. */
size_t ood_num_format_int(char *buf, int64_t i);
size_t ood_num_format_uint(char *buf, uint64_t u);

/* What a text is as a number. */
enum ood_num_kind {
	OOD_NUM_OK,
	OOD_NUM_BAD,   /* not a number */
	OOD_NUM_RANGE, /* larger than a double holds: 1e400 */
};

/*
 * Reads a number at the start of [at, end): correctly rounded for any number
 * of digits. *stop is the first byte that does not belong to it; BAD leaves
 * *stop = at. Underflow gives 0 or a subnormal and is OK.
 *   ood_num_scan_json: the grammar of JSON: -?(0|[1-9]\d*)(\.\d+)?([eE]..)?
 *   ood_num_scan_text: also +1, .5, 5., 0012, inf, infinity, nan of any case;
 *	decimal is '.' or ','.
 * No blanks are skipped. Neither takes 0x1p3, 1_000, 1.5f.
 */
enum ood_num_kind ood_num_scan_json(const char *at, const char *end,
				    const char **stop, double *x);
enum ood_num_kind ood_num_scan_text(const char *at, const char *end,
				    char decimal, const char **stop, double *x);

/* A whole word, blanks around it allowed: for options and cells. */
enum ood_num_kind ood_num_parse(const char *at, size_t n, char decimal,
				double *x);

/* A whole word as an integer (also "3.0", "1e3"); false if it is none or does
 * not fit. */
bool ood_num_parse_int(const char *at, size_t n, int64_t *i);

/* IEEE half to float, exact, subnormals included. */
float ood_num_half(uint16_t bits);

#endif
