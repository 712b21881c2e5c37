/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What fstrace does without an applet: its own commands and options, as rows. */
#ifndef FSTRACE_CORE_CLI_COMMANDS_H
#define FSTRACE_CORE_CLI_COMMANDS_H

#include "core/cli/applet.h"

struct command {
	const char *name;
	const char *arg;		/* in brackets: may be left out */
	const char *const *choices;	/* of its argument; NULL: the applets */
	const char *help;
	const char *more;		/* sentences for its --help */
	int (*run)(int argc, char **argv);	/* argv[0] is the command; returns EXIT_... */
};

/* End with a row without a name. */
extern const struct command commands[];
extern const struct option_row fstrace_rows[];

const struct applet *find_applet(const char *name);

/* Reports that `word` is none, and lists those there are. Returns EXIT_USAGE. */
int no_such_applet(const char *word);

/* The command line of fstrace itself, with argv[1] no applet. Returns EXIT_... */
int commands_run(int argc, char **argv);

#endif
