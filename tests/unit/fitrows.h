/*
 * fitrows.h - scorers fitted on arrays in memory, for tests
 */
#ifndef OOD_TESTS_FITROWS_H
#define OOD_TESTS_FITROWS_H

#include "onescore.h"

struct fitrows {
	const double *x, *z; /* n x d features, n x c class scores; NULL none */
	const int64_t *label;
	size_t n, d, c;
	const struct ood_layer *head;
};

/* Rows [from, from + n) of them. */
struct fitrows rows_part(struct fitrows rows, size_t from, size_t n);
/* A head of copies of W (c x d) and b (NULL: none). */
struct ood_layer head_of(const double *W, const double *b, size_t c, size_t d);

/* Code of the fit; one_err has the sentence. notes may be NULL. */
int fit_try(struct ood_scoring *scoring, const char *spec, struct fitrows rows,
	    struct ood_notes *notes);
/* A fit that must go right. */
struct ood_scoring fit_one(const char *spec, struct fitrows rows);
/* The same from partial fits of the rows before `cut` and from it on. */
struct ood_scoring fit_merged(const char *spec, struct fitrows rows,
			      size_t cut);

/* Code and a part of the sentence of a fit that is refused. */
void fit_refuse(const char *spec, struct fitrows rows, int code,
		const char *part);
/* Rows of an array that a fit keeps. */
size_t kept_rows(const char *spec, struct fitrows rows, const char *name);

/* Scores into out (a number a row); odd (may be NULL) is added to. */
int score_try(const struct ood_scoring *scoring, struct fitrows rows,
	      double *out, uint64_t *odd);
void score_rows(const struct ood_scoring *scoring, struct fitrows rows,
		double *out);
/* One go: fit, score, free. */
void fit_and_score(const char *spec, struct fitrows fit, struct fitrows test,
		   double *out);

/* Is there a warning with the code? */
bool has_warning(const struct ood_notes *notes, const char *code);

/* |got - want| <= tol, said with both. */
#define CLOSE(got, want, tol)                                                  \
	do {                                                                   \
		double got_ = (got), want_ = (want);                           \
		ck_assert_msg(fabs(got_ - want_) <= (tol) || got_ == want_,    \
			      "%s is %.17g, not %.17g", #got, got_, want_);    \
	} while (0)

#endif
