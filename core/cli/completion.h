/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Completion of command lines in shells, made from the rows of all applets. */
#ifndef FSTRACE_CORE_CLI_COMPLETION_H
#define FSTRACE_CORE_CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/* End with NULL. */
extern const char *const completion_shells[];

/* Writes the file that the shell reads. Returns false, and writes nothing, for an unknown shell. */
bool completion_write(FILE *to, const char *shell);

#endif
