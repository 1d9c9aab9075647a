/*
 * bank.c - rows that are kept, in float while all of them are floats
 */
#include "core/bank.h"

#include "core/err.h"
#include "core/mem.h"

static size_t item(const struct ood_bank *bank)
{
	return bank->dtype == OOD_F4 ? sizeof(float) : sizeof(double);
}

static bool are_floats(const double *x, size_t n)
{
	bool ok = true;

	/* The range first: what is beyond has no defined conversion. */
	for (size_t i = 0; i < n; i++)
		ok &= !(fabs(x[i]) > 0x1.fffffep127) &&
		      (double)(float)x[i] == x[i];
	return ok;
}

static int widen(struct ood_bank *bank, struct ood_err *err)
{
	size_t n = bank->rows * bank->cols, room = bank->room * bank->cols;
	double *wide = ood_malloc(room, sizeof(*wide));

	if (!wide)
		return ood_fail_memory(err, room * sizeof(*wide));
	for (size_t i = 0; i < n; i++)
		wide[i] = (double)((const float *)bank->data)[i];
	ood_free(bank->data);
	bank->data = wide;
	bank->dtype = OOD_F8;
	return OOD_OK;
}

static int reserve(struct ood_bank *bank, size_t n, struct ood_err *err)
{
	size_t room = bank->room + bank->room / 2,
	       row = bank->cols * item(bank);

	if (bank->rows + n <= bank->room)
		return OOD_OK;
	room = OOD_MAX(room, bank->rows + n);
	void *more = ood_realloc(bank->data, bank->rows, room, row);
	if (!more)
		return ood_fail_memory(err, room * row);
	bank->data = more;
	bank->room = room;
	return OOD_OK;
}

int ood_bank_add(struct ood_bank *bank, const double *x, size_t n, size_t cols,
		 struct ood_err *err)
{
	bool floats = are_floats(x, n * cols);
	int code = OOD_OK;

	if (!bank->rows) {
		ood_bank_free(bank);
		bank->cols = cols;
		bank->dtype = floats ? OOD_F4 : OOD_F8;
	} else if (!floats && bank->dtype == OOD_F4) {
		code = widen(bank, err);
	}
	if (!code)
		code = reserve(bank, n, err);
	if (code)
		return code;
	size_t at = bank->rows * cols;
	for (size_t i = 0; i < n * cols; i++) {
		if (bank->dtype == OOD_F4)
			((float *)bank->data)[at + i] = (float)x[i];
		else
			((double *)bank->data)[at + i] = x[i];
	}
	bank->rows += n;
	return OOD_OK;
}

int ood_bank_join(struct ood_bank *bank, const struct ood_bank *from,
		  struct ood_err *err)
{
	double *x = ood_malloc(OOD_MAX(from->cols, 1), sizeof(*x));
	int code = x ? OOD_OK : ood_fail_memory(err, from->cols * sizeof(*x));

	for (size_t i = 0; !code && i < from->rows; i++) {
		ood_bank_row(from, i, x);
		code = ood_bank_add(bank, x, 1, from->cols, err);
	}
	ood_free(x);
	return code;
}

void ood_bank_row(const struct ood_bank *bank, size_t i, double *x)
{
	size_t at = i * bank->cols;

	if (bank->dtype == OOD_F8) {
		memcpy(x, (const double *)bank->data + at,
		       bank->cols * sizeof(*x));
		return;
	}
	for (size_t j = 0; j < bank->cols; j++)
		x[j] = (double)((const float *)bank->data)[at + j];
}

struct ood_view ood_bank_view(const struct ood_bank *bank)
{
	return (struct ood_view){ bank->data, bank->dtype, bank->rows,
				  bank->cols, bank->cols };
}

void ood_bank_free(struct ood_bank *bank)
{
	ood_free(bank->data);
	*bank = (struct ood_bank){ 0 };
}
