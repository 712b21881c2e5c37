/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The latency histogram of one operation, as the kernel side counts and user space reads it. */
#ifndef FSTRACE_BPF_HIST_H
#define FSTRACE_BPF_HIST_H

#include <linux/types.h>

#define HIST_SLOTS 64

/*
 * Slot 0 holds values below 2 units, slot n those from 2^n to 2^(n+1) - 1. Only counts up, so what
 * user space shows is a difference of two readings.
 */
struct hist {
	__u64 slots[HIST_SLOTS];
	__u64 queued;		/* returned -EIOCBQUEUED: will complete later, latency unknown */
	__u64 again;		/* returned -EAGAIN: a try that must not block, and will be repeated */
};

#endif
