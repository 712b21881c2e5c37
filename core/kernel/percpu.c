// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Summing over CPUs. */
#include "core/kernel/percpu.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define CPUS_MAX (1 << 16)	/* the kernel's own limit is 8192 */
#define POSSIBLE "/sys/devices/system/cpu/possible"

static bool is_percpu(const struct bpf_map *map)
{
	return bpf_map__type(map) == BPF_MAP_TYPE_ARRAY && !bpf_map__max_entries(map) &&
	       bpf_map__map_flags(map) & BPF_F_MMAPABLE;
}

int percpu_numbers(const char *possible)
{
	size_t len = strspn(possible, "0123456789,-");
	unsigned long last;

	if (!len || possible[len + strspn(possible + len, "\n")])
		return -EINVAL;
	/* The ranges ascend, so the last number is the highest. */
	while (len && isdigit((unsigned char)possible[len - 1]))
		len--;
	if (!isdigit((unsigned char)possible[len]))
		return -EINVAL;
	last = strtoul(possible + len, NULL, 10);
	return last < CPUS_MAX ? (int)last + 1 : -EINVAL;
}

int percpu_cpus(void)
{
	FILE *file = fopen(POSSIBLE, "re");
	char line[4096] = "";
	int cpus;

	if (!file)
		return -errno;
	cpus = fgets(line, sizeof(line), file) ? percpu_numbers(line) : -EINVAL;
	fclose(file);
	return cpus;
}

int percpu_prepare(struct bpf_object *object)
{
	int cpus = percpu_cpus(), err = cpus < 0 ? cpus : 0;
	struct bpf_map *map;

	bpf_object__for_each_map(map, object)
		if (!err && is_percpu(map))
			err = bpf_map__set_max_entries(map, cpus);
	return err;
}

int percpu_open(struct percpu *percpu, const struct bpf_map *map)
{
	size_t size = bpf_map__value_size(map), cpus = bpf_map__max_entries(map);
	void *values = mmap(NULL, size * cpus, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);

	if (values == MAP_FAILED)
		return -errno;
	*percpu = (struct percpu){ values, size, cpus };
	return 0;
}

void percpu_close(struct percpu *percpu)
{
	if (percpu->values)
		munmap((void *)percpu->values, percpu->size * percpu->cpus);
	*percpu = (struct percpu){ 0 };
}

void percpu_sum(const struct percpu *percpu, size_t offset, __u64 *total, size_t members)
{
	for (size_t i = 0; i < members; i++)
		total[i] = 0;
	for (size_t cpu = 0; cpu < percpu->cpus; cpu++) {
		const char *value = (const char *)percpu->values + cpu * percpu->size;
		const __u64 *counters = (const __u64 *)(value + offset);

		for (size_t i = 0; i < members; i++)
			total[i] += __atomic_load_n(&counters[i], __ATOMIC_RELAXED);
	}
}
