/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counters, a set for each CPU. Not the kernel's per-CPU maps: those are read by a system call,
 * during which the kernel runs no kprobe program on that CPU, not even for a task that preempts the
 * reader (bpf_disable_instrumentation(), kernel/bpf/syscall.c). User space maps this array and
 * reads it without a system call. It is declared with no entries, which the kernel would refuse:
 * this is how core/kernel/percpu.c recognises it, and gives it one entry for each possible CPU
 * number.
 *
 * `counters` must be aligned to 64 bytes, so that no two CPUs write the same cache line. Add with
 * __sync_fetch_and_add() nevertheless: a tracing program may be preempted by another.
 */
#ifndef FSTRACE_BPF_PERCPU_BPF_H
#define FSTRACE_BPF_PERCPU_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define PERCPU_MAP(name, counters)                                                                 \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(map_flags, BPF_F_MMAPABLE);                                                 \
		__uint(max_entries, 0);                                                            \
		__type(key, __u32);                                                                \
		__type(value, counters);                                                           \
	} name SEC(".maps")

/* This CPU's value of a map made by PERCPU_MAP(); never NULL, but the verifier does not know. */
static __always_inline void *percpu_value(void *map)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(map, &cpu);
}

#endif
