/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The row of an operation on a file (by.bpf.h), by who and which file. After calls.bpf.h. */
#ifndef FSTRACE_BPF_BY_CALLS_BPF_H
#define FSTRACE_BPF_BY_CALLS_BPF_H

#include "by.bpf.h"

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
		by_dir(key, dir);
	}
	/* An inode's number says nothing without it. */
	key->device = is_file ? BPF_CORE_READ(inode, i_sb, s_dev) : BPF_CORE_READ(dentry, d_sb, s_dev);
	return dentry;
}

/* The row for the current thread's operation, with BY_PLACE on by_subject(); -1: none. */
static __noinline int by_row(__u32 operation, __u64 subject, bool is_file)
{
	struct by_key key = { 0 };
	const struct dentry *dentry = NULL;
	struct by_place *place;
	int row;

	by_current(&key, operation);
	if (by & BY_PLACE)
		dentry = by_file(&key, subject, is_file);
	row = by_row_of(&key, &place);
	if (!place)
		return row;
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
