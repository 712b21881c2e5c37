/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Help on the terminal, made from an applet's rows; no line is longer than 79 columns. */
#ifndef FSTRACE_CORE_CLI_HELP_H
#define FSTRACE_CORE_CLI_HELP_H

#include <stdio.h>

#include "core/cli/applet.h"

/* What fstrace --help prints, and its list of applets. */
void help_fstrace(FILE *to);
void help_applets(FILE *to);

/* What fstrace prints without arguments: the applets' names, and where there is more. */
void help_brief(FILE *to);

/* What an applet's --help prints: usage, options, notes, examples. */
void help_applet(FILE *to, const struct applet *applet);

/* The same of a command. */
struct command;
void help_command(FILE *to, const struct command *command);

/* The lines that --usage prints, and --help begins with. */
void help_usage(FILE *to, const struct applet *applet);

void help_version(FILE *to);

/* Writes words from column `column` on, each further line from `indent` on; ends the last one. */
void help_wrap(FILE *to, const char *text, int column, int indent);

#endif
