/*
 * json_leaf.c - the values at the ends of paths: numbers, words
 */
#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "io/json.h"
#include "io/missing.h"

/* ---------------------------------------------------------- faults --- */

/* A value at fault: the sentence starts with the name of what was wanted. */
static int value_fault(struct ood_json_worker *w, size_t column,
		       const char *fmt, ...) OOD_PRINTF(3, 4);

static int value_fault(struct ood_json_worker *w, size_t column,
		       const char *fmt, ...)
{
	char name[OOD_QUOTE_MAX] = "", text[512];
	const struct ood_json_target *t = w->target;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (t->name)
		ood_quote(name, sizeof(name), t->name, strlen(t->name));
	w->scan.bad = NULL;
	w->column = column;
	return ood_fail(&w->err, OOD_INPUT, "%s%s%s", name, t->name ? ": " : "",
			text);
}

static int refuse_string(struct ood_json_worker *w, size_t column,
			 const struct ood_json_word *word)
{
	char text[OOD_QUOTE_MAX];

	return value_fault(w, column,
			   "expected a number, found the string \"%s\" (write "
			   "numbers without quotes)",
			   ood_quote(text, sizeof(text), word->at, word->n));
}

/* What stands here is not a number; column counts in the pick's row. */
static int not_a_number(struct ood_json_worker *w, size_t column)
{
	struct ood_json_scan *s = &w->scan;
	struct ood_json_word word;
	char text[OOD_QUOTE_MAX];
	char c = ood_json_byte(s);

	if (c == '[' || c == '{')
		return value_fault(w, column, "expected a number, found %s",
				   ood_json_kind(c));
	int rc = ood_json_scalar(s, &word);
	if (rc)
		return rc;
	if (c == '"')
		return refuse_string(w, column, &word);
	ood_quote(text, sizeof(text), word.at, word.n);
	if (c == 'n')
		return value_fault(w, column,
				   "expected a number, found null (--missing "
				   "null reads it as NaN)");
	return value_fault(w, column, "expected a number, found %s", text);
}

/* ------------------------------------------------------------ leaves --- */

/* What is not a plain number: NaN, a missing cell, or a fault. */
static int odd_real(struct ood_json_worker *w, size_t column, double *x)
{
	struct ood_json_scan *s = &w->scan;
	const char *at = s->at;
	struct ood_json_word word;
	char c = ood_json_byte(s);

	if (!c || !strchr("[{\"tfn", c))
		return ood_json_number(s, x);
	if (c == '"' && ood_json_number_word(s, x))
		return OOD_OK;
	if (!w->missing || c == '[' || c == '{')
		return not_a_number(w, column);
	int rc = ood_json_scalar(s, &word);
	if (rc)
		return rc;
	if (!ood_missing_lists(w->missing,
			       (struct ood_span){ word.at, word.n })) {
		s->at = at;
		return not_a_number(w, column);
	}
	*x = (double)NAN;
	return OOD_OK;
}

static inline int real(struct ood_json_worker *w, size_t column, double *x)
{
	struct ood_json_scan *s = &w->scan;
	const char *stop;

	if (ood_num_scan_json(s->at, s->end, &stop, x) == OOD_NUM_OK &&
	    ood_json_ends(stop, s->end) && stop - s->at <= OOD_JSON_NUMBER) {
		s->at = stop;
		return OOD_OK;
	}
	return odd_real(w, column, x);
}

/* To the next number of a list; the common ", " without a call. */
static inline int next_real(struct ood_json_scan *s, bool *more)
{
	if (s->end - s->at > 2 && *s->at == ',') {
		const char *p = s->at + 1;
		p += *p == ' ';
		if ((*p >= '0' && *p <= '9') || *p == '-') {
			s->at = p;
			*more = true;
			return OOD_OK;
		}
	}
	return ood_json_next(s, ']', false, more);
}

/* At a list: at most `room` of its numbers go to x; *n are there. */
static int reals(struct ood_json_worker *w, double *x, size_t room, size_t *n)
{
	struct ood_json_scan *s = &w->scan;
	size_t column = w->target->column;
	double spill;
	bool more;

	s->at++;
	*n = 0;
	int rc = ood_json_next(s, ']', true, &more);
	while (!rc && more) {
		rc = real(w, column + *n, *n < room ? x + *n : &spill);
		if (rc)
			break;
		++*n;
		rc = next_real(s, &more);
	}
	return rc;
}

/* A list where the first record has one number, or the other way round. */
static int check_list(struct ood_json_worker *w, bool list)
{
	const struct ood_json_target *t = w->target;
	const size_t n = t->kind == OOD_PICK_REAL ? t->width : 1;

	if (w->learn)
		w->learn->targets[t - w->plan->targets].list = list;
	else if (list && !t->list)
		return value_fault(w, SIZE_MAX,
				   "expected one value as in the first row, "
				   "found a list");
	else if (!list && t->list)
		return value_fault(w, SIZE_MAX,
				   "expected a list of %zu value%s as in the "
				   "first row, found one without brackets",
				   n, n == 1 ? "" : "s");
	return OOD_OK;
}

int ood_json_check_width(struct ood_json_worker *w, size_t n)
{
	size_t width = w->target->width;

	if (w->learn) {
		w->learn->targets[w->target - w->plan->targets].width = n;
		if (!n)
			return value_fault(w, SIZE_MAX,
					   "an empty list of "
					   "numbers");
		if (n > OOD_JSON_WIDTH)
			return value_fault(w, SIZE_MAX,
					   "%zu numbers in a row, at most %d "
					   "are read",
					   n, OOD_JSON_WIDTH);
		return OOD_OK;
	}
	if (n == width)
		return OOD_OK;
	return value_fault(w, SIZE_MAX,
			   "%zu value%s in the row, expected %zu as in the "
			   "first",
			   n, n == 1 ? "" : "s", width);
}

static double *row_of(struct ood_json_worker *w)
{
	const struct ood_json_out *out;

	if (w->learn)
		return NULL;
	out = &w->outs[w->target->pick];
	return out->reals + w->row * out->width + w->target->column;
}

static int real_leaf(struct ood_json_worker *w)
{
	const struct ood_json_target *t = w->target;
	double *x = row_of(w), spill;
	size_t n = 1;
	int rc;

	if (t->each) {
		size_t *count = &w->counts[t - w->plan->targets];
		bool fits = !w->learn && *count < t->width;
		rc = real(w, t->column + *count, fits ? x + *count : &spill);
		++*count;
		return rc;
	}
	const bool list = ood_json_byte(&w->scan) == '[';
	if (list)
		rc = reals(w, x, w->learn ? 0 : t->width, &n);
	else
		rc = real(w, t->column, w->learn ? &spill : x);
	if (!rc)
		rc = check_list(w, list);
	return rc ? rc : ood_json_check_width(w, n);
}

/* Does the string at this place stand for a number, or for none? */
static bool stands_for(const struct ood_json_worker *w, const char *at,
		       const struct ood_json_word *word)
{
	struct ood_json_scan s = { .at = at, .end = w->scan.end };
	double x;

	return ood_json_number_word(&s, &x) ||
	       ood_missing_lists(w->missing,
				 (struct ood_span){ word->at, word->n });
}

/* One scalar; a list of one is taken as its scalar. */
static int word_leaf(struct ood_json_worker *w)
{
	struct ood_json_scan *s = &w->scan;
	struct ood_json_word word;
	bool list = ood_json_byte(s) == '[', more = false;
	int rc = OOD_OK;

	if (list) {
		s->at++;
		rc = ood_json_next(s, ']', true, &more);
	}
	const char *at = s->at;
	char c = ood_json_byte(s);
	if (!rc && (more != list || c == '[' || c == '{'))
		return value_fault(w, SIZE_MAX, "expected one value, found %s",
				   ood_json_kind(list ? '[' : c));
	if (!rc)
		rc = ood_json_scalar(s, &word);
	if (!rc && c == '"' && w->target->numbers && !stands_for(w, at, &word))
		return refuse_string(w, SIZE_MAX, &word);
	if (!rc && list)
		rc = ood_json_next(s, ']', false, &more);
	if (rc)
		return rc;
	if (more)
		return value_fault(w, SIZE_MAX,
				   "expected one value, found a list");
	if ((rc = check_list(w, list)))
		return rc;
	if (c == 'n') {
		if (!ood_missing_lists(w->missing,
				       (struct ood_span){ "null", 4 }))
			return value_fault(w, 0,
					   "null (--missing null lets such "
					   "values be empty)");
		word.n = 0;
	}
	if (!w->learn)
		w->outs[w->target->pick].words[w->row] = word;
	return OOD_OK;
}

int ood_json_leaf(struct ood_json_worker *w)
{
	return w->target->kind == OOD_PICK_REAL ? real_leaf(w) : word_leaf(w);
}
