/*
 * head.c - the last layer that a model works with
 */
#include "core/err.h"
#include "model/fit.h"

static bool same(const struct ood_layer *a, const struct ood_mat *W,
		 const struct ood_mat *b)
{
	size_t n = W->rows * W->cols, c = b->rows * b->cols;

	if (a->W.rows != W->rows || a->W.cols != W->cols || a->b.cols != c)
		return false;
	return !memcmp(a->W.data, W->data, n * sizeof(double)) &&
	       (!c || !memcmp(a->b.data, b->data, c * sizeof(double)));
}

/* NaN and infinities have no place in a layer. */
static int check(const struct ood_mat *m, const char *what, struct ood_err *err)
{
	for (size_t i = 0; i < m->rows * m->cols; i++)
		if (!isfinite(m->data[i])) {
			ood_fail(err, OOD_INPUT, "the %s hold %s", what,
				 isnan(m->data[i]) ? "NaN" : "infinities");
			return ood_err_at(err, OOD_PLACE_ROW, i / m->cols + 1,
					  i % m->cols + 1);
		}
	return OOD_OK;
}

/* W and b are used up. */
static int put(struct ood_model *model, struct ood_mat *W, struct ood_mat *b,
	       struct ood_err *err)
{
	int code = check(W, "head weights", err);

	if (!code)
		code = check(b, "head biases", err);
	if (!code && model->head.W.rows) {
		if (!same(&model->head, W, b))
			code = ood_fail(err, OOD_USAGE,
					"the model holds another last layer "
					"than the one given");
	} else if (!code) {
		code = ood_layer_make(&model->head, W, b, err);
	}
	ood_mat_free(W);
	ood_mat_free(b);
	return code;
}

static int read_role(struct ood_set *set, enum ood_role role,
		     struct ood_mat *mat, struct ood_err *err)
{
	return ood_set_has(set, role) ? ood_set_read(set, role, mat, err)
				      : OOD_OK;
}

int ood_model_take_head(struct ood_model *model, struct ood_set *set,
			struct ood_err *err)
{
	struct ood_mat W = { 0 }, b = { 0 };
	int code = read_role(set, OOD_HEAD_WEIGHTS, &W, err);

	if (!code)
		code = read_role(set, OOD_HEAD_BIAS, &b, err);
	if (!code && W.rows)
		return put(model, &W, &b, err);
	ood_mat_free(&W);
	ood_mat_free(&b);
	return code;
}

int ood_model_read_head(struct ood_model *model, const char *weights,
			const char *bias, const struct ood_read *read,
			struct ood_err *err)
{
	const struct ood_read plain = { .max_bytes = read->max_bytes };
	struct ood_buf spec = { 0 };
	struct ood_set *set = NULL;
	int code;

	if (!weights && !bias)
		return OOD_OK;
	if (!weights)
		return ood_fail(err, OOD_USAGE,
				"--head-bias goes with --head-weights");
	ood_buf_printf(&spec, "head-weights=%s", weights);
	if (bias)
		ood_buf_printf(&spec, ",head-bias=%s", bias);
	code = spec.failed ? ood_fail_memory(err, spec.n)
			   : ood_set_open(&set, spec.text, &plain, err);
	if (!code)
		code = ood_model_take_head(model, set, err);
	ood_set_close(set);
	ood_buf_free(&spec);
	return code;
}
