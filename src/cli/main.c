/*
 * main.c - from the command's name to its function, and to a sure end
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/common.h"
#include "core/err.h"
#include "core/param.h"
#include "io/sink.h"

#define OOD_COMMAND(name) extern const struct ood_command ood_command_##name;
#include "cli/commands.def"
#undef OOD_COMMAND

const struct ood_command *const ood_commands[] = {
#define OOD_COMMAND(name) &ood_command_##name,
#include "cli/commands.def"
#undef OOD_COMMAND
	NULL,
};

const struct ood_command *ood_command_find(const char *name)
{
	for (size_t i = 0; ood_commands[i]; i++)
		if (!strcmp(ood_commands[i]->name, name))
			return ood_commands[i];
	return NULL;
}

/*
 * Threads that wait for the slowest are to sleep, not to spin: on a busy
 * machine the spinning takes the core that the slowest needs (measured with
 * one of two cores taken: 2.2 times slower). OpenMP reads its environment
 * before main(), so this has to run before that.
 */
__attribute__((constructor(101))) static void wait_asleep(void)
{
	setenv("OMP_WAIT_POLICY", "passive", 0);
}

/* A descriptor that is closed would be taken by the next file opened. */
static void hold_standard_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			_exit(OOD_SYSTEM);
}

/* Leaves no temporary file, then ends as the signal would have done. */
static void on_signal(int number)
{
	ood_sink_unlink_all();
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_signals(void)
{
	static const int numbers[] = { SIGINT,	SIGTERM, SIGHUP,  SIGPIPE,
				       SIGQUIT, SIGXCPU, SIGALRM, SIGUSR1,
				       SIGUSR2, SIGABRT };

	/* A file that may not grow is a write error like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < OOD_COUNT(numbers); i++) {
		struct sigaction old, new = { .sa_handler = on_signal };
		if (!sigaction(numbers[i], NULL, &old) &&
		    old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &new, NULL);
	}
}

static int no_such_command(const char *word)
{
	const char *names[64];
	char quoted[OOD_QUOTE_MAX];
	size_t n = 0;

	for (; ood_commands[n] && n < 63; n++)
		names[n] = ood_commands[n]->name;
	names[n] = NULL;
	const char *near = ood_nearest(word, strlen(word), names);
	ood_quote(quoted, sizeof(quoted), word, strlen(word));
	if (near)
		fprintf(stderr,
			"ood: no command \"%s\" (did you mean %s? ood help)\n",
			quoted, near);
	else
		fprintf(stderr, "ood: no command \"%s\" (see ood help)\n",
			quoted);
	return OOD_USAGE;
}

/* The one check that what went to standard output has arrived. */
static int close_stdout(int status)
{
	bool failed = ferror(stdout) != 0;

	if (fclose(stdout) && errno != EBADF)
		failed = true;
	if (!failed || status)
		return status;
	if (errno != EPIPE)
		fprintf(stderr, "ood: standard output: %s\n", strerror(errno));
	return OOD_SYSTEM;
}

/* Options, the command itself, and one sentence if it failed. */
static int run(const struct ood_command *command, int argc, char **argv)
{
	struct ood_call call = { .command = command,
				 .argc = argc,
				 .argv = argv,
				 .options = ood_calloc(1, command->options) };
	struct ood_err err;
	bool done = false;
	int code = call.options ? ood_opt_parse(&call, &done, &err)
				: ood_fail_memory(&err, command->options);

	if (!code && !done)
		code = command->run(&call, &err);
	if (call.options)
		ood_opt_free(&call);
	ood_free(call.options);
	return code ? ood_complain(command->name, &err) : OOD_OK;
}

int main(int argc, char **argv)
{
	char help[] = "help", version[] = "version";
	char *overview[] = { help, NULL };

	hold_standard_descriptors();
	watch_signals();
	if (argc < 2)
		return close_stdout(run(ood_command_find(help), 1, overview));
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		argv[1] = help;
	else if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		argv[1] = version;
	const struct ood_command *command = ood_command_find(argv[1]);
	if (!command)
		return no_such_command(argv[1]);
	return close_stdout(run(command, argc - 1, argv + 1));
}
