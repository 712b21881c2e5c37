/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a program remembers of each thread between two probes. The includer first defines `struct
 * thread_state`, and THREAD_OVERFLOW_TYPE if it is not to be a plain hash.
 *
 * A thread's state is in an array, in the slot that its tid selects: four instructions find it, where
 * a hash takes about 300 and task storage about 90 (and 5.10 has no task storage for tracing
 * programs). The array is a variable: looking it up in a map, even inlined, would be ten more. The first thread to arrive owns the slot until it exits. The state
 * of another thread with the same slot is in an overflow hash, and only as long as it is in use:
 * thread_drop() frees it. So living threads take no room there, only calls under way do; a program
 * that does not know when its state is empty uses an LRU hash instead. A slot is one or more whole
 * cache lines, so no two CPUs write the same one unless a thread moves between them.
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
#define THREAD_OVERFLOW 16384

#ifndef THREAD_OVERFLOW_TYPE
#define THREAD_OVERFLOW_TYPE BPF_MAP_TYPE_HASH
#endif

#define PF_EXITING 0x4		/* include/linux/sched.h */

struct thread_place {
	/*
	 * The lower half is the tid of the owner, 0: free. The upper half counts the candidates.
	 * Both are in one word, as the only atomic operation of 5.10 is an addition that does not
	 * fetch, and on arm64 that orders nothing but accesses to the same word.
	 */
	union {
		__u64 owner;		/* 0 in an entry of the hash */
		volatile __u32 owner_tid;	/* x86 and arm64 are little-endian */
	};
	__u64 task;		/* the owner's struct task_struct, to compare only */
	struct thread_state state;
} __attribute__((aligned(64)));

static struct thread_place thread_places[THREAD_PLACES];

struct {
	__uint(type, THREAD_OVERFLOW_TYPE);
	__uint(max_entries, THREAD_OVERFLOW);
	__type(key, __u32);
	__type(value, struct thread_place);
} thread_overflow SEC(".maps");

static __always_inline struct thread_place *thread_place(__u64 tid)
{
	return &thread_places[tid & (THREAD_PLACES - 1)];
}

static __always_inline struct thread_place *thread_entry(__u32 tid)
{
	struct thread_place *place = bpf_map_lookup_elem(&thread_overflow, &tid);

	if (place)
		asm volatile("" : "+r"(place));	/* clang must not add to it before the question */
	return place;
}

/* The current thread's, made 64 bits wide once and not at each use. */
static __always_inline __u64 thread_current(__u64 pid_tgid)
{
	__u64 tid = (__u32)pid_tgid;

	asm volatile("" : "+r"(tid));
	return tid;
}

/* The state of a thread that has one, else NULL. */
static __always_inline struct thread_state *thread_find(__u64 pid_tgid)
{
	__u64 tid = thread_current(pid_tgid);
	struct thread_place *place = thread_place(tid);

	if (place->owner_tid != tid) {
		place = thread_entry(tid);
		if (!place)
			return NULL;
	}
	return &place->state;
}

/*
 * Whether the current thread is exiting. What it does after thread__exit() has run must not make it
 * own a slot again, as nothing might free that.
 */
static __always_inline bool thread_is_exiting(const struct task_struct *task)
{
	return bpf_core_field_exists(task->flags) && BPF_CORE_READ(task, flags) & PF_EXITING;
}

/* Makes the current thread the owner of a free slot; false if another one tries, too. */
static __always_inline bool thread_claim(struct thread_place *place, __u64 tid)
{
	const struct thread_state fresh = {};
	const __u64 claim = 1ULL << 32;
	struct task_struct *task = (void *)bpf_get_current_task();

	if (!(tid & (THREAD_PLACES - 1)) || thread_is_exiting(task))
		return false;
	__sync_fetch_and_add(&place->owner, claim);
	if (*(volatile __u64 *)&place->owner != claim) {
		__sync_fetch_and_add(&place->owner, -claim);
		return false;
	}
	__sync_fetch_and_add(&place->owner, tid - claim);
	place->task = (__u64)task;
	place->state = fresh;
	return true;
}

/*
 * The state of the current thread, created (all zero) if it has none; NULL, and counted, when there
 * is no room. Place 0 is that of the idle tasks, which all have the tid 0: nobody else may own it.
 */
static __always_inline struct thread_state *thread_get(__u64 pid_tgid)
{
	__u64 tid = thread_current(pid_tgid);
	struct thread_place *place = thread_place(tid);

	if (place->owner_tid == tid)
		return &place->state;
	if (!place->owner_tid && !thread_entry(tid) && thread_claim(place, tid))
		return &place->state;
	{
		struct thread_place fresh = { .task = bpf_get_current_task() };
		__u32 key = tid;

		bpf_map_update_elem(&thread_overflow, &key, &fresh, BPF_NOEXIST);
	}
	place = thread_entry(tid);
	if (place)
		return &place->state;
	account_add(lost_threads);
	return NULL;
}

/* To be called when the current thread's state is empty; it must not be used after that. */
static __always_inline void thread_drop(struct thread_state *state)
{
	const struct thread_place *place =
		(void *)state - __builtin_offsetof(struct thread_place, state);

	if (!place->owner) {
		__u32 tid;

		asm volatile("" : : : "memory");	/* nothing of this before the question */
		tid = bpf_get_current_pid_tgid();
		bpf_map_delete_elem(&thread_overflow, &tid);
	}
}

/* Frees what belongs to a tid; with a task, only if it belongs to that task. */
static __always_inline void thread_forget(__u32 tid, __u64 task)
{
	struct thread_place *place = thread_place(tid);

	if (!tid)
		return;
	if (place->owner_tid == tid && (!task || place->task == task)) {
		place->task = 0;
		__sync_fetch_and_add(&place->owner, -(__u64)tid);
	}
	place = thread_entry(tid);
	if (place && (!task || place->task == task))
		bpf_map_delete_elem(&thread_overflow, &tid);
}

/* Runs for exiting threads; a kernel that preempts may skip it for one. */
SEC("raw_tp/sched_process_exit")
int thread__exit(void *ctx)
{
	thread_forget(bpf_get_current_pid_tgid(), 0);
	return 0;
}

/*
 * (task). Runs for all, after everything that exiting does. By then another thread may have the
 * tid, so the task is compared.
 */
SEC("raw_tp/sched_process_free")
int thread__free(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct *task = (void *)ctx->args[0];

	if (bpf_core_field_exists(task->pid))
		thread_forget(BPF_CORE_READ(task, pid), (__u64)task);
	return 0;
}

/*
 * (task, pid). A thread that executes a program becomes the first of its process, and takes over
 * that thread's tid; pid is the one it had.
 */
SEC("raw_tp/sched_process_exec")
int thread__exec(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 tid = ctx->args[1];

	if (tid != (__u32)bpf_get_current_pid_tgid())
		thread_forget(tid, ctx->args[0]);
	return 0;
}

#endif
