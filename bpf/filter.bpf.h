/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which processes are traced. Set between open and load; the verifier drops what is not used. */
#ifndef FSTRACE_BPF_FILTER_BPF_H
#define FSTRACE_BPF_FILTER_BPF_H

#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

const volatile __u32 filter_pid;	/* only this process; 0: all */
/* The PID namespace that it is of, when it is not the initial one. */
const volatile __u64 filter_pidns_dev, filter_pidns_ino;

/* pid_tgid: what bpf_get_current_pid_tgid() says. */
static __always_inline bool filter_passes(__u64 pid_tgid)
{
	__u32 pid = pid_tgid >> 32;

	if (!filter_pid)
		return true;
	if (filter_pidns_ino) {
		struct bpf_pidns_info info = {};

		bpf_get_ns_current_pid_tgid(filter_pidns_dev, filter_pidns_ino, &info, sizeof(info));
		pid = info.tgid;	/* 0: not in our namespace */
	}
	return pid == filter_pid;
}

#endif
