/*
 * near_codes.h - rows as bytes, and products of bytes in place of floats
 *
 * A row a of floats is s c + r: codes c of -127 ... 127, a scale s, and a rest
 * r of which the norm is kept. For two rows, with I = <c, c'> (exact),
 *
 *	<a, a'> = s s' I + <r, a'> + <s c, r'>
 *
 * where the last two are at most ||r|| ||a'|| + ||s c|| ||r'||: some hundredth
 * of ||a|| ||a'||, at a quarter of the time of a product in float.
 */
#ifndef OOD_MATH_NEAR_CODES_H
#define OOD_MATH_NEAR_CODES_H

#include "core/base.h"

enum {
	OOD_NEAR_PANEL = 48,	      /* rows of a panel */
	OOD_NEAR_CODED = 8,	      /* queries that are multiplied at once */
	OOD_NEAR_CODES_MOST = 1 << 16 /* features: sums fit in 32 bits */
};

/* Does this machine have products of bytes? */
bool ood_near_codes_work(void);

struct ood_near_codes {
	uint8_t *panel; /* codes + 128, turned: see near_codes.c */
	size_t groups;	/* of 4 features */
	/* Of each row, padded to whole panels with zeros. */
	float *scale;  /* s */
	float *length; /* >= ||a|| */
	float *rest;   /* >= ||r|| */
};
/* n rows of `wide` floats (a multiple of 16), n a multiple of the panel. */
int ood_near_codes_make(struct ood_near_codes *codes, const float *row,
			size_t n, size_t wide, struct ood_err *err);
void ood_near_codes_free(struct ood_near_codes *codes);

/* Queries in codes. */
struct ood_near_coded {
	int8_t *code;	/* n x 4 groups */
	int32_t *shift; /* 128 times the sum of the codes */
	float *scale;	/* s */
	float *length;	/* >= ||s c|| */
	float *rest;	/* >= ||r|| + 2^-18 ||a|| */
};
/* Room for n queries, a multiple of OOD_NEAR_CODED. */
int ood_near_coded_make(struct ood_near_coded *coded, size_t n, size_t groups,
			struct ood_err *err);
void ood_near_coded_free(struct ood_near_coded *coded);
/* Query i; row: its floats. */
void ood_near_coded_put(struct ood_near_coded *coded, size_t i, size_t groups,
			const float *row);

/* Of a query and a row: 0 <= over - <a, a'> <= this, over being what
 * ood_near_codes_product() says. */
double ood_near_codes_spread(const struct ood_near_codes *codes, size_t row,
			     const struct ood_near_coded *coded, size_t query);

/* out (queries x 48 panels): what products are at most; queries a multiple of
 * OOD_NEAR_CODED. Only where ood_near_codes_work(). */
struct ood_near_codes_tile {
	size_t first, panels; /* of the bank */
	size_t queries;
	float *out;
};
void ood_near_codes_product(const struct ood_near_codes *codes,
			    const struct ood_near_coded *coded,
			    const struct ood_near_codes_tile *tile);

#endif
