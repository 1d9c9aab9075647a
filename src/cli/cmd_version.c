/*
 * cmd_version.c - ood version: what this binary is made of
 */
#include <cjson/cJSON.h>
#include <csv.h>
#include <stdio.h>
#include <zlib.h>

#include "cli/common.h"
#include "core/err.h"
#include "math/digest.h"

struct options {
	int format;
};

static const struct ood_opt version_opts[] = {
	{ OOD_OPT_CHOICE, 'f', "format", offsetof(struct options, format), "F",
	  "how to print it", "table", 0, 0, "table json" },
	{ .kind = OOD_OPT_END },
};
static const struct ood_opt_part parts[] = { { version_opts, 0, NULL }, { 0 } };

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;
	struct ood_output_options out = { .format = o->format ? "json"
							      : "table" };
	struct ood_report *report;
	char csv[32];
	size_t n;

	if (call->rest.n)
		return ood_fail(err, OOD_USAGE, "unexpected word \"%s\"",
				call->rest.at[0]);
	snprintf(csv, sizeof(csv), "%d.%d.%d", CSV_MAJOR, CSV_MINOR,
		 CSV_RELEASE);
	const char *const told[][2] = {
		{ "ood", OOD_VERSION },
		{ "compiler", __VERSION__ },
		{ "kernel", ood_digest_kernels(&n)[0]->name },
		{ "cjson", cJSON_Version() },
		{ "libcsv", csv },
		{ "zlib", zlibVersion() },
	};
	report = ood_report_new("version", call->argc, call->argv);
	for (size_t i = 0; i < OOD_COUNT(told); i++)
		ood_report_field(report, told[i][0], ood_item_text(told[i][1]),
				 true);
	int code = ood_report_out(report, &out, NULL, err);
	ood_report_free(report);
	return code;
}

static const char *const usage[] = { "version [-f json]", NULL };
static const char *const text[] = {
	"Prints the version of ood, its compiler, the kernel that this machine "
	"runs, and the libraries.",
	NULL
};
static const char *const examples[] = { "ood version", NULL };

const struct ood_command ood_command_version = {
	.name = "version",
	.brief = "version, compiler and libraries",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
