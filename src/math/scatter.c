/*
 * scatter.c - means and scatter of rows about their class means, in one pass
 *
 * With c_k the centre, s_k = sum (x - c_k) and n_k the rows of class k:
 *
 *	m_k = c_k + s_k / n_k
 *	sum (x - m_k)(x - m_k)' = sum (x - c_k)(x - c_k)' - s_k s_k' / n_k
 *
 * what is taken away being small where c_k is near m_k. Chan, Golub, LeVeque:
 * Updating Formulae and a Pairwise Algorithm for Computing Sample Variances,
 * COMPSTAT 1982.
 */
#include "core/err.h"
#include "core/mem.h"
#include "core/thread.h"
#include "math/linalg.h"
#include "math/scatter_own.h"

/* Columns that a thread takes at a time. */
enum { STRIPE = 64 };

/* ---------------------------------------------------------------- room --- */

/* mat gets `rows` rows; the new ones are zero. */
static int reserve(struct ood_mat *mat, size_t *room, size_t rows, size_t d,
		   struct ood_err *err)
{
	size_t row = d * sizeof(double), old = mat->rows;

	if (rows > *room || !mat->data) {
		size_t more = OOD_MAX(rows, old + old / 2);
		double *data = ood_realloc(mat->data, old, more, row);

		if (!data)
			return ood_fail_memory(err, more * row);
		mat->data = data;
		*room = more;
	}
	if (rows > old)
		memset(mat->data + old * d, 0, (rows - old) * row);
	mat->rows = rows;
	mat->cols = d;
	return OOD_OK;
}

static bool fits_memory(size_t rows, size_t d)
{
	uint64_t memory = ood_physical_memory();
	size_t values;

	return ood_mul(rows, d, &values) &&
	       (!memory || values <= memory / 2 / sizeof(double));
}

int ood_scatter_make_room(struct ood_scatter *s, size_t d, struct ood_err *err)
{
	size_t k = ood_scatter_classes(s), rows;
	int code = reserve(&s->centre, &s->centre_room, k, d, err);

	if (code)
		return code;
	if (s->kind == OOD_SCATTER_EACH &&
	    (!ood_mul(k, d, &rows) || !fits_memory(rows, d)))
		return ood_fail(err, OOD_INPUT,
				"covariances of %zu classes, %zu x %zu each, "
				"take more than half of the memory (one that "
				"classes share, or their diagonals, would do)",
				k, d, d);
	return reserve(&s->square, &s->square_room,
		       ood_scatter_square_rows(s, k, d), d, err);
}

/* -------------------------------------------------------------- adding --- */

/* Rows of a call: their slots, and what is left of them. */
struct shifted {
	size_t n, d;
	size_t *slot;
	double *y;    /* n x d: x - centre */
	double *some; /* n x d: those of one class */
};

static void shifted_free(struct shifted *r)
{
	ood_free(r->slot);
	ood_free(r->y);
	ood_free(r->some);
}

static int shifted_make(struct shifted *r, const struct ood_scatter *s,
			struct ood_err *err)
{
	bool each = s->kind == OOD_SCATTER_EACH;
	size_t values;

	if (!ood_mul(r->n, r->d, &values))
		return ood_fail_memory(err, SIZE_MAX);
	r->slot = ood_malloc(r->n, sizeof(*r->slot));
	r->y = ood_malloc(values, sizeof(*r->y));
	r->some = each ? ood_malloc(values, sizeof(*r->some)) : NULL;
	return r->slot && r->y && (!each || r->some)
		       ? OOD_OK
		       : ood_fail_memory(err, values * sizeof(*r->y));
}

static int find_slots(struct ood_scatter *s, const int64_t *label,
		      struct shifted *r, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; !code && i < r->n; i++)
		code = ood_class_sums_slot(&s->classes, label ? label[i] : 0,
					   r->d, &r->slot[i], err);
	return code ? code : ood_scatter_make_room(s, r->d, err);
}

/* Centres of the classes from `first` on: the mean of their rows, as one of
 * them plus what the others differ by. */
static void set_centres(struct ood_scatter *s, const double *x, size_t first,
			const struct shifted *r)
{
	double *count = s->classes.count.data;
	size_t d = r->d;

	for (size_t i = 0; i < r->n; i++) {
		size_t k = r->slot[i];
		double *sum = s->classes.sum.data + k * d;
		double *c = s->centre.data + k * d;

		if (k < first)
			continue;
		if (count[k] == 0)
			memcpy(c, x + i * d, d * sizeof(*c));
		for (size_t j = 0; j < d; j++)
			sum[j] += x[i * d + j] - c[j];
		count[k]++;
	}
	for (size_t k = first; k < ood_scatter_classes(s); k++) {
		double *sum = s->classes.sum.data + k * d;

		for (size_t j = 0; j < d; j++)
			s->centre.data[k * d + j] += sum[j] / count[k];
		memset(sum, 0, d * sizeof(*sum));
		count[k] = 0;
	}
}

/* y and the sums of columns [from, to). */
static void shift_stripe(struct ood_scatter *s, const double *x,
			 const struct shifted *r, size_t from, size_t to)
{
	for (size_t i = 0; i < r->n; i++) {
		const double *c = s->centre.data + r->slot[i] * r->d;
		const double *row = x + i * r->d;
		double *sum = s->classes.sum.data + r->slot[i] * r->d;
		double *y = r->y + i * r->d;

		for (size_t j = from; j < to; j++) {
			y[j] = row[j] - c[j];
			sum[j] += y[j];
		}
	}
}

static void shift(struct ood_scatter *s, const double *x,
		  const struct shifted *r)
{
	size_t stripes = (r->d + STRIPE - 1) / STRIPE;
	int threads = ood_threads();

#pragma omp parallel for num_threads(threads) if (threads > 1 && stripes > 1)
	for (size_t t = 0; t < stripes; t++)
		shift_stripe(s, x, r, t * STRIPE,
			     OOD_MIN((t + 1) * STRIPE, r->d));
	for (size_t i = 0; i < r->n; i++)
		s->classes.count.data[r->slot[i]]++;
}

static void add_diagonal(struct ood_scatter *s, const struct shifted *r)
{
	for (size_t i = 0; i < r->n; i++) {
		double *to = s->square.data + r->slot[i] * r->d;
		const double *y = r->y + i * r->d;

		for (size_t j = 0; j < r->d; j++)
			to[j] += y[j] * y[j];
	}
}

/* Those of a class at a time; a slot is used up when its rows are in. */
static int add_each(struct ood_scatter *s, struct shifted *r,
		    struct ood_err *err)
{
	size_t d = r->d;
	int code = OOD_OK;

	for (size_t first = 0; !code && first < r->n; first++) {
		size_t k = r->slot[first], some = 0;

		for (size_t i = first; k != SIZE_MAX && i < r->n; i++) {
			if (r->slot[i] != k)
				continue;
			memcpy(r->some + some++ * d, r->y + i * d,
			       d * sizeof(*r->y));
			r->slot[i] = SIZE_MAX;
		}
		if (some)
			code = ood_moment_lower(s->square.data + k * d * d,
						r->some, some, d, err);
	}
	return code;
}

int ood_scatter_add(struct ood_scatter *s, const int64_t *label,
		    const double *x, size_t n, size_t d, struct ood_err *err)
{
	struct shifted r = { .n = n, .d = d };
	size_t old = ood_scatter_classes(s);
	int code = shifted_make(&r, s, err);

	if (!code)
		code = find_slots(s, label, &r, err);
	if (!code) {
		set_centres(s, x, old, &r);
		shift(s, x, &r);
	}
	if (!code && s->kind == OOD_SCATTER_SHARED)
		code = ood_moment_lower(s->square.data, r.y, n, d, err);
	else if (!code && s->kind == OOD_SCATTER_EACH)
		code = add_each(s, &r, err);
	else if (!code)
		add_diagonal(s, &r);
	shifted_free(&r);
	return code;
}

/* ------------------------------------------------------------- closing --- */

static int centre_shared(struct ood_scatter *s, struct ood_err *err)
{
	size_t k = ood_scatter_classes(s), d = s->centre.cols;
	struct ood_mat v = { 0 }, vv = { 0 };
	int code = ood_mat_make(&v, k, d, err);

	if (!code)
		code = ood_mat_make(&vv, d, d, err);
	for (size_t i = 0; !code && i < k; i++)
		for (size_t j = 0; j < d; j++)
			v.data[i * d + j] = s->classes.sum.data[i * d + j] /
					    sqrt(s->classes.count.data[i]);
	if (!code)
		code = ood_moment_lower(vv.data, v.data, k, d, err);
	for (size_t i = 0; !code && i < d * d; i++)
		s->square.data[i] -= vv.data[i];
	if (!code)
		ood_moment_mirror(s->square.data, d);
	ood_mat_free(&v);
	ood_mat_free(&vv);
	return code;
}

static void centre_each(struct ood_scatter *s, size_t k)
{
	size_t d = s->centre.cols;
	const double *sum = s->classes.sum.data + k * d;
	double *square = s->square.data + k * d * d;

	for (size_t a = 0; a < d; a++)
		for (size_t b = 0; b <= a; b++)
			square[a * d + b] -=
				sum[a] * sum[b] / s->classes.count.data[k];
	ood_moment_mirror(square, d);
}

/* Rounding must not make a sum of squares negative. */
static void centre_diagonal(struct ood_scatter *s, size_t k)
{
	size_t d = s->centre.cols;
	const double *sum = s->classes.sum.data + k * d;
	double *square = s->square.data + k * d;

	for (size_t j = 0; j < d; j++)
		square[j] = OOD_MAX(
			square[j] - sum[j] * sum[j] / s->classes.count.data[k],
			0);
}

static int centre_squares(struct ood_scatter *s, struct ood_err *err)
{
	if (s->kind == OOD_SCATTER_SHARED)
		return centre_shared(s, err);
	for (size_t k = 0; k < ood_scatter_classes(s); k++) {
		if (s->kind == OOD_SCATTER_EACH)
			centre_each(s, k);
		else
			centre_diagonal(s, k);
	}
	return OOD_OK;
}

static void set_means(struct ood_scatter *s)
{
	size_t d = s->centre.cols;

	for (size_t k = 0; k < ood_scatter_classes(s); k++)
		for (size_t j = 0; j < d; j++)
			s->centre.data[k * d + j] +=
				s->classes.sum.data[k * d + j] /
				s->classes.count.data[k];
	memset(s->classes.sum.data, 0,
	       ood_scatter_classes(s) * d * sizeof(*s->classes.sum.data));
}

/* Blocks of `rows` rows in the order of the sorted labels. */
static int permute(struct ood_mat *mat, size_t rows, const double *old_label,
		   const struct ood_mat *label, struct ood_err *err)
{
	struct ood_mat to = { 0 };
	size_t block = rows * mat->cols;
	int code = ood_mat_make(&to, mat->rows, mat->cols, err);

	for (size_t i = 0; !code && i < label->rows; i++) {
		size_t k = ood_class_labels_find(label, (int64_t)old_label[i]);

		memcpy(to.data + k * block, mat->data + i * block,
		       block * sizeof(*to.data));
	}
	if (!code) {
		ood_mat_free(mat);
		*mat = to;
	}
	return code;
}

static bool is_sorted(const double *label, size_t k)
{
	for (size_t i = 1; i < k; i++)
		if (label[i - 1] >= label[i])
			return false;
	return true;
}

static int sort(struct ood_scatter *s, struct ood_err *err)
{
	size_t k = ood_scatter_classes(s), d = s->centre.cols;
	double *old = ood_malloc(k, sizeof(*old));
	int code = old ? OOD_OK : ood_fail_memory(err, k * sizeof(*old));

	if (!code)
		memcpy(old, s->classes.label.data, k * sizeof(*old));
	if (!code && !is_sorted(old, k)) {
		const struct ood_mat *label = &s->classes.label;

		s->centre_room = s->square_room = 0;
		code = ood_class_sums_sort(&s->classes, err);
		if (!code)
			code = ood_class_labels_check(label, err);
		if (!code)
			code = permute(&s->centre, 1, old, label, err);
		if (!code && s->kind != OOD_SCATTER_SHARED)
			code = permute(&s->square,
				       ood_scatter_square_rows(s, 1, d), old,
				       label, err);
	}
	ood_free(old);
	return code;
}

int ood_scatter_close(struct ood_scatter *s, struct ood_err *err)
{
	int code = OOD_OK;

	if (!ood_scatter_classes(s))
		return ood_fail(err, OOD_INPUT, "no rows to fit on");
	code = ood_scatter_check(s, err);
	if (!code)
		code = centre_squares(s, err);
	if (code)
		return code;
	set_means(s);
	return sort(s, err);
}

void ood_scatter_free(struct ood_scatter *s)
{
	ood_class_sums_free(&s->classes);
	ood_mat_free(&s->centre);
	ood_mat_free(&s->square);
	*s = (struct ood_scatter){ .kind = s->kind };
}

/* ------------------------------------------------------------- results --- */

double ood_scatter_rows(const struct ood_scatter *s)
{
	double n = 0;

	for (size_t k = 0; k < ood_scatter_classes(s); k++)
		n += s->classes.count.data[k];
	return n;
}

/* As the first mean plus what the others differ by: no rounding where all are
 * equal. */
int ood_grand_mean(const double *count, const struct ood_mat *class_mean,
		   struct ood_mat *mean, struct ood_err *err)
{
	const double *m = class_mean->data;
	size_t d = class_mean->cols;
	double n = 0;
	int code = ood_mat_make(mean, 1, d, err);

	for (size_t k = 0; !code && k < class_mean->rows; k++) {
		n += count[k];
		for (size_t j = 0; j < d; j++)
			mean->data[j] += count[k] * (m[k * d + j] - m[j]);
	}
	for (size_t j = 0; !code && j < d; j++)
		mean->data[j] = m[j] + mean->data[j] / n;
	return code;
}

int ood_scatter_between(const double *count, const struct ood_mat *class_mean,
			const struct ood_mat *mean, struct ood_mat *S,
			struct ood_err *err)
{
	size_t K = class_mean->rows, d = class_mean->cols;
	struct ood_mat v = { 0 };
	int code = ood_mat_make(&v, K, d, err);

	for (size_t k = 0; !code && k < K; k++)
		for (size_t j = 0; j < d; j++)
			v.data[k * d + j] =
				sqrt(count[k]) *
				(class_mean->data[k * d + j] - mean->data[j]);
	if (!code)
		code = ood_moment_add(S->data, v.data, K, d, err);
	ood_mat_free(&v);
	return code;
}
