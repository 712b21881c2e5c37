/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts by who and where (--by): what bpf/by.bpf.h and applets/by_who.h share. */
#ifndef FSTRACE_BPF_BY_H
#define FSTRACE_BPF_BY_H

#include <linux/types.h>

#include "event.h"

/* What is told apart; any of them together. */
enum by {
	BY_PID = 1 << 0,
	BY_TID = 1 << 1,
	BY_COMM = 1 << 2,
	BY_UID = 1 << 3,
	BY_CGROUP = 1 << 4,
	BY_FILE = 1 << 5,
	BY_DIR = 1 << 6,
	BY_DEVICE = 1 << 7,
	BY_FS = 1 << 8,		/* its type */
};

#define BY_PLACE (BY_FILE | BY_DIR | BY_DEVICE)
#define BY_NAME_SIZE 256

/* Who an operation is of, and of which file: members that are not asked for are 0. */
struct by_key {
	__u64 pid_tgid;		/* as the user numbers them; only the process unless BY_TID */
	__u64 cgroup;
	char comm[COMM_SIZE];
	char fs[16];
	/* Of the file, and of the directory that it was opened or looked up in. */
	__u64 inode, dir;
	__u32 generation, dir_generation;
	__u32 device;		/* super_block.s_dev */
	__u32 uid;
	__u32 operation;	/* CALLS_DATA of its programs */
	__u32 zero;
};

/* Of one row of counts. */
struct by_place {
	struct by_key key;
	/* As they were when the key was new; only with BY_FILE and BY_DIR. Ended by a zero. */
	char name[BY_NAME_SIZE], dir_name[BY_NAME_SIZE];
	__u64 is_used;		/* all of this is whole */
};

#endif
