/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An applet, and the table of all: the whole interface between the two. Each applets/STEM.c
 * defines an array STEM_applets, ended by a row without a name; cmake/Applets.cmake writes the
 * table of the arrays of all files in applets/.
 */
#ifndef FSTRACE_CORE_CLI_APPLET_H
#define FSTRACE_CORE_CLI_APPLET_H

struct applet {
	const char *name;	/* sub-command, symbolic link, man page */
	const char *summary;	/* one line of fstrace --help */
	int (*run)(const struct applet *self, int argc, char **argv);	/* returns EXIT_... */
};

/* Arrays of applets; ends with NULL. */
extern const struct applet *const applet_table[];

#endif
