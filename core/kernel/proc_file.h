/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Small files of /proc and /sys. */
#ifndef FSTRACE_CORE_KERNEL_PROC_FILE_H
#define FSTRACE_CORE_KERNEL_PROC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The first line of a file, or (with a key) the value of its line "KEY:\t"; false: not there. */
bool proc_read_line(const char *path, const char *key, char *buffer, size_t size);

/* Whether this process has an effective capability. True if /proc does not show it. */
bool proc_has_capability(int capability);

#endif
