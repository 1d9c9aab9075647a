/*
 * softmax.c - p_j = e_j / (1 + s), e_j = exp((z_j - m)/T), at temperature T
 *
 * Bridle: Probabilistic interpretation of feedforward classification network
 * outputs, with relationships to statistical pattern recognition,
 * Neurocomputing, NATO ASI F68, 1990.
 */
#include "maps/map.h"
#include "math/digest.h"

enum { T };

static const struct ood_param params[] = {
	[T] = OOD_PARAM_TEMPERATURE,
	{ .kind = OOD_PARAM_END },
};

static void rows(const struct ood_args *args, const double *z, size_t n,
		 size_t c, double *p)
{
	struct ood_digest d;

	for (size_t from = 0; from < n; from += OOD_DIGEST_ROWS) {
		size_t some = OOD_MIN(OOD_DIGEST_ROWS, n - from);
		struct ood_view view = { z + from * c, OOD_F8, some, c, c };

		ood_digest_logits(view, args->num[T], &d);
		for (size_t i = 0; i < some; i++) {
			const double *zi = z + (from + i) * c;
			double *pi = p + (from + i) * c;

			for (size_t j = 0; j < c; j++)
				pi[j] = (zi[j] - d.max[i]) / args->num[T];
			ood_exps(pi, c);
			for (size_t j = 0; j < c; j++)
				pi[j] *= d.top[i];
		}
	}
}

const struct ood_map ood_map_softmax = {
	.name = "softmax",
	.brief = "exp(z/T), divided by its sum",
	.cite = "Bridle: Probabilistic interpretation of feedforward "
		"classification network outputs, NATO ASI F68, 1990",
	.params = params,
	.rows = rows,
};
