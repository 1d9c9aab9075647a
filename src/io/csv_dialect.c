/*
 * csv_dialect.c - delimiter, decimal sign, missing values of a text table
 *
 * Nothing is guessed: a table with another delimiter than asked for is
 * refused with the options that would read it.
 */
#include "io/csv.h"

#include "core/err.h"
#include "io/missing.h"

struct ood_span ood_trim(const struct ood_dialect *d, const char *at, size_t n)
{
	const char *end = at + n;

	while (at < end && ood_is_blank(*at) &&
	       (*at != d->delimiter || d->blanks))
		at++;
	while (at < end && ood_is_blank(end[-1]) &&
	       (end[-1] != d->delimiter || d->blanks))
		end--;
	return (struct ood_span){ at, (size_t)(end - at) };
}

/* ------------------------------------------------------- options --- */

/* The byte that an option means: itself or one of the names; 0: neither. */
static char named_byte(const char *text)
{
	static const struct {
		const char *name;
		char byte;
	} names[] = { { "comma", ',' }, { "semicolon", ';' }, { "tab", '\t' },
		      { "space", ' ' }, { "pipe", '|' },      { "point", '.' },
		      { "\\t", '\t' } };

	if (strlen(text) == 1)
		return *text;
	for (size_t i = 0; i < OOD_COUNT(names); i++)
		if (!strcmp(text, names[i].name))
			return names[i].byte;
	return 0;
}

/* Bytes that stand inside numbers, quotes or line ends separate nothing. */
static bool can_delimit(char c)
{
	if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z'))
		return false;
	return c && !strchr("\"\r\n+-.", c);
}

static int read_delimiter(struct ood_dialect *d, const char *text,
			  struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	if (!text)
		return OOD_OK;
	d->given = true;
	d->delimiter = named_byte(text);
	if (can_delimit(d->delimiter))
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"--delimiter \"%s\" cannot separate cells (comma, "
			"semicolon, tab, space, pipe, or one byte)",
			ood_quote(quoted, sizeof(quoted), text, strlen(text)));
}

static int read_decimal(struct ood_dialect *d, const char *text,
			struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	d->decimal = text ? named_byte(text) : '.';
	if (d->decimal != '.' && d->decimal != ',')
		return ood_fail(
			err, OOD_USAGE,
			"--decimal \"%s\" is not point or comma",
			ood_quote(quoted, sizeof(quoted), text, strlen(text)));
	if (d->decimal != d->delimiter)
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"--decimal comma needs another delimiter "
			"(--delimiter semicolon)");
}

int ood_dialect_open(struct ood_dialect *d, const struct ood_read *read,
		     char delimiter, struct ood_err *err)
{
	int rc;

	*d = (struct ood_dialect){ .delimiter = delimiter,
				   .missing = read->missing };
	rc = read_delimiter(d, read->delimiter, err);
	if (!rc)
		rc = read_decimal(d, read->decimal, err);
	d->given |= delimiter != ',';
	d->blanks = d->delimiter == ' ';
	return rc;
}

/* --------------------------------------------------------- cells --- */

enum ood_num_kind ood_dialect_number(const struct ood_dialect *d,
				     const char *at, size_t n, double *x)
{
	enum ood_num_kind kind = ood_num_parse(at, n, d->decimal, x);

	if (kind == OOD_NUM_OK || !d->missing ||
	    !ood_missing_lists(d->missing, ood_trim(d, at, n)))
		return kind;
	*x = (double)NAN;
	return OOD_NUM_OK;
}

/* Could it be a way to write "no value"? Words, not mistyped numbers. */
static bool may_be_missing(struct ood_span cell)
{
	if (cell.n > 20)
		return false;
	for (size_t i = 0; i < cell.n; i++)
		if (strchr("0123456789,'\\\"", cell.at[i]))
			return false;
	return true;
}

int ood_dialect_refuse(const struct ood_dialect *d, struct ood_span cell,
		       bool text, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];
	char other = d->decimal == '.' ? ',' : '.';
	const char *quote = ood_quote(quoted, sizeof(quoted), cell.at, cell.n);
	double x;

	if (ood_num_parse(cell.at, cell.n, d->decimal, &x) == OOD_NUM_RANGE)
		return ood_fail(err, OOD_INPUT,
				"\"%s\" is larger than a double can hold",
				quote);
	if (!cell.n)
		return ood_fail(err, OOD_INPUT,
				"expected a number, found an empty cell "
				"(--missing usual --nan skip drops such rows)");
	if (text)
		return ood_fail(err, OOD_INPUT,
				"expected a number, found \"%s\" in a column "
				"of text (--columns names those to use)",
				quote);
	if (ood_num_parse(cell.at, cell.n, other, &x) == OOD_NUM_OK)
		return ood_fail(err, OOD_INPUT,
				"expected a number, found \"%s\" (--decimal "
				"%s)",
				quote, other == ',' ? "comma" : "point");
	if (may_be_missing(cell))
		return ood_fail(err, OOD_INPUT,
				"expected a number, found \"%s\" (--missing "
				"%s --nan skip drops such rows)",
				quote, quote);
	return ood_fail(err, OOD_INPUT, "expected a number, found \"%s\"",
			quote);
}

/* -------------------------------------------------------- advice --- */

/* Is there such a byte outside quotes? */
static bool has(struct ood_span line, char c)
{
	bool quoted = false;

	for (size_t i = 0; i < line.n; i++) {
		quoted ^= line.at[i] == '"';
		if (line.at[i] == c && !quoted)
			return true;
	}
	return false;
}

/* Cells between `delimiter` (' ': blanks), and how many of them are numbers
 * or have a decimal comma. */
struct census {
	size_t cells, numbers, commas;
};

static struct census count(struct ood_span line, char delimiter, char decimal)
{
	struct census c = { 0, 0, 0 };
	const char *at = line.at, *end = line.at + line.n;

	while (at < end) {
		const char *q = at;
		double x;

		while (q < end && *q != delimiter &&
		       !(delimiter == ' ' && *q == '\t'))
			q++;
		if (q > at || delimiter != ' ') {
			bool ok = ood_num_parse(at, (size_t)(q - at), decimal,
						&x) == OOD_NUM_OK;
			c.cells++;
			c.numbers += ok;
			c.commas += ok && memchr(at, ',', (size_t)(q - at));
		}
		at = q + 1;
	}
	return c;
}

static int advise_semicolon(struct ood_span first, struct ood_span second,
			    struct ood_err *err)
{
	struct census a = count(first, ';', ','), b = count(second, ';', ',');

	if (a.commas || b.commas)
		return ood_fail(err, OOD_INPUT,
				"looks like ';' with decimal comma "
				"(--delimiter semicolon --decimal comma)");
	return ood_fail(err, OOD_INPUT,
			"line has ';' and no comma (--delimiter semicolon)");
}

static int advise_blanks(struct ood_span first, struct ood_err *err)
{
	struct census c = count(first, ' ', '.');

	if (*first.at == '#')
		return ood_fail(err, OOD_INPUT,
				"looks like a comment of np.savetxt "
				"(--delimiter space, or --delimiter comma)");
	if (c.cells < 2 || c.numbers < c.cells)
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"%zu numbers between blanks and no comma (--delimiter "
			"space)",
			c.cells);
}

int ood_dialect_advise(const struct ood_dialect *d, struct ood_span first,
		       struct ood_span second, struct ood_err *err)
{
	bool comma = has(first, ',');
	struct census c;

	if (d->given || !first.n)
		return OOD_OK;
	if (has(first, '\t') && !comma)
		return ood_fail(err, OOD_INPUT,
				"line has tabs and no comma (--delimiter tab)");
	c = count(first, ';', ',');
	if (has(first, ';') && (!comma || c.numbers == c.cells))
		return advise_semicolon(first, second, err);
	if (has(first, '|') && !comma)
		return ood_fail(err, OOD_INPUT,
				"line has '|' and no comma (--delimiter '|')");
	return comma ? OOD_OK : advise_blanks(first, err);
}
