// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* fstrace itself: finds the applet by the name it was called by, or by its first argument. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/cli/commands.h"
#include "core/cli/options.h"
#include "core/kernel/environment.h"
#include "core/trace/command.h"

/* At exit: checks that output through stdio has really been written. */
static void check_stdout(void)
{
	if (fflush(stdout) && errno != EPIPE) {
		log_error("cannot write: %s", strerror(errno));
		_exit(EXIT_FAILED);
	}
}

/*
 * If one of the first three descriptors is closed, the next file that we open would get its number,
 * and results would be written into it. Opened read-only, so that writing fails.
 */
static void occupy_closed(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
}

/* Every failure reports its reason; if one ever does not, the run does not end silently. */
static int check_reported(int status)
{
	if (status != EXIT_DONE && !log_has_reported())
		log_error("failed without a message; the last error was: %s", strerror(errno));
	return status;
}

/* The words behind "--"; NULL: there is none. They are taken away. */
static char **take_command(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (!strcmp(argv[i], "--")) {
			*argc = i;
			return &argv[i + 1];
		}
	return NULL;
}

/*
 * The command is held before anything is changed that it would inherit: it finds the signals, limits
 * and descriptors that we were started with. on_size: what SIGXFSZ did then.
 */
static int run_with(const struct applet *applet, struct common_options *options, char **words,
		    sighandler_t on_size)
{
	struct command **command = &options->trace.filter.command;
	int status = EXIT_FAILED;

	if (words) {
		signal(SIGXFSZ, on_size);
		*command = command_hold(words);
		signal(SIGXFSZ, SIG_IGN);
		if (!*command)
			return EXIT_OWN;
	}
	if (!environment_allow_files())
		status = applet->run(applet, options);
	check_reported(status);
	return *command ? command_end(*command, status) : status;
}

static int run_applet(const struct applet *applet, int argc, char **argv, sighandler_t on_size)
{
	void *options = calloc(1, applet->options_size);
	char **words = take_command(&argc, argv);
	int status;

	if (!options) {
		log_error("cannot read the command line: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (applet->defaults)
		memcpy(options, applet->defaults, applet->options_size);
	if (words && !*words) {
		log_error("no command follows '--'");
		status = EXIT_USAGE;
	} else if (options_parse(applet, argc, argv, options, &status)) {
		status = run_with(applet, options, words, on_size);
	} else if (words && status != EXIT_DONE) {
		status = EXIT_OWN;
	}
	options_release(applet, options);
	free(options);
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "", *slash = strrchr(name, '/');
	const struct applet *applet = find_applet(slash ? slash + 1 : name);
	sighandler_t on_size;

	occupy_closed();
	on_size = signal(SIGXFSZ, SIG_IGN);	/* "File too large" is an ordinary error */
	atexit(check_stdout);
	log_take_libbpf();
	if (!applet && argc > 1) {
		applet = find_applet(argv[1]);
		if (applet) {
			argc--;
			argv++;
		}
	}
	if (applet)
		return run_applet(applet, argc, argv, on_size);
	return check_reported(commands_run(argc, argv));
}
