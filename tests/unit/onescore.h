/*
 * onescore.h - one scorer as typed over rows, for tests
 */
#ifndef OOD_TESTS_ONESCORE_H
#define OOD_TESTS_ONESCORE_H

#include <check.h>

#include "scorers/scoring.h"

/* Of the last call that failed. */
extern struct ood_err one_err;

/* The one scorer of a list, which must be right. */
struct ood_scoring parse_one(const char *text);
struct ood_view view_of(const double *z, size_t n, size_t c);
/* n scorings over a view of class scores; top may be NULL. */
int run_some(const struct ood_scoring *s, size_t n, struct ood_batch batch,
	     struct ood_scores_out out);
/* Does it look at class scores alone, and learn nothing? */
bool takes_classes_alone(const struct ood_scorer *s);
struct ood_batch batch_of(struct ood_view view, bool is_probs);
int run_one(const char *text, struct ood_view view, bool is_probs, double *out);
/* The score of one row of logits, of probabilities. */
double score(const char *text, const double *z, size_t c);
double probs_score(const char *text, const double *p, size_t c);

/* Random logits in [-4, 4), by the state. */
extern uint64_t logit_state;
double logit(void);

#endif
