// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reading histograms. */
#include "core/show/hist.h"

#include "core/kernel/percpu.h"

/* Every member of struct hist is a __u64, so they are summed and subtracted as an array. */
#define HIST_MEMBERS (sizeof(struct hist) / sizeof(__u64))

void hist_read(const struct percpu *counters, size_t offset, struct hist *total)
{
	percpu_sum(counters, offset, (__u64 *)total, HIST_MEMBERS);
}

void hist_subtract(struct hist *now, const struct hist *before)
{
	for (size_t i = 0; i < HIST_MEMBERS; i++)
		((__u64 *)now)[i] -= ((const __u64 *)before)[i];
}

__u64 hist_count(const struct hist *hist)
{
	__u64 count = 0;

	for (int i = 0; i < HIST_SLOTS; i++)
		count += hist->slots[i];
	return count;
}

int hist_used(const struct hist *hist)
{
	int used = HIST_SLOTS;

	while (used && !hist->slots[used - 1])
		used--;
	return used;
}

__u64 hist_low(int slot)
{
	return slot ? 1ULL << slot : 0;
}

__u64 hist_high(int slot)
{
	return (1ULL << slot << 1) - 1;
}
