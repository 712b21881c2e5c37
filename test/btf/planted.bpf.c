/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Two faults for test/btf/check to find, which shows that it can: inode has no such member (a
 * relocation without a target), and d_flags is not that wide (a layout that differs). */
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct inode {
	int i_planted;
};
struct dentry {
	__u64 d_flags;
	struct inode *d_inode;
};
#pragma clang attribute pop

SEC("fentry/d_alloc")
int planted(__u64 *args)
{
	struct dentry *dentry = (void *)args[0];

	return dentry->d_inode->i_planted + (int)dentry->d_flags;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
