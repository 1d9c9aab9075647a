/*
 * order_radix.c - stable radix sort of items that begin with a double
 *
 * First all threads part the items into groups that fit the cache, by the
 * leading bits of their keys; then each group is sorted by one thread, least
 * significant digit first. Every step keeps equal items in order, so that the
 * result does not depend on the number of threads.
 */
#include "math/order_radix.h"
#include "core/mem.h"
#include "core/thread.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum {
	DIGIT_BITS = 8,
	DIGITS = 64 / DIGIT_BITS,
	BUCKETS = 1 << DIGIT_BITS,
	/* Scores of one size share their exponent: 2^18 bins over all keys
	 * are 64 bins an octave. */
	BIN_BITS = 18,
	BINS = 1 << BIN_BITS,
	GROUP_MIN = 1 << 15, /* items; two arrays of them fit the L2 cache */
	SHARE_MIN = 1 << 18  /* items that are worth a thread and its bins */
};

struct partition {
	const char *from;
	char *to;
	size_t n, size;
	uint64_t low; /* smallest key */
	int shift;    /* bin = (key - low) >> shift */
	int parts;
	size_t groups;
	size_t *bin;	 /* parts x BINS: counts, then places of groups */
	uint32_t *group; /* of each bin */
	size_t *start;	 /* of each group, and n */
};

/* Bits in the order of the doubles: negative ones count downwards. */
static ALWAYS_INLINE uint64_t key_of(const char *item)
{
	uint64_t bits;

	memcpy(&bits, item, sizeof(bits));
	return bits ^ ((0 - (bits >> 63)) | 1ull << 63);
}

/* Counts become places; false if all n are in one bucket. */
static bool places_from_counts(size_t *bucket, size_t n)
{
	size_t place = 0;

	for (size_t b = 0; b < BUCKETS; b++) {
		size_t count = bucket[b];

		if (count == n)
			return false;
		bucket[b] = place;
		place += count;
	}
	return true;
}

/* One pass over one digit. */
struct pass {
	const char *from;
	char *to;
	size_t n;
	int shift; /* of the digit */
};

static ALWAYS_INLINE void move_digit(struct pass p, size_t *bucket, size_t size)
{
	for (size_t i = 0; i < p.n; i++) {
		const char *item = p.from + i * size;
		size_t digit = key_of(item) >> p.shift & (BUCKETS - 1);

		memcpy(p.to + bucket[digit]++ * size, item, size);
	}
}

/* Sorts the n items in a with the help of b; returns where they end up. */
static ALWAYS_INLINE char *sort_digits(char *a, char *b, size_t n, size_t size)
{
	size_t bucket[DIGITS][BUCKETS] = { { 0 } };

	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of(a + i * size);

		for (int d = 0; d < DIGITS; d++)
			bucket[d][key >> d * DIGIT_BITS & (BUCKETS - 1)]++;
	}
	for (int d = 0; d < DIGITS; d++) {
		struct pass pass = { a, b, n, d * DIGIT_BITS };

		if (!places_from_counts(bucket[d], n))
			continue;
		move_digit(pass, bucket[d], size);
		b = a;
		a = pass.to;
	}
	return a;
}

/* The two sizes have their own machine code. */
static char *sort_group(char *a, char *b, size_t n, size_t size)
{
	if (size == sizeof(double))
		return sort_digits(a, b, n, sizeof(double));
	return sort_digits(a, b, n, sizeof(struct ood_indexed));
}

static void count_bins(const struct partition *p, int part)
{
	size_t *bin = p->bin + (size_t)part * BINS, begin, end;

	memset(bin, 0, BINS * sizeof(*bin));
	ood_share(p->n, 1, part, p->parts, &begin, &end);
	for (size_t i = begin; i < end; i++)
		bin[(key_of(p->from + i * p->size) - p->low) >> p->shift]++;
}

static ALWAYS_INLINE void move_part(const struct partition *p, int part,
				    size_t size)
{
	size_t *place = p->bin + (size_t)part * BINS, begin, end;

	ood_share(p->n, 1, part, p->parts, &begin, &end);
	for (size_t i = begin; i < end; i++) {
		const char *item = p->from + i * size;
		size_t bin = (key_of(item) - p->low) >> p->shift;

		memcpy(p->to + place[p->group[bin]]++ * size, item, size);
	}
}

static void move_to_groups(const struct partition *p, int part)
{
	if (p->size == sizeof(double))
		move_part(p, part, sizeof(double));
	else
		move_part(p, part, sizeof(struct ood_indexed));
}

/* Joins neighbouring bins to groups of at least GROUP_MIN items. The counts
 * of group g stand where those of bin g were: g <= bin. */
static void join_bins(struct partition *p)
{
	size_t g = 0, filled = 0;
	bool first = true;

	for (size_t b = 0; b < BINS; b++) {
		for (int part = 0; part < p->parts; part++) {
			size_t *bin = p->bin + (size_t)part * BINS;
			size_t count = bin[b];

			filled += count;
			bin[g] = first ? count : bin[g] + count;
		}
		p->group[b] = (uint32_t)g;
		first = filled >= GROUP_MIN;
		if (first) {
			filled = 0;
			g++;
		}
	}
	p->groups = first ? g : g + 1;
}

/* Places of group 0 of all parts, then of group 1 ... */
static void place_groups(struct partition *p)
{
	size_t place = 0;

	for (size_t g = 0; g < p->groups; g++) {
		p->start[g] = place;
		for (int part = 0; part < p->parts; part++) {
			size_t *bin = p->bin + (size_t)part * BINS + g;
			size_t count = *bin;

			*bin = place;
			place += count;
		}
	}
	p->start[p->groups] = place;
}

/* Smallest and largest key, and from them the bins. */
static void choose_bins(struct partition *p)
{
	uint64_t low = UINT64_MAX, high = 0;

#pragma omp parallel for reduction(min : low) reduction(max : high)
	for (size_t i = 0; i < p->n; i++) {
		uint64_t key = key_of(p->from + i * p->size);

		low = OOD_MIN(low, key);
		high = OOD_MAX(high, key);
	}
	p->low = low;
	for (p->shift = 0; (high - low) >> p->shift >= BINS;)
		p->shift++;
}

static void part_and_sort(struct partition *p, char *items)
{
	choose_bins(p);
#pragma omp parallel for num_threads(p->parts)
	for (int part = 0; part < p->parts; part++)
		count_bins(p, part);
	join_bins(p);
	place_groups(p);
#pragma omp parallel for num_threads(p->parts)
	for (int part = 0; part < p->parts; part++)
		move_to_groups(p, part);
#pragma omp parallel for num_threads(p->parts) schedule(dynamic)
	for (size_t g = 0; g < p->groups; g++) {
		size_t at = p->start[g] * p->size;
		size_t n = p->start[g + 1] - p->start[g];
		char *end = sort_group(p->to + at, items + at, n, p->size);

		if (end != items + at)
			memcpy(items + at, end, n * p->size);
	}
}

bool ood_radix_sort(void *items, void *spare, size_t n, size_t size)
{
	if (n <= 8 * GROUP_MIN) {
		char *end = sort_group(items, spare, n, size);

		if (end != items)
			memcpy(items, end, n * size);
		return true;
	}
	size_t parts = OOD_MIN((size_t)ood_threads(), n / SHARE_MIN + 1);
	struct partition p = { .from = items,
			       .to = spare,
			       .n = n,
			       .size = size,
			       .parts = (int)parts };

	p.bin = ood_malloc(parts, BINS * sizeof(*p.bin));
	p.group = ood_malloc(BINS, sizeof(*p.group));
	p.start = ood_malloc(BINS + 1, sizeof(*p.start));
	bool fits = p.bin && p.group && p.start;

	if (fits)
		part_and_sort(&p, items);
	ood_free(p.bin);
	ood_free(p.group);
	ood_free(p.start);
	return fits;
}
