/*
 * figures.c - metrics by their typed names, for tests
 */
#include "figures.h"

#include <stdio.h>

#include "core/mem.h"
#include "core/num.h"
#include "math/order.h"

static const double b8_id[] = { .1, .3, .5, .8 };
static const double b8_ood[] = { .5, .6, .8, .9 };

const struct ood_curve b8 = {
	.id = b8_id, .ood = b8_ood, .n_id = 4, .n_ood = 4
};

struct ood_value figure_of(const char *typed,
			   const struct ood_evidence *evidence)
{
	struct ood_spec *specs;
	struct ood_measure measure;
	struct ood_value value;
	struct ood_err err;
	size_t n;

	ck_assert_int_eq(ood_specs_parse(typed, &specs, &n, &err), OOD_OK);
	ck_assert_uint_eq(n, 1);
	ck_assert_int_eq(ood_measure_parse(&measure, specs, &err), OOD_OK);
	value = measure.metric->value(evidence, &measure.args);
	ood_measure_free(&measure);
	ood_free(specs);
	return value;
}

struct ood_value figure_value(const char *typed, const struct ood_curve *curve)
{
	return figure_of(typed, &(struct ood_evidence){ .curve = *curve,
							.level = 0.95 });
}

double figure(const char *typed, const struct ood_curve *curve)
{
	return figure_value(typed, curve).x;
}

static const double *side(const double *x, size_t n)
{
	double *copy = ood_malloc(n, sizeof(*copy));

	ck_assert_ptr_nonnull(copy);
	if (n)
		memcpy(copy, x, n * sizeof(*copy));
	ck_assert(ood_sort(copy, n));
	return copy;
}

struct ood_curve curve_of(const double *id, size_t n_id, const double *ood,
			  size_t n_ood)
{
	return (struct ood_curve){ .id = side(id, n_id),
				   .n_id = n_id,
				   .ood = side(ood, n_ood),
				   .n_ood = n_ood };
}

void curve_free(struct ood_curve *curve)
{
	ood_free((void *)(uintptr_t)curve->id);
	ood_free((void *)(uintptr_t)curve->ood);
}

/* Numerical Recipes' 64-bit congruential generator; the high bits are good. */
void random_scores(double *x, size_t k, unsigned values, uint64_t *seed)
{
	for (size_t i = 0; i < k; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		x[i] = (double)((*seed >> 33) % values) / 8;
	}
}

size_t table_line(void *file, char *line, int size, char **field, size_t most)
{
	size_t n = 0;

	do {
		if (!fgets(line, size, file))
			return 0;
	} while (*line == '#');
	line[strcspn(line, "\n")] = '\0';
	for (char *at = line; at && n < most; n++) {
		field[n] = at;
		at = strchr(at, '\t');
		if (at)
			*at++ = '\0';
	}
	return n;
}

double number(const char *text)
{
	double x;

	ck_assert_int_eq(ood_num_parse(text, strlen(text), '.', &x),
			 OOD_NUM_OK);
	return x;
}
