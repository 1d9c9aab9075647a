/*
 * class_sums.h - counts and sums of rows, class by class, in one pass
 *
 * Classes are whatever labels occur, in order of their first row until
 * ood_class_sums_sort(). Sums are in row order.
 */
#ifndef OOD_MATH_CLASS_SUMS_H
#define OOD_MATH_CLASS_SUMS_H

#include "core/state.h"

struct ood_class_sums {	      /* all zero: empty */
	struct ood_mat label; /* K x 1: the number of each class */
	struct ood_mat count; /* K x 1: its rows */
	struct ood_mat sum;   /* K x D */
	size_t room;	      /* rows that fit in the matrices */
	size_t *order;	      /* slots by label; NULL: not made yet */
	size_t order_room;
};

/* The slot of a label: an old one or a new one (d: width of the sums). */
int ood_class_sums_slot(struct ood_class_sums *sums, int64_t label, size_t d,
			size_t *slot, struct ood_err *err);
/* Adds n rows of d numbers, each to its label >= 0. */
int ood_class_sums_add(struct ood_class_sums *sums, const int64_t *label,
		       const double *x, size_t n, size_t d,
		       struct ood_err *err);
/* Adds another's. */
int ood_class_sums_join(struct ood_class_sums *sums,
			const struct ood_class_sums *from, struct ood_err *err);
/* Puts the classes in order of their labels. */
int ood_class_sums_sort(struct ood_class_sums *sums, struct ood_err *err);
/* Sorts, and gives the mean (K x D) of each class and, unless NULL, its label
 * (K x 1). */
int ood_class_sums_means(struct ood_class_sums *sums, struct ood_mat *label,
			 struct ood_mat *mean, struct ood_err *err);
void ood_class_sums_free(struct ood_class_sums *sums);

/* Of labels (K x 1) that are kept beside the means: integers >= 0, ascending?
 * A file may hold others (OOD_INPUT). */
int ood_class_labels_check(const struct ood_mat *label, struct ood_err *err);
/* The slot of a class among them; SIZE_MAX: none. */
size_t ood_class_labels_find(const struct ood_mat *label, int64_t k);

/* The three lines of a kept table for a member `name` of a state: sums of
 * partial fits, of features or of whatever shape says ("KC"). */
/* clang-format off */
#define OOD_KEPT_CLASS_SUMS_OF(type, name, shape)                         \
	{ OOD_KEPT_MAT, "class-labels", offsetof(type, name.label), "K1", \
	  OOD_KEPT_PARTIAL, false },                                      \
	{ OOD_KEPT_MAT, "class-counts", offsetof(type, name.count), "K1", \
	  OOD_KEPT_PARTIAL, false },                                      \
	{ OOD_KEPT_MAT, "class-sums", offsetof(type, name.sum), shape,    \
	  OOD_KEPT_PARTIAL, false }
/* clang-format on */
#define OOD_KEPT_CLASS_SUMS(type, name) OOD_KEPT_CLASS_SUMS_OF(type, name, "KD")

#endif
