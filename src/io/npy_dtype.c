/*
 * npy_dtype.c - the descr of an NPY header: what its elements are
 *
 * descr = [ "<" | ">" | "=" | "|" ] letter digits, as in numpy's array
 * interface. No order, "=" and "|" are read as little-endian.
 */
#include "io/npy_dtype.h"

#include <stdio.h>

#include "core/err.h"
#include "core/mem.h"

/* Elements that are read. */
static const struct {
	char kind;
	unsigned size;
	enum ood_dtype dtype;
} known[] = {
	{ 'f', 2, OOD_F2 }, { 'f', 4, OOD_F4 }, { 'f', 8, OOD_F8 },
	{ 'i', 1, OOD_I1 }, { 'i', 2, OOD_I2 }, { 'i', 4, OOD_I4 },
	{ 'i', 8, OOD_I8 }, { 'u', 1, OOD_U1 }, { 'u', 2, OOD_U2 },
	{ 'u', 4, OOD_U4 }, { 'u', 8, OOD_U8 }, { 'b', 1, OOD_B1 },
};

#define SAVE_F4 "save x.astype(\"float32\")"
#define BFLOAT16                                                               \
	"bfloat16 has no NumPy type; save t.float().numpy() or "               \
	"x.astype(\"float32\")"

/* Elements that are not, and the sentence that says so. size 0: any. */
static const struct {
	char kind;
	unsigned size;
	const char *why;
} refused[] = {
	{ 'O', 0,
	  "object array (a Python pickle); pickles are never loaded (" SAVE_F4
	  ")" },
	{ 'V', 2,
	  "raw 2-byte void elements, probably bfloat16 (" BFLOAT16 ")" },
	{ 'V', 1, "raw 1-byte void elements, probably float8 (" SAVE_F4 ")" },
	{ 'V', 0, "raw void elements, not numbers (" SAVE_F4 ")" },
	{ 'f', 1, "float8, which NumPy does not have (" SAVE_F4 ")" },
	{ 'f', 16,
	  "long double, which differs by machine (save "
	  "x.astype(\"float64\"))" },
	{ 'f', 12,
	  "long double, which differs by machine (save "
	  "x.astype(\"float64\"))" },
	{ 'c', 8, "complex64 is not a real number" },
	{ 'c', 16, "complex128 is not a real number" },
	{ 'c', 0, "complex elements are not real numbers" },
	{ 'M', 0, "datetime64 is not a number" },
	{ 'm', 0, "timedelta64 is not a number" },
};

static void refuse(struct ood_npy_head *head, const char *why)
{
	snprintf(head->refusal, sizeof(head->refusal), "dtype '%s': %s",
		 head->descr, why);
}

static void refuse_name(struct ood_npy_head *head)
{
	bool bfloat = strstr(head->descr, "bfloat16") != NULL;
	bool float8 = strstr(head->descr, "float8") != NULL;

	if (bfloat)
		refuse(head, BFLOAT16);
	else if (float8)
		refuse(head, "float8, which NumPy does not have (" SAVE_F4 ")");
	else
		refuse(head, "not known (read are f2 f4 f8, i1 i2 i4 i8, u1 u2 "
			     "u4 u8, b1, U and S, as in '<f4')");
}

/* True if all of s is digits; their number in *value, capped at 2^31. */
static bool take_size(struct ood_span s, size_t *value)
{
	*value = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.at[i] < '0' || s.at[i] > '9')
			return false;
		*value = *value * 10 + (size_t)(s.at[i] - '0');
		*value = OOD_MIN(*value, (size_t)INT32_MAX);
	}
	return s.n > 0 && s.at[0] != '0';
}

static bool find_known(struct ood_npy_head *head, char kind, size_t size)
{
	for (size_t i = 0; i < OOD_COUNT(known); i++) {
		if (known[i].kind != kind || known[i].size != size)
			continue;
		head->dtype = known[i].dtype;
		head->item = size;
		return true;
	}
	return false;
}

static bool find_refused(struct ood_npy_head *head, char kind, size_t size)
{
	for (size_t i = 0; i < OOD_COUNT(refused); i++) {
		if (refused[i].kind != kind ||
		    (refused[i].size && refused[i].size != size))
			continue;
		refuse(head, refused[i].why);
		return true;
	}
	return false;
}

static bool take_text(struct ood_npy_head *head, char kind, size_t size)
{
	if ((kind != 'U' && kind != 'S' && kind != 'a') || !size)
		return false;
	head->dtype = OOD_TEXT;
	head->unicode = kind == 'U';
	head->item = head->unicode ? 4 * size : size;
	return true;
}

void ood_npy_dtype(struct ood_npy_head *head, struct ood_span s)
{
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	char shown[OOD_QUOTE_MAX];
	size_t size = 0;

	snprintf(head->descr, sizeof(head->descr), "%s",
		 ood_quote(shown, sizeof(shown), s.at, s.n));
	bool big = s.n && s.at[0] == '>';
	head->swap = big == little;
	if (s.n && strchr("<>=|", s.at[0])) {
		s.at++;
		s.n--;
	}
	if (s.n == 1 && s.at[0] == '?') {
		find_known(head, 'b', 1);
		return;
	}
	char kind = s.n ? s.at[0] : ' ';
	struct ood_span digits = { s.at + (s.n > 0), s.n ? s.n - 1 : 0 };
	bool sized = take_size(digits, &size);
	bool dated =
		(kind == 'M' || kind == 'm') && digits.n && digits.at[0] == '8';
	if (sized &&
	    (find_known(head, kind, size) || take_text(head, kind, size)))
		return;
	if ((sized || dated || (kind == 'O' && !digits.n)) &&
	    find_refused(head, kind, size))
		return;
	refuse_name(head);
}

/* ------------------------------------------------------- records --- */

/* The byte behind a quoted word; NULL if it has no end. */
static const char *pass_quoted(const char *at, const char *end)
{
	char quote = *at++;

	while (at < end && *at != quote)
		at++;
	return at < end ? at + 1 : NULL;
}

/* A field's name is the first word in a bracket of depth 2. */
static const char *collect_fields(const char *at, const char *end,
				  struct ood_buf *fields)
{
	char shown[OOD_QUOTE_MAX];
	size_t depth = 0;
	bool first = false;

	while (at < end) {
		const char *from = at;
		if (*at == '\'' || *at == '"') {
			at = pass_quoted(at, end);
			if (!at)
				return NULL;
			if (depth == 2 && first)
				ood_buf_printf(
					fields, "%s%s", fields->n ? ", " : "",
					ood_quote(shown, sizeof(shown),
						  from + 1,
						  (size_t)(at - from) - 2));
			first = false;
			continue;
		}
		at++;
		if (*from == '[' || *from == '(') {
			depth++;
			first = depth == 2;
		}
		if ((*from == ']' || *from == ')') && --depth == 0)
			return at;
	}
	return NULL;
}

const char *ood_npy_records(struct ood_npy_head *head, const char *at,
			    const char *end)
{
	struct ood_buf fields = { 0 };
	bool list = *at == '[';
	const char *stop = collect_fields(at, end, &fields);

	snprintf(head->descr, sizeof(head->descr), "%s",
		 list ? "structured" : "subarray");
	if (list)
		snprintf(head->refusal, sizeof(head->refusal),
			 "structured dtype with fields %.100s; save one field "
			 "(np.save(\"x.npy\", a[\"NAME\"]))",
			 fields.text ? fields.text : "");
	else
		snprintf(head->refusal, sizeof(head->refusal),
			 "subarray dtype; save it as a plain array");
	ood_buf_free(&fields);
	return stop;
}
