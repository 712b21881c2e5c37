/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms by who and where (--by): what bpf/by.bpf.h and applets/dist_by.h share. */
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
};

/* Who an operation is of: members that are not asked for are 0. */
struct by_key {
	__u64 pid_tgid;		/* as the user numbers them; only the process unless BY_TID */
	__u64 cgroup;
	char comm[COMM_SIZE];
	__u32 uid;
	__u32 operation;	/* CALLS_DATA of its programs */
};

/* Of one row of histograms. */
struct by_place {
	struct by_key key;
	__u64 is_used;		/* the key is whole */
};

#endif
