/*
 * ssd.c - distance to the nearest of the clusters that the fit rows fall into
 *
 *	min_k (x - mu_k)' P (x - mu_k)
 *
 * mu_k the means of clusters found by k-means, P the pseudo-inverse of the
 * covariance about them; no labels are needed. Larger = more OoD.
 *
 * Sehwag, Chiang, Mittal: SSD: A Unified Framework for Self-Supervised Outlier
 * Detection, ICLR 2021.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/gaussian.h"
#include "math/kmeans.h"
#include "math/scatter.h"
#include "math/vector.h"
#include "math/whiten.h"
#include "scorers/scorer.h"

enum { CLUSTERS };

static const struct ood_param params[] = {
	[CLUSTERS] = { .kind = OOD_PARAM_INT,
		       .name = "clusters",
		       .help = "of k-means",
		       .def = 1,
		       .lo = 1,
		       .hi = 0x1p31 },
	{ .kind = OOD_PARAM_END },
};

struct ssd {
	struct ood_bank rows;  /* while fitting */
	struct ood_mat count;  /* K x 1 */
	struct ood_mat mean;   /* K x D */
	struct ood_mat whiten; /* R x D */
	struct ood_gaussians clusters;
};

static const struct ood_kept kept[] = {
	{ OOD_KEPT_MAT, "count", offsetof(struct ssd, count), "K1",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "mean", offsetof(struct ssd, mean), "KD",
	  OOD_KEPT_FITTED, false },
	{ OOD_KEPT_MAT, "whiten", offsetof(struct ssd, whiten), "RD",
	  OOD_KEPT_FITTED, false },
	{ .kind = OOD_KEPT_END },
};

static int add(void *state, const struct ood_fit *fit,
	       const struct ood_rows *rows, struct ood_err *err)
{
	(void)fit;
	return ood_bank_add(&((struct ssd *)state)->rows, rows->x, rows->n,
			    rows->d, err);
}

/* The rows about the means of their clusters, in the order and the blocks of a
 * fit. */
static int add_clusters(const struct ood_bank *bank, const int64_t *cluster,
			struct ood_scatter *sums, struct ood_err *err)
{
	size_t d = bank->cols;
	double *x = ood_malloc(OOD_DIGEST_ROWS * d, sizeof(*x));
	int code = x ? OOD_OK
		     : ood_fail_memory(err, OOD_DIGEST_ROWS * d * sizeof(*x));

	for (size_t at = 0; !code && at < bank->rows; at += OOD_DIGEST_ROWS) {
		size_t n = OOD_MIN(OOD_DIGEST_ROWS, bank->rows - at);

		for (size_t i = 0; i < n; i++)
			ood_bank_row(bank, at + i, x + i * d);
		code = ood_scatter_add(sums, cluster + at, x, n, d, err);
	}
	ood_free(x);
	return code ? code : ood_scatter_close(sums, err);
}

static int invert(struct ssd *s, struct ood_scatter *sums,
		  const struct ood_fit *fit, struct ood_err *err)
{
	size_t d = sums->centre.cols;
	const struct ood_whitening how = { .rtol = (double)d * 0x1p-52,
					   .who = "ssd",
					   .what = "covariance within "
						   "clusters" };
	double n = ood_scatter_rows(sums);

	for (size_t i = 0; i < d * d; i++)
		sums->square.data[i] /= n;
	int code = ood_whiten(&sums->square, &how, &s->whiten, NULL, err);
	if (!code)
		code = ood_whiten_look(&sums->square, &how, s->whiten.rows,
				       fit->notes, err);
	s->count = sums->classes.count;
	s->mean = sums->centre;
	sums->classes.count = sums->centre = (struct ood_mat){ 0 };
	return code;
}

static void note(const struct ssd *s, const struct ood_fit *fit, size_t rounds)
{
	size_t k = s->mean.rows;

	ood_notes_say(fit->notes,
		      "ssd: %zu rows of %zu features, %zu cluster%s, rank %zu",
		      s->rows.rows, s->mean.cols, k, k == 1 ? "" : "s",
		      s->whiten.rows);
	if (rounds > OOD_KMEANS_ROUNDS)
		ood_notes_warn(fit->notes, "rounds", OOD_KMEANS_ROUNDS,
			       "ssd: clusters still moved after %d rounds",
			       OOD_KMEANS_ROUNDS);
	if ((double)k < fit->args->num[CLUSTERS])
		ood_notes_warn(fit->notes, "clusters", k,
			       "ssd: only %zu clusters have rows", k);
}

static int end(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct ssd *s = state;
	struct ood_scatter sums = { .kind = OOD_SCATTER_SHARED };
	size_t n = s->rows.rows, k = (size_t)fit->args->num[CLUSTERS], rounds;
	int64_t *cluster = ood_calloc(n, sizeof(*cluster));
	int code = cluster ? OOD_OK : ood_fail_memory(err, n * 8);

	if (!code && k > n)
		code = ood_fail(err, OOD_INPUT,
				"ssd: clusters=%zu of %zu fit rows", k, n);
	if (!code)
		code = ood_kmeans(&s->rows, k, fit->seed, cluster, &rounds,
				  err);
	if (!code)
		code = add_clusters(&s->rows, cluster, &sums, err);
	if (!code)
		code = invert(s, &sums, fit, err);
	if (!code)
		note(s, fit, rounds);
	ood_free(cluster);
	ood_scatter_free(&sums);
	ood_bank_free(&s->rows);
	return code;
}

static int ready(void *state, const struct ood_fit *fit, struct ood_err *err)
{
	struct ssd *s = state;
	struct ood_mat centre = { 0 };
	size_t K = s->mean.rows, d = s->mean.cols;
	bool ok = s->whiten.rows && ood_all_finite(s->mean.data, K * d) &&
		  ood_all_finite(s->whiten.data, s->whiten.rows * d);

	(void)fit;
	for (size_t k = 0; ok && k < K; k++)
		ok = s->count.data[k] >= 1 && s->count.data[k] <= 0x1p53;
	if (!ok)
		return ood_fail(err, OOD_INPUT,
				"means or covariance of clusters are not "
				"finite, or a cluster has no rows");
	int code = ood_grand_mean(s->count.data, &s->mean, &centre, err);
	if (!code)
		code = ood_gaussians_make(&s->clusters, &s->whiten, &s->mean,
					  &centre, err);
	ood_mat_free(&centre);
	return code;
}

static void release(void *state)
{
	struct ssd *s = state;

	ood_bank_free(&s->rows);
	ood_gaussians_free(&s->clusters);
}

static void score(const struct ood_rows *rows, const struct ood_args *args,
		  const void *state, double *out)
{
	const struct ssd *s = state;
	size_t K = s->mean.rows;
	double *d2 = ood_malloc(rows->n * K, sizeof(*d2));

	(void)args;
	if (!d2)
		ood_fail_memory(rows->err, rows->n * K * sizeof(*d2));
	else
		ood_gaussians_apply(&s->clusters, rows->x, rows->n, 0, d2,
				    rows->err);
	for (size_t i = 0; !rows->err->code && i < rows->n; i++)
		out[i] = d2[i * K + ood_least(d2 + i * K, K)];
	ood_free(d2);
}

const struct ood_scorer ood_scorer_ssd = {
	.name = "ssd",
	.brief = "mahalanobis to k-means clusters",
	.formula = "min_k (x - mu_k)' S^-1 (x - mu_k), k a cluster",
	.cite = "Sehwag, Chiang, Mittal: SSD: A Unified Framework for "
		"Self-Supervised Outlier Detection, ICLR 2021",
	.needs = OOD_NEEDS_FEATURES,
	.fit = OOD_NEEDS_FEATURES,
	.params = params,
	.score = score,
	.state = sizeof(struct ssd),
	.kept = kept,
	.add = add,
	.end = end,
	.ready = ready,
	.release = release,
};
