/*
 * transcript.c - runs the commands of transcripts and compares what they print
 *
 *	transcript FILE...
 *
 * In a .t file every line counts; in Markdown, blocks fenced with ```console;
 * in a manual page, the lines between .Bd -literal and .Ed. "$ " begins a
 * command (one that ends in \ goes on), run by sh in a scratch folder that
 * links to examples/ and tests/ of the tree ($SRC). What it prints follows,
 * stdout before stderr, then "? N", its exit status, if that is not 0.
 *
 * Text must be equal byte for byte. A number with a point or an exponent may
 * differ by 1e-9 of its size or 1e-12; "..." stands for any text inside a
 * line, alone on a line for any lines. In a .t file, # begins a comment
 * between an empty line and a command.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES_MAX = 20000 };

/* Lines of a text, which they point into. */
struct lines {
	char *text;
	char *at[LINES_MAX];
	size_t n;
};

static int passed, failed;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static char *read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t n = 0, room = 1 << 16;
	char *text = malloc(room + 1);

	if (!f || !text)
		die(path);
	for (size_t got; (got = fread(text + n, 1, room - n, f)) > 0;) {
		n += got;
		if (n == room && !(text = realloc(text, 2 * (room *= 2) + 1)))
			die("memory");
	}
	text[n] = '\0';
	fclose(f);
	return text;
}

static void split(struct lines *l, char *text)
{
	l->text = text;
	l->n = 0;
	while (*text && l->n < LINES_MAX) {
		l->at[l->n++] = text;
		text += strcspn(text, "\n");
		if (*text)
			*text++ = '\0';
	}
}

/* ---------------------------------------------------------- comparing */

static bool starts_number(const char *s)
{
	return isdigit((unsigned char)s[*s == '-']);
}

/* Numbers at both places, both with a fraction, that are close: past them. */
static bool step_number(const char **want, const char **got)
{
	char *a, *b;

	if (!starts_number(*want) || !starts_number(*got))
		return false;
	double x = strtod(*want, &a), y = strtod(*got, &b);
	a -= a[-1] == '.'; /* "2...": the dots are no part of it */
	b -= b[-1] == '.';
	bool whole = !strpbrk(*want, ".e") || strpbrk(*want, ".e") >= a;
	if (whole && !(strpbrk(*got, ".e") && strpbrk(*got, ".e") < b))
		return false;
	if (fabs(x - y) > 1e-9 * fmax(fabs(x), fabs(y)) &&
	    fabs(x - y) > 1e-12)
		return false;
	*want = a;
	*got = b;
	return true;
}

static bool step(const char *start, const char **want, const char **got)
{
	bool boundary = *want == start ||
			!isalnum((unsigned char)(*want)[-1]);

	if (boundary && step_number(want, got))
		return true;
	if (!**want || **want != **got)
		return false;
	++*want;
	++*got;
	return true;
}

static bool line_matches(const char *want, const char *got)
{
	const char *start = want, *after = NULL, *resume = NULL;

	while (*want || *got) {
		if (!strncmp(want, "...", 3)) {
			after = want += 3;
			resume = got;
			if (!*want)
				return true;
		} else if (!step(start, &want, &got)) {
			if (!after || !*resume)
				return false;
			want = after;
			got = ++resume;
		}
	}
	return true;
}

/* Lines want[0..n) against all lines of got. */
static bool lines_match(char *const *want, size_t n, const struct lines *got)
{
	size_t i = 0, j = 0, after = 0, resume = 0;
	bool any = false;

	while (i < n || j < got->n) {
		if (i < n && !strcmp(want[i], "...")) {
			any = true;
			after = ++i;
			resume = j;
		} else if (i < n && j < got->n &&
			   line_matches(want[i], got->at[j])) {
			i++;
			j++;
		} else if (any && resume < got->n) {
			i = after;
			j = ++resume;
		} else {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------- running */

/* Runs a command; its output and "? N" as lines. */
static void run(const char *command, struct lines *got)
{
	char *out, *err, *text;
	int status;
	pid_t child = fork();

	if (child < 0)
		die("fork");
	if (child == 0) {
		int o = open(".stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int e = open(".stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		int in = open("/dev/null", O_RDONLY);
		if (dup2(in, 0) < 0 || dup2(o, 1) < 0 || dup2(e, 2) < 0)
			_exit(126);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (waitpid(child, &status, 0) < 0)
		die("waitpid");
	out = read_file(".stdout");
	err = read_file(".stderr");
	text = malloc(strlen(out) + strlen(err) + 40);
	if (!text)
		die("memory");
	strcpy(text, out);
	if (*out && out[strlen(out) - 1] != '\n')
		strcat(text, "\\\n");
	strcat(text, err);
	if (WIFSIGNALED(status))
		sprintf(text + strlen(text), "? signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		sprintf(text + strlen(text), "? %d\n", WEXITSTATUS(status));
	free(out);
	free(err);
	split(got, text);
}

static void complain(const char *file, size_t line, const char *command,
		     char *const *want, size_t n, const struct lines *got)
{
	printf("%s:%zu: $ %s\n", file, line, command);
	for (size_t i = 0; i < n; i++)
		printf("  - %s\n", want[i]);
	for (size_t i = 0; i < got->n; i++)
		printf("  + %s\n", got->at[i]);
}

/* The command that begins at line i, joined; moves i past it. */
static void join_command(const struct lines *l, size_t *i, char *command,
			 size_t size)
{
	const char *from = l->at[*i] + 2;

	command[0] = '\0';
	for (;;) {
		size_t n = strlen(from), used = strlen(command);
		bool more = n && from[n - 1] == '\\' && *i + 1 < l->n;
		if (used + n + 2 > size)
			die("a command is too long");
		memcpy(command + used, from, n + 1);
		++*i;
		if (!more)
			return;
		strcpy(command + used + n - 1, "\n");
		command[used + n - 1] = ' ';
		command[used + n] = '\0';
		from = l->at[*i];
		from += strspn(from, "> \t");
	}
}

static void run_lines(const char *file, const struct lines *l)
{
	static struct lines got;
	static char command[1 << 16];

	for (size_t i = 0; i < l->n;) {
		if (strncmp(l->at[i], "$ ", 2) != 0) {
			i++;
			continue;
		}
		size_t line = i + 1;
		join_command(l, &i, command, sizeof(command));
		size_t first = i, n;
		while (i < l->n && strncmp(l->at[i], "$ ", 2) != 0)
			i++;
		n = i - first;
		/* Comments and empty lines before the next command. */
		while (n && (!*l->at[first + n - 1] ||
			     !strncmp(l->at[first + n - 1], "# ", 2)))
			n--;
		run(command, &got);
		if (lines_match(&l->at[first], n, &got)) {
			passed++;
		} else {
			failed++;
			complain(file, line, command, &l->at[first], n, &got);
		}
		free(got.text);
	}
}

/* Blanks out what is no transcript; keeps the numbers of lines. */
static void keep_blocks(struct lines *l, const char *begin, const char *end)
{
	bool inside = false;

	for (size_t i = 0; i < l->n; i++) {
		bool edge = inside ? !strcmp(l->at[i], end)
				   : !strncmp(l->at[i], begin, strlen(begin));
		if (edge)
			inside = !inside;
		if (edge || !inside)
			l->at[i] = (char *)"";
	}
}

/* \- and \&: what mdoc makes of them. */
static void unescape_roff(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\\' && s[1] == '&')
			s++;
		else if (*s == '\\' && s[1] == 'e')
			*to++ = '\\', s++;
		else if (*s == '\\' && s[1] == '-')
			*to++ = '-', s++;
		else
			*to++ = *s;
	}
	*to = '\0';
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static void run_file(const char *file, const char *src)
{
	static struct lines l;
	char folder[] = "/tmp/ood-transcript-XXXXXX", path[9000], link[9000];

	snprintf(path, sizeof(path), "%s/%s", src, file);
	split(&l, read_file(path));
	if (ends_with(file, ".md"))
		keep_blocks(&l, "```console", "```");
	else if (!ends_with(file, ".t"))
		keep_blocks(&l, ".Bd -literal", ".Ed");
	for (size_t i = 0; i < l.n && !ends_with(file, ".t") &&
			   !ends_with(file, ".md");
	     i++)
		if (*l.at[i])
			unescape_roff(l.at[i]);
	if (!mkdtemp(folder) || chdir(folder))
		die(folder);
	const char *const linked[] = { "examples", "tests" };
	for (size_t i = 0; i < 2; i++) {
		snprintf(link, sizeof(link), "%s/%s", src, linked[i]);
		if (symlink(link, linked[i]))
			die(link);
	}
	run_lines(file, &l);
	free(l.text);
	snprintf(link, sizeof(link), "rm -rf '%s'", folder);
	if (chdir(src) || system(link))
		die(folder);
}

int main(int argc, char **argv)
{
	char src[4096], path[9000];
	const char *bin = getenv("OOD_BIN");

	if (!getcwd(src, sizeof(src)))
		die("getcwd");
	if (!bin)
		bin = "build";
	snprintf(path, sizeof(path), "%s%s%s:%s", bin[0] == '/' ? "" : src,
		 bin[0] == '/' ? "" : "/", bin,
		 getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	setenv("PATH", path, 1);
	setenv("SRC", src, 1);
	unsetenv("OMP_NUM_THREADS");
	for (int i = 1; i < argc; i++)
		run_file(argv[i], src);
	printf("transcripts: %d passed, %d failed\n", passed, failed);
	return failed != 0;
}
