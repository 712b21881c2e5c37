/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Runs an applet. */
#ifndef FSTRACE_CORE_CLI_RUN_H
#define FSTRACE_CORE_CLI_RUN_H

#include <signal.h>

#include "core/cli/applet.h"

/*
 * argv[0] is the applet's name. on_size: what SIGXFSZ did when we were started, for a command behind
 * "--". Returns the exit status.
 */
int applet_run(const struct applet *applet, int argc, char **argv, sighandler_t on_size);

/* Every failure reports its reason; if one ever does not, the run does not end silently. */
int status_reported(int status);

#endif
