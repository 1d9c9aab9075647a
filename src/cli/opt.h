/*
 * opt.h - options as tables
 *
 * A command describes its options in a const table over a local struct; the
 * parser, --help, the man page's OPTIONS and shell completion read the same
 * table. A fault in a table is a bug of ours and found by a test.
 */
#ifndef OOD_CLI_OPT_H
#define OOD_CLI_OPT_H

#include "core/base.h"
#include "core/mem.h"

enum ood_opt_kind {
	OOD_OPT_END,
	OOD_OPT_GROUP,	/* a heading in help: name is its text */
	OOD_OPT_FLAG,	/* bool */
	OOD_OPT_TEXT,	/* const char * */
	OOD_OPT_TEXTS,	/* struct ood_texts: may be repeated */
	OOD_OPT_REAL,	/* double, within bounds */
	OOD_OPT_INT,	/* int64_t, within bounds */
	OOD_OPT_SIZE,	/* uint64_t bytes: 512, 64K, 2M, 3G (powers of 1024) */
	OOD_OPT_CHOICE, /* int: index into choices */
	OOD_OPT_MAYBE,	/* --append[=KEY]: const char *; def without value */
};

struct ood_opt {
	enum ood_opt_kind kind;
	char letter;	     /* 'o' or 0 */
	const char *name;    /* "output" */
	size_t offset;	     /* of the field: offsetof() */
	const char *arg;     /* "FILE" */
	const char *help;    /* one or two sentences, no full stop at the end */
	const char *def;     /* default as text, shown in brackets; NULL none */
	double lo, hi;	     /* REAL, INT; both 0: none */
	const char *choices; /* CHOICE: "auto yes no" */
};

/* A table that stands in another: offset is that of the inner struct. make
 * is for tables that follow from a registry; table is then NULL. */
struct ood_opt_part {
	const struct ood_opt *table;
	size_t offset;
	const struct ood_opt *(*make)(void);
};
/* The part's table; NULL for the part that ends a list. */
const struct ood_opt *ood_opt_table(const struct ood_opt_part *part);

struct ood_command;

struct ood_texts {
	const char **at;
	size_t n, room;
};

/* A command line, read. */
struct ood_call {
	const struct ood_command *command;
	int argc;
	char **argv;	       /* argv[0] is the command */
	void *options;	       /* of the command */
	struct ood_texts rest; /* words that are no options */
};

/* What a command is; commands.def makes the table. */
struct ood_command {
	const char *name;
	const char *brief;	  /* for the overview */
	const char *const *usage; /* synopsis lines without "ood", then NULL */
	const char *const *text;  /* paragraphs of --help and DESCRIPTION */
	const struct ood_opt_part *parts; /* option tables; ends with NULL */
	const char *const *examples;	  /* command lines for --help */
	size_t options; /* bytes of the struct that the tables fill in */
	int (*run)(const struct ood_call *call, struct ood_err *err);
};
extern const struct ood_command *const ood_commands[]; /* ends with NULL */
const struct ood_command *ood_command_find(const char *name);

/*
 * Reads argv[1..) into call->options, which is zeros (defaults are filled in
 * first); what is no option is left in call->rest. "--" ends options, "-" is a
 * word, "-0.5" a value after an option that takes one. Names are not
 * abbreviated. --help prints and sets *done. OOD_USAGE on anything else.
 */
int ood_opt_parse(struct ood_call *call, bool *done, struct ood_err *err);
/* Frees what the parser has put into options and rest. */
void ood_opt_free(struct ood_call *call);
bool ood_texts_add(struct ood_texts *texts, const char *text);
void ood_texts_free(struct ood_texts *texts);
/* All of them by comma (ood_free()); *joined NULL if there are none. */
int ood_texts_join(const struct ood_texts *texts, char **joined,
		   struct ood_err *err);

/* --help; the OPTIONS section in mdoc; a line a name for completion. */
void ood_help_text(const struct ood_command *command, struct ood_buf *out);
void ood_help_man(const struct ood_command *command, struct ood_buf *out);

#endif
