/*
 * labels.c - labels as the file has them, and the classes that they mean
 */
#include "io/labels.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"
#include "io/missing.h"
#include "io/set.h"
#include "io/source.h"

enum {
	FOUND_MAX = 200,	    /* names collected for a message */
	CLASSES_FILE_MAX = 1 << 26, /* bytes of --classes @FILE */
};

/* ------------------------------------------------------- class names --- */

void ood_classes_free(struct ood_classes *classes)
{
	ood_free(classes->bytes);
	ood_free(classes->name);
	ood_free(classes->sorted);
	*classes = (struct ood_classes){ 0 };
}

/* Byte order, as of an unterminated word. */
static int compare(const char *name, struct ood_span word)
{
	const size_t n = strlen(name);
	const int order = memcmp(name, word.at, OOD_MIN(n, word.n));

	if (order)
		return order;
	return n < word.n ? -1 : n > word.n;
}

int64_t ood_classes_find(const struct ood_classes *classes,
			 struct ood_span name)
{
	size_t lo = 0, hi = classes->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const size_t k = classes->sorted[mid];
		const int order = compare(classes->name[k], name);

		if (!order)
			return (int64_t)k;
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return -1;
}

/* Bottom-up merge sort of sorted[] by name: qsort knows no context. */
static bool sort(struct ood_classes *c)
{
	size_t *from = c->sorted, *to = ood_malloc(c->n, sizeof(*to));

	if (!to)
		return false;
	for (size_t run = 1; run < c->n; run *= 2) {
		size_t *swap;

		for (size_t at = 0; at < c->n; at += 2 * run) {
			const size_t mid = OOD_MIN(at + run, c->n);
			const size_t end = OOD_MIN(at + 2 * run, c->n);
			size_t i = at, j = mid;

			for (size_t k = at; k < end; k++) {
				const bool left =
					i < mid &&
					(j == end ||
					 strcmp(c->name[from[i]],
						c->name[from[j]]) <= 0);
				to[k] = from[left ? i++ : j++];
			}
		}
		swap = from;
		from = to;
		to = swap;
	}
	c->sorted = from;
	ood_free(to);
	return true;
}

/* Integers in order, 0 1 2 ..., name nothing that a number does not. */
static void judge_digits(struct ood_classes *c)
{
	bool digits = true;
	int64_t i;

	for (size_t k = 0; k < c->n && digits; k++)
		digits = ood_num_parse_int(c->name[k], strlen(c->name[k]), &i);
	c->digits = digits;
}

/* Takes the names that are there: sorts them and refuses equal ones. */
static int finish(struct ood_classes *c, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	c->sorted = ood_malloc(c->n, sizeof(*c->sorted));
	for (size_t i = 0; c->sorted && i < c->n; i++)
		c->sorted[i] = i;
	if (!c->sorted || !sort(c))
		return ood_fail_memory(err, c->n * sizeof(*c->sorted));
	judge_digits(c);
	for (size_t i = 1; i < c->n; i++) {
		const char *name = c->name[c->sorted[i]];

		if (strcmp(name, c->name[c->sorted[i - 1]]) != 0)
			continue;
		ood_quote(quoted, sizeof(quoted), name, strlen(name));
		return ood_fail(err, OOD_INPUT, "two classes are named \"%s\"",
				quoted);
	}
	return OOD_OK;
}

/* There is room for it in c->bytes. */
static int push(struct ood_classes *c, size_t *room, const char *at, size_t n,
		struct ood_err *err)
{
	char *copy = c->bytes + c->used;

	if (!ood_grow(&c->name, c->n, room, sizeof(*c->name)))
		return ood_fail_memory(err, n);
	memcpy(copy, at, n);
	copy[n] = '\0';
	c->used += n + 1;
	c->name[c->n++] = copy;
	return OOD_OK;
}

static int make_bytes(struct ood_classes *c, size_t n, struct ood_err *err)
{
	c->bytes = ood_malloc(n, 1);
	return c->bytes ? OOD_OK : ood_fail_memory(err, n);
}

int ood_classes_set(struct ood_classes *classes, const char *const *names,
		    size_t n, struct ood_err *err)
{
	size_t room = 0, bytes = 0;
	int code;

	*classes = (struct ood_classes){ 0 };
	for (size_t i = 0; i < n; i++)
		bytes += strlen(names[i]) + 1;
	code = make_bytes(classes, bytes, err);
	for (size_t i = 0; i < n && !code; i++)
		code = push(classes, &room, names[i], strlen(names[i]), err);
	if (!code)
		code = finish(classes, err);
	if (code)
		ood_classes_free(classes);
	return code;
}

/* Cuts text at `stop`; a last empty line of a file is no name. */
static int cut(struct ood_classes *c, const char *text, size_t n, char stop,
	       struct ood_err *err)
{
	size_t room = 0, at = 0;
	int code = make_bytes(c, n + 1, err);

	while (!code && (at < n || (stop == ',' && at == n))) {
		const char *end = memchr(text + at, stop, n - at);
		const size_t next = end ? (size_t)(end - text) : n;
		size_t len = next - at;

		if (stop == '\n' && len && text[next - 1] == '\r')
			len--;
		if (!len)
			return ood_fail(err, OOD_USAGE,
					"--classes: name %zu is empty",
					c->n + 1);
		code = push(c, &room, text + at, len, err);
		at = next + 1;
	}
	return code;
}

int ood_classes_parse(struct ood_classes *classes, const char *text,
		      struct ood_err *err)
{
	struct ood_buf buf = { 0 };
	int code;

	*classes = (struct ood_classes){ 0 };
	if (*text == '@') {
		code = ood_source_slurp(text + 1, CLASSES_FILE_MAX, &buf, err);
		if (!code)
			code = cut(classes, buf.text, buf.n, '\n', err);
	} else {
		code = cut(classes, text, strlen(text), ',', err);
	}
	if (!code)
		code = finish(classes, err);
	if (code)
		ood_classes_free(classes);
	ood_buf_free(&buf);
	return code;
}

/* ------------------------------------------------------------- cells --- */

static bool same(struct ood_span cell, const char *word, size_t n)
{
	return cell.n == n && !memcmp(cell.at, word, n);
}

/* true, True, TRUE; what Python, R and JSON write. */
static int flag_word(struct ood_span w)
{
	static const struct {
		const char *word;
		int value;
	} flags[] = {
		{ "true", 1 },	{ "True", 1 },	{ "TRUE", 1 },
		{ "false", 0 }, { "False", 0 }, { "FALSE", 0 },
	};

	for (size_t i = 0; i < OOD_COUNT(flags); i++)
		if (same(w, flags[i].word, strlen(flags[i].word)))
			return flags[i].value;
	return -1;
}

bool ood_real_of(const struct ood_read *read, const struct ood_vec *vec,
		 size_t row, double *x)
{
	const char decimal = read && read->decimal &&
					     (!strcmp(read->decimal, "comma") ||
					      !strcmp(read->decimal, ","))
				     ? ','
				     : '.';

	if (vec->ints)
		*x = (double)vec->ints[row];
	else if (vec->reals)
		*x = vec->reals[row];
	else if (read && ood_missing_lists(read->missing, vec->words[row]))
		*x = NAN;
	else
		return ood_num_parse(vec->words[row].at, vec->words[row].n,
				     decimal, x) == OOD_NUM_OK;
	return true;
}

int ood_flag_of(const struct ood_vec *vec, size_t row)
{
	double x;

	if (vec->words && flag_word(vec->words[row]) >= 0)
		return flag_word(vec->words[row]);
	if (!ood_real_of(NULL, vec, row, &x) || (x != 0 && x != 1))
		return -1;
	return x == 1;
}

/* ------------------------------------------------------------ labels --- */

void ood_labels_free(struct ood_labels *labels)
{
	for (size_t i = 0; i < labels->n_found; i++)
		ood_free(labels->found[i]);
	ood_free(labels->found);
	labels->found = NULL;
	labels->n_found = labels->room = 0;
}

static int collect(struct ood_labels *l, struct ood_span w, struct ood_err *err)
{
	char *copy;

	for (size_t i = 0; i < l->n_found; i++)
		if (!compare(l->found[i], w))
			return OOD_OK;
	if (l->n_found == FOUND_MAX)
		return OOD_OK;
	copy = ood_strndup(w.at, w.n);
	if (!copy ||
	    !ood_grow(&l->found, l->n_found, &l->room, sizeof(*l->found))) {
		ood_free(copy);
		return ood_fail_memory(err, w.n);
	}
	l->found[l->n_found++] = copy;
	return OOD_OK;
}

static int refuse_word(struct ood_span w, const char *why, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	ood_quote(quoted, sizeof(quoted), w.at, w.n);
	return ood_fail(err, OOD_INPUT, "label \"%s\" %s", quoted, why);
}

static int number_real(double x, int64_t *out, struct ood_err *err)
{
	char text[OOD_NUM_MAX];

	/* 2^63 is the first double that an int64_t does not hold. */
	if (x == floor(x) && fabs(x) < 9223372036854775808.0) {
		*out = (int64_t)x;
		return OOD_OK;
	}
	ood_num_format(text, x);
	return ood_fail(err, OOD_INPUT,
			"label %s is not an integer, a boolean or a name",
			text);
}

/* A name that is no number: which class is it? */
static int number_name(struct ood_labels *l, struct ood_span w, int64_t *out,
		       struct ood_err *err)
{
	const struct ood_classes *c = l->classes;

	*out = OOD_LABEL_NONE;
	if (!c || !c->n || c->digits)
		return collect(l, w, err);
	*out = ood_classes_find(c, w);
	if (*out >= 0)
		return OOD_OK;
	if (c->loose)
		return collect(l, w, err);
	*out = OOD_LABEL_NONE;
	l->unknown++;
	return OOD_OK;
}

static int number_word(struct ood_labels *l, struct ood_span w, int64_t *out,
		       uint8_t *bad, struct ood_err *err)
{
	const struct ood_classes *c = l->classes;
	double x;

	if (l->read && ood_missing_lists(l->read->missing, w)) {
		*bad = 1;
		return OOD_OK;
	}
	if (c && c->n && !c->digits) {
		*out = ood_classes_find(c, w);
		if (*out >= 0)
			return OOD_OK;
	}
	if (ood_num_parse_int(w.at, w.n, out))
		return OOD_OK;
	*out = OOD_LABEL_NONE;
	if (!w.n)
		return refuse_word(w,
				   "is empty (--missing usual --nan skip "
				   "drops such rows)",
				   err);
	if (ood_num_parse(w.at, w.n, '.', &x) != OOD_NUM_BAD) {
		if (!isnan(x))
			return refuse_word(w, "is not an integer", err);
		*bad = 1;
		return OOD_OK;
	}
	if (flag_word(w) >= 0) {
		*out = flag_word(w);
		return OOD_OK;
	}
	return number_name(l, w, out, err);
}

int ood_labels_number(struct ood_labels *labels, const struct ood_vec *vec,
		      size_t n, struct ood_numbers *to, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < n && !code; i++) {
		to->row = i;
		to->out[i] = OOD_LABEL_NONE;
		if (vec->ints)
			to->out[i] = vec->ints[i];
		else if (vec->words)
			code = number_word(labels, vec->words[i], &to->out[i],
					   &to->bad[i], err);
		else if (isnan(vec->reals[i]))
			to->bad[i] = 1;
		else
			code = number_real(vec->reals[i], &to->out[i], err);
	}
	return code;
}

int ood_labels_refuse(const struct ood_labels *labels, size_t classes,
		      struct ood_err *err)
{
	struct ood_buf names = { 0 };
	bool comma = false;
	size_t i = 0;
	int code;

	for (size_t k = 0; k < labels->n_found; k++)
		comma |= strchr(labels->found[k], ',') != NULL;
	for (; i < labels->n_found && names.n < 600; i++) {
		char quoted[OOD_QUOTE_MAX];
		const char *name = labels->found[i];

		ood_quote(quoted, sizeof(quoted), name, strlen(name));
		ood_buf_printf(&names, comma ? "%s\"%s\"" : "%s%s",
			       !i      ? ""
			       : comma ? ", "
				       : ",",
			       quoted);
	}
	if (i < labels->n_found)
		ood_buf_str(&names, ",...");
	code = names.failed ? ood_fail_memory(err, names.n)
	       : labels->classes && labels->classes->loose
		       ? ood_fail(err, OOD_INPUT,
				  "labels are names that no column has: %s "
				  "(--classes NAME,... tells the names of "
				  "the %zu columns in order)",
				  names.text, classes)
		       : ood_fail(err, OOD_INPUT,
				  "labels are names, and nothing says which "
				  "of the %zu columns is which (sort the "
				  "names into the order of the columns: "
				  "%s%s)",
				  classes,
				  comma ? "--classes @FILE, one name a line, "
					  "from "
					: "--classes ",
				  names.text);
	ood_buf_free(&names);
	return code;
}
