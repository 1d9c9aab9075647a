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

extern const struct ood_command ood_command_version;

static int tell(const struct options *o, int argc, char **argv,
		struct ood_err *err)
{
	size_t n;
	char csv[32];
	struct ood_report *report = ood_report_new("version", argc, argv);
	struct ood_output_options out = { .format = o->format ? "json"
							      : "table" };

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
	for (size_t i = 0; i < OOD_COUNT(told); i++)
		ood_report_field(report, told[i][0], ood_item_text(told[i][1]),
				 true);
	int code = ood_report_out(report, &out, NULL, err);
	ood_report_free(report);
	return code;
}

static int run(int argc, char **argv)
{
	struct options o = { 0 };
	struct ood_texts rest = { 0 };
	struct ood_err err;
	bool done;
	int code = ood_opt_parse(&ood_command_version, argc, argv, &o, &rest,
				 &done, &err);

	if (!code && !done && rest.n)
		code = ood_fail(&err, OOD_USAGE, "unexpected word \"%s\"",
				rest.at[0]);
	if (!code && !done)
		code = tell(&o, argc, argv, &err);
	ood_texts_free(&rest);
	return code ? ood_complain("version", &err) : OOD_OK;
}

static const char *const usage[] = { "version [-f json]", NULL };
static const char *const text[] = {
	"Prints the version of ood, its compiler, the kernel that this machine "
	"runs, and the libraries.",
	NULL
};
static const char *const examples[] = { "ood version", NULL };

const struct ood_command ood_command_version = {
	"version", "version, compiler and libraries",
	usage,	   text,
	parts,	   examples,
	run,
};
