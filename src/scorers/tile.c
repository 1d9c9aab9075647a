/*
 * tile.c - a tile: up to OOD_DIGEST_ROWS rows in double, for scorers to see
 */
#include "scorers/tile.h"

#include "core/err.h"
#include "core/view.h"

/* Class scores of a tile, about: 256 KiB of doubles. */
enum { TILE_VALUES = 1 << 15 };

static bool uses_classes(const struct ood_scoring *s)
{
	return s->scorer->reshape ||
	       s->scorer->needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS |
				   OOD_TAKES_LOGITS);
}

static bool uses_features(const struct ood_scoring *s)
{
	return s->scorer->needs & (OOD_NEEDS_FEATURES | OOD_NEEDS_TABLE);
}

static bool same_args(const struct ood_param *table, const struct ood_args *a,
		      const struct ood_args *b)
{
	for (size_t i = 0; i < ood_param_count(table); i++) {
		if (a->list_n[i] != b->list_n[i] || !a->text[i] != !b->text[i])
			return false;
		if (memcmp(&a->num[i], &b->num[i], sizeof(a->num[i])))
			return false;
		if (a->list_n[i] && memcmp(a->list[i], b->list[i],
					   a->list_n[i] * sizeof(double)))
			return false;
		if (a->text[i] && strcmp(a->text[i], b->text[i]))
			return false;
	}
	return true;
}

bool ood_scoring_is_plain(const struct ood_scoring *s)
{
	return !s->map && s->logit_norm <= 0 && !s->scorer->reshape;
}

bool ood_scoring_same_rows(const struct ood_scoring *a,
			   const struct ood_scoring *b)
{
	if (a == b)
		return true;
	return !a->scorer->reshape && !b->scorer->reshape &&
	       uses_classes(a) == uses_classes(b) && a->map == b->map &&
	       a->T == b->T && a->logit_norm == b->logit_norm &&
	       a->layer == b->layer &&
	       (!a->map ||
		same_args(a->map->params, &a->map_args, &b->map_args));
}

void ood_tile_plan(struct ood_tile_plan *plan,
		   const struct ood_scoring *scorings, size_t n,
		   const struct ood_batch *batch)
{
	bool features = false;

	*plan = (struct ood_tile_plan){ .c = batch->z.cols,
					.is_probs = batch->is_probs };
	if (!plan->c && batch->head && batch->x[0].cols) {
		plan->c = batch->head->W.rows;
		plan->from_head = plan->keep = true;
		plan->d[0] = batch->x[0].cols;
		features = true;
	}
	for (size_t i = 0; i < n; i++) {
		const struct ood_scoring *s = &scorings[i];
		unsigned take = s->scorer->take;

		if (uses_features(s)) {
			plan->d[s->layer] = batch->x[s->layer].cols;
			features = true;
		}
		plan->mapped |= !ood_scoring_is_plain(s);
		plan->keep |=
			(take & OOD_TAKE_ROWS) || !ood_scoring_is_plain(s);
	}
	plan->rows = OOD_DIGEST_ROWS;
	if (!features)
		plan->rows =
			OOD_MIN(plan->rows, TILE_VALUES / OOD_MAX(plan->c, 1));
	plan->rows = OOD_MAX(plan->rows, 1);
}

/* ------------------------------------------------------------- memory --- */

static double *doubles(size_t rows, size_t cols, bool *ok)
{
	size_t values;
	double *made = NULL;

	if (ood_mul(rows, cols, &values))
		made = ood_malloc(values, sizeof(double));
	*ok &= made != NULL;
	return made;
}

int ood_tile_make(struct ood_tile *tile, const struct ood_tile_plan *plan,
		  struct ood_err *err)
{
	bool ok = true;

	*tile = (struct ood_tile){ .plan = plan };
	tile->digest = ood_malloc(1, sizeof(*tile->digest));
	tile->label = ood_malloc(plan->rows, sizeof(*tile->label));
	tile->row = ood_malloc(plan->rows, sizeof(*tile->row));
	if (plan->keep && plan->c)
		tile->z = doubles(plan->rows, plan->c, &ok);
	if (plan->mapped && plan->c)
		tile->mapped = doubles(plan->rows, plan->c, &ok);
	for (size_t k = 0; k < OOD_LAYERS_MAX; k++)
		if (plan->d[k])
			tile->x[k] = doubles(plan->rows, plan->d[k], &ok);
	if (ok && tile->digest && tile->label && tile->row)
		return OOD_OK;
	return ood_fail_memory(err, plan->rows * plan->c * sizeof(double));
}

void ood_tile_free(struct ood_tile *tile)
{
	ood_free(tile->digest);
	ood_free(tile->label);
	ood_free(tile->row);
	ood_free(tile->z);
	ood_free(tile->mapped);
	for (size_t k = 0; k < OOD_LAYERS_MAX; k++)
		ood_free(tile->x[k]);
}

/* ---------------------------------------------------------------- rows --- */

/* Rows in double, one after another. */
static void widen(struct ood_view view, double *to)
{
	for (size_t i = 0; i < view.rows; i++) {
		size_t at = i * view.stride;
		double *row = to + i * view.cols;

		if (view.dtype == OOD_F8) {
			memcpy(row, (const double *)view.data + at,
			       view.cols * sizeof(*row));
			continue;
		}
		for (size_t j = 0; j < view.cols; j++)
			row[j] = (double)((const float *)view.data)[at + j];
	}
}

static uint64_t count_zero(const double *x, size_t n, size_t d)
{
	uint64_t zero = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;

		while (j < d && x[i * d + j] == 0)
			j++;
		zero += j == d;
	}
	return zero;
}

void ood_tile_add(struct ood_tile *tile, const struct ood_batch *batch,
		  size_t from, size_t n, uint64_t *zero)
{
	const struct ood_tile_plan *plan = tile->plan;
	size_t at = tile->n;

	tile->head = batch->head;
	if (tile->z && batch->z.cols) {
		widen(ood_view_part(batch->z, from, n), tile->z + at * plan->c);
		tile->view = (struct ood_view){ tile->z, OOD_F8, at + n,
						plan->c, plan->c };
	}
	for (size_t k = 0; k < OOD_LAYERS_MAX; k++) {
		size_t d = plan->d[k];

		if (!d)
			continue;
		widen(ood_view_part(batch->x[k], from, n), tile->x[k] + at * d);
		if (zero)
			*zero += count_zero(tile->x[k] + at * d, n, d);
	}
	tile->has_labels = batch->label != NULL;
	for (size_t i = 0; i < n; i++) {
		tile->label[at + i] =
			batch->label ? batch->label[from + i] : -1;
		tile->row[at + i] =
			batch->row ? batch->row[from + i] : from + i + 1;
	}
	tile->n = at + n;
}

int ood_tile_take(struct ood_tile *tile, const struct ood_batch *batch,
		  size_t from, size_t n, uint64_t *zero, struct ood_err *err)
{
	tile->n = 0;
	ood_tile_add(tile, batch, from, n, zero);
	if (batch->z.cols && !tile->z)
		tile->view = ood_view_part(batch->z, from, n);
	return ood_tile_close(tile, err);
}

int ood_tile_close(struct ood_tile *tile, struct ood_err *err)
{
	const struct ood_tile_plan *plan = tile->plan;

	if (!plan->from_head)
		return OOD_OK;
	tile->view =
		(struct ood_view){ tile->z, OOD_F8, tile->n, plan->c, plan->c };
	return ood_layer_apply(tile->head, tile->x[0], tile->n, tile->z, err);
}

/*
 * z/(tau (||z||_2 + 1e-7)). Wei, Xie, Cheng, Feng, An, Li: Mitigating Neural
 * Network Overconfidence with Logit Normalization, ICML 2022. The norm is
 * taken of z over its largest size, which cannot overflow.
 */
static void logit_norm(const double *z, size_t c, double tau, double *to)
{
	double most = 0, sum = 0;

	for (size_t j = 0; j < c; j++)
		most = OOD_MAX(most, fabs(z[j]));
	for (size_t j = 0; j < c && most > 0; j++)
		sum += z[j] / most * (z[j] / most);
	double norm = tau * (most * sqrt(sum) + 1e-7);
	for (size_t j = 0; j < c; j++)
		to[j] = z[j] / norm;
}

/* Class scores behind reshaping, norm and map, in that order. */
static int change(struct ood_tile *tile, const struct ood_scoring *s,
		  struct ood_rows *rows)
{
	const double *z = rows->z;

	if (s->scorer->reshape) {
		s->scorer->reshape(rows, &s->args, s->state, tile->mapped);
		z = tile->mapped;
	}
	for (size_t i = 0; s->logit_norm > 0 && i < rows->n; i++)
		logit_norm(z + i * rows->c, rows->c, s->logit_norm,
			   tile->mapped + i * rows->c);
	if (s->logit_norm > 0)
		z = tile->mapped;
	if (s->map)
		s->map->rows(&s->map_args, z, rows->n, rows->c, tile->mapped);
	rows->z = tile->mapped;
	rows->is_probs |= s->map != NULL;
	return (int)rows->err->code;
}

int ood_tile_rows(struct ood_tile *tile, const struct ood_scoring *s,
		  struct ood_rows *rows, struct ood_err *err)
{
	const struct ood_tile_plan *plan = tile->plan;
	struct ood_view view = tile->view;
	int code = OOD_OK;

	*rows = (struct ood_rows){
		.n = tile->n,
		.c = plan->c,
		.d = plan->d[s->layer],
		.is_probs = plan->is_probs,
		.z = tile->z,
		.x = tile->x[s->layer],
		.head = tile->head,
		.label = tile->has_labels ? tile->label : NULL,
		.row = tile->row,
		.odd = &tile->odd,
		.err = err,
	};
	err->code = OOD_OK;
	if (!plan->c || !uses_classes(s))
		return OOD_OK;
	if (!ood_scoring_is_plain(s) &&
	    !(plan->fitting && s->scorer->reshape)) {
		code = change(tile, s, rows);
		view = (struct ood_view){ rows->z, OOD_F8, rows->n, rows->c,
					  rows->c };
	}
	rows->digest = tile->digest;
	if (!code && rows->is_probs)
		ood_digest_probs(view, tile->digest);
	else if (!code)
		ood_digest_logits(view, s->T, tile->digest);
	return code;
}
