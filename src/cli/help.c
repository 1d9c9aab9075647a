/*
 * help.c - --help and the OPTIONS of man pages, from the option tables
 */
#include "cli/opt.h"

#include <stdio.h>

enum { WIDTH = 79, INDENT = 26 };

/* Adds text wrapped at WIDTH; lines after the first start at `indent`. */
static void wrap(struct ood_buf *out, const char *text, size_t column,
		 size_t indent)
{
	for (const char *at = text; *at;) {
		size_t n = strcspn(at, " ");
		if (column > indent && column + 1 + n > WIDTH) {
			ood_buf_printf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (at > text) {
			ood_buf_char(out, ' ');
			column++;
		}
		ood_buf_add(out, at, n);
		column += n;
		at += n;
		at += strspn(at, " ");
	}
	ood_buf_char(out, '\n');
}

/* "one of auto, yes, no" for a choice. */
static void add_choices(const struct ood_opt *opt, struct ood_buf *out)
{
	ood_buf_str(out, ": ");
	for (const char *c = opt->choices; *c; c++)
		if (*c == ' ')
			ood_buf_str(out, ", ");
		else
			ood_buf_char(out, *c);
}

/* The sentence about an option with choices and default. */
static void describe(const struct ood_opt *opt, struct ood_buf *out)
{
	ood_buf_str(out, opt->help);
	if (opt->kind == OOD_OPT_CHOICE)
		add_choices(opt, out);
	if (opt->def)
		ood_buf_printf(out, " [%s]", opt->def);
}

static void option_line(const struct ood_opt *opt, struct ood_buf *out)
{
	struct ood_buf head = { 0 }, text = { 0 };

	if (opt->letter)
		ood_buf_printf(&head, "  -%c, --%s", opt->letter, opt->name);
	else
		ood_buf_printf(&head, "      --%s", opt->name);
	if (opt->arg)
		ood_buf_printf(&head,
			       opt->kind == OOD_OPT_MAYBE ? "[=%s]" : " %s",
			       opt->arg);
	describe(opt, &text);
	if (head.failed || text.failed) {
		out->failed = true;
		goto out;
	}
	ood_buf_str(out, head.text);
	if (head.n + 2 > INDENT)
		ood_buf_printf(out, "\n%*s", INDENT, "");
	else
		ood_buf_printf(out, "%*s", (int)(INDENT - head.n), "");
	wrap(out, text.text, INDENT, INDENT);
out:
	ood_buf_free(&head);
	ood_buf_free(&text);
}

void ood_help_text(const struct ood_command *command, struct ood_buf *out)
{
	for (size_t i = 0; command->usage && command->usage[i]; i++)
		ood_buf_printf(out, "%s ood %s\n",
			       i ? "      " : "usage:", command->usage[i]);
	for (size_t i = 0; command->text && command->text[i]; i++) {
		ood_buf_char(out, '\n');
		wrap(out, command->text[i], 0, 0);
	}
	if (ood_opt_table(command->parts) &&
	    ood_opt_table(command->parts)->kind != OOD_OPT_GROUP)
		ood_buf_str(out, "\nOptions\n");
	for (const struct ood_opt_part *part = command->parts;
	     ood_opt_table(part); part++)
		for (const struct ood_opt *opt = ood_opt_table(part);
		     opt->kind != OOD_OPT_END; opt++)
			if (opt->kind == OOD_OPT_GROUP)
				ood_buf_printf(out, "\n%s\n", opt->name);
			else
				option_line(opt, out);
	ood_buf_str(out, "  -h, --help              this text\n");
	if (command->examples && command->examples[0])
		ood_buf_str(out, "\nExamples\n");
	for (size_t i = 0; command->examples && command->examples[i]; i++)
		ood_buf_printf(out, "  %s\n", command->examples[i]);
}

/* Text for mdoc: backslashes and leading dots are not ours to give. */
static void roff(struct ood_buf *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		ood_buf_str(out, "\\&");
	for (; *text; text++)
		if (*text == '\\')
			ood_buf_str(out, "\\e");
		else if (*text == '-')
			ood_buf_str(out, "\\-");
		else
			ood_buf_char(out, *text);
}

static void man_option(const struct ood_opt *opt, struct ood_buf *out)
{
	struct ood_buf text = { 0 };

	ood_buf_str(out, ".It ");
	if (opt->letter)
		ood_buf_printf(out, "Fl %c , ", opt->letter);
	ood_buf_str(out, "Fl Fl ");
	ood_buf_str(out, opt->name);
	if (opt->arg && opt->kind == OOD_OPT_MAYBE)
		ood_buf_printf(out, " Ns Op = Ns Ar %s", opt->arg);
	else if (opt->arg)
		ood_buf_printf(out, " Ar %s", opt->arg);
	ood_buf_char(out, '\n');
	describe(opt, &text);
	if (text.failed)
		out->failed = true;
	else
		roff(out, text.text);
	ood_buf_char(out, '\n');
	ood_buf_free(&text);
}

void ood_help_man(const struct ood_command *command, struct ood_buf *out)
{
	bool open = false;

	for (const struct ood_opt_part *part = command->parts;
	     ood_opt_table(part); part++)
		for (const struct ood_opt *opt = ood_opt_table(part);
		     opt->kind != OOD_OPT_END; opt++) {
			if (opt->kind == OOD_OPT_GROUP) {
				if (open)
					ood_buf_str(out, ".El\n");
				open = false;
				ood_buf_printf(out, ".Ss %s\n", opt->name);
				continue;
			}
			if (!open)
				ood_buf_str(out, ".Bl -tag -width Ds\n");
			open = true;
			man_option(opt, out);
		}
	if (!open)
		ood_buf_str(out, ".Bl -tag -width Ds\n");
	ood_buf_str(out, ".It Fl h , Fl Fl help\nthis text\n.El\n");
}
