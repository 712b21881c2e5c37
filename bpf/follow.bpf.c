// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The set of processes that descend from one, which user space has put there before it ran. A
 * separate object, loaded once for a run, however many tracers use its map; without a COMMAND it
 * is not loaded at all.
 */
#include "kernel_types.h"
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/*
 * By process, in the kernel's numbers. The value is what a process keeps from fork to the end,
 * through exec and in all of its threads: the address of its struct signal_struct. 0: of the first.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u64);
} followed SEC(".maps");

__u64 lost;		/* processes for which there was no room */

static __always_inline __u64 signal_of(const struct task_struct *task)
{
	return (__u64)BPF_CORE_READ(task, signal);
}

/*
 * (task). Called by the parent, when it has made a task that has not run yet, and with interrupts
 * off: so this program never interrupts itself, which would make the kernel skip it. (It may skip
 * sched_process_fork where tracepoints can be preempted.)
 */
SEC("raw_tp/sched_wakeup_new")
int follow(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct *task = (void *)ctx->args[0];
	__u32 parent = bpf_get_current_pid_tgid() >> 32, pid = BPF_CORE_READ(task, tgid);
	__u64 signal = signal_of(task);

	if (pid == parent)
		return 0;	/* a thread */
	if (!bpf_map_lookup_elem(&followed, &parent)) {
		/* Of an earlier process with that number, whose end was not seen. */
		if (bpf_map_lookup_elem(&followed, &pid))
			bpf_map_delete_elem(&followed, &pid);
		return 0;
	}
	if (bpf_map_update_elem(&followed, &pid, &signal, BPF_ANY))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}

/*
 * (task). A process lasts as long as its first thread, which stays a zombie until the others have
 * gone. By now another process may have its number.
 */
SEC("raw_tp/sched_process_free")
int forget(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct *task = (void *)ctx->args[0];
	__u32 pid = BPF_CORE_READ(task, tgid);
	__u64 *signal;

	if ((__u32)BPF_CORE_READ(task, pid) != pid)
		return 0;
	signal = bpf_map_lookup_elem(&followed, &pid);
	if (signal && *signal == signal_of(task))
		bpf_map_delete_elem(&followed, &pid);
	return 0;
}
