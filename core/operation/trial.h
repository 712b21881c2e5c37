/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The trial of applets about operations of file systems: reads. */
#ifndef FSTRACE_CORE_OPERATION_TRIAL_H
#define FSTRACE_CORE_OPERATION_TRIAL_H

/* struct trial's work(): reads of a file that has no name any more. */
int trial_read(const char *folder, unsigned int id, unsigned int n);

/* Members of a struct trial (core/cli/applet.h): on this file system, by its name. */
#define TRIAL_READS(name)                                                                          \
	.filesystem = name, .what = "reads", .work = trial_read, .line = "\"op\":\"read\""

#endif
