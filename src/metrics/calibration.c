/*
 * calibration.c - sums over rows that calibration figures are made of
 *
 * For a row of logits with the digest's m, k, s, q (math/digest.h) and e_y =
 * exp(z_y - m):
 *
 *	NLL of y	(m - z_y) + log1p(s)
 *	Brier, y = k	(s^2 + q)/(1 + s)^2
 *	Brier, y != k	(1 + q + (1 + s)^2 - 2 e_y (1 + s))/(1 + s)^2
 *
 * For probabilities as given NLL = -ln max(p_y, 2^-52) and Brier =
 * sum_j (p_j - [j = y])^2. The Brier score of several classes is 0..2.
 *
 * Brier: Verification of forecasts expressed in terms of probability, Monthly
 * Weather Review 78 (1950) 1-3. Naeini, Cooper, Hauskrecht: Obtaining well
 * calibrated probabilities using Bayesian binning, AAAI 2015.
 */
#include "metrics/calibration.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/view.h"
#include "math/digest.h"

#define CHUNK OOD_DIGEST_ROWS
/* Chunks in work at once: enough for every core, small enough for its cache.
 */
#define WAVE 256

/* Below this p_y counts as this in the NLL of probabilities. */
#define LEAST_P 0x1p-52

/* Sums of one chunk, or of all closed chunks. */
struct tally {
	uint64_t rows, bare, clipped;
	uint64_t impossible; /* rows whose label has probability 0: NLL inf */
	struct ood_sum nll, brier;
	struct ood_bin *bin; /* of all binnings, one after another */
	uint64_t bad;	     /* row with an impossible label, from 1 */
};

struct ood_calibration {
	size_t binnings, width; /* width: bins of all binnings */
	struct ood_bins bins[OOD_BINNINGS_MAX];
	bool begun;
	uint64_t rows; /* added so far */
	struct tally all;
	struct tally chunk[WAVE]; /* chunk[0] may hold an open chunk */
};

int ood_calibration_new(struct ood_calibration **calibration,
			struct ood_err *err)
{
	*calibration = ood_calloc(1, sizeof(**calibration));
	if (!*calibration)
		return ood_fail_memory(err, sizeof(**calibration));
	return OOD_OK;
}

void ood_calibration_free(struct ood_calibration *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < WAVE; i++)
		ood_free(c->chunk[i].bin);
	ood_free(c->all.bin);
	ood_free(c);
}

const struct ood_bins *ood_calibration_bins(const struct ood_calibration *c,
					    size_t m, bool left)
{
	for (size_t i = 0; i < c->binnings; i++)
		if (c->bins[i].m == m && c->bins[i].left == left)
			return &c->bins[i];
	return NULL;
}

static bool widen(struct tally *t, size_t width)
{
	struct ood_bin *bin = ood_calloc(width, sizeof(*bin));

	if (!bin)
		return false;
	ood_free(t->bin);
	t->bin = bin;
	return true;
}

/* Nothing was added yet, so that all bins are empty. */
int ood_calibration_bin(struct ood_calibration *c, size_t m, bool left,
			struct ood_err *err)
{
	size_t width = c->width + m, bytes = width * sizeof(struct ood_bin);

	if (ood_calibration_bins(c, m, left))
		return OOD_OK;
	if (c->begun)
		return ood_fail(err, OOD_BUG, "bins asked for after rows");
	if (c->binnings == OOD_BINNINGS_MAX)
		return ood_fail(err, OOD_USAGE,
				"more than %d different binnings",
				OOD_BINNINGS_MAX);
	for (size_t i = 0; i < WAVE; i++)
		if (!widen(&c->chunk[i], width))
			return ood_fail_memory(err, bytes);
	if (!widen(&c->all, width))
		return ood_fail_memory(err, bytes);
	c->bins[c->binnings++] = (struct ood_bins){ .m = m, .left = left };
	c->width = width;
	for (size_t i = 0, at = 0; i < c->binnings; at += c->bins[i++].m)
		c->bins[i].bin = c->all.bin + at;
	return OOD_OK;
}

/* The product is off by a rounding where p is an edge: the edges decide. */
static size_t bin_of(const struct ood_bins *b, double p)
{
	double m = (double)b->m, x = p * m;
	double i = b->left ? floor(x) : ceil(x) - 1;

	i = OOD_MIN(OOD_MAX(i, 0), m - 1);
	if (b->left) {
		if (i > 0 && p < i / m)
			i--;
		else if (i < m - 1 && p >= (i + 1) / m)
			i++;
	} else {
		if (i > 0 && p <= i / m)
			i--;
		else if (i < m - 1 && p > (i + 1) / m)
			i++;
	}
	return (size_t)i;
}

static void add_confidence(const struct ood_calibration *c, struct tally *t,
			   double confidence, bool right)
{
	struct ood_bin *at = t->bin;

	for (size_t i = 0; i < c->binnings; at += c->bins[i++].m) {
		struct ood_bin *bin = at + bin_of(&c->bins[i], confidence);

		bin->n++;
		bin->right += right;
		ood_sum_add(&bin->confidence, confidence);
	}
	t->rows++;
}

static void add_logits(struct tally *t, const struct ood_digest *d, size_t i,
		       double z, bool right)
{
	double s = d->s[i], q = d->q[i], all = 1 + s;
	double brier = s * s + q;

	if (!right)
		brier = 1 + q + all * all - 2 * exp(z - d->max[i]) * all;
	/* An infinite term would make the compensated sum NaN. */
	if (isinf(z))
		t->impossible++;
	else
		ood_sum_add(&t->nll, (d->max[i] - z) + d->nlog[i]);
	ood_sum_add(&t->brier, brier / (all * all));
}

/* q max^2 is the sum of squares over all classes but the largest. */
static void add_probs(struct tally *t, const struct ood_digest *d, size_t i,
		      double p, bool right)
{
	double top = d->max[i], rest = d->q[i] * top * top;
	double brier = rest + (1 - top) * (1 - top);

	if (!right)
		brier = rest + top * top + (1 - 2 * p);
	t->clipped += p < LEAST_P;
	ood_sum_add(&t->nll, -log(OOD_MIN(OOD_MAX(p, LEAST_P), 1)));
	ood_sum_add(&t->brier, brier);
}

/* A block and the place of its rows in chunks: the first chunk takes `first`
 * rows, the others CHUNK. */
struct cut {
	const struct ood_labelled *block;
	size_t first;
};

static void cut_at(const struct cut *cut, size_t n, size_t i, size_t *from,
		   size_t *to)
{
	*from = i ? OOD_MIN(cut->first + (i - 1) * CHUNK, n) : 0;
	*to = OOD_MIN(cut->first + i * CHUNK, n);
}

static void add_rows(const struct ood_calibration *c, struct tally *t,
		     const struct ood_labelled *block, size_t from, size_t to)
{
	struct ood_view view = ood_view_part(block->scores, from, to - from);
	struct ood_digest d;

	if (block->is_probs)
		ood_digest_probs(view, &d);
	else
		ood_digest_logits(view, 1, &d);
	for (size_t i = 0; i < view.rows; i++) {
		int64_t y = block->labels[from + i];
		bool right = y == (int64_t)d.arg[i];

		if (y < 0 || (uint64_t)y >= view.cols) {
			t->bad = c->rows + from + i + 1;
			return;
		}
		double x = ood_view_at(view, i, (size_t)y);

		if (block->is_probs)
			add_probs(t, &d, i, x, right);
		else
			add_logits(t, &d, i, x, right);
		add_confidence(c, t, d.top[i], right);
	}
}

static void clear(struct ood_calibration *c, struct tally *t)
{
	struct ood_bin *bin = t->bin;

	if (bin)
		memset(bin, 0, c->width * sizeof(*bin));
	*t = (struct tally){ .bin = bin };
}

static void sum_join(struct ood_sum *all, struct ood_sum *part)
{
	ood_sum_add(all, ood_sum_value(part));
}

static void join(struct ood_calibration *c, struct tally *t)
{
	struct tally *all = &c->all;

	all->rows += t->rows;
	all->bare += t->bare;
	all->clipped += t->clipped;
	all->impossible += t->impossible;
	sum_join(&all->nll, &t->nll);
	sum_join(&all->brier, &t->brier);
	for (size_t i = 0; i < c->width; i++) {
		if (!t->bin[i].n)
			continue;
		all->bin[i].n += t->bin[i].n;
		all->bin[i].right += t->bin[i].right;
		sum_join(&all->bin[i].confidence, &t->bin[i].confidence);
	}
	clear(c, t);
}

static int fail_label(const struct ood_calibration *c,
		      const struct ood_labelled *block, uint64_t row,
		      struct ood_err *err)
{
	long long label = (long long)block->labels[row - 1 - c->rows];

	ood_fail(err, OOD_INPUT,
		 "label %lld is no class: %zu classes count from 0", label,
		 block->scores.cols);
	return ood_err_at(err, OOD_PLACE_ROW, row, 0);
}

/* Chunks base .. base + n - 1 of the block; base is 0 or a multiple of WAVE,
 * so that an open chunk always stands in chunk[0]. */
static int add_wave(struct ood_calibration *c, const struct cut *cut,
		    size_t base, size_t n, struct ood_err *err)
{
	size_t rows = cut->block->scores.rows;

#pragma omp parallel for schedule(static) if (n > 1)
	for (size_t i = 0; i < n; i++) {
		size_t from, to;

		cut_at(cut, rows, base + i, &from, &to);
		add_rows(c, &c->chunk[i], cut->block, from, to);
	}
	for (size_t i = 0; i < n; i++)
		if (c->chunk[i].bad)
			return fail_label(c, cut->block, c->chunk[i].bad, err);
	return OOD_OK;
}

/* Joins the chunks that are full; one that is not moves to the front. */
static void close_wave(struct ood_calibration *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tally t = c->chunk[i];

		if (t.rows == CHUNK) {
			join(c, &c->chunk[i]);
		} else if (i) {
			c->chunk[i] = c->chunk[0];
			c->chunk[0] = t;
		}
	}
}

int ood_calibration_add(struct ood_calibration *c,
			const struct ood_labelled *block, struct ood_err *err)
{
	size_t rows = block->scores.rows;
	struct cut cut = { block, CHUNK - (size_t)(c->rows % CHUNK) };
	size_t chunks = 1;
	int rc = OOD_OK;

	if (!rows)
		return OOD_OK;
	c->begun = true;
	if (rows > cut.first)
		chunks += (rows - cut.first + CHUNK - 1) / CHUNK;
	for (size_t base = 0; !rc && base < chunks; base += WAVE) {
		size_t wave = OOD_MIN(chunks - base, (size_t)WAVE);

		rc = add_wave(c, &cut, base, wave, err);
		if (!rc)
			close_wave(c, wave);
	}
	c->rows += rows;
	return rc;
}

void ood_calibration_add_top(struct ood_calibration *c,
			     const double *confidence, const bool *right,
			     size_t n)
{
	c->begun = true;
	for (size_t i = 0; i < n; i++) {
		add_confidence(c, &c->chunk[0], confidence[i], right[i]);
		c->chunk[0].bare++;
		c->rows++;
		if (c->chunk[0].rows == CHUNK)
			join(c, &c->chunk[0]);
	}
}

void ood_calibration_close(struct ood_calibration *c)
{
	join(c, &c->chunk[0]);
}

uint64_t ood_calibration_rows(const struct ood_calibration *c)
{
	return c->all.rows;
}

uint64_t ood_calibration_clipped(const struct ood_calibration *c)
{
	return c->all.clipped;
}

bool ood_calibration_sums(const struct ood_calibration *c, double *nll,
			  double *brier)
{
	*nll = c->all.impossible ? INFINITY : ood_sum_value(&c->all.nll);
	*brier = ood_sum_value(&c->all.brier);
	return !c->all.bare;
}

struct ood_bin_row ood_bins_row(const struct ood_bins *bins, size_t i)
{
	const struct ood_bin *b = &bins->bin[i];
	double n = (double)b->n, sum = ood_sum_value(&b->confidence);
	struct ood_bin_row row = {
		.lower = (double)i / (double)bins->m,
		.upper = (double)(i + 1) / (double)bins->m,
		.n = b->n,
		.confidence = NAN,
		.accuracy = NAN,
		.gap = NAN,
	};

	if (!b->n)
		return row;
	row.confidence = sum / n;
	row.accuracy = (double)b->right / n;
	row.gap = (sum - (double)b->right) / n;
	return row;
}
