/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The path of a dentry, from mount to mount up to the root of the mount namespace: a process in a
 * chroot may see less of it. Needs no lock: a rename meanwhile may mix the old and the new path.
 */
#ifndef FSTRACE_BPF_PATH_BPF_H
#define FSTRACE_BPF_PATH_BPF_H

#include "kernel_types.h"
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "path.h"

#define PATH_STEPS 64		/* components and mounts */

/* The mount that a vfsmount is a part of. */
static __always_inline const struct mount *path_mount(const struct vfsmount *mnt)
{
	return (const void *)mnt - bpf_core_field_offset(struct mount, mnt);
}

/*
 * mnt: the mount that the dentry was reached by; NULL: not known. path->len: how much is there already.
 *
 * How much has been written is read back in each round: the verifier then knows nothing of it, so one
 * round is like another, or they would be too many for it. Reading through NULL gives NULL.
 */
static __always_inline void path_write(struct path_text *path, const struct vfsmount *mnt,
				       const struct dentry *dentry)
{
	const struct dentry *root = BPF_CORE_READ(mnt, mnt_root);
	volatile __u16 *written = &path->len;

	path->end = PATH_CUT;
#pragma clang loop unroll(disable)
	for (int i = 0; i < PATH_STEPS; i++) {
		const struct dentry *parent = BPF_CORE_READ(dentry, d_parent);
		__u64 len, used;

		if (dentry == root) {
			const struct mount *mount = path_mount(mnt);
			const struct mount *below = BPF_CORE_READ(mount, mnt_parent);

			if (below == mount) {
				path->end = PATH_WHOLE;
				break;
			}
			dentry = BPF_CORE_READ(mount, mnt_mountpoint);
			mnt = (const void *)below + bpf_core_field_offset(struct mount, mnt);
			root = BPF_CORE_READ(mnt, mnt_root);
			continue;
		}
		if (parent == dentry) {
			path->end = PATH_OF_MOUNT;
			break;
		}
		len = BPF_CORE_READ(dentry, d_name.len);
		used = *written;
		asm volatile("" : "+r"(len), "+r"(used));
		/* Names are no longer. */
		if (used > PATH_BYTES || len > PATH_NAME_MAX)
			break;
		bpf_probe_read_kernel(path->bytes + used, len, BPF_CORE_READ(dentry, d_name.name));
		used += len;
		asm volatile("" : "+r"(used));
		if (used > PATH_BYTES + PATH_NAME_MAX)
			break;
		path->bytes[used] = '\0';
		*written = used + 1;
		dentry = parent;
	}
}

#endif
