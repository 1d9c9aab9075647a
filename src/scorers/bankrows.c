/*
 * bankrows.c - fit rows that a scorer keeps, each with a number
 */
#include "scorers/bankrows.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "core/rng.h"
#include "core/view.h"

static bool is_drawn(const struct ood_bankrows_draw *draw, uint64_t row)
{
	return draw->share >= 1 || ood_rng_uniform(draw->seed, OOD_RNG_SUBSET,
						   row, 0) < draw->share;
}

int ood_bankrows_add(struct ood_bankrows *bank, const struct ood_rows *rows,
		     const double *number, struct ood_bankrows_draw draw,
		     struct ood_err *err)
{
	size_t d = rows->d;
	int code = OOD_OK;

	for (size_t i = 0, end; !code && i < rows->n; i = end + 1) {
		/* A run of rows that are drawn. */
		for (end = i; end < rows->n && is_drawn(&draw, rows->row[end]);)
			end++;
		if (end == i)
			continue;
		code = ood_bank_add(&bank->rows, rows->x + i * d, end - i, d,
				    err);
		if (!code && number)
			code = ood_bank_add(&bank->number, number + i, end - i,
					    1, err);
	}
	return code;
}

/* A partial fit is a file, too. */
static int check_pair(const struct ood_bankrows *bank, struct ood_err *err)
{
	if (!bank->number.rows || bank->number.rows == bank->rows.rows)
		return OOD_OK;
	return ood_fail(err, OOD_INPUT, "%zu numbers of %zu rows",
			bank->number.rows, bank->rows.rows);
}

int ood_bankrows_join(struct ood_bankrows *bank,
		      const struct ood_bankrows *from, struct ood_err *err)
{
	const struct ood_bank *a = &bank->rows, *b = &from->rows;
	int code = check_pair(bank, err);

	if (!code)
		code = check_pair(from, err);
	if (!code && a->rows && b->rows &&
	    (a->cols != b->cols || !bank->number.rows != !from->number.rows))
		code = ood_fail(err, OOD_INPUT,
				"partial fits of %zu and %zu features, or one "
				"without numbers",
				a->cols, b->cols);
	if (!code)
		code = ood_bank_join(&bank->rows, b, err);
	return code ? code : ood_bank_join(&bank->number, &from->number, err);
}

static bool is_finite(const struct ood_bank *bank)
{
	const struct ood_view view = ood_bank_view(bank);
	bool ok = true;

	for (size_t i = 0; ok && i < view.rows; i++)
		for (size_t j = 0; j < view.cols; j++)
			ok &= isfinite(ood_view_at(view, i, j));
	return ok;
}

int ood_bankrows_check(const struct ood_bankrows *bank, bool numbers,
		       struct ood_err *err)
{
	if (!bank->rows.rows)
		return ood_fail(err, OOD_INPUT, "there are no rows");
	if (numbers && bank->number.rows != bank->rows.rows)
		return ood_fail(err, OOD_INPUT, "%zu numbers of %zu rows",
				bank->number.rows, bank->rows.rows);
	if (!is_finite(&bank->rows) || !is_finite(&bank->number))
		return ood_fail(err, OOD_INPUT,
				"a row, or its number, is not finite");
	return OOD_OK;
}

int ood_bankrows_check_k(const char *who, size_t k, size_t most,
			 struct ood_err *err)
{
	if (k <= most)
		return OOD_OK;
	if (!most)
		return ood_fail(err, OOD_INPUT,
				"%s: no rows are left to be neighbours (more "
				"fit rows, or a larger subset)",
				who);
	return ood_fail(err, OOD_INPUT,
			"%s: k=%zu where there are %zu neighbours (k=%zu is "
			"the largest, or more fit rows)",
			who, k, most, most);
}

void ood_bankrows_note(const struct ood_bankrows *bank, const char *who,
		       size_t k, double share, struct ood_notes *notes)
{
	size_t n = bank->rows.rows, d = bank->rows.cols;
	char text[OOD_NUM_MAX];

	ood_num_format(text, share);
	if (share < 1)
		ood_notes_say(notes,
			      "%s: %zu rows of %zu features, drawn from the "
			      "fit rows (subset=%s), k = %zu",
			      who, n, d, text, k);
	else
		ood_notes_say(notes, "%s: %zu rows of %zu features, k = %zu",
			      who, n, d, k);
}

int ood_bankrows_numbers(const struct ood_bankrows *bank, double **number,
			 struct ood_err *err)
{
	size_t n = bank->number.rows;

	*number = ood_malloc(n, sizeof(**number));
	if (!*number)
		return ood_fail_memory(err, n * sizeof(**number));
	for (size_t i = 0; i < n; i++)
		ood_bank_row(&bank->number, i, *number + i);
	return OOD_OK;
}
