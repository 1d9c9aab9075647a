/*
 * norms.c - how long the features are
 *
 *	norm-l1		-sum |x_j|
 *	norm-l2		-sqrt(sum x_j^2)
 *
 * Networks answer what they know with longer features. Larger = more OoD.
 *
 * Vaze, Han, Vedaldi, Zisserman: Open-Set Recognition: A Good Closed-Set
 * Classifier is All You Need?, ICLR 2022.
 */
#include "math/vector.h"
#include "scorers/scorer.h"

static void norm_l1(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *out)
{
	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = -ood_norm_l1(rows->x + i * rows->d, rows->d);
}

static void norm_l2(const struct ood_rows *rows, const struct ood_args *args,
		    const void *state, double *out)
{
	(void)args;
	(void)state;
	for (size_t i = 0; i < rows->n; i++)
		out[i] = -ood_norm(rows->x + i * rows->d, rows->d);
}

#define CITE                                                                   \
	"Vaze, Han, Vedaldi, Zisserman: Open-Set Recognition: A Good "         \
	"Closed-Set Classifier is All You Need?, ICLR 2022"

const struct ood_scorer ood_scorer_norm_l1 = {
	.name = "norm-l1",
	.brief = "minus the L1 norm of the features",
	.formula = "-sum |x|",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES,
	.score = norm_l1,
};

const struct ood_scorer ood_scorer_norm_l2 = {
	.name = "norm-l2",
	.brief = "minus the Euclidean norm of the features",
	.formula = "-sqrt(sum x^2)",
	.cite = CITE,
	.needs = OOD_NEEDS_FEATURES,
	.score = norm_l2,
};
