/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rows of counts by key. A hash finds the row of a key; who brings a new key takes the next row.
 * When all are taken, or a row cannot be had in a few tries, there is none: the includer counts what
 * is left in common rows, so nothing is lost.
 *
 * The rows can be mapped, where the values of a hash cannot: reading a map by a system call stops
 * programs by kprobe on that CPU. The includer defines, first, BY_COUNTS: what a row counts.
 */
#ifndef FSTRACE_BPF_BY_BPF_H
#define FSTRACE_BPF_BY_BPF_H

#include "by.h"
#include "comm.bpf.h"
#include "filter.bpf.h"

#define BY_TRIES 8

const volatile __u32 by;		/* of enum by; 0: not at all, and all of this is removed */
const volatile __u32 by_rows;		/* how many there are */
static __u32 by_next;			/* the first row that is probably free */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct by_key);
	__type(value, __u32);
} by_found SEC(".maps");

/* Rows that are taken: adding an element is the one thing that only one of several can do. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} by_taken SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct by_place);
} by_places SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, BY_COUNTS);
} by_counts SEC(".maps");

static __always_inline void by_current(struct by_key *key, __u32 operation)
{
	__u64 pid_tgid = filter_mode & FILTER_NUMBERS ? filter_numbers() :
							bpf_get_current_pid_tgid();

	if (by & BY_TID)
		key->pid_tgid = pid_tgid;
	else if (by & BY_PID)
		key->pid_tgid = pid_tgid >> 32 << 32;
	if (by & BY_COMM)
		current_comm(key->comm);
	if (by & BY_UID)
		key->uid = bpf_get_current_uid_gid();
	if (by & BY_CGROUP)
		key->cgroup = bpf_get_current_cgroup_id();
	key->operation = operation;
}

/* A row that nobody has; false: there is none. */
static __always_inline bool by_take(__u32 *row)
{
	const __u8 taken = 1;

#pragma clang loop unroll(disable)
	for (int i = 0; i < BY_TRIES; i++) {
		*row = by_next;
		if (*row >= by_rows)
			return false;
		/* Others do the same: a row may be tried twice, and is then taken. */
		by_next = *row + 1;
		if (!bpf_map_update_elem(&by_taken, row, &taken, BPF_NOEXIST))
			return true;
	}
	return false;
}

/*
 * The row of a key; -1: none. A new one sets *fresh: the caller completes that, and is_used last.
 */
static __always_inline int by_row_of(const struct by_key *key, struct by_place **fresh)
{
	struct by_place *place;
	__u32 row = 0, *found;

	*fresh = NULL;
	found = bpf_map_lookup_elem(&by_found, key);
	if (found)
		return *found;
	if (!by_take(&row))
		return -1;
	if (bpf_map_update_elem(&by_found, key, &row, BPF_NOEXIST)) {
		/* Another thread with the same key was first, or the hash is full. */
		found = bpf_map_lookup_elem(&by_found, key);
		return found ? *found : -1;
	}
	place = bpf_map_lookup_elem(&by_places, &row);
	if (!place)
		return -1;
	place->key = *key;
	*fresh = place;
	return row;
}

/* The directory that `dir` is an entry for; an inode's number says nothing without the device. */
static __always_inline void by_dir(struct by_key *key, const struct inode *dir)
{
	key->dir = BPF_CORE_READ(dir, i_ino);
	key->dir_generation = BPF_CORE_READ(dir, i_generation);
}

#endif
