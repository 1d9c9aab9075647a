/*
 * scatter_join.c - joins sums of rows by class that were made apart
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/linalg.h"
#include "math/scatter_own.h"
#include "math/vector.h"

static bool is_count(double x)
{
	return x >= 1 && x <= 0x1p53 && x == floor(x);
}

static bool is_label(double x)
{
	return x >= 0 && x <= 0x1p53 && x == floor(x);
}

int ood_scatter_check(const struct ood_scatter *s, struct ood_err *err)
{
	const struct ood_class_sums *c = &s->classes;
	size_t k = ood_scatter_classes(s), d = s->centre.cols;
	bool ok = k && d && s->centre.rows == k && c->sum.rows == k &&
		  c->sum.cols == d && s->square.cols == d &&
		  s->square.rows == ood_scatter_square_rows(s, k, d);

	for (size_t i = 0; ok && i < k; i++)
		ok = is_label(c->label.data[i]) && is_count(c->count.data[i]);
	if (ok && ood_all_finite(c->sum.data, k * d) &&
	    ood_all_finite(s->centre.data, k * d) &&
	    ood_all_finite(s->square.data, s->square.rows * d))
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"sums of rows by class do not fit together, or are "
			"not finite");
}

/*
 * About the centre c of s what was about c' of `from`, e = c' - c:
 *	sum (x - c)(x - c)' = sum (x - c')(x - c')' + s'e' + es'' + n'ee'
 */
struct moved {
	const struct ood_scatter *from;
	size_t i;  /* class of `from` */
	size_t k;  /* its slot here */
	double *e; /* d */
};

static void move_each(struct ood_scatter *s, const struct moved *m)
{
	size_t d = s->centre.cols;
	const double *old = m->from->classes.sum.data + m->i * d;
	const double *square = m->from->square.data + m->i * d * d;
	double n = m->from->classes.count.data[m->i];
	double *to = s->square.data + m->k * d * d;

	for (size_t a = 0; a < d; a++)
		for (size_t b = 0; b <= a; b++)
			to[a * d + b] +=
				square[a * d + b] +
				((old[a] * m->e[b] + m->e[a] * old[b]) +
				 n * m->e[a] * m->e[b]);
}

static void move_diagonal(struct ood_scatter *s, const struct moved *m)
{
	size_t d = s->centre.cols;
	const double *old = m->from->classes.sum.data + m->i * d;
	double n = m->from->classes.count.data[m->i];

	for (size_t j = 0; j < d; j++)
		s->square.data[m->k * d + j] +=
			m->from->square.data[m->i * d + j] +
			(2 * old[j] * m->e[j] + n * m->e[j] * m->e[j]);
}

/* Shared: rows (s + n e)/sqrt n and s/sqrt n, whose squares are to be added
 * and taken away. */
static void move_shared(const struct ood_scatter *s, const struct moved *m,
			double *plus, double *minus)
{
	size_t d = s->centre.cols;
	const double *old = m->from->classes.sum.data + m->i * d;
	double n = m->from->classes.count.data[m->i], root = sqrt(n);

	for (size_t j = 0; j < d; j++) {
		plus[m->i * d + j] = (old[j] + n * m->e[j]) / root;
		minus[m->i * d + j] = old[j] / root;
	}
}

static void join_class(struct ood_scatter *s, const struct moved *m, bool fresh)
{
	size_t d = s->centre.cols;
	const double *centre = m->from->centre.data + m->i * d;
	const double *old = m->from->classes.sum.data + m->i * d;
	double n = m->from->classes.count.data[m->i];
	double *sum = s->classes.sum.data + m->k * d;
	double *c = s->centre.data + m->k * d;

	if (fresh)
		memcpy(c, centre, d * sizeof(*c));
	for (size_t j = 0; j < d; j++)
		m->e[j] = centre[j] - c[j];
	if (s->kind == OOD_SCATTER_EACH)
		move_each(s, m);
	else if (s->kind == OOD_SCATTER_DIAGONAL)
		move_diagonal(s, m);
	for (size_t j = 0; j < d; j++)
		sum[j] += old[j] + n * m->e[j];
	s->classes.count.data[m->k] += n;
}

/* What joining classes needs beside the two sums. */
struct joining {
	double *e;		    /* d */
	struct ood_mat plus, minus; /* K x D of `from`: shared alone */
	struct ood_mat square;	    /* D x D */
};

static int joining_make(struct joining *g, const struct ood_scatter *from,
			struct ood_err *err)
{
	size_t k = ood_scatter_classes(from), d = from->centre.cols;
	int code = OOD_OK;

	*g = (struct joining){ .e = ood_malloc(d, sizeof(*g->e)) };
	if (!g->e)
		return ood_fail_memory(err, d * sizeof(*g->e));
	if (from->kind != OOD_SCATTER_SHARED)
		return OOD_OK;
	code = ood_mat_make(&g->plus, k, d, err);
	if (!code)
		code = ood_mat_make(&g->minus, k, d, err);
	if (!code)
		code = ood_mat_make(&g->square, d, d, err);
	return code;
}

static void joining_free(struct joining *g)
{
	ood_free(g->e);
	ood_mat_free(&g->plus);
	ood_mat_free(&g->minus);
	ood_mat_free(&g->square);
}

static int join_shared(struct ood_scatter *s, const struct ood_scatter *from,
		       struct joining *g, struct ood_err *err)
{
	size_t k = ood_scatter_classes(from), d = from->centre.cols;
	int code = ood_moment_lower(g->square.data, g->minus.data, k, d, err);

	for (size_t i = 0; i < d * d; i++)
		s->square.data[i] += from->square.data[i] - g->square.data[i];
	return code ? code
		    : ood_moment_lower(s->square.data, g->plus.data, k, d, err);
}

static int join_classes(struct ood_scatter *s, const struct ood_scatter *from,
			struct joining *g, struct ood_err *err)
{
	size_t d = from->centre.cols;
	int code = OOD_OK;

	for (size_t i = 0; !code && i < ood_scatter_classes(from); i++) {
		struct moved m = { .from = from, .i = i, .e = g->e };
		size_t old = ood_scatter_classes(s);

		code = ood_class_sums_slot(&s->classes,
					   (int64_t)from->classes.label.data[i],
					   d, &m.k, err);
		if (!code)
			code = ood_scatter_make_room(s, d, err);
		if (code)
			break;
		join_class(s, &m, m.k == old);
		if (s->kind == OOD_SCATTER_SHARED)
			move_shared(s, &m, g->plus.data, g->minus.data);
	}
	return code;
}

int ood_scatter_join(struct ood_scatter *s, const struct ood_scatter *from,
		     struct ood_err *err)
{
	struct joining g = { 0 };
	int code = OOD_OK;

	if (!ood_scatter_classes(from))
		return OOD_OK;
	code = ood_scatter_check(from, err);
	if (!code && ood_scatter_classes(s))
		code = ood_scatter_check(s, err);
	if (!code && ood_scatter_classes(s) &&
	    s->centre.cols != from->centre.cols)
		code = ood_fail(err, OOD_INPUT,
				"sums of %zu features do not join those of %zu",
				from->centre.cols, s->centre.cols);
	if (!code)
		code = joining_make(&g, from, err);
	if (!code)
		code = join_classes(s, from, &g, err);
	if (!code && s->kind == OOD_SCATTER_SHARED)
		code = join_shared(s, from, &g, err);
	joining_free(&g);
	return code;
}
