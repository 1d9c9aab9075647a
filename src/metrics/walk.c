/*
 * walk.c - walks over a curve by all threads, and what one walk tells
 */
#include "metrics/walk.h"

#include "math/reduce.h"

/* Rows of the longer side in one stretch: about a millisecond of walking. */
#define STRETCH 65536
/* Stretches whose parts are held at once. */
#define WAVE 64

/* The run of vertices after `from` up to the one with `end` rows flagged. */
struct stretch {
	struct ood_vertex from;
	size_t end;
};

static size_t stretches(const struct ood_curve *curve)
{
	size_t longer = OOD_MAX(curve->n_id, curve->n_ood);

	return (longer + STRETCH - 1) / STRETCH;
}

/* The vertex that ends stretch i - 1. Where a tie is longer than a stretch,
 * some stretches have no vertex. */
static struct ood_vertex border(const struct ood_curve *curve, size_t i)
{
	bool by_id = curve->n_id >= curve->n_ood;
	const double *longer = by_id ? curve->id : curve->ood;
	size_t n = by_id ? curve->n_id : curve->n_ood;

	if (i == 0)
		return ood_curve_start();
	if (i * STRETCH >= n)
		return ood_curve_at(curve, -INFINITY);
	return ood_curve_at(curve, longer[n - i * STRETCH]);
}

static struct stretch stretch_at(const struct ood_curve *curve, size_t i)
{
	struct ood_vertex last = border(curve, i + 1);

	return (struct stretch){ .from = border(curve, i),
				 .end = last.fp + last.tp };
}

static bool step(const struct ood_curve *curve, const struct stretch *s,
		 struct ood_vertex *v)
{
	return v->fp + v->tp < s->end && ood_curve_next(curve, v);
}

/* What one stretch adds to a tally. */
struct part {
	ood_u128 u2, squares_ood, squares_id;
	struct ood_sum precision_ood, precision_id;
	ood_i128 youden;
};

static double ratio(size_t a, size_t b)
{
	return (double)(int64_t)a / (double)(int64_t)b;
}

static void add_ood(const struct ood_curve *c, const struct ood_vertex *v,
		    struct part *p)
{
	ood_u128 a = 2 * (ood_u128)(c->n_id - v->fp) + v->dfp;

	p->u2 += a * v->dtp;
	p->squares_ood += a * a * v->dtp;
	ood_sum_add(&p->precision_ood,
		    (double)(int64_t)v->dtp * ratio(v->tp, v->tp + v->fp));
}

/* With ID positive the rows at or below the score are the flagged ones. */
static void add_id(const struct ood_curve *c, const struct ood_vertex *v,
		   struct part *p)
{
	ood_u128 b = 2 * (ood_u128)v->tp - v->dtp;
	size_t id = c->n_id - (v->fp - v->dfp);
	size_t ood = c->n_ood - (v->tp - v->dtp);

	p->squares_id += b * b * v->dfp;
	ood_sum_add(&p->precision_id,
		    (double)(int64_t)v->dfp * ratio(id, id + ood));
}

static void walk_part(const struct ood_curve *c, size_t i, struct part *p)
{
	struct stretch s = stretch_at(c, i);
	struct ood_vertex v = s.from;

	*p = (struct part){ .u2 = 0 };
	while (step(c, &s, &v)) {
		ood_i128 j = (ood_i128)v.tp * (ood_i128)c->n_id -
			     (ood_i128)v.fp * (ood_i128)c->n_ood;

		if (v.dtp)
			add_ood(c, &v, p);
		if (v.dfp)
			add_id(c, &v, p);
		/* The origin has 0: nothing below it can be the maximum. */
		p->youden = OOD_MAX(p->youden, j);
	}
}

static void join(struct part *all, const struct part *p)
{
	all->u2 += p->u2;
	all->squares_ood += p->squares_ood;
	all->squares_id += p->squares_id;
	ood_sum_add(&all->precision_ood, ood_sum_value(&p->precision_ood));
	ood_sum_add(&all->precision_id, ood_sum_value(&p->precision_id));
	all->youden = OOD_MAX(all->youden, p->youden);
}

void ood_tally(const struct ood_curve *curve, struct ood_tally *tally)
{
	struct part all = { .u2 = 0 }, parts[WAVE];
	size_t n = stretches(curve);

	for (size_t base = 0; base < n; base += WAVE) {
		size_t wave = OOD_MIN(n - base, (size_t)WAVE);

#pragma omp parallel for schedule(dynamic) if (wave > 1)
		for (size_t i = 0; i < wave; i++)
			walk_part(curve, base + i, &parts[i]);
		for (size_t i = 0; i < wave; i++)
			join(&all, &parts[i]);
	}
	*tally = (struct ood_tally){
		.u2 = all.u2,
		.squares_ood = all.squares_ood,
		.squares_id = all.squares_id,
		.precision_ood = ood_sum_value(&all.precision_ood),
		.precision_id = ood_sum_value(&all.precision_id),
		.youden = all.youden,
	};
}

static double sum_part(const struct ood_curve *curve, size_t i, ood_term *term)
{
	struct stretch s = stretch_at(curve, i);
	struct ood_vertex v = s.from;
	struct ood_sum sum = { 0 };

	while (step(curve, &s, &v))
		ood_sum_add(&sum, term(curve, &v));
	return ood_sum_value(&sum);
}

double ood_walk_sum(const struct ood_curve *curve, ood_term *term)
{
	struct ood_sum all = { 0 };
	double parts[WAVE];
	size_t n = stretches(curve);

	for (size_t base = 0; base < n; base += WAVE) {
		size_t wave = OOD_MIN(n - base, (size_t)WAVE);

#pragma omp parallel for schedule(dynamic) if (wave > 1)
		for (size_t i = 0; i < wave; i++)
			parts[i] = sum_part(curve, base + i, term);
		for (size_t i = 0; i < wave; i++)
			ood_sum_add(&all, parts[i]);
	}
	return ood_sum_value(&all);
}
