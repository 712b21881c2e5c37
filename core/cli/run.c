// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* One applet, from its command line to its exit status. */
#include "core/cli/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/cli/options.h"
#include "core/kernel/environment.h"
#include "core/trace/command.h"

int status_reported(int status)
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
	status_reported(status);
	return *command ? command_end(*command, status) : status;
}

int applet_run(const struct applet *applet, int argc, char **argv, sighandler_t on_size)
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
