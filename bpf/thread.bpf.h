/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a program remembers of each thread between two probes. The includer defines
 * `struct thread_state` first.
 *
 * A thread's state sits in an array, at the place its tid points to: that is an inlined look-up
 * of six instructions where a hash takes some 300 and task storage some 90 (and 5.10 has no task
 * storage for tracing programs). The first thread to come owns the place until it exits; another
 * thread of the same place goes to the hash. A place is one or more whole cache lines, so no two
 * CPUs write the same one unless a thread moves between them.
 */
#ifndef FSTRACE_BPF_THREAD_BPF_H
#define FSTRACE_BPF_THREAD_BPF_H

#include "kernel_types.h"
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "account.bpf.h"

#define THREAD_PLACES 8192	/* a power of two */

struct thread_place {
	__u32 tid;		/* the owner; 0: free */
	__u32 pad;
	__u64 claims;		/* a try-lock: who adds 1 and then reads 1 may claim the place */
	struct thread_state state;
} __attribute__((aligned(64)));

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, THREAD_PLACES);
	__type(key, __u32);
	__type(value, struct thread_place);
} thread_places SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct thread_state);
} thread_overflow SEC(".maps");

static __always_inline struct thread_place *thread_place(__u32 tid)
{
	__u32 place = tid & (THREAD_PLACES - 1);

	return bpf_map_lookup_elem(&thread_places, &place);
}

/* The state of a thread that has one, else NULL. */
static __always_inline struct thread_state *thread_find(__u32 tid)
{
	struct thread_place *place = thread_place(tid);

	if (place && place->tid == tid)
		return &place->state;
	return bpf_map_lookup_elem(&thread_overflow, &tid);
}

/* The state of a thread, made (all zero) when it has none; NULL, and counted, when all is full. */
static __always_inline struct thread_state *thread_get(__u32 tid)
{
	struct thread_place *place = thread_place(tid);
	struct thread_state *state;
	bool owned = false;

	if (!place)
		return NULL;
	if (place->tid == tid)
		return &place->state;
	state = bpf_map_lookup_elem(&thread_overflow, &tid);
	if (state)
		return state;
	if (!place->tid) {
		/* No compare-and-swap: 5.10 has only an add that does not fetch. */
		__sync_fetch_and_add(&place->claims, 1);
		if (*(volatile __u64 *)&place->claims == 1 && !*(volatile __u32 *)&place->tid) {
			place->tid = tid;
			owned = true;
		}
		__sync_fetch_and_add(&place->claims, -1);
		if (owned)
			return &place->state;
	}
	{
		struct thread_state fresh = {};

		bpf_map_update_elem(&thread_overflow, &tid, &fresh, BPF_NOEXIST);
	}
	state = bpf_map_lookup_elem(&thread_overflow, &tid);
	if (!state)
		account_add(lost_threads);
	return state;
}

static __always_inline void thread_forget(__u32 tid)
{
	struct thread_place *place = thread_place(tid);

	if (place && place->tid == tid) {
		struct thread_state fresh = {};

		place->state = fresh;
		place->tid = 0;
	} else {
		bpf_map_delete_elem(&thread_overflow, &tid);
	}
}

/* Threads on their way out pass here; a kernel that preempts may not run it for one. */
SEC("raw_tp/sched_process_exit")
int thread__exit(void *ctx)
{
	thread_forget(bpf_get_current_pid_tgid());
	return 0;
}

/*
 * (task). All pass here, in the end, after all that exiting does; also under the id that a thread
 * had before it executed a program, and so became the first of its process. The id may be given
 * out again only after some thousand others.
 */
SEC("raw_tp/sched_process_free")
int thread__free(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct *task = (void *)ctx->args[0];

	if (bpf_core_field_exists(task->pid))
		thread_forget(BPF_CORE_READ(task, pid));
	return 0;
}

#endif
