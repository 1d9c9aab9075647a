/*
 * ranked.h - a side of a curve from scores in any order
 */
#ifndef OOD_MATH_RANKED_H
#define OOD_MATH_RANKED_H

#include "core/base.h"

/*
 * *ranked becomes an ascending copy of the n scores; free with ood_free(). A
 * NaN is OOD_INPUT, with its row from 1; side ("ID") goes into the sentence.
 */
int ood_ranked(const char *side, const double *scores, size_t n,
	       double **ranked, struct ood_err *err);

#endif
