// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An object for percpu_test.c: opened, never loaded. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "bpf/percpu.bpf.h"

struct pair {
	__u64 first, second;
} __attribute__((aligned(64)));

PERCPU_MAP(counters, struct pair);

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct pair);
} mapped SEC(".maps");
