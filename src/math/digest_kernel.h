/*
 * digest_kernel.h - the digest's loops, included once per instruction set
 *
 * The includer defines KERNEL (attributes of every function), W (doubles of a
 * vector), the types V and I (vectors of doubles and of integers), and what
 * differs between instruction sets: v_load, v_load4, v_max, v_min, v_pick,
 * v_scale. All else is arithmetic of vectors that GCC and Clang both know, so
 * that the order of every sum is written here once and is the same for all.
 *
 * Wide rows: column j goes to lane j % WIDE; lanes are summed over runs of RUN
 * columns, runs in order, lanes pairwise. Narrow rows: TILE rows are turned so
 * that each has a lane of its own, columns in order.
 */

#include "math/digest_vector.h"

/* Not more than 128 terms are added one after another without a new start: a
 * wide sum of one sign is off by (RUN/WIDE + C/RUN + 4) 2^-53 at most. */
enum { WIDE = 16, RUN = 1024, TILE = 32, NARROW = 128, WIDE_V = WIDE / W };

/* Largest, second largest, number of the largest; lane by lane. */
struct tops {
	V m1, m2, k;
};

struct sums {
	V s, w, q;
};

/* (z - m)/T, cut where the exponential is 0: no infinity leaves. */
static inline KERNEL V v_gap(V z, V m, const struct ood_digest_scale *a)
{
	V t = v_max(z - m, v_all(a->floor));

	return t * a->rest + t * a->r;
}

static inline KERNEL void tops_add(struct tops *t, V x, V column)
{
	t->k = v_pick(x, t->m1, column, t->k);
	t->m2 = v_max(t->m2, v_min(t->m1, x));
	t->m1 = v_max(t->m1, x);
}

/* Adds a term; m is the maximum, or 1/p_k for probabilities. */
static inline KERNEL void sums_add(struct sums *t, V x, V m,
				   const struct ood_digest_scale *a)
{
	V e, d;

	if (a->probs) {
		e = x * m;
		d = v_log(v_max(e, v_all(0x1p-1074)));
		/* Values down to -1e-6 pass; they have no logarithm. */
		t->w = t->w - v_max(e, v_all(0)) * d;
	} else {
		d = v_gap(x, m, a);
		e = v_exp(d);
		t->w = t->w - e * d;
	}
	t->s = t->s + e;
	t->q = t->q + e * e;
}

/* ------------------------------------------------------- wide rows --- */

/* A row, and what stands in columns that it lacks and in column `hole`. */
struct wide {
	const void *row;
	size_t c, hole;
	double absent;
	bool single;
};

/* Columns j .. j + WIDE - 1. */
static inline KERNEL void wide_block(V x[WIDE_V], const struct wide *w,
				     size_t j)
{
	double pad[WIDE];

	if (j + WIDE <= w->c && w->hole - j >= WIDE) {
		for (int u = 0; u < WIDE_V; u++)
			x[u] = v_read(w->row, j + (size_t)u * W, w->single);
		return;
	}
	for (size_t l = 0; l < WIDE; l++) {
		size_t i = j + l;

		if (i >= w->c || i == w->hole)
			pad[l] = w->absent;
		else if (w->single)
			pad[l] = (double)((const float *)w->row)[i];
		else
			pad[l] = ((const double *)w->row)[i];
	}
	for (int u = 0; u < WIDE_V; u++)
		x[u] = v_load(pad + u * W);
}

/* Lanes to one: largest, second largest, first column of the largest. */
static inline KERNEL void tops_merge(const struct tops t[WIDE_V], double top[3])
{
	double m1[WIDE], m2[WIDE], k[WIDE];

	for (int u = 0; u < WIDE_V; u++) {
		memcpy(m1 + u * W, &t[u].m1, sizeof(V));
		memcpy(m2 + u * W, &t[u].m2, sizeof(V));
		memcpy(k + u * W, &t[u].k, sizeof(V));
	}
	for (size_t l = 1; l < WIDE; l++) {
		double low = OOD_MIN(m1[0], m1[l]),
		       both = OOD_MAX(m2[0], m2[l]);

		m2[0] = OOD_MAX(low, both);
		if (m1[l] > m1[0] || (m1[l] == m1[0] && k[l] < k[0]))
			k[0] = k[l];
		m1[0] = OOD_MAX(m1[0], m1[l]);
	}
	top[0] = m1[0];
	top[1] = m2[0];
	top[2] = k[0];
}

static inline KERNEL void wide_tops(const struct wide *w, double top[3])
{
	struct tops t[WIDE_V];
	V x[WIDE_V], column[WIDE_V];
	double number[WIDE];

	for (size_t l = 0; l < WIDE; l++)
		number[l] = (double)l;
	for (int u = 0; u < WIDE_V; u++) {
		t[u] = (struct tops){ v_all(-INFINITY), v_all(-INFINITY),
				      v_all(0) };
		column[u] = v_load(number + u * W);
	}
	for (size_t j = 0; j < w->c; j += WIDE) {
		wide_block(x, w, j);
		for (int u = 0; u < WIDE_V; u++) {
			tops_add(&t[u], x[u], column[u]);
			column[u] = column[u] + (double)WIDE;
		}
	}
	tops_merge(t, top);
}

/* Lanes to one number, pairwise. */
static inline KERNEL double lanes_sum(const V x[WIDE_V])
{
	double lane[WIDE];

	memcpy(lane, x, sizeof(lane));
	for (size_t half = WIDE / 2; half; half /= 2)
		for (size_t l = 0; l < half; l++)
			lane[l] += lane[l + half];
	return lane[0];
}

/* Sums over the columns but w->hole; m as in sums_add(). */
static inline KERNEL void wide_sums(const struct wide *w, double m,
				    const struct ood_digest_scale *a,
				    double sum[3])
{
	V s[WIDE_V], ws[WIDE_V], q[WIDE_V], x[WIDE_V], top = v_all(m);

	for (int u = 0; u < WIDE_V; u++)
		s[u] = ws[u] = q[u] = v_all(0);
	for (size_t from = 0; from < w->c; from += RUN) {
		size_t to = OOD_MIN(w->c, from + RUN);
		struct sums t[WIDE_V];

		for (int u = 0; u < WIDE_V; u++)
			t[u] = (struct sums){ v_all(0), v_all(0), v_all(0) };
		for (size_t j = from; j < to; j += WIDE) {
			wide_block(x, w, j);
			for (int u = 0; u < WIDE_V; u++)
				sums_add(&t[u], x[u], top, a);
		}
		for (int u = 0; u < WIDE_V; u++) {
			s[u] = s[u] + t[u].s;
			ws[u] = ws[u] + t[u].w;
			q[u] = q[u] + t[u].q;
		}
	}
	sum[0] = lanes_sum(s);
	sum[1] = lanes_sum(ws);
	sum[2] = lanes_sum(q);
}

static inline KERNEL void wide_rows(struct ood_view view,
				    const struct ood_digest_scale *a,
				    struct ood_digest *d)
{
	size_t size = a->single ? sizeof(float) : sizeof(double);

	for (size_t i = 0; i < view.rows; i++) {
		struct wide w = { (const char *)view.data +
					  i * view.stride * size,
				  view.cols, SIZE_MAX, -INFINITY, a->single };
		double top[3], sum[3];

		wide_tops(&w, top);
		w.hole = (size_t)top[2];
		w.absent = a->probs ? 0 : -INFINITY;
		wide_sums(&w, a->probs ? 1 / top[0] : top[0], a, sum);
		d->max[i] = top[0];
		d->second[i] = top[1];
		d->arg[i] = (uint32_t)top[2];
		d->s[i] = sum[0];
		d->w[i] = sum[1];
		d->q[i] = sum[2];
	}
}

/* ----------------------------------------------------- narrow rows --- */

/* TILE rows from `first` on, turned: z[j][row]. Absent rows are zeros. */
static inline KERNEL void tile_fill(double z[NARROW][TILE],
				    struct ood_view view, size_t first,
				    const struct ood_digest_scale *a)
{
	size_t rows = OOD_MIN(TILE, view.rows - first);

	for (size_t r = 0; r < TILE; r++) {
		size_t at = (first + r) * view.stride;

		for (size_t j = 0; j < view.cols; j++)
			if (r >= rows)
				z[j][r] = 0;
			else if (a->single)
				z[j][r] = (double)((const float *)
							   view.data)[at + j];
			else
				z[j][r] = ((const double *)view.data)[at + j];
	}
}

static inline KERNEL void tile_tops(double z[NARROW][TILE], size_t c,
				    struct ood_digest *d, size_t first)
{
	double k[TILE];

	for (int u = 0; u < TILE; u += W) {
		struct tops t = { v_all(-INFINITY), v_all(-INFINITY),
				  v_all(0) };

		for (size_t j = 0; j < c; j++)
			tops_add(&t, v_load(z[j] + u), v_all((double)j));
		memcpy(d->max + first + u, &t.m1, sizeof(V));
		memcpy(d->second + first + u, &t.m2, sizeof(V));
		memcpy(k + u, &t.k, sizeof(V));
	}
	for (size_t r = 0; r < TILE; r++)
		d->arg[first + r] = (uint32_t)k[r];
}

static inline KERNEL void tile_sums(double z[NARROW][TILE], size_t c,
				    const struct ood_digest_scale *a,
				    struct ood_digest *d, size_t first)
{
	for (int u = 0; u < TILE; u += W) {
		struct sums t = { v_all(0), v_all(0), v_all(0) };
		V m = v_load(d->max + first + u);

		if (a->probs)
			m = 1.0 / m;
		for (size_t j = 0; j < c; j++)
			sums_add(&t, v_load(z[j] + u), m, a);
		memcpy(d->s + first + u, &t.s, sizeof(V));
		memcpy(d->w + first + u, &t.w, sizeof(V));
		memcpy(d->q + first + u, &t.q, sizeof(V));
	}
}

static inline KERNEL void narrow_rows(struct ood_view view,
				      const struct ood_digest_scale *a,
				      struct ood_digest *d)
{
	double z[NARROW][TILE] __attribute__((aligned(64)));

	for (size_t i = 0; i < view.rows; i += TILE) {
		tile_fill(z, view, i, a);
		tile_tops(z, view.cols, d, i);
		/* The maximum leaves the sums. */
		for (size_t r = 0; r < TILE; r++)
			z[d->arg[i + r]][r] = a->probs ? 0 : -INFINITY;
		tile_sums(z, view.cols, a, d, i);
	}
}

/* ------------------------------------------------------------- all --- */

/* What follows from the sums, W rows at a time. */
static inline KERNEL void finish(size_t rows, const struct ood_digest_scale *a,
				 struct ood_digest *d)
{
	for (size_t i = rows; i % W; i++)
		d->max[i] = d->second[i] = d->s[i] = 1;
	for (size_t i = 0; i < rows; i += W) {
		V m = v_load(d->max + i), second = v_load(d->second + i);
		V e2, top, nlog, s = v_load(d->s + i);

		if (a->probs) {
			e2 = v_max(second / m, v_all(0));
			top = m;
			nlog = -v_log(m);
		} else {
			e2 = v_exp(v_gap(second, m, a));
			top = 1.0 / (1.0 + s);
			nlog = v_log1p(s);
		}
		memcpy(d->e2 + i, &e2, sizeof(V));
		memcpy(d->top + i, &top, sizeof(V));
		memcpy(d->nlog + i, &nlog, sizeof(V));
	}
}

static inline KERNEL void digest(struct ood_view view,
				 struct ood_digest_scale a, bool is_probs,
				 bool single, struct ood_digest *d)
{
	a.probs = is_probs;
	a.single = single;
	if (view.cols < NARROW)
		narrow_rows(view, &a, d);
	else
		wide_rows(view, &a, d);
	finish(view.rows, &a, d);
}

/* The flags as constants make four copies without branches of the loops. */
static KERNEL_ENTRY void logits(struct ood_view view, double T,
				struct ood_digest *d)
{
	struct ood_digest_scale a = ood_digest_scale(T);

	if (view.dtype == OOD_F4)
		digest(view, a, false, true, d);
	else
		digest(view, a, false, false, d);
}

static KERNEL_ENTRY void probs(struct ood_view view, struct ood_digest *d)
{
	struct ood_digest_scale a = { 0 };

	if (view.dtype == OOD_F4)
		digest(view, a, true, true, d);
	else
		digest(view, a, true, false, d);
}

static KERNEL_ENTRY void exps(double *x, size_t n)
{
	double pad[W] = { 0 };
	size_t i = 0;

	for (; i + W <= n; i += W) {
		V y = v_exp(v_max(v_load(x + i), v_all(-746)));

		memcpy(x + i, &y, sizeof(V));
	}
	memcpy(pad, x + i, (n - i) * sizeof(*x));
	V y = v_exp(v_max(v_load(pad), v_all(-746)));
	memcpy(x + i, &y, (n - i) * sizeof(*x));
}

/* -inf where x <= 0. */
static inline KERNEL V v_log_or_none(V x)
{
	return v_pick(x, v_all(0), v_log(v_max(x, v_all(0x1p-1074))),
		      v_all(-INFINITY));
}

static KERNEL_ENTRY void logs(double *x, size_t n)
{
	double pad[W] = { 0 };
	size_t i = 0;

	for (; i + W <= n; i += W) {
		V y = v_log_or_none(v_load(x + i));

		memcpy(x + i, &y, sizeof(V));
	}
	memcpy(pad, x + i, (n - i) * sizeof(*x));
	V y = v_log_or_none(v_load(pad));
	memcpy(x + i, &y, (n - i) * sizeof(*x));
}

static KERNEL_ENTRY size_t count(const double *x, size_t n, double cut)
{
	V one = v_all(1), none = v_all(0), top = v_all(cut);
	V a = none, b = none;
	double lane[W];
	size_t i = 0, sum = 0;

	/* Counts are integers: any order gives the same. */
	for (; i + 2 * W <= n; i += 2 * W) {
		a = a + v_pick(v_load(x + i), top, one, none);
		b = b + v_pick(v_load(x + i + W), top, one, none);
	}
	a = a + b;
	memcpy(lane, &a, sizeof(a));
	for (int l = 0; l < W; l++)
		sum += (size_t)lane[l];
	for (; i < n; i++)
		sum += x[i] > cut;
	return sum;
}
