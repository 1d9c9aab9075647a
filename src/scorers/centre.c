/*
 * centre.c - the mean of the fit features, for scorers that learn that alone
 */
#include "scorers/centre.h"

#include "core/err.h"
#include "math/vector.h"

int ood_centre_add(void *state, const struct ood_fit *fit,
		   const struct ood_rows *rows, struct ood_err *err)
{
	struct ood_centre *s = state;

	(void)fit;
	return ood_means_add(&s->sums, rows->x, rows->n, rows->d, err);
}

int ood_centre_merge(void *state, const void *from, const struct ood_fit *fit,
		     struct ood_err *err)
{
	struct ood_centre *s = state;
	const struct ood_centre *f = from;

	(void)fit;
	return ood_means_join(&s->sums, &f->sums, err);
}

int ood_centre_end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct ood_centre *s = state;

	(void)fit;
	return ood_means_of(&s->sums, &s->mean, err);
}

int ood_centre_check(const struct ood_centre *centre, struct ood_err *err)
{
	const struct ood_mat *mean = &centre->mean;

	return ood_all_finite(mean->data, mean->rows * mean->cols)
		       ? OOD_OK
		       : ood_fail(err, OOD_INPUT, "the mean is not finite");
}
