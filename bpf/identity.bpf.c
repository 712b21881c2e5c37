// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which process, or PID namespace, does a descriptor of ours refer to? Attached to nothing: user
 * space runs it (BPF_PROG_TEST_RUN, since 5.10), and so it runs as our own task.
 */
#include "pid.bpf.h"
#include "identity.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct identity identity;	/* the answer */

static __always_inline struct file *file_of(struct task_struct *task, __u32 fd)
{
	struct file **files = BPF_CORE_READ(task, files, fdt, fd), *file = NULL;

	bpf_probe_read_kernel(&file, sizeof(file), files + fd);
	return file;
}

static __always_inline struct pid *folder_pid(struct file *file)
{
	void *inode = BPF_CORE_READ(file, f_inode);

	inode -= bpf_core_field_offset(struct proc_inode, vfs_inode);
	return BPF_CORE_READ((struct proc_inode *)inode, pid);
}

/* Since 6.9 pidfds have inodes of their own (commit cb12fd8e0dab, "pidfd: add pidfs"). */
static __always_inline struct pid *pidfd_pid(struct file *file)
{
	struct pid *pid = BPF_CORE_READ(file, private_data);

	return pid ?: BPF_CORE_READ(file, f_inode, i_private);
}

static __always_inline __u32 own_number(struct task_struct *task, struct pid *pid)
{
	struct pid *own = BPF_CORE_READ(task, thread_pid);
	__u32 level = BPF_CORE_READ(own, level);
	struct upid *upid = (void *)own + bpf_core_field_offset(own->numbers) +
			    level * bpf_core_type_size(struct upid);

	return pid_number(pid, level, BPF_CORE_READ(upid, ns, ns.inum));
}

/* (descriptor, question) */
SEC("raw_tp/sys_enter")
int identify(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct file *file = file_of(task, ctx->args[0]);
	struct proc_fs_info *proc;
	struct pid *pid;

	if (ctx->args[1] == IDENTITY_PROC) {
		proc = BPF_CORE_READ(file, f_inode, i_sb, s_fs_info);
		identity.level = BPF_CORE_READ(proc, pid_ns, level);
		identity.inum = BPF_CORE_READ(proc, pid_ns, ns.inum);
		pid = BPF_CORE_READ(task, group_leader, thread_pid);
	} else if (ctx->args[1] == IDENTITY_FOLDER) {
		pid = folder_pid(file);
	} else {
		pid = pidfd_pid(file);
	}
	identity.pid = pid ? BPF_CORE_READ((struct upid *)((void *)pid +
		bpf_core_field_offset(pid->numbers)), nr) : 0;
	identity.own_pid = own_number(task, pid);
	return 0;
}
