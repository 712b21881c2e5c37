/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* JSON Schema (draft 2020-12) of one line that an applet prints with --json. */
#ifndef FSTRACE_CORE_CLI_SCHEMA_H
#define FSTRACE_CORE_CLI_SCHEMA_H

#include <stdio.h>

#include "core/cli/applet.h"

void schema_write(FILE *to, const struct applet *applet);

#endif
