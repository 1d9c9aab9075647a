/*
 * mahalanobis.h - what a fit of mahalanobis, rmd, mahalanobis++, rmd++ is
 */
#ifndef OOD_SCORERS_MAHALANOBIS_H
#define OOD_SCORERS_MAHALANOBIS_H

#include "math/gaussian.h"
#include "math/scatter.h"
#include "scorers/scorer.h"

/* The parameters of all four; the last differs. */
enum {
	OOD_MAHA_LABELS,
	OOD_MAHA_FROM,
	OOD_MAHA_LAYERS,
	OOD_MAHA_INVERSE,
	OOD_MAHA_RTOL,
	OOD_MAHA_EPS,
	OOD_MAHA_RIDGE,
	OOD_MAHA_SHRINK,
	OOD_MAHA_DIVISOR,
	OOD_MAHA_HALF,
	OOD_MAHA_BACKGROUND = OOD_MAHA_HALF
};
enum { OOD_INVERSE_PINV, OOD_INVERSE_EXACT };
enum { OOD_DIVISOR_N, OOD_DIVISOR_N_1 };
enum { OOD_BACKGROUND_MEAN, OOD_BACKGROUND_SUM };

/* Gaussians of K classes that share a covariance. */
struct ood_class_gaussians {
	struct ood_mat label, count; /* K x 1, labels ascending */
	struct ood_mat mean;	     /* K x D */
	struct ood_mat covariance;   /* D x D: about the class means, 1/N */
	struct ood_mat all;	     /* D x D: about the mean of all rows, 1/N:
				      * rmd's alone */
};

struct ood_mahalanobis {
	struct ood_scatter sums;
	struct ood_mat centre;	   /* 1 x D: the mean of all rows */
	double fourth, fourth_all; /* sums of ||x - mean||^4: second pass */
	struct ood_class_gaussians now;
	struct ood_class_gaussians old; /* that classes are added to */
	struct ood_mat whiten;		/* R x D, of the covariance */
	struct ood_mat whiten_all;	/* B x D, of all rows: rmd's */
	struct ood_gaussians classes, background; /* made ready */
};

/*
 * For from=MODEL: the classes of `old`, the fitted state of a scorer of the
 * same name, are kept by `state`, whose fit has begun and not ended, and the
 * classes of its rows will be added to them. Copies.
 */
int ood_mahalanobis_extend(void *state, const void *old, struct ood_err *err);
/* The end of such a fit: s->now from s->old and the closed sums (a scatter
 * each); relative: with `all`. */
int ood_mahalanobis_add_classes(struct ood_mahalanobis *s, bool relative,
				struct ood_err *err);

/* Is a switch on, a word not the first? */
static inline bool ood_is_on(const struct ood_args *args, int param)
{
	return args->num[param] != 0;
}

/*
 * Fitting; x: the rows as they are or of unit length. The hooks next and merge
 * are those of a scorer; end: with the scorer's name, and relative: rmd.
 */
int ood_mahalanobis_next(void *state, const struct ood_fit *fit,
			 enum ood_pass *pass, struct ood_err *err);
int ood_mahalanobis_add(struct ood_mahalanobis *s, const struct ood_fit *fit,
			const struct ood_rows *rows, const double *x,
			struct ood_err *err);
int ood_mahalanobis_merge(void *state, const void *from,
			  const struct ood_fit *fit, struct ood_err *err);
int ood_mahalanobis_end(struct ood_mahalanobis *s, const struct ood_fit *fit,
			const char *name, bool relative, struct ood_err *err);

void ood_class_gaussians_free(struct ood_class_gaussians *g);
/* A file can hold anything: sizes apart, which the table of a state checks. */
int ood_class_gaussians_check(const struct ood_class_gaussians *g,
			      struct ood_err *err);

#endif
