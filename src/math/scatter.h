/*
 * scatter.h - means and scatter of rows about their class means, in one pass
 *
 * Each row is taken less a centre near its class: the mean of the rows of the
 * tile in which the class came first. So neither the offset of the features
 * nor the distance between classes costs digits, and what is constant stays
 * so. Parts can be joined. Once closed, the centres are the class means.
 */
#ifndef OOD_MATH_SCATTER_H
#define OOD_MATH_SCATTER_H

#include "math/class_sums.h"

/* What is kept of sum (x - m_k)(x - m_k)', m_k the mean of its class. */
enum ood_scatter_kind {
	OOD_SCATTER_SHARED,   /* D x D: of all classes together */
	OOD_SCATTER_EACH,     /* K D x D: a D x D each class */
	OOD_SCATTER_DIAGONAL, /* K x D: the diagonal of each */
};

struct ood_scatter {		       /* all zero: empty, shared */
	struct ood_class_sums classes; /* rows; sums of x - centre */
	struct ood_mat centre;	       /* K x D */
	struct ood_mat square; /* by the kind; lower halves until closed */
	enum ood_scatter_kind kind;
	size_t centre_room, square_room; /* rows that fit */
};

/*
 * Adds n rows of d numbers; label NULL: all of class 0. By OpenMP's team, in a
 * fixed order.
 */
int ood_scatter_add(struct ood_scatter *s, const int64_t *label,
		    const double *x, size_t n, size_t d, struct ood_err *err);
/* Adds the sums of another part of the same kind. */
int ood_scatter_join(struct ood_scatter *s, const struct ood_scatter *from,
		     struct ood_err *err);
/* Sums that came from a file: sizes and counts that can be (OOD_INPUT). */
int ood_scatter_check(const struct ood_scatter *s, struct ood_err *err);
/* Puts the classes in order of their labels; then centre holds the means and
 * square the scatter about them, both halves. Nothing is added after. */
int ood_scatter_close(struct ood_scatter *s, struct ood_err *err);
void ood_scatter_free(struct ood_scatter *s);

/* Of a closed one: rows; classes are classes.label.rows. */
double ood_scatter_rows(const struct ood_scatter *s);

/* The mean (1 x D) of rows of which count[k] have the mean m_k (K x D). */
int ood_grand_mean(const double *count, const struct ood_mat *class_mean,
		   struct ood_mat *mean, struct ood_err *err);
/* S (D x D) += sum_k count_k (m_k - mean)(m_k - mean)': from the scatter about
 * class means to that about the mean. */
int ood_scatter_between(const double *count, const struct ood_mat *class_mean,
			const struct ood_mat *mean, struct ood_mat *S,
			struct ood_err *err);

/* The lines of a kept table for a member `name` of a state: sums of partial
 * fits. shape: "DD", or "SD" of the other kinds. */
#define OOD_KEPT_SCATTER(type, name, shape)                                    \
	OOD_KEPT_CLASS_SUMS(type, name.classes),                               \
		{ OOD_KEPT_MAT, "class-centres",  offsetof(type, name.centre), \
		  "KD",		OOD_KEPT_PARTIAL, false },                     \
	{                                                                      \
		OOD_KEPT_MAT, "scatter", offsetof(type, name.square), shape,   \
			OOD_KEPT_PARTIAL, false                                \
	}

#endif
