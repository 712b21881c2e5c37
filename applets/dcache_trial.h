/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The trial of applets about the directory cache: look-ups that miss. */
#ifndef FSTRACE_APPLETS_DCACHE_TRIAL_H
#define FSTRACE_APPLETS_DCACHE_TRIAL_H

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* struct trial's work(): names that are nowhere, and never were. */
static inline int miss_names(const char *folder, unsigned int id, unsigned int n)
{
	char path[PATH_MAX];

	for (unsigned int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/.fstrace.%u.%u", folder, id, i);
		if (!access(path, F_OK) || errno != ENOENT)
			return -errno;
	}
	return 0;
}

#endif
