/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which processes are traced, and the numbers that the user knows them by. Set between open and
 * load by core/trace/filter.c; the verifier removes what is not used. Everything here compares the
 * kernel's own numbers, those of the initial PID namespace, which user space has found out.
 */
#ifndef FSTRACE_BPF_FILTER_BPF_H
#define FSTRACE_BPF_FILTER_BPF_H

#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "filter.h"
#include "pid.bpf.h"

const volatile __u32 filter_mode;	/* of enum filter_mode; 0: all, by the kernel's numbers */
const volatile __u32 filter_pid;	/* FILTER_ONE: only this process */
/* FILTER_NUMBERS: the PID namespace whose numbers the user sees. */
const volatile __u32 filter_level, filter_inum;

/* FILTER_LIST: only these. Made by user space, which takes out those that are gone. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} filter_pids SEC(".maps");

/* Rarely used, so a separate function: not copied into each program. */
static __noinline bool filter_lists(__u32 pid)
{
	return bpf_map_lookup_elem(&filter_pids, &pid);
}

/* mode: filter_mode. */
static __always_inline bool filter_passes_mode(__u32 mode, __u64 pid_tgid)
{
	__u32 pid = pid_tgid >> 32;

	if (!mode)
		return true;
	if (mode & FILTER_ONE)
		return pid == filter_pid;
	if (mode & FILTER_LIST)
		return filter_lists(pid);
	return true;
}

/* pid_tgid: the result of bpf_get_current_pid_tgid(). */
static __always_inline bool filter_passes(__u64 pid_tgid)
{
	return filter_passes_mode(filter_mode, pid_tgid);
}

/* FILTER_NUMBERS: the current process and thread as the user sees them; 0: without a number. */
static __always_inline __u64 filter_numbers(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 pid = pid_number(BPF_CORE_READ(task, group_leader, thread_pid), filter_level,
			       filter_inum);

	return pid << 32 | pid_number(BPF_CORE_READ(task, thread_pid), filter_level, filter_inum);
}

#endif
