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
	if (p != z)
		memcpy(p, z, n * c * sizeof(*p));
	ood_softmax(p, n, c, args->num[T]);
}

const struct ood_map ood_map_softmax = {
	.name = "softmax",
	.brief = "exp(z/T), divided by its sum",
	.cite = "Bridle: Probabilistic interpretation of feedforward "
		"classification network outputs, NATO ASI F68, 1990",
	.params = params,
	.rows = rows,
};
