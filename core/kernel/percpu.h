/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counters of the kernel side, a set for each CPU (bpf/percpu.bpf.h), mapped and summed. */
#ifndef FSTRACE_CORE_KERNEL_PERCPU_H
#define FSTRACE_CORE_KERNEL_PERCPU_H

#include <stddef.h>
#include <linux/types.h>

struct bpf_map;
struct bpf_object;

struct percpu {
	const void *values;	/* one of `size` bytes for each CPU */
	size_t size, cpus;	/* with those that do not exist, which stay zero */
};

/* How many numbers this machine's CPUs can have, counted from 0; or -errno. */
int percpu_cpus(void);

/*
 * Gives the maps that PERCPU_MAP() made an entry for each CPU that may ever be on line. To be
 * called before loading. Returns 0 or -errno.
 */
int percpu_prepare(struct bpf_object *object);

/*
 * How many numbers CPUs can have, counted from 0, if `possible` is the content of the file of that
 * name in /sys/devices/system/cpu. The ranges may have gaps ("0-1,4-5" are six). Or -EINVAL.
 */
int percpu_numbers(const char *possible);

/* Maps one of a loaded object, until percpu_close(). Returns 0 or -errno. */
int percpu_open(struct percpu *percpu, const struct bpf_map *map);
void percpu_close(struct percpu *percpu);

/* Adds up in `total`, over the CPUs, the `members` counters (each a __u64) from `offset` on. */
void percpu_sum(const struct percpu *percpu, size_t offset, __u64 *total, size_t members);

#endif
