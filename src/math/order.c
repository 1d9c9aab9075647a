/*
 * order.c - sorting of scores
 *
 * Least significant digit first, eight bits at a time, by all threads: each
 * counts the digits of its run of items, then moves the items to the places
 * that the counts give, which keeps equal digits in order. So the result does
 * not depend on the number of threads.
 */
#include "math/order.h"
#include "core/mem.h"
#include "core/thread.h"

enum {
	DIGIT_BITS = 8,
	BUCKETS = 1 << DIGIT_BITS,
	PASSES = 64 / DIGIT_BITS,
	SMALL = 48,	  /* insertion is faster up to here (measured) */
	SHARE_MIN = 32768 /* items that are worth a thread */
};

/* Items are doubles, or doubles with their index. */
struct indexed {
	double x;
	size_t index;
};

struct run {
	const void *from;
	void *to;
	size_t begin, end; /* of from */
	size_t *bucket;	   /* BUCKETS counts, or places in to */
	int shift;	   /* of the digit */
};

struct kind {
	size_t size;
	void (*count)(const struct run *run);
	void (*move)(const struct run *run);
};

struct job {
	const struct kind *kind;
	void *from, *to; /* change places with each pass */
	size_t n;
	int parts;
	size_t *bucket; /* parts x BUCKETS */
};

/* Bits in the order of the doubles: negative ones count downwards. */
static inline uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits ^ ((0 - (bits >> 63)) | 1ull << 63);
}

static inline unsigned digit_of(double x, int shift)
{
	return (unsigned)(key_of(x) >> shift) & (BUCKETS - 1);
}

static void count_plain(const struct run *run)
{
	const double *from = run->from;

	for (size_t i = run->begin; i < run->end; i++)
		run->bucket[digit_of(from[i], run->shift)]++;
}

static void move_plain(const struct run *run)
{
	const double *from = run->from;
	double *to = run->to;

	for (size_t i = run->begin; i < run->end; i++)
		to[run->bucket[digit_of(from[i], run->shift)]++] = from[i];
}

static void count_indexed(const struct run *run)
{
	const struct indexed *from = run->from;

	for (size_t i = run->begin; i < run->end; i++)
		run->bucket[digit_of(from[i].x, run->shift)]++;
}

static void move_indexed(const struct run *run)
{
	const struct indexed *from = run->from;
	struct indexed *to = run->to;

	for (size_t i = run->begin; i < run->end; i++)
		to[run->bucket[digit_of(from[i].x, run->shift)]++] = from[i];
}

static const struct kind plain = { sizeof(double), count_plain, move_plain };
static const struct kind indexed = { sizeof(struct indexed), count_indexed,
				     move_indexed };

static struct run run_of(const struct job *job, int part, int shift)
{
	struct run run = { .from = job->from,
			   .to = job->to,
			   .bucket = job->bucket + part * BUCKETS,
			   .shift = shift };

	ood_share(job->n, 1, part, job->parts, &run.begin, &run.end);
	return run;
}

/* Counts become places: of bucket 0 of all parts, then bucket 1 ... False if
 * all items are in one bucket. */
static bool places_from_counts(const struct job *job)
{
	size_t place = 0;

	for (size_t b = 0; b < BUCKETS; b++) {
		size_t before = place;

		for (size_t p = 0; p < (size_t)job->parts; p++) {
			size_t *bucket = &job->bucket[p * BUCKETS + b];
			size_t count = *bucket;

			*bucket = place;
			place += count;
		}
		if (place - before == job->n)
			return false;
	}
	return true;
}

static void sort_digit(struct job *job, int shift)
{
	memset(job->bucket, 0,
	       (size_t)job->parts * BUCKETS * sizeof(*job->bucket));
#pragma omp parallel for num_threads(job->parts) if (job->parts > 1)
	for (int p = 0; p < job->parts; p++) {
		struct run run = run_of(job, p, shift);

		job->kind->count(&run);
	}
	if (!places_from_counts(job))
		return;
#pragma omp parallel for num_threads(job->parts) if (job->parts > 1)
	for (int p = 0; p < job->parts; p++) {
		struct run run = run_of(job, p, shift);

		job->kind->move(&run);
	}
	void *t = job->from;

	job->from = job->to;
	job->to = t;
}

/* Sorts n items; returns where they are then, items or spare, or NULL. */
static void *sort_items(const struct kind *kind, void *items, void *spare,
			size_t n)
{
	size_t parts = OOD_MIN((size_t)ood_threads(), n / SHARE_MIN + 1);
	struct job job = { .kind = kind,
			   .from = items,
			   .to = spare,
			   .n = n,
			   .parts = (int)parts };

	job.bucket = ood_malloc(parts, BUCKETS * sizeof(*job.bucket));
	if (!job.bucket)
		return NULL;
	for (int pass = 0; pass < PASSES; pass++)
		sort_digit(&job, pass * DIGIT_BITS);
	ood_free(job.bucket);
	return job.from;
}

/* -0 becomes 0; true if x is sorted as it is. */
static bool prepare(double *x, size_t n)
{
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		x[i] += 0.0;
		sorted &= i == 0 || x[i - 1] <= x[i];
	}
	return sorted;
}

static void insertion_sort(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double v = x[i];
		size_t k = i;

		for (; k > 0 && x[k - 1] > v; k--)
			x[k] = x[k - 1];
		x[k] = v;
	}
}

bool ood_sort(double *x, size_t n)
{
	if (prepare(x, n))
		return true;
	if (n <= SMALL) {
		insertion_sort(x, n);
		return true;
	}
	double *spare = ood_malloc(n, sizeof(*spare));
	double *sorted = spare ? sort_items(&plain, x, spare, n) : NULL;

	if (sorted == spare && sorted)
		memcpy(x, spare, n * sizeof(*x));
	ood_free(spare);
	return sorted != NULL;
}

bool ood_sort_index(const double *x, size_t n, size_t *order)
{
	struct indexed *items = ood_malloc(n, sizeof(*items));
	struct indexed *spare = ood_malloc(n, sizeof(*spare));
	struct indexed *sorted = NULL;

	for (size_t i = 0; items && spare && i < n; i++)
		items[i] = (struct indexed){ x[i] + 0.0, i };
	if (items && spare)
		sorted = sort_items(&indexed, items, spare, n);
	for (size_t i = 0; sorted && i < n; i++)
		order[i] = sorted[i].index;
	ood_free(items);
	ood_free(spare);
	return sorted != NULL;
}

/* A step without a branch: which half is taken cannot be predicted. */
size_t ood_count_below(const double *x, size_t n, double v)
{
	const double *base = x;

	for (; n > 1; n -= n / 2)
		base += base[n / 2 - 1] < v ? n / 2 : 0;
	return (size_t)(base - x) + (n && *base < v);
}

size_t ood_count_upto(const double *x, size_t n, double v)
{
	const double *base = x;

	for (; n > 1; n -= n / 2)
		base += base[n / 2 - 1] <= v ? n / 2 : 0;
	return (size_t)(base - x) + (n && *base <= v);
}
