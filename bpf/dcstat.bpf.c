// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* dcstat, kernel side: look-ups of the directory-entry cache (dcache.bpf.h), counted. */
#define LOOKUP_NAMES 0
#include "dcache.bpf.h"
#include "percpu.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

PERCPU_MAP(counts, struct dcache_counts);

static __always_inline int looked_up(__u8 type, enum lookup_by by,
				     const unsigned char *name __attribute__((unused)),
				     __u64 len __attribute__((unused)),
				     struct place place __attribute__((unused)))
{
	struct dcache_counts *of_cpu;

	if (filter_mode && !filter_passes(bpf_get_current_pid_tgid()))
		return 0;
	of_cpu = percpu_value(&counts);
	if (of_cpu)
		__sync_fetch_and_add(&(by == FAST ? of_cpu->fast : of_cpu->slow)[type & 3], 1);
	return 0;
}
