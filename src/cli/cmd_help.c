/*
 * cmd_help.c - ood help: the overview, a command, or an entry of a registry
 */
#include <stdio.h>

#include "cli/common.h"
#include "cli/describe.h"
#include "core/err.h"

struct options {
	bool man, names;
};

static const struct ood_opt help_opts[] = {
	{ OOD_OPT_FLAG, 0, "man", offsetof(struct options, man), NULL,
	  "the OPTIONS of a command as its manual page has them (mdoc)", NULL,
	  0, 0, NULL },
	{ OOD_OPT_FLAG, 0, "names", offsetof(struct options, names), NULL,
	  "the option names of a command, one a line, for shell completion",
	  NULL, 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};
static const struct ood_opt_part parts[] = { { help_opts, 0, NULL }, { 0 } };

static void overview(struct ood_buf *out)
{
	ood_buf_str(out,
		    "ood scores saved model outputs for out-of-distribution "
		    "data.\n\n"
		    "usage: ood COMMAND [OPTION]... [SET]...\n\nCommands\n");
	for (size_t i = 0; ood_commands[i]; i++)
		ood_buf_printf(out, "  %-10s %s\n", ood_commands[i]->name,
			       ood_commands[i]->brief);
	ood_buf_str(out,
		    "\nood help COMMAND tells its options, ood help SCORER a "
		    "formula, man ood the whole.\n"
		    "Larger scores always mean more out-of-distribution.\n");
}

static void option_names(const struct ood_command *command, struct ood_buf *out)
{
	for (const struct ood_opt_part *part = command->parts;
	     ood_opt_table(part); part++)
		for (const struct ood_opt *opt = ood_opt_table(part);
		     opt->kind != OOD_OPT_END; opt++)
			if (opt->kind != OOD_OPT_GROUP)
				ood_buf_printf(out, "--%s\n", opt->name);
	ood_buf_str(out, "--help\n");
}

static int no_such_thing(const char *word, struct ood_err *err)
{
	const char *near = ood_describe_nearest(word);
	char quoted[OOD_QUOTE_MAX];

	ood_quote(quoted, sizeof(quoted), word, strlen(word));
	if (near)
		return ood_fail(err, OOD_USAGE,
				"nothing is called \"%s\" (did you mean %s?)",
				quoted, near);
	return ood_fail(err, OOD_USAGE,
			"nothing is called \"%s\" (ood help lists the "
			"commands, ood list everything else)",
			quoted);
}

static int help_on(const char *word, const struct options *o,
		   struct ood_buf *out, struct ood_err *err)
{
	const struct ood_command *command = ood_command_find(word);

	if (command && o->man)
		ood_help_man(command, out);
	else if (command && o->names)
		option_names(command, out);
	else if (command)
		ood_help_text(command, out);
	else if (!ood_describe(word, out))
		return no_such_thing(word, err);
	return OOD_OK;
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct ood_texts *words = &call->rest;
	struct ood_buf out = { 0 };
	int code = OOD_OK;

	if (words->n == 0)
		overview(&out);
	for (size_t i = 0; !code && i < words->n; i++)
		code = help_on(words->at[i], call->options, &out, err);
	if (!code && out.failed)
		code = ood_fail_memory(err, out.n);
	if (!code && out.n)
		fwrite(out.text, 1, out.n, stdout);
	ood_buf_free(&out);
	return code;
}

static const char *const usage[] = {
	"help [COMMAND|SCORER|METRIC|MAP|RULE|FORMAT]...", NULL
};
static const char *const text[] = {
	"Without a word, lists the commands. With one, tells what that command "
	"takes, or what that scorer, metric, map, rule or format is.",
	NULL
};
static const char *const examples[] = { "ood help eval", "ood help energy",
					NULL };

const struct ood_command ood_command_help = {
	.name = "help",
	.brief = "this list; help on a command, scorer, metric, map or rule",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};
