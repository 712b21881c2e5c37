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
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
			return;
}

static int run_applet(const struct applet *applet, int argc, char **argv)
{
	void *options = calloc(1, applet->options_size);
	int status;

	if (!options) {
		log_error("cannot read the command line: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (applet->defaults)
		memcpy(options, applet->defaults, applet->options_size);
	if (options_parse(applet, argc, argv, options, &status))
		status = environment_allow_files() ? EXIT_FAILED : applet->run(applet, options);
	options_release(applet, options);
	free(options);
	return status;
}

int main(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "", *slash = strrchr(name, '/');
	const struct applet *applet = find_applet(slash ? slash + 1 : name);
	int status;

	occupy_closed();
	signal(SIGXFSZ, SIG_IGN);	/* "File too large" is an ordinary error */
	atexit(check_stdout);
	log_take_libbpf();
	if (!applet && argc > 1) {
		applet = find_applet(argv[1]);
		if (applet) {
			argc--;
			argv++;
		}
	}
	status = applet ? run_applet(applet, argc, argv) : commands_run(argc, argv);
	/* Every failure reports its reason; if one ever does not, the run does not end silently. */
	if (status != EXIT_DONE && !log_has_reported())
		log_error("failed without a message; the last error was: %s", strerror(errno));
	return status;
}
