/*
 * onescore.h - one scorer as typed over rows, for tests
 */
#ifndef OOD_TESTS_ONESCORE_H
#define OOD_TESTS_ONESCORE_H

#include <check.h>

#include "scorers/scorer.h"

/* Of the last call that failed. */
extern struct ood_err one_err;

/* The one scorer of a list, which must be right. */
struct ood_scoring parse_one(const char *text);
struct ood_view view_of(const double *z, size_t n, size_t c);
int run_one(const char *text, struct ood_view view, bool is_probs, double *out);
/* The score of one row of logits, of probabilities. */
double score(const char *text, const double *z, size_t c);
double probs_score(const char *text, const double *p, size_t c);

/* Random logits in [-4, 4), by the state. */
extern uint64_t logit_state;
double logit(void);

#endif
