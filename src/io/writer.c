/*
 * writer.c - rows out, in any format
 */
#include "io/writer.h"

#include <strings.h>

#include "core/err.h"
#include "core/mem.h"
#include "io/writer_own.h"

/* For people; nobody reads them back. */
const struct ood_format ood_format_table = {
	.name = "table",
	.brief = "aligned columns, for people",
	.can_write = true,
};
const struct ood_format ood_format_md = {
	.name = "md",
	.brief = "Markdown table, for people",
	.can_write = true,
};

static const struct {
	const char *format;
	const struct ood_writer_ops *ops;
} writers[] = {
	{ "csv", &ood_writer_csv },	{ "tsv", &ood_writer_csv },
	{ "json", &ood_writer_json },	{ "jsonl", &ood_writer_jsonl },
	{ "npy", &ood_writer_npy },	{ "npz", &ood_writer_npz },
	{ "table", &ood_writer_table }, { "md", &ood_writer_table },
};

const struct ood_format *ood_format_find(const char *name)
{
	for (size_t i = 0; ood_formats[i]; i++)
		if (ood_formats[i]->can_write &&
		    !strcmp(ood_formats[i]->name, name))
			return ood_formats[i];
	return NULL;
}

const struct ood_format *ood_format_of_path(const char *path)
{
	static const char *const other[][2] = { { "ndjson", "jsonl" },
						{ "txt", "table" } };
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	if (!dot || dot == base)
		return NULL;
	for (size_t i = 0; i < OOD_COUNT(other); i++)
		if (!strcasecmp(dot + 1, other[i][0]))
			return ood_format_find(other[i][1]);
	for (size_t i = 0; i < OOD_COUNT(writers); i++)
		if (strcmp(writers[i].format, "table") &&
		    !strcasecmp(dot + 1, writers[i].format))
			return ood_format_find(writers[i].format);
	return NULL;
}

static const struct ood_writer_ops *ops_of(const struct ood_format *format)
{
	for (size_t i = 0; format && i < OOD_COUNT(writers); i++)
		if (!strcmp(format->name, writers[i].format))
			return writers[i].ops;
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Equal names would be lost by whoever reads the table by name. */
static int check_names(const struct ood_field *fields, size_t n,
		       struct ood_err *err)
{
	const char **names = ood_malloc(n, sizeof(*names));
	char quoted[OOD_QUOTE_MAX];
	int code = OOD_OK;

	if (!names)
		return ood_fail_memory(err, n * sizeof(*names));
	for (size_t f = 0; f < n; f++)
		names[f] = fields[f].name;
	qsort(names, n, sizeof(*names), by_name);
	for (size_t f = 1; f < n && !code; f++)
		if (!strcmp(names[f - 1], names[f]))
			code = ood_fail(err, OOD_USAGE,
					"two columns would be named \"%s\"",
					ood_quote(quoted, sizeof(quoted),
						  names[f], strlen(names[f])));
	ood_free(names);
	return code;
}

static int copy_fields(struct ood_writer *writer,
		       const struct ood_field *fields, size_t n,
		       struct ood_err *err)
{
	writer->fields = ood_calloc(n, sizeof(*writer->fields));
	if (!writer->fields)
		return ood_fail_memory(err, n * sizeof(*writer->fields));
	writer->n = n;
	for (size_t f = 0; f < n; f++) {
		if (fields[f].width && fields[f].kind != OOD_FIELD_REAL)
			return ood_fail(err, OOD_BUG,
					"a matrix column that is not real");
		writer->fields[f] = fields[f];
		writer->fields[f].name = ood_strdup(fields[f].name);
		if (!writer->fields[f].name)
			return ood_fail_memory(err, strlen(fields[f].name));
	}
	return OOD_OK;
}

int ood_writer_open(struct ood_writer **writer, struct ood_sink *sink,
		    const struct ood_writer_options *options,
		    const struct ood_field *fields, size_t n,
		    struct ood_err *err)
{
	struct ood_writer *w;
	int code;

	*writer = NULL;
	if (!n || !ops_of(options->format))
		return ood_fail(err, OOD_BUG, "nothing to write, or no format");
	code = check_names(fields, n, err);
	if (code)
		return code;
	w = ood_calloc(1, sizeof(*w));
	if (!w)
		return ood_fail_memory(err, sizeof(*w));
	w->ops = ops_of(options->format);
	w->sink = sink;
	w->options = *options;
	code = copy_fields(w, fields, n, err);
	if (!code)
		code = w->ops->open(w, err);
	if (code)
		ood_writer_abandon(w);
	else
		*writer = w;
	return code;
}

int ood_writer_put(struct ood_writer *writer, size_t rows,
		   const struct ood_cells *cells, struct ood_err *err)
{
	return rows ? writer->ops->put(writer, rows, cells, err) : OOD_OK;
}

int ood_writer_finish(struct ood_writer *writer, struct ood_err *err)
{
	int code = writer->ops->finish(writer, err);

	ood_writer_abandon(writer);
	return code;
}

void ood_writer_abandon(struct ood_writer *writer)
{
	if (!writer)
		return;
	writer->ops->release(writer);
	for (size_t f = 0; writer->fields && f < writer->n; f++)
		ood_free((void *)writer->fields[f].name);
	ood_free(writer->fields);
	ood_free(writer);
}
