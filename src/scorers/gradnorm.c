/*
 * gradnorm.c - L1 norm of the last layer's gradient
 *
 *	-||x||_1 sum_c |C p_c - 1| / T,  p = softmax(z/T)
 *
 * The gradient of sum_c -ln p_c with respect to W is (C p - 1) x' / T, so that
 * no back-propagation is needed. Larger = more OoD.
 *
 * Huang, Geng, Li: On the Importance of Gradients for Detecting Distributional
 * Shifts in the Wild, NeurIPS 2021.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"
#include "scorers/probs.h"

enum { T };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const double C = (double)rows->c, temperature = args->num[T];
	double *p = ood_malloc(rows->c, sizeof(*p));

	(void)state;
	if (!p) {
		ood_fail_memory(rows->err, rows->c * sizeof(*p));
		return;
	}
	for (size_t i = 0; i < rows->n; i++) {
		const double *x = rows->x + i * rows->d;
		double slope = 0;

		ood_rows_probs(rows, i, temperature, p);
		for (size_t j = 0; j < rows->c; j++)
			slope += fabs(C * p[j] - 1);
		out[i] = -ood_norm_l1(x, rows->d) * slope / temperature;
	}
	ood_free(p);
}

const struct ood_scorer ood_scorer_gradnorm = {
	.name = "gradnorm",
	.brief = "L1 norm of the last layer's gradient",
	.formula = "-||x||_1 sum_c |C p_c - 1| / T",
	.cite = "Huang, Geng, Li: On the Importance of Gradients for Detecting "
		"Distributional Shifts in the Wild, NeurIPS 2021",
	.needs = OOD_NEEDS_FEATURES | OOD_NEEDS_LOGITS,
	.take = OOD_TAKE_ROWS,
	.params = params,
	.score = score,
};
