/*
 * class_sums.c - counts and sums of rows, class by class, in one pass
 */
#include "math/class_sums.h"

#include "core/err.h"
#include "core/mem.h"

/* Where the label stands among the first k of the order, or would. */
static size_t place(const struct ood_class_sums *s, size_t k, double label)
{
	size_t lo = 0, hi = k;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->label.data[s->order[mid]] < label)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void insert(struct ood_class_sums *s, size_t k, size_t at, size_t slot)
{
	memmove(s->order + at + 1, s->order + at, (k - at) * sizeof(*s->order));
	s->order[at] = slot;
}

/* Sums that were read from a file have no index yet. */
static int make_index(struct ood_class_sums *s, struct ood_err *err)
{
	size_t k = s->label.rows;

	if (s->order || !k)
		return OOD_OK;
	s->room = s->order_room = k;
	s->order = ood_malloc(k, sizeof(*s->order));
	if (!s->order)
		return ood_fail_memory(err, k * sizeof(*s->order));
	for (size_t i = 0; i < k; i++)
		insert(s, i, place(s, i, s->label.data[i]), i);
	return OOD_OK;
}

static bool grow(struct ood_mat *mat, size_t rows, size_t cols)
{
	size_t row = cols * sizeof(double);
	double *more = ood_realloc(mat->data, mat->rows, rows, row);

	if (more)
		mat->data = more;
	mat->cols = cols;
	return more != NULL;
}

/* Room for one more class. */
static int make_room(struct ood_class_sums *s, size_t d, struct ood_err *err)
{
	size_t k = s->label.rows, room = OOD_MAX(16, s->room + s->room / 2);

	if (!ood_grow(&s->order, k, &s->order_room, sizeof(*s->order)))
		return ood_fail_memory(err, k * sizeof(*s->order));
	if (k < s->room)
		return OOD_OK;
	if (!grow(&s->label, room, 1) || !grow(&s->count, room, 1) ||
	    !grow(&s->sum, room, d))
		return ood_fail_memory(err, room * d * sizeof(double));
	s->room = room;
	return OOD_OK;
}

int ood_class_sums_slot(struct ood_class_sums *s, int64_t label, size_t d,
			size_t *slot, struct ood_err *err)
{
	int code = make_index(s, err);

	if (code)
		return code;
	size_t k = s->label.rows, at = place(s, k, (double)label);

	if (at < k && s->label.data[s->order[at]] == (double)label) {
		*slot = s->order[at];
		return OOD_OK;
	}
	code = make_room(s, d, err);
	if (code)
		return code;
	insert(s, k, at, k);
	s->label.data[k] = (double)label;
	s->count.data[k] = 0;
	memset(s->sum.data + k * d, 0, d * sizeof(double));
	s->label.rows = s->count.rows = s->sum.rows = k + 1;
	*slot = k;
	return OOD_OK;
}

int ood_class_sums_add(struct ood_class_sums *s, const int64_t *label,
		       const double *x, size_t n, size_t d, struct ood_err *err)
{
	for (size_t i = 0; i < n; i++) {
		size_t slot;
		int code = ood_class_sums_slot(s, label[i], d, &slot, err);

		if (code)
			return code;
		double *sum = s->sum.data + slot * d;
		for (size_t j = 0; j < d; j++)
			sum[j] += x[i * d + j];
		s->count.data[slot]++;
	}
	return OOD_OK;
}

int ood_class_sums_join(struct ood_class_sums *s,
			const struct ood_class_sums *from, struct ood_err *err)
{
	size_t d = from->sum.cols;

	for (size_t i = 0; i < from->label.rows; i++) {
		size_t slot;
		int code = ood_class_sums_slot(s, (int64_t)from->label.data[i],
					       d, &slot, err);

		if (code)
			return code;
		for (size_t j = 0; j < d; j++)
			s->sum.data[slot * d + j] += from->sum.data[i * d + j];
		s->count.data[slot] += from->count.data[i];
	}
	return OOD_OK;
}

int ood_class_sums_sort(struct ood_class_sums *s, struct ood_err *err)
{
	struct ood_class_sums to = { 0 };
	size_t k = s->label.rows, d = s->sum.cols;
	int code = make_index(s, err);

	if (!code)
		code = ood_mat_make(&to.label, k, 1, err);
	if (!code)
		code = ood_mat_make(&to.count, k, 1, err);
	if (!code)
		code = ood_mat_make(&to.sum, k, d, err);
	for (size_t i = 0; !code && i < k; i++) {
		size_t from = s->order[i];

		to.label.data[i] = s->label.data[from];
		to.count.data[i] = s->count.data[from];
		memcpy(to.sum.data + i * d, s->sum.data + from * d,
		       d * sizeof(double));
	}
	ood_class_sums_free(code ? &to : s);
	if (!code)
		*s = to;
	return code;
}

int ood_class_sums_means(struct ood_class_sums *s, struct ood_mat *label,
			 struct ood_mat *mean, struct ood_err *err)
{
	int code = ood_class_sums_sort(s, err);
	const size_t k = s->label.rows, d = s->sum.cols;

	if (!code)
		code = ood_mat_make(mean, k, d, err);
	if (!code && label)
		code = ood_mat_make(label, k, 1, err);
	for (size_t i = 0; !code && i < k; i++) {
		if (label)
			label->data[i] = s->label.data[i];
		for (size_t j = 0; j < d; j++)
			mean->data[i * d + j] =
				s->sum.data[i * d + j] / s->count.data[i];
	}
	return code;
}

void ood_class_sums_free(struct ood_class_sums *s)
{
	ood_mat_free(&s->label);
	ood_mat_free(&s->count);
	ood_mat_free(&s->sum);
	ood_free(s->order);
	*s = (struct ood_class_sums){ 0 };
}

int ood_class_labels_check(const struct ood_mat *label, struct ood_err *err)
{
	double last = -1;

	for (size_t i = 0; i < label->rows; i++) {
		double k = label->data[i];

		if (!(k > last) || k != floor(k) || k > 0x1p53)
			return ood_fail(err, OOD_INPUT,
					"class labels are not integers in "
					"ascending order");
		last = k;
	}
	return OOD_OK;
}

size_t ood_class_labels_find(const struct ood_mat *label, int64_t k)
{
	size_t lo = 0, hi = label->rows;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (label->data[mid] < (double)k)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < label->rows && label->data[lo] == (double)k ? lo : SIZE_MAX;
}
