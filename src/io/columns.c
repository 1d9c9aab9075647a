/*
 * columns.c - finding members of a file by name or position
 */
#include "io/columns.h"

#include "core/err.h"
#include "core/mem.h"
#include "core/num.h"

/* Never features or scores; what ood itself writes beside scores is here. */
static const char *const reserved[] = {
	"row",
	"id",
	"label",
	"group",
	"pred",
	"confidence",
	"correct",
	"weight",
	"fold",
	"decision",
	"image",
	"segment",
	"class",
	"row0",
	"col0",
	"row1",
	"col1",
	"iou",
	"iou0",
	"iou_hat",
	"tp",
	"target",
	/* the other spellings of roles, and class names of predictions */
	"ids",
	"labels",
	"groups",
	"weights",
	"conf",
	"pred_name",
};

bool ood_column_is_reserved(const char *name)
{
	for (size_t i = 0; i < OOD_COUNT(reserved); i++)
		if (!strcmp(name, reserved[i]))
			return true;
	return false;
}

bool ood_name_has_stem(const char *name, const char *stem)
{
	const size_t n = strlen(stem);

	return !strncmp(name, stem, n) && name[n];
}

const char *ood_dtype_name(enum ood_dtype dtype)
{
	static const char *const names[] = {
		[OOD_F2] = "float16", [OOD_F4] = "float32",
		[OOD_F8] = "float64", [OOD_I1] = "int8",
		[OOD_I2] = "int16",   [OOD_I4] = "int32",
		[OOD_I8] = "int64",   [OOD_U1] = "uint8",
		[OOD_U2] = "uint16",  [OOD_U4] = "uint32",
		[OOD_U8] = "uint64",  [OOD_B1] = "bool",
		[OOD_TEXT] = "text",
	};

	return names[dtype];
}

/* ------------------------------------------------------ by position --- */

/* Digits alone, from 1. */
static bool position_parse(struct ood_span s, size_t *position)
{
	int64_t i;

	for (size_t k = 0; k < s.n; k++)
		if (s.at[k] < '0' || s.at[k] > '9')
			return false;
	if (!ood_num_parse_int(s.at, s.n, &i) || i < 1)
		return false;
	*position = (size_t)i;
	return true;
}

/* #N with the '#', from 0. */
static bool hash_parse(struct ood_span s, size_t *position)
{
	if (s.n < 2 || s.at[0] != '#' ||
	    !position_parse((struct ood_span){ s.at + 1, s.n - 1 }, position))
		return false;
	--*position;
	return true;
}

/* ---------------------------------------------------------- by name --- */

static bool has_name(const struct ood_member *member, struct ood_span name)
{
	return !strncmp(member->name, name.at, name.n) && !member->name[name.n];
}

/* The first member of the name in [from, to), or to. */
static size_t seek(const struct ood_head *head, struct ood_span name,
		   size_t from, size_t to)
{
	while (from < to && !has_name(&head->members[from], name))
		from++;
	return from;
}

static int refuse_twice(const struct ood_head *head, struct ood_span name,
			struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX];

	ood_quote(quoted, sizeof(quoted), name.at, name.n);
	ood_fail(err, OOD_INPUT,
		 "the name \"%s\" is there twice (#N takes one by position)",
		 quoted);
	return ood_err_where(err, head->file, NULL);
}

static int find_name(const struct ood_head *head, struct ood_sought *s,
		     struct ood_err *err)
{
	const size_t from = OOD_MIN(s->hint, head->n);
	size_t at = seek(head, s->name, from, head->n), end = head->n;

	if (at == head->n) {
		end = from;
		at = seek(head, s->name, 0, from);
	}
	s->found = at < end && s->name.n;
	if (!s->found)
		return OOD_OK;
	if (seek(head, s->name, at + 1, end) < end)
		return refuse_twice(head, s->name, err);
	s->member = at;
	s->hint = at + 1;
	return OOD_OK;
}

int ood_columns_find(const struct ood_head *head, struct ood_sought *s,
		     struct ood_err *err)
{
	int code = find_name(head, s, err);

	if (!code && !s->found && head->records &&
	    hash_parse(s->name, &s->member)) {
		s->found = s->member < head->n;
		s->hint = s->member + 1;
	}
	return code;
}

/* ------------------------------------------------------------- list --- */

struct list {
	const struct ood_head *head;
	size_t *at, n, room;
	size_t hint;
};

static int push(struct list *list, size_t member, struct ood_err *err)
{
	if (!ood_grow(&list->at, list->n, &list->room, sizeof(*list->at)))
		return ood_fail_memory(err, sizeof(*list->at));
	list->at[list->n++] = member;
	return OOD_OK;
}

/* One end of a range: a name, #N or N. */
static int find_end(struct list *list, struct ood_sought *s,
		    struct ood_err *err)
{
	int code;

	s->hint = list->hint;
	code = ood_columns_find(list->head, s, err);
	if (!code && !s->found && position_parse(s->name, &s->member)) {
		--s->member;
		s->found = s->member < list->head->n;
	}
	if (!code && s->found)
		list->hint = s->member + 1;
	return code;
}

static int push_range(struct list *list, size_t from, size_t to,
		      struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = from; i <= to && !code; i++)
		code = push(list, i, err);
	return code;
}

/* Tries every '-' of the item as the middle of a range. */
static int add_range(struct list *list, struct ood_span item, bool *done,
		     struct ood_err *err)
{
	for (size_t i = 1; i + 1 < item.n && !*done; i++) {
		struct ood_sought a = { .name = { item.at, i } };
		struct ood_sought b = { .name = { item.at + i + 1,
						  item.n - i - 1 } };
		int code;

		if (item.at[i] != '-')
			continue;
		code = find_end(list, &a, err);
		if (!code && a.found)
			code = find_end(list, &b, err);
		if (code)
			return code;
		if (!a.found || !b.found || a.member > b.member)
			continue;
		*done = true;
		return push_range(list, a.member, b.member, err);
	}
	return OOD_OK;
}

/* N-M or #N-#M, in order, of which there are fewer columns? */
static bool is_beyond(struct ood_span item, size_t columns)
{
	const char *dash = memchr(item.at, '-', item.n);
	struct ood_span ends[2];
	size_t at[2];

	if (!dash)
		return false;
	ends[0] = (struct ood_span){ item.at, (size_t)(dash - item.at) };
	ends[1] = (struct ood_span){ dash + 1, item.n - ends[0].n - 1 };
	for (int i = 0; i < 2; i++) {
		if (ends[i].n && *ends[i].at == '#') {
			ends[i].at++;
			ends[i].n--;
		}
		if (!ends[i].n || !position_parse(ends[i], &at[i]))
			return false;
	}
	return at[0] <= at[1] && at[1] > columns;
}

static int add_item(struct list *list, struct ood_span item,
		    struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX], there[512];
	struct ood_sought s = { .name = item, .hint = list->hint };
	bool done = false;
	int code = ood_columns_find(list->head, &s, err);

	if (!code && !s.found)
		code = add_range(list, item, &done, err);
	if (!code && !s.found && !done)
		code = find_end(list, &s, err);
	if (code || done)
		return code;
	if (s.found) {
		list->hint = s.member + 1;
		return push(list, s.member, err);
	}
	ood_quote(quoted, sizeof(quoted), item.at, item.n);
	if (is_beyond(item, list->head->n)) {
		ood_fail(err, OOD_INPUT, "--columns %s: there %s %zu column%s",
			 quoted, list->head->n == 1 ? "is" : "are",
			 list->head->n, list->head->n == 1 ? "" : "s");
		return ood_err_where(err, list->head->file, NULL);
	}
	ood_fail(err, OOD_INPUT, "--columns: no column \"%s\" (%s)", quoted,
		 ood_columns_describe(list->head, there, sizeof(there)));
	return ood_err_where(err, list->head->file, NULL);
}

int ood_columns_list(const struct ood_head *head, const char *columns,
		     size_t **at, size_t *n, struct ood_err *err)
{
	struct list list = { .head = head };
	int code = OOD_OK;

	while (!code) {
		const size_t len = strcspn(columns, ",");

		if (!len)
			code = ood_fail(err, OOD_USAGE,
					"--columns: a name is empty");
		else
			code = add_item(&list,
					(struct ood_span){ columns, len }, err);
		if (!columns[len])
			break;
		columns += len + 1;
	}
	if (code)
		ood_free(list.at);
	*at = code ? NULL : list.at;
	*n = code ? 0 : list.n;
	return code;
}

/* --------------------------------------------------------- describe --- */

void ood_shape_describe(struct ood_buf *buf, unsigned ndim,
			const uint64_t *shape)
{
	ood_buf_char(buf, '(');
	for (unsigned d = 0; d < OOD_MIN(ndim, (unsigned)OOD_AXES_MAX); d++) {
		ood_buf_str(buf, d ? ", " : "");
		if (shape[d] == UINT64_MAX)
			ood_buf_char(buf, '?');
		else
			ood_buf_printf(buf, "%llu",
				       (unsigned long long)shape[d]);
	}
	ood_buf_str(buf, ndim == 1	       ? ",)"
			 : ndim > OOD_AXES_MAX ? ", ...)"
					       : ")");
}

char *ood_columns_describe(const struct ood_head *head, char *text, size_t size)
{
	struct ood_buf buf = { 0 };
	size_t i = 0;

	ood_buf_str(&buf, head->n ? "there are " : "there are none");
	for (; i < head->n && buf.n + 96 < size; i++) {
		char quoted[OOD_QUOTE_MAX];

		ood_quote(quoted, sizeof(quoted), head->members[i].name,
			  strlen(head->members[i].name));
		ood_buf_str(&buf, i ? ", " : "");
		ood_buf_str(&buf, quoted);
		if (head->records)
			continue;
		ood_buf_printf(&buf, " %s ",
			       ood_dtype_name(head->members[i].dtype));
		ood_shape_describe(&buf, head->members[i].ndim,
				   head->members[i].shape);
	}
	if (i < head->n)
		ood_buf_printf(&buf, " ... %zu in all", head->n);
	*text = '\0';
	if (!buf.failed) {
		const size_t n = OOD_MIN(buf.n, size - 1);
		memcpy(text, buf.text, n);
		text[n] = '\0';
	}
	ood_buf_free(&buf);
	return text;
}
