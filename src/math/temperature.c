/*
 * temperature.c - the temperature of least negative log-likelihood
 */
#include "math/temperature.h"

#include "core/err.h"

#define BOUND 10.0  /* of |ln beta| */
#define CLOSE 1e-12 /* a step of ln beta that ends the search */
#define STEPS_MAX 200

void ood_temperature_begin(struct ood_temperature *t)
{
	*t = (struct ood_temperature){
		.beta = 1, .T = 1, .lo = -BOUND, .hi = BOUND
	};
}

/* One row: f, g and h relative to its maximum, so that nothing overflows. */
static void add_row(struct ood_temperature *t, const double *z, size_t c,
		    size_t y)
{
	double most = -INFINITY, sum = 0, mean = 0, square = 0;

	for (size_t j = 0; j < c; j++)
		most = OOD_MAX(most, z[j]);
	for (size_t j = 0; j < c; j++) {
		double d = z[j] - most, e = exp(t->beta * d);

		sum += e;
		mean += e > 0 ? e * d : 0;
		square += e > 0 ? e * d * d : 0;
	}
	mean /= sum;
	t->n++;
	t->has_wrong |= z[y] < most;
	ood_sum_add(&t->f, log(sum) - t->beta * (z[y] - most));
	ood_sum_add(&t->g, mean - (z[y] - most));
	/* What cancels here only bends Newton's step: g alone is decisive. */
	ood_sum_add(&t->h, square / sum - mean * mean);
}

void ood_temperature_add(struct ood_temperature *t, const double *z,
			 const int64_t *label, size_t n, size_t c)
{
	for (size_t i = 0; i < n; i++)
		if (label[i] >= 0)
			add_row(t, z + i * c, c, (size_t)label[i]);
}

static bool done(struct ood_temperature *t, double at,
		 enum ood_temperature_end end)
{
	t->beta = exp(at);
	t->T = exp(-at);
	t->end = end;
	return false;
}

/* The next ln beta: Newton's, else the end or the middle of the bracket. */
static double next_at(const struct ood_temperature *t, double newton)
{
	if (newton > t->lo && newton < t->hi)
		return newton;
	if (newton <= t->lo && !t->has_lo)
		return t->lo;
	if (newton >= t->hi && !t->has_hi)
		return t->hi;
	return t->lo + (t->hi - t->lo) / 2;
}

bool ood_temperature_next(struct ood_temperature *t)
{
	const double g = ood_sum_value(&t->g), h = ood_sum_value(&t->h);

	t->nll = t->n ? ood_sum_value(&t->f) / (double)t->n : NAN;
	if (!t->steps++)
		t->nll_1 = t->nll;
	if (!t->has_wrong)
		return done(t, 0, OOD_TEMPERATURE_DEGENERATE);
	if (t->at <= -BOUND && g >= 0)
		return done(t, t->at, OOD_TEMPERATURE_HIGH);
	if (t->at >= BOUND && g < 0)
		return done(t, t->at, OOD_TEMPERATURE_LOW);
	if (g == 0)
		return done(t, t->at, OOD_TEMPERATURE_OK);
	*(g > 0 ? &t->hi : &t->lo) = t->at;
	*(g > 0 ? &t->has_hi : &t->has_lo) = true;
	/* h = 0 gives an infinite step of the right sign. */
	double at = next_at(t, t->at - g / (h * t->beta));
	if (fabs(at - t->at) < CLOSE || t->hi - t->lo < CLOSE)
		return done(t, at, OOD_TEMPERATURE_OK);
	if (t->steps >= STEPS_MAX)
		return done(t, at, OOD_TEMPERATURE_STUCK);
	t->at = at;
	t->beta = exp(at);
	t->f = t->g = t->h = (struct ood_sum){ 0 };
	t->n = 0;
	return true;
}
