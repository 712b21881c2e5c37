// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* dcstat, kernel side: look-ups of the directory-entry cache (dcache.bpf.h), counted. */
#define LOOKUP_NAMES 0
#include "dcache.bpf.h"
#include "percpu.bpf.h"

#define BY_COUNTS struct dcache_counts
#include "by.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

PERCPU_MAP(counts, struct dcache_counts);

/* The row of a look-up in that directory; -1: none. */
static __noinline int by_row(const struct dentry *dir)
{
	struct by_key key = { 0 };
	struct by_place *place;
	int row;

	by_current(&key, 0);
	if (by & (BY_DIR | BY_DEVICE))
		key.device = BPF_CORE_READ(dir, d_sb, s_dev);
	if (by & BY_DIR)
		by_dir(&key, BPF_CORE_READ(dir, d_inode));
	if (by & BY_FS)
		bpf_probe_read_kernel_str(key.fs, sizeof(key.fs),
					  BPF_CORE_READ(dir, d_sb, s_type, name));
	row = by_row_of(&key, &place);
	if (!place)
		return row;
	if (by & BY_DIR)
		bpf_probe_read_kernel_str(place->dir_name, sizeof(place->dir_name),
					  BPF_CORE_READ(dir, d_name.name));
	place->is_used = 1;
	return row;
}

static __always_inline int looked_up(__u8 type, enum lookup_by which,
				     const unsigned char *name __attribute__((unused)),
				     __u64 len __attribute__((unused)), struct place place)
{
	struct dcache_counts *counted = NULL;

	if (filter_mode && !filter_passes(bpf_get_current_pid_tgid()))
		return 0;
	if (by) {
		int row = by_row(by & (BY_DIR | BY_DEVICE | BY_FS) ? place_directory(place) : NULL);

		if (row >= 0)
			counted = bpf_map_lookup_elem(&by_counts, &row);
	}
	if (!counted)
		counted = percpu_value(&counts);
	if (counted)
		__sync_fetch_and_add(&(which == FAST ? counted->fast : counted->slow)[type & 3], 1);
	return 0;
}
