/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rows of histograms by key. A hash finds the row of a key; who brings a new key takes the next row.
 * When all are taken, or a row cannot be had in a few tries, there is none: the includer counts what
 * is left in common rows, so nothing is lost.
 *
 * The rows can be mapped, where the values of a hash cannot: reading a map by a system call stops
 * programs by kprobe on that CPU. Included after calls.bpf.h.
 */
#ifndef FSTRACE_BPF_BY_BPF_H
#define FSTRACE_BPF_BY_BPF_H

#include "by.h"
#include "comm.bpf.h"
#include "filter.bpf.h"
#include "hist.h"

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
	__type(value, struct hist_counts);
} by_hists SEC(".maps");

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

/* What by_row() reads a file's identity from: a struct file or a struct dentry. */
static __always_inline __u64 by_subject(const void *ctx, bool typed)
{
	const void *subject = (void *)argument_numbered(ctx, typed, subject_number());

	switch (CALLS_SUBJECT_KIND(probe_constant(CALLS_SUBJECT))) {
	CASE(SUBJECT_KIOCB);
		return (__u64)BPF_CORE_READ((struct kiocb *)subject, ki_filp);
	CASE(SUBJECT_PATH);
		return (__u64)BPF_CORE_READ((struct path *)subject, dentry);
	CASE(SUBJECT_FAULT);
		return (__u64)BPF_CORE_READ((struct vm_fault *)subject, vma, vm_file);
	}
	return (__u64)subject;
}

/* Whether that is a struct file. */
static __always_inline bool by_is_file(void)
{
	__u64 kind = CALLS_SUBJECT_KIND(probe_constant(CALLS_SUBJECT));

	return kind != SUBJECT_PATH && kind != SUBJECT_DENTRY;
}

/* Returns the dentry, whose names are of this file. */
static __always_inline const struct dentry *by_file(struct by_key *key, __u64 subject, bool is_file)
{
	const struct dentry *dentry = (void *)subject;
	const struct inode *inode, *dir;

	if (is_file) {
		dentry = BPF_CORE_READ((struct file *)subject, f_path.dentry);
		/* Not the dentry's: overlayfs may open a file below by a path of its own. */
		inode = BPF_CORE_READ((struct file *)subject, f_inode);
	} else {
		inode = BPF_CORE_READ(dentry, d_inode);
	}
	if (by & BY_FILE) {
		key->inode = BPF_CORE_READ(inode, i_ino);
		key->generation = BPF_CORE_READ(inode, i_generation);
	}
	if (by & BY_DIR) {
		dir = BPF_CORE_READ(dentry, d_parent, d_inode);
		key->dir = BPF_CORE_READ(dir, i_ino);
		key->dir_generation = BPF_CORE_READ(dir, i_generation);
	}
	/* An inode's number says nothing without it. */
	key->device = is_file ? BPF_CORE_READ(inode, i_sb, s_dev) : BPF_CORE_READ(dentry, d_sb, s_dev);
	return dentry;
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

/* The row for the current thread's operation, with BY_PLACE on by_subject(); -1: none. */
static __noinline int by_row(__u32 operation, __u64 subject, bool is_file)
{
	struct by_key key = { 0 };
	const struct dentry *dentry = NULL;
	struct by_place *place;
	__u32 row = 0, *found;

	by_current(&key, operation);
	if (by & BY_PLACE)
		dentry = by_file(&key, subject, is_file);
	found = bpf_map_lookup_elem(&by_found, &key);
	if (found)
		return *found;
	if (!by_take(&row))
		return -1;
	if (bpf_map_update_elem(&by_found, &key, &row, BPF_NOEXIST)) {
		/* Another thread with the same key was first, or the hash is full. */
		found = bpf_map_lookup_elem(&by_found, &key);
		return found ? *found : -1;
	}
	place = bpf_map_lookup_elem(&by_places, &row);
	if (!place)
		return -1;
	place->key = key;
	/* Without an inode it is a name that could not be created or was not found: any of them. */
	if (by & BY_FILE && key.inode)
		bpf_probe_read_kernel_str(place->name, sizeof(place->name),
					  BPF_CORE_READ(dentry, d_name.name));
	if (by & BY_DIR)
		bpf_probe_read_kernel_str(place->dir_name, sizeof(place->dir_name),
					  BPF_CORE_READ(dentry, d_parent, d_name.name));
	place->is_used = 1;
	return row;
}

#endif
