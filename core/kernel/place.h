/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Single file systems, by where they are mounted or by their device: that of the kernel's super
 * block, which stat(2) does not show for a subvolume of btrfs, or for overlayfs.
 */
#ifndef FSTRACE_CORE_KERNEL_PLACE_H
#define FSTRACE_CORE_KERNEL_PLACE_H

#include <stdint.h>
#include <stdio.h>

struct device {
	uint32_t number;		/* the kernel's: major << 20 | minor */
	uint32_t is_set;
};

/* "8:1", as /proc/self/mountinfo has it; the arguments of an option_row's parse(). */
int device_parse(const char *word, void *device);

struct place {
	struct device device;
	char type[64];			/* as in mountinfo; "": such a device is not mounted here */
};

/*
 * Finds in lines as those of /proc/self/mountinfo the mount with that id or, if that is negative,
 * one of place->device. Returns 0, or -ENOENT.
 */
int place_find(FILE *mountinfo, long id, struct place *place);

/* The file system that `path` is in. Returns 0 or, after a message, -errno. */
int place_of_path(const char *path, struct place *place);

/* What is mounted of a device; nothing, which is reported, leaves the type empty. */
int place_of_device(struct device device, struct place *place);

#endif
