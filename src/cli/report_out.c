/*
 * report_out.c - a report to all its outputs: together, or not at all
 */
#include "cli/common.h"
#include "core/err.h"
#include "io/writer.h"

/* Formats of reports by the extension of -o. */
static const char *report_format(const struct ood_output_options *out)
{
	if (out->format)
		return out->format;
	const struct ood_format *f =
		out->output ? ood_format_of_path(out->output) : NULL;
	return f && f->can_write && strncmp(f->name, "np", 2) != 0 ? f->name
								   : "table";
}

/* "json:FILE" taken apart; kind has 16 bytes. */
static int split_report(const char *word, char *kind, const char **path,
			struct ood_err *err)
{
	size_t n = strcspn(word, ":");

	if (word[n] != ':' || !word[n + 1] || n >= 16)
		return ood_fail(err, OOD_USAGE,
				"--report %s: expected KIND:FILE, such as "
				"json:report.json",
				word);
	memcpy(kind, word, n);
	kind[n] = '\0';
	*path = word + n + 1;
	return OOD_OK;
}

int ood_report_check(const struct ood_output_options *out, struct ood_err *err)
{
	char kind[16];
	const char *path;
	int code = ood_report_check_format(report_format(out), err);

	for (size_t i = 0; !code && i < out->reports.n; i++) {
		code = split_report(out->reports.at[i], kind, &path, err);
		if (!code)
			code = ood_report_check_format(kind, err);
	}
	return code;
}

/* Sinks that are open, to be committed as one. */
struct outputs {
	struct ood_sink **at;
	size_t n;
};

/* The second file of one name would replace the first. */
static int check_apart(const struct outputs *all, const char *path,
		       struct ood_err *err)
{
	const char *target = ood_sink_target(all->at[all->n - 1]);

	for (size_t i = 0; target && i + 1 < all->n; i++) {
		const char *other = ood_sink_target(all->at[i]);
		if (other && !strcmp(other, target))
			return ood_fail(err, OOD_USAGE,
					"two outputs would go to %s", path);
	}
	return OOD_OK;
}

static int add_output(struct outputs *all, const struct ood_report *report,
		      const struct ood_render *how, const char *path,
		      struct ood_err *err)
{
	struct ood_sink **sink = &all->at[all->n];
	int code = ood_sink_open(sink, path, err);

	if (code)
		return code;
	all->n++;
	code = check_apart(all, path, err);
	if (!code)
		code = ood_report_write(report, how, *sink, err);
	return code ? code : ood_sink_finish(*sink, err);
}

int ood_report_out(const struct ood_report *report,
		   const struct ood_output_options *out, const char *table,
		   struct ood_err *err)
{
	struct ood_render how = { .table = table, .digits = (int)out->digits };
	struct outputs all = {
		.at = ood_calloc(out->reports.n + 1, sizeof(*all.at)),
	};
	char kind[16];
	const char *path;
	int code = all.at ? ood_report_check(out, err)
			  : ood_fail_memory(err, out->reports.n);

	for (size_t i = 0; !code && i < out->reports.n; i++) {
		split_report(out->reports.at[i], kind, &path, err);
		how.format = kind;
		code = add_output(&all, report, &how, path, err);
	}
	/* Standard output is written when the others are sure. */
	how.format = report_format(out);
	if (!code)
		code = add_output(&all, report, &how, out->output, err);
	if (!code) {
		code = ood_sink_commit_all(all.at, all.n, err);
		all.n = 0;
	}
	for (size_t i = 0; i < all.n; i++)
		ood_sink_abandon(all.at[i]);
	ood_free(all.at);
	return code;
}
