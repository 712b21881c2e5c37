/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A process has a number in its own PID namespace and in each above it, up to the initial one
 * (level 0), whose numbers the kernel itself uses.
 */
#ifndef FSTRACE_BPF_PID_BPF_H
#define FSTRACE_BPF_PID_BPF_H

#include "kernel_types.h"
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* The number in the namespace at that level and of that inode number; 0: it has none there. */
static __always_inline __u32 pid_number(struct pid *pid, __u32 level, __u32 inum)
{
	struct upid *upid;

	if (!pid || level > BPF_CORE_READ(pid, level))
		return 0;
	upid = (void *)pid + bpf_core_field_offset(pid->numbers) +
	       level * bpf_core_type_size(struct upid);
	if (BPF_CORE_READ(upid, ns, ns.inum) != inum)
		return 0;
	return BPF_CORE_READ(upid, nr);
}

#endif
