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
#include "comm.bpf.h"
#include "filter.h"
#include "pid.bpf.h"

const volatile __u32 filter_mode;	/* of enum filter_mode; 0: all, by the kernel's numbers */
const volatile __u32 filter_id;		/* FILTER_ONE: only this process or thread */
/* FILTER_NUMBERS: the PID namespace whose numbers the user sees. */
const volatile __u32 filter_level, filter_inum;
const volatile __u32 filter_uid;	/* FILTER_USER: the real user */
const volatile struct filter_comm filter_comm;
const volatile __u32 filter_dev;	/* super_block.s_dev; 0: any. What knows super blocks compares it */

/* FILTER_LIST: only these. Made by user space, which takes out those that are gone. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} filter_ids SEC(".maps");

/* FILTER_FOLLOWED: only these processes, the map of follow.bpf.c. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} filter_followed SEC(".maps");

/* FILTER_CGROUP: only in this one or below. */
struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} filter_cgroup SEC(".maps");

/* Rarely used, so separate functions: not copied into each program. */

static __noinline bool filter_lists(__u32 id)
{
	return bpf_map_lookup_elem(&filter_ids, &id);
}

static __noinline bool filter_passes_more(__u32 pid)
{
	__u32 mode = filter_mode;
	char comm[COMM_SIZE];

	if (mode & FILTER_FOLLOWED && !bpf_map_lookup_elem(&filter_followed, &pid))
		return false;
	if (mode & FILTER_USER && (__u32)bpf_get_current_uid_gid() != filter_uid)
		return false;
	if (mode & FILTER_CGROUP && bpf_current_task_under_cgroup(&filter_cgroup, 0) != 1)
		return false;
	if (!(mode & FILTER_COMM))
		return true;
	current_comm(comm);
	return filter_comm_matches(&filter_comm, comm, FILTER_COMM_MAX);
}

/* mode: filter_mode. */
static __always_inline bool filter_passes_mode(__u32 mode, __u64 pid_tgid)
{
	__u32 id;

	if (!mode)
		return true;
	id = mode & FILTER_THREADS ? pid_tgid : pid_tgid >> 32;
	if (mode & FILTER_ONE && id != filter_id)
		return false;
	if (mode & FILTER_LIST && !filter_lists(id))
		return false;
	if (mode & (FILTER_FOLLOWED | FILTER_USER | FILTER_COMM | FILTER_CGROUP))
		return filter_passes_more(pid_tgid >> 32);
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
