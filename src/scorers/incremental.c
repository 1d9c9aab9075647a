/*
 * incremental.c - classes added to a fitted mahalanobis without its rows
 *
 * Each new class has the mean of its rows, and changes the covariance that
 * all share, of K classes so far, to (K S + S_k) / (K + 1), S_k being its own.
 * For n new classes one after another that is (K S + S_1 + ... + S_n)/(K + n).
 *
 * Lee, Lee, Lee, Shin: A Simple Unified Framework for Detecting
 * Out-of-Distribution Samples and Adversarial Attacks, NeurIPS 2018, algorithm
 * 2.
 */
#include "core/err.h"
#include "core/mem.h"
#include "math/vector.h"
#include "scorers/mahalanobis.h"

static int copy(struct ood_mat *to, const struct ood_mat *from,
		struct ood_err *err)
{
	int code;

	if (!from->data)
		return OOD_OK;
	code = ood_mat_make(to, from->rows, from->cols, err);
	if (!code)
		memcpy(to->data, from->data,
		       from->rows * from->cols * sizeof(*to->data));
	return code;
}

int ood_mahalanobis_extend(void *state, const void *old, struct ood_err *err)
{
	const struct ood_class_gaussians *from =
		&((const struct ood_mahalanobis *)old)->now;
	struct ood_class_gaussians *to =
		&((struct ood_mahalanobis *)state)->old;
	int code = copy(&to->label, &from->label, err);

	if (!code)
		code = copy(&to->count, &from->count, err);
	if (!code)
		code = copy(&to->mean, &from->mean, err);
	if (!code)
		code = copy(&to->covariance, &from->covariance, err);
	if (!code)
		code = copy(&to->all, &from->all, err);
	return code;
}

void ood_class_gaussians_free(struct ood_class_gaussians *g)
{
	ood_mat_free(&g->label);
	ood_mat_free(&g->count);
	ood_mat_free(&g->mean);
	ood_mat_free(&g->covariance);
	ood_mat_free(&g->all);
}

int ood_class_gaussians_check(const struct ood_class_gaussians *g,
			      struct ood_err *err)
{
	size_t k = g->mean.rows, d = g->mean.cols;
	bool ok = ood_all_finite(g->mean.data, k * d) &&
		  ood_all_finite(g->covariance.data, d * d) &&
		  (!g->all.data || ood_all_finite(g->all.data, d * d));

	for (size_t i = 0; ok && i < k; i++)
		ok = g->count.data[i] >= 1 && g->count.data[i] <= 0x1p53;
	if (!ok)
		return ood_fail(err, OOD_INPUT,
				"means or covariances are not finite, or a "
				"class has no rows");
	return ood_class_labels_check(&g->label, err);
}

/* ----------------------------------------------------------------- sums --- */

static int check_labels(const struct ood_mahalanobis *s, struct ood_err *err)
{
	const struct ood_mat *label = &s->sums.classes.label;

	if (s->old.mean.cols != s->sums.centre.cols)
		return ood_fail(err, OOD_INPUT,
				"%zu features where the model that classes "
				"are added to has %zu",
				s->sums.centre.cols, s->old.mean.cols);
	for (size_t i = 0; i < label->rows; i++) {
		int64_t k = (int64_t)label->data[i];

		if (ood_class_labels_find(&s->old.label, k) != SIZE_MAX)
			return ood_fail(err, OOD_INPUT,
					"class %lld is in the model already "
					"(from=MODEL takes rows of new classes "
					"alone)",
					(long long)k);
	}
	return OOD_OK;
}

/* Labels, counts and means of both, in order of their labels. */
static int merge_classes(struct ood_mahalanobis *s, struct ood_err *err)
{
	const struct ood_class_sums *sums = &s->sums.classes;
	size_t a = 0, b = 0, d = s->old.mean.cols;
	size_t k = s->old.label.rows + sums->label.rows;
	int code = ood_mat_make(&s->now.label, k, 1, err);

	if (!code)
		code = ood_mat_make(&s->now.count, k, 1, err);
	if (!code)
		code = ood_mat_make(&s->now.mean, k, d, err);
	for (size_t i = 0; !code && i < k; i++) {
		bool is_old = b == sums->label.rows ||
			      (a < s->old.label.rows &&
			       s->old.label.data[a] < sums->label.data[b]);
		size_t at = is_old ? a++ : b++;
		const double *label =
			is_old ? s->old.label.data : sums->label.data;
		const double *count =
			is_old ? s->old.count.data : sums->count.data;
		const double *mean =
			is_old ? s->old.mean.data : s->sums.centre.data;

		s->now.label.data[i] = label[at];
		s->now.count.data[i] = count[at];
		memcpy(s->now.mean.data + i * d, mean + at * d,
		       d * sizeof(*mean));
	}
	return code;
}

static int share_covariance(struct ood_mahalanobis *s, struct ood_err *err)
{
	size_t d = s->old.mean.cols, n = s->sums.classes.label.rows;
	double K = (double)s->old.label.rows;
	struct ood_mat *S = &s->now.covariance;
	int code = ood_mat_make(S, d, d, err);

	for (size_t i = 0; !code && i < d * d; i++) {
		double sum = K * s->old.covariance.data[i];

		for (size_t k = 0; k < n; k++)
			sum += s->sums.square.data[k * d * d + i] /
			       s->sums.classes.count.data[k];
		S->data[i] = sum / (K + (double)n);
	}
	return code;
}

/* The old rows as one group, and each new class. */
static int make_groups(struct ood_mahalanobis *s, struct ood_mat *count,
		       struct ood_mat *mean, struct ood_err *err)
{
	const struct ood_class_sums *sums = &s->sums.classes;
	size_t n = sums->label.rows, d = s->old.mean.cols;
	struct ood_mat first = { 0 };
	int code = ood_mat_make(count, 1 + n, 1, err);

	if (!code)
		code = ood_mat_make(mean, 1 + n, d, err);
	if (!code)
		code = ood_grand_mean(s->old.count.data, &s->old.mean, &first,
				      err);
	if (!code) {
		for (size_t k = 0; k < s->old.count.rows; k++)
			count->data[0] += s->old.count.data[k];
		memcpy(count->data + 1, sums->count.data,
		       n * sizeof(*count->data));
		memcpy(mean->data, first.data, d * sizeof(*mean->data));
		memcpy(mean->data + d, s->sums.centre.data,
		       n * d * sizeof(*mean->data));
	}
	ood_mat_free(&first);
	return code;
}

/* The covariance of all rows: N S of the old ones, the scatter of each new
 * class, and what lies between them. */
static int join_all(struct ood_mahalanobis *s, struct ood_err *err)
{
	size_t d = s->old.mean.cols, n = s->sums.classes.label.rows;
	struct ood_mat count = { 0 }, mean = { 0 }, centre = { 0 };
	struct ood_mat *all = &s->now.all;
	int code = make_groups(s, &count, &mean, err);

	if (!code)
		code = ood_grand_mean(count.data, &mean, &centre, err);
	if (!code)
		code = ood_mat_make(all, d, d, err);
	for (size_t i = 0; !code && i < d * d; i++) {
		all->data[i] = count.data[0] * s->old.all.data[i];
		for (size_t k = 0; k < n; k++)
			all->data[i] += s->sums.square.data[k * d * d + i];
	}
	if (!code)
		code = ood_scatter_between(count.data, &mean, &centre, all,
					   err);
	double rows = 0;
	for (size_t k = 0; !code && k <= n; k++)
		rows += count.data[k];
	for (size_t i = 0; !code && i < d * d; i++)
		all->data[i] /= rows;
	ood_mat_free(&count);
	ood_mat_free(&mean);
	ood_mat_free(&centre);
	return code;
}

int ood_mahalanobis_add_classes(struct ood_mahalanobis *s, bool relative,
				struct ood_err *err)
{
	int code = ood_class_gaussians_check(&s->old, err);

	if (!code)
		code = check_labels(s, err);
	if (!code)
		code = merge_classes(s, err);
	if (!code)
		code = share_covariance(s, err);
	if (!code && relative)
		code = join_all(s, err);
	return code;
}
