/*
 * percentile.c - exact percentiles of a stream too long to keep
 */
#include "math/percentile.h"

#include "core/err.h"
#include "core/mem.h"
#include "math/order.h"

enum {
	KEEP = 1 << 20, /* values that are rather kept than counted: 8 MiB */
	STEP = 16,	/* bits of the key that a pass of counting settles */
	BINS = 1 << STEP,
};

/* The values whose keys begin with the `known` bits of prefix. */
struct group {
	uint64_t prefix, n; /* n: of them, once known */
	unsigned known;
	uint64_t *bin; /* counted by the next STEP bits; NULL: not counted */
	double *kept;  /* NULL: not kept */
	size_t at, room;
	bool sorted;
};

/* An order statistic: the rank-th smallest of its group, from 0. */
struct target {
	uint64_t rank;
	size_t group;
	bool done;
	double value;
};

struct ood_percentiles {
	double *q;
	struct target *target; /* 2 of each: below and above its position */
	size_t n;
	struct group *group, *next; /* of this pass, of the one that follows */
	size_t n_groups, n_next;
	uint64_t total;
	bool first;
};

/* Doubles in the order of unsigned numbers; -0 is 0. */
static uint64_t key_of(double x)
{
	const uint64_t sign = (uint64_t)1 << 63;
	uint64_t bits;

	x += 0.0;
	memcpy(&bits, &x, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

static double value_of(uint64_t key)
{
	const uint64_t sign = (uint64_t)1 << 63;
	uint64_t bits = key & sign ? key & ~sign : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static void group_free(struct group *g)
{
	ood_free(g->bin);
	ood_free(g->kept);
}

/* Values are kept as long as they fit, and counted unless it is known that
 * they do. */
static bool group_begin(struct group *g, bool count)
{
	g->bin = count ? ood_calloc(BINS, sizeof(*g->bin)) : NULL;
	g->room = count && g->n ? 0 : g->n ? (size_t)g->n : 4096;
	g->kept = g->room ? ood_malloc(g->room, sizeof(*g->kept)) : NULL;
	return (g->bin || !count) && (g->kept || !g->room);
}

int ood_percentiles_make(struct ood_percentiles **made, const double *q,
			 size_t n, struct ood_err *err)
{
	struct ood_percentiles *p = ood_calloc(1, sizeof(*p));

	*made = p;
	if (!p)
		return ood_fail_memory(err, sizeof(*p));
	p->n = n;
	p->first = true;
	p->n_groups = 1;
	p->q = ood_malloc(n, sizeof(*p->q));
	p->target = ood_calloc(2 * n, sizeof(*p->target));
	p->group = ood_calloc(2 * n, sizeof(*p->group));
	p->next = ood_calloc(2 * n, sizeof(*p->next));
	if (!p->q || !p->target || !p->group || !p->next ||
	    !group_begin(&p->group[0], true))
		return ood_fail_memory(err, BINS * sizeof(uint64_t));
	memcpy(p->q, q, n * sizeof(*q));
	return OOD_OK;
}

void ood_percentiles_free(struct ood_percentiles *p)
{
	if (!p)
		return;
	for (size_t i = 0; p->group && i < p->n_groups; i++)
		group_free(&p->group[i]);
	ood_free(p->group);
	ood_free(p->next);
	ood_free(p->q);
	ood_free(p->target);
	ood_free(p);
}

static bool keep(struct group *g, double x)
{
	if (g->at == g->room) {
		size_t room = OOD_MIN(g->room * 2, KEEP);
		double *more = g->bin && g->room < KEEP
				       ? ood_realloc(g->kept, g->room, room,
						     sizeof(*g->kept))
				       : NULL;

		if (!more && g->bin) { /* too many: counting alone */
			ood_free(g->kept);
			g->kept = NULL;
		}
		if (!more)
			return g->bin != NULL;
		g->kept = more;
		g->room = room;
	}
	g->kept[g->at++] = x;
	return true;
}

static bool group_add(struct group *g, const double *x, size_t n)
{
	const unsigned shift = 64 - STEP - g->known;

	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of(x[i]);

		if (g->known && key >> (64 - g->known) != g->prefix)
			continue;
		if (g->bin)
			g->bin[key >> shift & (BINS - 1)]++;
		if (g->kept && !keep(g, x[i]))
			return false;
	}
	return true;
}

int ood_percentiles_add(struct ood_percentiles *p, const double *x, size_t n,
			struct ood_err *err)
{
	p->total += p->first ? n : 0;
	for (size_t i = 0; i < p->n_groups; i++)
		if (!group_add(&p->group[i], x, n))
			return ood_fail(err, OOD_INPUT,
					"the rows changed between two passes "
					"over them");
	return OOD_OK;
}

/* (n - 1) q / 100, between two order statistics. */
static double position(const struct ood_percentiles *p, size_t i)
{
	return (double)(p->total - 1) * (p->q[i] / 100);
}

static void set_ranks(struct ood_percentiles *p)
{
	for (size_t i = 0; i < p->n; i++) {
		uint64_t lo = (uint64_t)position(p, i);

		p->target[2 * i].rank = OOD_MIN(lo, p->total - 1);
		p->target[2 * i + 1].rank = OOD_MIN(lo + 1, p->total - 1);
	}
	p->group[0].n = p->total;
}

/* The group of the next pass with this prefix; SIZE_MAX: no memory. */
static size_t next_group(struct ood_percentiles *p, uint64_t prefix,
			 unsigned known, uint64_t n)
{
	struct group g = { .prefix = prefix, .known = known, .n = n };

	for (size_t i = 0; i < p->n_next; i++)
		if (p->next[i].prefix == prefix && p->next[i].known == known)
			return i;
	if (!group_begin(&g, n > KEEP)) {
		group_free(&g);
		return SIZE_MAX;
	}
	p->next[p->n_next] = g;
	return p->n_next++;
}

static void settle(struct target *t, double value)
{
	t->done = true;
	t->value = value;
}

static void narrow(struct ood_percentiles *p, struct target *t)
{
	struct group *g = &p->group[t->group];
	uint64_t prefix;
	size_t k = 0;

	if (g->kept && g->at == g->n) {
		g->sorted = g->sorted || ood_sort(g->kept, g->at);
		settle(t, g->sorted ? g->kept[t->rank] : (double)NAN);
		return;
	}
	for (; g->bin && k < BINS - 1 && t->rank >= g->bin[k]; k++)
		t->rank -= g->bin[k];
	prefix = g->prefix << STEP | k;
	if (!g->bin || t->rank >= g->bin[k]) {
		settle(t, NAN);
	} else if (g->known + STEP == 64) {
		settle(t, value_of(prefix));
	} else {
		t->group = next_group(p, prefix, g->known + STEP, g->bin[k]);
		if (t->group == SIZE_MAX)
			settle(t, NAN);
	}
}

bool ood_percentiles_next(struct ood_percentiles *p)
{
	bool more = false;

	if (!p->total) {
		for (size_t i = 0; i < 2 * p->n; i++)
			settle(&p->target[i], NAN);
		return false;
	}
	if (p->first)
		set_ranks(p);
	p->first = false;
	for (size_t i = 0; i < 2 * p->n; i++) {
		if (!p->target[i].done)
			narrow(p, &p->target[i]);
		more |= !p->target[i].done;
	}
	for (size_t i = 0; i < p->n_groups; i++)
		group_free(&p->group[i]);
	struct group *old = p->group;
	p->group = p->next;
	p->n_groups = p->n_next;
	p->next = old;
	p->n_next = 0;
	return more;
}

/* Between a and b, monotone in t and exact at both ends. */
static double between(double a, double b, double t)
{
	if (a == b)
		return a;
	return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
}

double ood_percentiles_value(const struct ood_percentiles *p, size_t i)
{
	if (!p->total)
		return NAN;
	double at = position(p, i);

	return between(p->target[2 * i].value, p->target[2 * i + 1].value,
		       at - floor(at));
}

double ood_percentile(double *x, size_t n, double q)
{
	if (!n || !ood_sort(x, n))
		return NAN;
	double at = (double)(n - 1) * (q / 100);
	size_t lo = OOD_MIN((size_t)at, n - 1);

	return between(x[lo], x[OOD_MIN(lo + 1, n - 1)], at - floor(at));
}
