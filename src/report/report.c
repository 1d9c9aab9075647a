/*
 * report.c - figures as a document: its head, its fields, its tables
 */
#include "report/report.h"

#include "report/report_own.h"

struct ood_item ood_item_null(void)
{
	return (struct ood_item){ .kind = OOD_ITEM_NULL };
}

struct ood_item ood_item_real(double x)
{
	return (struct ood_item){ .kind = OOD_ITEM_REAL, .real = x };
}

struct ood_item ood_item_exact(double x)
{
	return (struct ood_item){ .kind = OOD_ITEM_REAL,
				  .real = x,
				  .exact = true };
}

struct ood_item ood_item_int(int64_t i)
{
	return (struct ood_item){ .kind = OOD_ITEM_INT, .integer = i };
}

struct ood_item ood_item_bool(bool b)
{
	return (struct ood_item){ .kind = OOD_ITEM_BOOL, .integer = b };
}

struct ood_item ood_item_text(const char *s)
{
	if (!s)
		return ood_item_null();
	return (struct ood_item){ .kind = OOD_ITEM_TEXT, .text = s };
}

bool ood_item_is_null(const struct ood_item *item)
{
	return item->kind == OOD_ITEM_NULL ||
	       (item->kind == OOD_ITEM_REAL && isnan(item->real));
}

bool ood_item_is_number(const struct ood_item *item)
{
	return item->kind == OOD_ITEM_INT ||
	       (item->kind == OOD_ITEM_REAL && !isnan(item->real));
}

double ood_item_number(const struct ood_item *item)
{
	return item->kind == OOD_ITEM_INT ? (double)item->integer : item->real;
}

/* NULL stays NULL. */
char *ood_report_copy(struct ood_report *report, const char *s)
{
	char *c = s ? ood_strdup(s) : NULL;

	if (s && !c)
		report->failed = true;
	return c;
}

bool ood_report_grow(struct ood_report *report, void *array, size_t n,
		     size_t *room, size_t size)
{
	if (ood_grow(array, n, room, size))
		return true;
	report->failed = true;
	return false;
}

struct ood_item ood_report_own(struct ood_report *report, struct ood_item item)
{
	if (item.kind == OOD_ITEM_TEXT) {
		item.text = ood_report_copy(report, item.text);
		if (!item.text)
			item.kind = OOD_ITEM_NULL;
	}
	return item;
}

void ood_report_drop(struct ood_item *item)
{
	if (item->kind == OOD_ITEM_TEXT)
		ood_free((void *)item->text);
	item->kind = OOD_ITEM_NULL;
}

/* One more pair; key NULL for an element of a list. */
static void pairs_add(struct ood_report *report, struct ood_pairs *pairs,
		      const char *key, struct ood_item item)
{
	char *name = ood_report_copy(report, key);

	if ((key && !name) ||
	    !ood_report_grow(report, &pairs->at, pairs->n, &pairs->room,
			     sizeof(*pairs->at))) {
		ood_free(name);
		return;
	}
	pairs->at[pairs->n++] =
		(struct ood_pair){ name, ood_report_own(report, item) };
}

/* The last value of a key counts, in the place of its first. */
static void pairs_set(struct ood_report *report, struct ood_pairs *pairs,
		      const char *key, struct ood_item item)
{
	for (size_t i = 0; i < pairs->n; i++) {
		if (strcmp(pairs->at[i].key, key))
			continue;
		ood_report_drop(&pairs->at[i].item);
		pairs->at[i].item = ood_report_own(report, item);
		return;
	}
	pairs_add(report, pairs, key, item);
}

static void pairs_free(struct ood_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		ood_free(pairs->at[i].key);
		ood_report_drop(&pairs->at[i].item);
	}
	ood_free(pairs->at);
}

struct ood_report *ood_report_new(const char *command, int argc,
				  char *const *argv)
{
	struct ood_report *report = ood_calloc(1, sizeof(*report));
	struct ood_buf schema = { 0 };

	if (!report)
		return NULL;
	ood_buf_printf(&schema, "ood.%s/1", command);
	report->schema = schema.text;
	report->failed = schema.failed;
	/* "ood" for whatever path the program was called by. */
	report->words = ood_calloc((size_t)argc + 1, sizeof(*report->words));
	if (!report->words) {
		report->failed = true;
		return report;
	}
	report->n_words = (size_t)argc + 1;
	report->words[0] = ood_report_copy(report, "ood");
	for (size_t i = 1; i < report->n_words; i++)
		report->words[i] = ood_report_copy(report, argv[i - 1]);
	return report;
}

void ood_report_run(struct ood_report *report, const char *run)
{
	if (!report)
		return;
	ood_free(report->run);
	report->run = ood_report_copy(report, run);
}

void ood_report_seed(struct ood_report *report, uint64_t seed)
{
	if (report)
		report->seed = seed;
}

void ood_report_convention(struct ood_report *report, const char *key,
			   const char *text)
{
	if (report)
		pairs_set(report, &report->conventions, key,
			  ood_item_text(text));
}

void ood_report_input(struct ood_report *report, const char *set,
		      const struct ood_input *input)
{
	struct ood_report_input *to;

	if (!report ||
	    !ood_report_grow(report, &report->inputs, report->n_inputs,
			     &report->room_inputs, sizeof(*to)))
		return;
	to = &report->inputs[report->n_inputs++];
	*to = (struct ood_report_input){
		.set = ood_report_copy(report, set),
		.role = ood_report_copy(report, input->role),
		.path = ood_report_copy(report, input->path),
		.format = ood_report_copy(report, input->format),
		.dtype = ood_report_copy(report, input->dtype),
		.ndim = OOD_MIN(input->ndim, 4u),
		.rows = input->rows,
		.skipped = input->skipped,
		.crc32 = input->crc32,
	};
	memcpy(to->shape, input->shape, sizeof(to->shape));
}

const char *ood_report_warning_text(const struct ood_report *report, size_t i)
{
	return report && i < report->n_warnings ? report->warnings[i].text
						: NULL;
}

void ood_report_warning(struct ood_report *report, const char *code,
			const char *text, uint64_t count)
{
	struct ood_report_warning *to;

	if (!report ||
	    !ood_report_grow(report, &report->warnings, report->n_warnings,
			     &report->room_warnings, sizeof(*to)))
		return;
	to = &report->warnings[report->n_warnings++];
	*to = (struct ood_report_warning){ ood_report_copy(report, code),
					   ood_report_copy(report, text),
					   count };
}

static struct ood_entry *entry_find(struct ood_report *report, const char *key,
				    enum ood_entry_kind kind)
{
	for (size_t i = 0; i < report->n_entries; i++)
		if (report->entries[i].kind == kind &&
		    !strcmp(report->entries[i].key, key))
			return &report->entries[i];
	return NULL;
}

/* The entry of this key, made where it is not there; NULL without memory. */
static struct ood_entry *entry(struct ood_report *report, const char *key,
			       enum ood_entry_kind kind)
{
	struct ood_entry *e = entry_find(report, key, kind);

	if (e)
		return e;
	char *name = ood_report_copy(report, key);
	if (!name ||
	    !ood_report_grow(report, &report->entries, report->n_entries,
			     &report->room_entries, sizeof(*e))) {
		ood_free(name);
		return NULL;
	}
	e = &report->entries[report->n_entries++];
	*e = (struct ood_entry){ .kind = kind, .key = name };
	return e;
}

void ood_report_field(struct ood_report *report, const char *key,
		      struct ood_item item, bool shown)
{
	struct ood_entry *e =
		report ? entry(report, key, OOD_ENTRY_FIELD) : NULL;

	if (!e)
		return;
	ood_report_drop(&e->item);
	e->item = ood_report_own(report, item);
	e->shown = shown;
}

void ood_report_field_in(struct ood_report *report, const char *object,
			 const char *key, struct ood_item item)
{
	struct ood_entry *e =
		report ? entry(report, object, OOD_ENTRY_OBJECT) : NULL;

	if (e)
		pairs_set(report, &e->pairs, key, item);
}

void ood_report_list(struct ood_report *report, const char *key,
		     const struct ood_item *items, size_t n)
{
	struct ood_entry *e =
		report ? entry(report, key, OOD_ENTRY_LIST) : NULL;

	for (size_t i = 0; e && i < n; i++)
		pairs_add(report, &e->pairs, NULL, items[i]);
}

struct ood_table *ood_report_table(struct ood_report *report, const char *key,
				   const char *title)
{
	struct ood_entry *e =
		report ? entry(report, key, OOD_ENTRY_TABLE) : NULL;

	if (!e || e->table)
		return e ? e->table : NULL;
	e->table = ood_calloc(1, sizeof(*e->table));
	if (!e->table) {
		report->failed = true;
		return NULL;
	}
	e->table->report = report;
	e->table->title = ood_report_copy(report, title);
	return e->table;
}

static void head_free(struct ood_report *report)
{
	for (size_t i = 0; i < report->n_words; i++)
		ood_free(report->words[i]);
	for (size_t i = 0; i < report->n_inputs; i++) {
		struct ood_report_input *input = &report->inputs[i];
		ood_free(input->set);
		ood_free(input->role);
		ood_free(input->path);
		ood_free(input->format);
		ood_free(input->dtype);
	}
	for (size_t i = 0; i < report->n_warnings; i++) {
		ood_free(report->warnings[i].code);
		ood_free(report->warnings[i].text);
	}
	pairs_free(&report->conventions);
	ood_free(report->schema);
	ood_free(report->words);
	ood_free(report->run);
	ood_free(report->inputs);
	ood_free(report->warnings);
}

void ood_report_free(struct ood_report *report)
{
	if (!report)
		return;
	head_free(report);
	for (size_t i = 0; i < report->n_entries; i++) {
		ood_free(report->entries[i].key);
		ood_report_drop(&report->entries[i].item);
		pairs_free(&report->entries[i].pairs);
		ood_table_free(report->entries[i].table);
	}
	ood_free(report->entries);
	ood_free(report);
}
