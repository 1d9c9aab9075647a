/*
 * check.c - values at the door
 */
#include "io/check.h"

#include "core/err.h"
#include "core/num.h"
#include "core/thread.h"
#include "io/widen.h"

enum {
	LANES = 16,  /* of one step of a scan: fixed, for the vectoriser */
	STEP = 4096, /* values between two looks at what was found */
	TEAM_MIN = 1 << 16, /* values from which a team pays */
};

/* Exponent all ones: adding one to it carries into the sign's place, which
 * the mask has cleared. */
bool ood_check_any_f4(const float *at, size_t n)
{
	uint32_t seen[LANES] = { 0 }, any = 0, bits;
	size_t i = 0;

	while (i < n && !(any >> 31)) {
		const size_t stop = i + OOD_MIN((size_t)STEP, n - i);

		for (; i + LANES <= stop; i += LANES) {
			uint32_t w[LANES];

			memcpy(w, at + i, sizeof(w));
			for (int j = 0; j < LANES; j++)
				seen[j] |= (w[j] & 0x7fffffff) + 0x00800000;
		}
		for (; i < stop; i++) {
			memcpy(&bits, at + i, sizeof(bits));
			any |= (bits & 0x7fffffff) + 0x00800000;
		}
		for (int j = 0; j < LANES; j++)
			any |= seen[j];
	}
	return any >> 31;
}

bool ood_check_any_f8(const double *at, size_t n)
{
	const uint64_t mask = ~((uint64_t)1 << 63), one = (uint64_t)1 << 52;
	uint64_t seen[LANES] = { 0 }, any = 0, bits;
	size_t i = 0;

	while (i < n && !(any >> 63)) {
		const size_t stop = i + OOD_MIN((size_t)STEP, n - i);

		for (; i + LANES <= stop; i += LANES) {
			uint64_t w[LANES];

			memcpy(w, at + i, sizeof(w));
			for (int j = 0; j < LANES; j++)
				seen[j] |= (w[j] & mask) + one;
		}
		for (; i < stop; i++) {
			memcpy(&bits, at + i, sizeof(bits));
			any |= (bits & mask) + one;
		}
		for (int j = 0; j < LANES; j++)
			any |= seen[j];
	}
	return any >> 63;
}

static bool any_in_rows(struct ood_view v, size_t from, size_t to)
{
	const size_t at = from * v.stride;
	const size_t n = (to - from - 1) * v.stride + v.cols;

	if (from == to)
		return false;
	/* Columns between cols and stride are looked at too: a false alarm
	 * costs a closer look, no more. */
	return v.dtype == OOD_F4
		       ? ood_check_any_f4((const float *)v.data + at, n)
		       : ood_check_any_f8((const double *)v.data + at, n);
}

/* ----------------------------------------------------------- one row --- */

static bool takes_minus_inf(enum ood_check_kind kind)
{
	return kind == OOD_CHECK_LOGITS || kind == OOD_CHECK_LOGPROBS;
}

/* The first value that kind does not allow. */
static struct ood_fault look_at_row(enum ood_check_kind kind, struct ood_view v,
				    size_t row)
{
	struct ood_fault fault = { OOD_FAULT_NONE, row, 0, 0 };
	size_t finite = 0;

	for (size_t j = 0; j < v.cols; j++) {
		const double x = ood_view_at(v, row, j);

		if (isfinite(x)) {
			finite++;
			continue;
		}
		if (isnan(x))
			fault.kind = OOD_FAULT_NAN;
		else if (kind == OOD_CHECK_RANKS ||
			 (takes_minus_inf(kind) && x < 0))
			continue;
		else
			fault.kind = x > 0 ? OOD_FAULT_PLUS_INF
					   : OOD_FAULT_MINUS_INF;
		fault.col = j;
		fault.x = x;
		return fault;
	}
	if (!finite && v.cols && takes_minus_inf(kind)) {
		fault.kind = OOD_FAULT_ALL_MINUS_INF;
		fault.col = SIZE_MAX;
	}
	return fault;
}

/* Sum, least and largest of a row in fixed lanes. */
struct range {
	double sum, lo, hi;
};

#define RANGE_OF(type, name)                                                   \
	static struct range range_##name(const type *at, size_t n)             \
	{                                                                      \
		enum { W = 8 };                                                \
		double sum[W] = { 0 }, lo[W], hi[W];                           \
		struct range r = { 0, INFINITY, -INFINITY };                   \
		size_t i = 0;                                                  \
                                                                               \
		for (int j = 0; j < W; j++) {                                  \
			lo[j] = INFINITY;                                      \
			hi[j] = -INFINITY;                                     \
		}                                                              \
		for (; i + W <= n; i += W)                                     \
			for (int j = 0; j < W; j++) {                          \
				const double x = (double)at[i + (size_t)j];    \
				sum[j] += x;                                   \
				lo[j] = x < lo[j] ? x : lo[j];                 \
				hi[j] = x > hi[j] ? x : hi[j];                 \
			}                                                      \
		for (; i < n; i++) {                                           \
			const double x = (double)at[i];                        \
			sum[0] += x;                                           \
			lo[0] = x < lo[0] ? x : lo[0];                         \
			hi[0] = x > hi[0] ? x : hi[0];                         \
		}                                                              \
		for (int j = 0; j < W; j++) {                                  \
			r.sum += sum[j];                                       \
			r.lo = OOD_MIN(r.lo, lo[j]);                           \
			r.hi = OOD_MAX(r.hi, hi[j]);                           \
		}                                                              \
		return r;                                                      \
	}
RANGE_OF(float, f4)
RANGE_OF(double, f8)

static struct range range_of(struct ood_view v, size_t row)
{
	const size_t at = row * v.stride;

	return v.dtype == OOD_F4
		       ? range_f4((const float *)v.data + at, v.cols)
		       : range_f8((const double *)v.data + at, v.cols);
}

/* Rounding of a softmax in single precision stays well below. */
static const double slack = 1e-6;

static struct ood_fault probs_fault(const struct ood_check *check,
				    struct ood_view v, size_t row,
				    struct range r)
{
	struct ood_fault fault = { OOD_FAULT_NONE, row, 0, 0 };

	if (r.lo < -slack || (r.hi > 1 + slack && !check->renormalise)) {
		fault.kind = OOD_FAULT_RANGE;
		for (size_t j = 0; j < v.cols; j++) {
			fault.x = ood_view_at(v, row, j);
			fault.col = j;
			if (fault.x < -slack ||
			    (fault.x > 1 + slack && !check->renormalise))
				break;
		}
	} else if (check->renormalise ? !(r.sum > 0)
				      : !(fabs(r.sum - 1) <= check->tol)) {
		fault.kind = OOD_FAULT_SUM;
		fault.x = r.sum;
		fault.col = SIZE_MAX;
	}
	return fault;
}

/* ------------------------------------------------- log-probabilities --- */

/*
 * exp(x) to 2e-7 of itself, for finding rows that may be refused; those are
 * summed again by exp(). x = (k + f) ln 2, |f| <= 1/2, 2^f by its series to
 * the sixth power (the next term is 1.2e-7); k goes into the exponent. From
 * below -700 on (-inf too) nothing is left that counts.
 */
static inline double rough_exp(double x)
{
	static const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
	const double y = (x > -700 ? x : -700) * 1.4426950408889634;
	const double k = y + shift, g = (y - (k - shift)) * 0.6931471805599453;
	double p = 1.0 / 720, scale;
	uint64_t bits;

	p = p * g + 1.0 / 120;
	p = p * g + 1.0 / 24;
	p = p * g + 1.0 / 6;
	p = p * g + 0.5;
	p = p * g + 1;
	p = p * g + 1;
	memcpy(&bits, &k, sizeof(bits));
	bits = (bits + 1023) << 52;
	memcpy(&scale, &bits, sizeof(scale));
	return p * scale;
}

static const double rough = 1e-6;

/* Sum of the exps and largest of a row, in fixed lanes. */
#define EXPS_OF(type, name)                                                    \
	static struct range exps_##name(const type *at, size_t n)              \
	{                                                                      \
		enum { W = 8 };                                                \
		double sum[W] = { 0 }, hi[W];                                  \
		struct range r = { 0, 0, -INFINITY };                          \
		size_t i = 0;                                                  \
                                                                               \
		for (int j = 0; j < W; j++)                                    \
			hi[j] = -INFINITY;                                     \
		for (; i + W <= n; i += W)                                     \
			for (int j = 0; j < W; j++) {                          \
				const double x = (double)at[i + (size_t)j];    \
				const double y = x < 1 ? x : 1;                \
				sum[j] += rough_exp(y);                        \
				hi[j] = x > hi[j] ? x : hi[j];                 \
			}                                                      \
		for (; i < n; i++) {                                           \
			const double x = (double)at[i];                        \
			sum[0] += rough_exp(x < 1 ? x : 1);                    \
			hi[0] = x > hi[0] ? x : hi[0];                         \
		}                                                              \
		for (int j = 0; j < W; j++) {                                  \
			r.sum += sum[j];                                       \
			r.hi = OOD_MAX(r.hi, hi[j]);                           \
		}                                                              \
		return r;                                                      \
	}
EXPS_OF(float, f4)
EXPS_OF(double, f8)

static struct ood_fault logprobs_fault(const struct ood_check *check,
				       struct ood_view v, size_t row)
{
	struct ood_fault fault = { OOD_FAULT_NONE, row, 0, 0 };
	const size_t at = row * v.stride;
	struct range r = v.dtype == OOD_F4
				 ? exps_f4((const float *)v.data + at, v.cols)
				 : exps_f8((const double *)v.data + at, v.cols);

	if (r.hi > slack) {
		fault.kind = OOD_FAULT_POSITIVE;
		fault.x = ood_view_at(v, row, 0);
		for (size_t j = 1; !(fault.x > slack); j++) {
			fault.x = ood_view_at(v, row, j);
			fault.col = j;
		}
		return fault;
	}
	if (fabs(r.sum - 1) <= check->tol - rough)
		return fault;
	for (size_t j = 0; j < v.cols; j++)
		fault.x += exp(ood_view_at(v, row, j));
	if (!(fabs(fault.x - 1) <= check->tol)) {
		fault.kind = OOD_FAULT_INCOMPLETE;
		fault.col = SIZE_MAX;
	}
	return fault;
}

/* -------------------------------------------------------- all the rows --- */

static void note(struct ood_fault *first, struct ood_fault fault)
{
	if (first->kind == OOD_FAULT_NONE || fault.row < first->row)
		*first = fault;
}

/* Rows [from, to) of a share; what is found goes to `own`. */
static void check_rows(struct ood_check *own, struct ood_view v, size_t from,
		       size_t to, uint8_t *bad)
{
	const bool odd = any_in_rows(v, from, to);

	for (size_t row = from; row < to; row++) {
		struct ood_fault fault = { 0 };
		struct range r;

		if (odd)
			fault = look_at_row(own->kind, v, row);
		if (fault.kind != OOD_FAULT_NONE) {
			bad[row] = 1;
			own->n_missing++;
			note(&own->missing, fault);
			continue;
		}
		if (own->kind == OOD_CHECK_LOGPROBS && !own->renormalise) {
			fault = logprobs_fault(own, v, row);
			if (fault.kind != OOD_FAULT_NONE)
				note(&own->refused, fault);
			continue;
		}
		if (own->kind != OOD_CHECK_PROBS) {
			if (!odd)
				return;
			continue;
		}
		r = range_of(v, row);
		fault = probs_fault(own, v, row, r);
		if (fault.kind != OOD_FAULT_NONE) {
			note(&own->refused, fault);
		} else if (fabs(r.sum - 1) > own->deviation) {
			own->deviation = fabs(r.sum - 1);
			own->deviation_row = row;
		}
	}
}

/* Joins the findings of a share, whatever their order. */
static void join(struct ood_check *check, const struct ood_check *own)
{
	check->n_missing += own->n_missing;
	if (own->missing.kind != OOD_FAULT_NONE)
		note(&check->missing, own->missing);
	if (own->refused.kind != OOD_FAULT_NONE)
		note(&check->refused, own->refused);
	if (own->deviation > check->deviation ||
	    (own->deviation == check->deviation && own->deviation > 0 &&
	     own->deviation_row < check->deviation_row)) {
		check->deviation = own->deviation;
		check->deviation_row = own->deviation_row;
	}
}

void ood_check_view(struct ood_check *check, struct ood_view view, uint8_t *bad)
{
	const size_t width = OOD_MAX(view.stride, (size_t)1);
	const size_t grain = OOD_MAX((size_t)STEP / width, (size_t)1);
	const bool team = view.rows * width >= TEAM_MIN;
	const struct ood_check fresh = {
		.kind = check->kind,
		.tol = check->tol,
		.renormalise = check->renormalise,
	};

	*check = fresh;
#pragma omp parallel if (team)
	{
		struct ood_check own = fresh;

#pragma omp for schedule(static)
		for (size_t from = 0; from < view.rows; from += grain)
			check_rows(&own, view, from,
				   OOD_MIN(from + grain, view.rows), bad);
#pragma omp critical(ood_check)
		join(check, &own);
	}
}

/* ---------------------------------------------------------- sentences --- */

int ood_fault_say(const struct ood_fault *fault, const struct ood_check *check,
		  struct ood_err *err)
{
	static const char remedy[] = "--nan skip drops such rows";
	char x[OOD_NUM_MAX];

	ood_num_format(x, fault->x);
	switch (fault->kind) {
	case OOD_FAULT_NAN:
		return ood_fail(err, OOD_INPUT, "NaN (%s)", remedy);
	case OOD_FAULT_PLUS_INF:
		return ood_fail(err, OOD_INPUT,
				"inf, as after an overflow of half floats "
				"(%s)",
				remedy);
	case OOD_FAULT_MINUS_INF:
		return ood_fail(err, OOD_INPUT,
				"-inf where a finite number is "
				"needed (%s)",
				remedy);
	case OOD_FAULT_ALL_MINUS_INF:
		return ood_fail(err, OOD_INPUT,
				"all values are -inf: no class has any weight "
				"(%s)",
				remedy);
	case OOD_FAULT_RANGE:
		return ood_fail(err, OOD_INPUT,
				"%s is not a probability, which is from 0 to 1 "
				"(--as logits if these are logits)",
				x);
	case OOD_FAULT_SUM:
		if (check->renormalise)
			return ood_fail(err, OOD_INPUT,
					"the probabilities sum to %s", x);
		return ood_fail(err, OOD_INPUT,
				"the probabilities sum to %s, not to 1 "
				"(--prob-tol allows more, --renormalise "
				"divides by the sum)",
				x);
	case OOD_FAULT_POSITIVE:
		return ood_fail(err, OOD_INPUT,
				"%s is not a log-probability, which is at most "
				"0 (--as logits if these are logits)",
				x);
	case OOD_FAULT_INCOMPLETE:
		return ood_fail(err, OOD_INPUT,
				"the log-probabilities are those of "
				"probabilities that sum to %s, not to 1, as in "
				"a top-k list (--renormalise divides by the "
				"sum, --prob-tol allows more)",
				x);
	case OOD_FAULT_NONE:
		break;
	}
	return OOD_OK;
}
