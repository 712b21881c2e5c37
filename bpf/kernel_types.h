/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's types, written by hand: only the members that fstrace reads. This file is the
 * whole list of what we rely on; CO-RE fills in the running kernel's offsets. test/btf/check
 * compares each member's kind and size with the BTF of every supported kernel.
 */
#ifndef FSTRACE_BPF_KERNEL_TYPES_H
#define FSTRACE_BPF_KERNEL_TYPES_H

#include <linux/types.h>

/* Makes <bpf/bpf_tracing.h> use the kernel's names of registers (di, not rdi). */
#define __VMLINUX_H__

/*
 * Registers at a kprobe. No CO-RE here: the layout is fixed for each architecture, and kprobe
 * programs that read nothing else must work on a kernel without BTF.
 */
#if defined(__TARGET_ARCH_x86)
struct pt_regs {		/* arch/x86/include/asm/ptrace.h */
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8;
	unsigned long ax, cx, dx, si, di, orig_ax;
	unsigned long ip, cs, flags, sp, ss;
};
#elif defined(__TARGET_ARCH_arm64)
struct user_pt_regs {		/* arch/arm64/include/uapi/asm/ptrace.h */
	__u64 regs[31];
	__u64 sp, pc, pstate;
};
#endif

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct super_block {		/* include/linux/fs.h */
	unsigned int s_dev;	/* major << 20 | minor */
	struct file_system_type *s_type;
	unsigned long s_magic;
	void *s_fs_info;
};

struct file_system_type {	/* include/linux/fs.h */
	const char *name;
};

struct inode {			/* include/linux/fs.h */
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	unsigned int i_generation;	/* tells files apart that had the same i_ino */
	void *i_private;
};

struct path {			/* include/linux/path.h */
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {			/* include/linux/fs.h */
	struct path f_path;
	struct inode *f_inode;
	void *private_data;
	unsigned int f_flags;
	unsigned int f_mode;
};

struct wait_queue_entry {	/* include/linux/wait.h */
	void *private;
};

struct wait_page_queue {	/* include/linux/pagemap.h */
	struct wait_queue_entry wait;
};

struct kiocb {			/* include/linux/fs.h */
	struct file *ki_filp;
	long long ki_pos;
	int ki_flags;
	struct wait_page_queue *ki_waitq;
};

struct iattr {			/* include/linux/fs.h */
	unsigned int ia_valid;
};

struct vm_area_struct {		/* include/linux/mm_types.h */
	struct file *vm_file;
};

struct vm_fault {		/* include/linux/mm.h */
	struct vm_area_struct *vma;
	unsigned long pgoff;
};

struct vfsmount {		/* include/linux/mount.h */
	struct dentry *mnt_root;
};

struct mount {			/* fs/mount.h */
	struct mount *mnt_parent;	/* the root of a mount namespace: itself */
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

/* Methods of inodes got a user namespace in 5.12, which became an idmap in 6.3. */
struct vfsmount___by_namespace {	/* include/linux/mount.h */
	struct user_namespace *mnt_userns;
};

struct vfsmount___by_idmap {
	struct mnt_idmap *mnt_idmap;
};

struct qstr {			/* include/linux/dcache.h */
	__u32 len;
	const unsigned char *name;	/* not ended at len: it points into the path */
};

struct dentry {			/* include/linux/dcache.h */
	unsigned int d_flags;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;	/* NULL: negative, the name is known not to exist */
	struct super_block *d_sb;
};

struct ns_common {		/* include/linux/ns_common.h */
	unsigned int inum;	/* the inode number of /proc/PID/ns/... */
};

struct pid_namespace {		/* include/linux/pid_namespace.h */
	struct ns_common ns;
	unsigned int level;	/* 0: the initial one */
};

struct upid {			/* include/linux/pid.h */
	int nr;
	struct pid_namespace *ns;
};

struct pid {			/* include/linux/pid.h */
	unsigned int level;	/* of the namespace it was made in */
	struct upid numbers[];	/* from the initial namespace's on */
};

struct task_struct {		/* include/linux/sched.h */
	unsigned int flags;
	char comm[16];
	__s32 pid;		/* the thread's, in the initial namespace */
	__s32 tgid;		/* the process's */
	struct pid *thread_pid;
	struct task_struct *group_leader;
	struct files_struct *files;
	struct nameidata *nameidata;	/* of the path walk it is in */
	struct signal_struct *signal;	/* one for each process */
};

struct files_struct {		/* include/linux/fdtable.h */
	struct fdtable *fdt;
};

struct fdtable {		/* include/linux/fdtable.h */
	void *fd;		/* an array of struct file * */
};

struct proc_fs_info {		/* include/linux/proc_fs.h */
	struct pid_namespace *pid_ns;
};

struct proc_inode {		/* fs/proc/internal.h */
	struct pid *pid;
	struct inode vfs_inode;
};

struct nameidata {		/* fs/namei.c */
	struct path path;	/* the directory, while a component is looked up in it */
	struct qstr last;
};

#pragma clang attribute pop

/*
 * The bits of d_flags became an enum, and moved, in 6.14 to 6.18; before, DCACHE_PAR_LOOKUP was
 * a #define (0x10000000) that BTF does not know.
 */
enum dentry_flags___by_enum {
	DCACHE_PAR_LOOKUP___by_enum = 1,
};
#define DCACHE_PAR_LOOKUP_BY_DEFINE 0x10000000

#endif
