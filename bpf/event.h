/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records that a BPF program sends and an applet receives: the part that all of them share, and
 * the accounts that every object keeps of what it could not send.
 */
#ifndef FSTRACE_BPF_EVENT_H
#define FSTRACE_BPF_EVENT_H

#include <linux/types.h>

#define COMM_SIZE 16		/* TASK_COMM_LEN, include/linux/sched.h */

/* The first member of every event. */
struct event_header {
	__u64 time_ns;		/* CLOCK_MONOTONIC */
	__u64 pid_tgid;		/* the process in the upper half, the thread in the lower */
	char comm[COMM_SIZE];
};

/* One per CPU; only counts up. */
struct account {
	__u64 lost_events;	/* the ring buffer was full */
	__u64 lost_threads;	/* no room to remember what a thread is doing */
	__u64 lost_returns;	/* calls found to have returned unseen, or forgotten as too many nest */
	/* In kprobe mode, calls seen on their way in and out: what kretprobes missed. */
	__u64 entries;
	__u64 returns;
	__u64 proofs;		/* runs of proof__kprobe */
} __attribute__((aligned(64)));

#endif
