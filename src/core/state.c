/*
 * state.c - what a fit leaves: a struct whose arrays a table describes
 */
#include "core/state.h"

#include "core/err.h"
#include "core/mem.h"

void ood_mat_free(struct ood_mat *mat)
{
	ood_free(mat->data);
	*mat = (struct ood_mat){ 0 };
}

struct ood_view ood_mat_view(const struct ood_mat *mat)
{
	return (struct ood_view){ mat->data, OOD_F8, mat->rows, mat->cols,
				  mat->cols };
}

int ood_mat_make(struct ood_mat *mat, size_t rows, size_t cols,
		 struct ood_err *err)
{
	size_t values;

	ood_mat_free(mat);
	if (!ood_mul(rows, cols, &values))
		return ood_fail_memory(err, SIZE_MAX);
	mat->data = ood_calloc(values, sizeof(double));
	if (!mat->data)
		return ood_fail_memory(err, values * sizeof(double));
	mat->rows = rows;
	mat->cols = cols;
	return OOD_OK;
}

int ood_mat_grow(struct ood_mat *mat, size_t rows, size_t cols,
		 struct ood_err *err)
{
	struct ood_mat more = { 0 };

	if (mat->data && rows <= mat->rows)
		return OOD_OK;
	int code = ood_mat_make(&more, rows, cols, err);

	if (code)
		return code;
	if (mat->data)
		memcpy(more.data, mat->data,
		       mat->rows * mat->cols * sizeof(double));
	ood_free(mat->data);
	*mat = more;
	return OOD_OK;
}

static const void *member(const struct ood_kept *field, const void *state)
{
	return (const char *)state + field->at;
}

struct ood_view ood_kept_view(const struct ood_kept *field, const void *state)
{
	return field->kind == OOD_KEPT_BANK
		       ? ood_bank_view(member(field, state))
		       : ood_mat_view(member(field, state));
}

void ood_kept_free(const struct ood_kept *kept, void *state)
{
	for (const struct ood_kept *f = kept; f && f->kind; f++) {
		void *at = (char *)state + f->at;

		if (f->kind == OOD_KEPT_BANK)
			ood_bank_free(at);
		else
			ood_mat_free(at);
	}
}

static bool agrees(char letter, size_t size, struct ood_sizes *sizes,
		   size_t *wanted)
{
	if (letter == '1') {
		*wanted = 1;
		return size == 1;
	}
	size_t *of = &sizes->of[letter - 'A'];

	if (!*of)
		*of = size;
	*wanted = *of;
	return *of == size;
}

int ood_kept_check(const struct ood_kept *field, size_t rows, size_t cols,
		   struct ood_sizes *sizes, struct ood_err *err)
{
	size_t r, c;
	bool ok = agrees(field->shape[0], rows, sizes, &r);

	ok &= agrees(field->shape[1], cols, sizes, &c);
	if (ok)
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"array %s is %zu x %zu where %zu x %zu is expected",
			field->name, rows, cols, r, c);
}
