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
#include "core/cli/run.h"

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
		return applet_run(applet, argc, argv, on_size);
	return status_reported(commands_run(argc, argv));
}
