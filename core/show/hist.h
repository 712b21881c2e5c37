/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Histograms in user space. The kernel side only counts up; a block that is shown is the
 * difference of two readings, so no count is lost between them.
 */
#ifndef FSTRACE_CORE_SHOW_HIST_H
#define FSTRACE_CORE_SHOW_HIST_H

#include <stddef.h>

#include "bpf/hist.h"

struct percpu;

/* Reads the histogram at `offset` of the counters of each CPU, summed over the CPUs. */
void hist_read(const struct percpu *counters, size_t offset, struct hist *total);

/* What was counted between two readings. */
void hist_subtract(struct hist *now, const struct hist *before);

/* Events in the slots (not the queued and repeated ones). */
__u64 hist_count(const struct hist *hist);

/* The slots up to the highest that is not empty: how many; 0 if all are. */
int hist_used(const struct hist *hist);

/* The values that a slot holds: low to high, both included. */
__u64 hist_low(int slot);
__u64 hist_high(int slot);

#endif
