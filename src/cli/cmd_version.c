/*
 * cmd_version.c - ood version: what this binary is made of
 */
#include <cjson/cJSON.h>
#include <csv.h>
#include <stdio.h>
#include <zlib.h>

#include "cli/common.h"
#include "math/digest.h"

static const struct ood_opt version_opts[] = {
	{ OOD_OPT_TEXT, 'f', "format", 0, "F", "table or json", "table", 0, 0,
	  NULL },
	{ .kind = OOD_OPT_END },
};
static const struct ood_opt_part parts[] = { { version_opts, 0, NULL }, { 0 } };

extern const struct ood_command ood_command_version;

static void print_lines(const char *kernel)
{
	printf("ood %s\n", OOD_VERSION);
	printf("compiler %s\n", __VERSION__);
	printf("kernel   %s\n", kernel);
	printf("cJSON    %s\n", cJSON_Version());
	printf("libcsv   %d.%d.%d\n", CSV_MAJOR, CSV_MINOR, CSV_RELEASE);
	printf("zlib     %s\n", zlibVersion());
}

static int run(int argc, char **argv)
{
	const char *format = NULL;
	size_t n;
	const char *kernel = ood_digest_kernels(&n)[0]->name;
	struct ood_texts rest = { 0 };
	struct ood_err err;
	bool done;
	int code = ood_opt_parse(&ood_command_version, argc, argv, &format,
				 &rest, &done, &err);

	if (!code && !done && format && !strcmp(format, "json"))
		printf("{\"name\":\"ood\",\"version\":\"%s\",\"compiler\":\"%"
		       "s\""
		       ",\"kernel\":\"%s\"}\n",
		       OOD_VERSION, __VERSION__, kernel);
	else if (!code && !done)
		print_lines(kernel);
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
