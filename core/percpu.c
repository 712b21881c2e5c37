// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Summing over CPUs. */
#include "core/percpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

int percpu_sum(int map_fd, __u32 key, __u64 *total, size_t members)
{
	int cpus = libbpf_num_possible_cpus();
	__u64 *values = cpus > 0 ? calloc(cpus, members * sizeof(*values)) : NULL;

	memset(total, 0, members * sizeof(*total));
	if (!values)
		return cpus < 0 ? cpus : -ENOMEM;
	if (bpf_map_lookup_elem(map_fd, &key, values)) {
		free(values);
		return -errno;
	}
	for (size_t i = 0; i < cpus * members; i++)
		total[i % members] += values[i];
	free(values);
	return 0;
}
