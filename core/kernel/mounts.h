/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is mounted, as this process sees it. */
#ifndef FSTRACE_CORE_KERNEL_MOUNTS_H
#define FSTRACE_CORE_KERNEL_MOUNTS_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Reads lines as those of /proc/self/mountinfo, and calls each() with the type and the path of
 * every mount, until it returns false. Both are only valid during the call.
 */
void mounts_each(FILE *mountinfo, bool (*each)(void *context, const char *type, const char *path),
		 void *context);

/* /proc/self/mountinfo, for mounts_each(); NULL with errno. */
FILE *mounts_open(void);

/* By /proc/filesystems: a type needs a device (1), or none (0); -ENOENT: it is not listed. */
int mounts_needs_device(const char *type);

/*
 * A descriptor that is readable once something has been mounted or unmounted, until
 * mounts_changed(). Or -errno.
 */
int mounts_watch(void);
void mounts_changed(int watch);

#endif
