/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Per-CPU counters of the kernel side, summed. */
#ifndef FSTRACE_CORE_PERCPU_H
#define FSTRACE_CORE_PERCPU_H

#include <stddef.h>
#include <linux/types.h>

/*
 * Reads the value at `key` of the per-CPU array `map_fd`, a struct of `members` counters, each a
 * __u64, and adds those of all CPUs up in `total`. Returns 0, or -errno with `total` all zero.
 */
int percpu_sum(int map_fd, __u32 key, __u64 *total, size_t members);

#endif
