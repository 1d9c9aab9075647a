/*
 * layer.c - the last layer of a network: z = W x + b
 */
#include "math/layer.h"

#include "core/err.h"

int ood_layer_make(struct ood_layer *layer, struct ood_mat *W,
		   struct ood_mat *b, struct ood_err *err)
{
	*layer = (struct ood_layer){ *W, *b, { 0 } };
	*W = *b = (struct ood_mat){ 0 };
	size_t c = layer->W.rows, given = layer->b.rows * layer->b.cols;

	if (layer->b.rows && given != c)
		return ood_fail(err, OOD_INPUT,
				"the head has %zu rows of weights (one a "
				"class) but %zu biases",
				c, given);
	if (layer->b.rows) {
		layer->b.rows = 1;
		layer->b.cols = c;
	}
	return ood_factor_make(&layer->factor, layer->W.data, c, layer->W.cols,
			       err);
}

void ood_layer_free(struct ood_layer *layer)
{
	ood_mat_free(&layer->W);
	ood_mat_free(&layer->b);
	ood_factor_free(&layer->factor);
}

int ood_layer_apply(const struct ood_layer *layer, const double *x, size_t n,
		    double *z, struct ood_err *err)
{
	size_t c = layer->W.rows;
	int code = ood_factor_apply(&layer->factor, x, n, z, err);

	for (size_t i = 0; !code && layer->b.rows && i < n; i++)
		for (size_t j = 0; j < c; j++)
			z[i * c + j] += layer->b.data[j];
	return code;
}
