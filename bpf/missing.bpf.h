/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names that were looked for and are not there (dcsnoop -x): a part of dcache.bpf.h. A negative
 * entry says so by itself. A miss is only known to be one when the file system has answered, and
 * there are three places where that is seen:
 *
 *	__lookup_slow()		a path walk: returns a dentry without an inode, or -ENOENT
 *	lookup_one_qstr_excl()	a create, removal or rename: likewise
 *	d_splice_alias(), d_add()	the last component of an open: called by the file system with
 *				its answer, no inode. One that returns -ENOENT instead calls neither:
 *				then path_openat() fails so, or has created the file.
 *
 * Look-ups nest: overlayfs asks its layers, each by an __lookup_slow(), while it is asked itself.
 */
#ifndef FSTRACE_BPF_MISSING_BPF_H
#define FSTRACE_BPF_MISSING_BPF_H

#define ENOENT 2
#define FMODE_CREATED 0x100000		/* include/linux/fs.h */

static __always_inline struct thread_state *missing_state(void)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	return filter_passes(pid_tgid) ? thread_get(pid_tgid) : NULL;
}

static __always_inline bool is_absent(const struct dentry *dentry, bool typed)
{
	if (is_dentry(dentry))
		return !READ(typed, dentry, d_inode);
	return (long)dentry == -ENOENT;
}

static __always_inline int report_missing(enum lookup_by by, const struct qstr *name,
					  const struct dentry *dir)
{
	return name ? look_up_ends(LOOKUP_MISS, by, name, IN_DIRECTORY(dir), false) : 0;
}

/* d_alloc_parallel() has returned a new dentry: the file system will be asked. */
static __always_inline void missing_wait(const struct dentry *dentry)
{
	struct thread_state *thread = missing_state();

	if (!thread)
		return;
	if (thread->slow_depth) {
		thread->slow_misses |= 1u << (thread->slow_depth & 31);
	} else {
		thread->open_miss = dentry;
		thread->open_dir = BPF_CORE_READ(dentry, d_parent);
	}
}

/* A path walk goes on, so whatever it waited for has been found. */
static __always_inline void missing_forget(void)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());

	if (thread) {
		thread->slow_depth = 0;
		thread->open_miss = NULL;
	}
}

/* A path walk. */

static __always_inline void slow_begins(const struct qstr *name, const struct dentry *dir)
{
	struct thread_state *thread = missing_state();

	if (!thread)
		return;
	thread->slow_depth++;
	thread->slow_misses &= ~(1u << (thread->slow_depth & 31));
	thread->slow_names[thread->slow_depth & (SLOW_NAMES - 1)] = name;
	thread->slow_dirs[thread->slow_depth & (SLOW_NAMES - 1)] = dir;
	if (count_calls)
		account_add(entries);
}

static __always_inline int slow_ends(const struct dentry *dentry, bool typed)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	bool missed;
	__u32 depth;

	if (!thread || !thread->slow_depth)
		return 0;
	if (count_calls)
		account_add(returns);
	depth = thread->slow_depth--;
	missed = thread->slow_misses >> (depth & 31) & 1;
	if (!missed || !is_absent(dentry, typed))
		return 0;
	return report_missing(ALLOC, thread->slow_names[depth & (SLOW_NAMES - 1)],
			      thread->slow_dirs[depth & (SLOW_NAMES - 1)]);
}

SEC("fentry")
int slow_answer__fentry(__u64 *ctx)
{
	slow_begins((void *)ctx[0], (void *)ctx[1]);
	return 0;
}

SEC("fexit")
int slow_answer__fexit(__u64 *ctx)
{
	return slow_ends((void *)probe_result(ctx), true);
}

SEC("kprobe")
int slow_answer__kprobe(struct pt_regs *ctx)
{
	slow_begins((void *)PT_REGS_PARM1(ctx), (void *)PT_REGS_PARM2(ctx));
	return 0;
}

SEC("kretprobe")
int slow_answer__kretprobe(struct pt_regs *ctx)
{
	return slow_ends((void *)PT_REGS_RC(ctx), false);
}

SEC("session")
int slow_answer__session(struct pt_regs *ctx)
{
	if (is_return(ctx))
		return slow_ends((void *)PT_REGS_RC(ctx), false);
	slow_begins((void *)PT_REGS_PARM1(ctx), (void *)PT_REGS_PARM2(ctx));
	return 0;
}

/* A create, removal or rename. dcache_ends() notes a miss. */

static __always_inline int create_begins(const struct qstr *name)
{
	struct thread_state *thread = missing_state();

	if (thread) {
		thread->create_name = name;
		thread->create_miss = false;
		if (count_calls)
			account_add(entries);
	}
	return 0;
}

static __always_inline int create_ends(const struct dentry *dentry, bool typed)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	const struct qstr *name;

	if (!thread || !thread->create_name)
		return 0;
	if (count_calls)
		account_add(returns);
	name = thread->create_name;
	thread->create_name = NULL;
	if (!thread->create_miss || !is_absent(dentry, typed))
		return 0;
	return report_missing(DCACHE, name, thread->creating_dir);
}

static __always_inline void create_wait(void)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());

	if (thread)
		thread->create_miss = true;
}

SEC("fentry")
int create_answer__fentry(__u64 *ctx)
{
	return create_begins((void *)ctx[0]);
}

SEC("fexit")
int create_answer__fexit(__u64 *ctx)
{
	return create_ends((void *)probe_result(ctx), true);
}

SEC("kprobe")
int create_answer__kprobe(struct pt_regs *ctx)
{
	return create_begins((void *)PT_REGS_PARM1(ctx));
}

SEC("kretprobe")
int create_answer__kretprobe(struct pt_regs *ctx)
{
	return create_ends((void *)PT_REGS_RC(ctx), false);
}

SEC("session")
int create_answer__session(struct pt_regs *ctx)
{
	if (is_return(ctx))
		return create_ends((void *)PT_REGS_RC(ctx), false);
	return create_begins((void *)PT_REGS_PARM1(ctx));
}

/* The last component of an open. */

/* (dentry, inode), what a file system answers to a look-up. */
static __always_inline int answered(const struct dentry *dentry, const struct inode *inode)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());

	if (!thread || thread->open_miss != dentry || (inode && !is_dentry((void *)inode)))
		return 0;
	thread->open_miss = NULL;
	return inode ? 0 : report_missing(ALLOC, &dentry->d_name, thread->open_dir);
}

SEC("fentry")
int d_add__fentry(__u64 *ctx)
{
	return answered((void *)ctx[0], (void *)ctx[1]);
}

SEC("kprobe")
int d_add__kprobe(struct pt_regs *ctx)
{
	return answered((void *)PT_REGS_PARM1(ctx), (void *)PT_REGS_PARM2(ctx));
}

SEC("session")
int d_add__session(struct pt_regs *ctx)
{
	answered((void *)PT_REGS_PARM1(ctx), (void *)PT_REGS_PARM2(ctx));
	return 1;	/* not at the return */
}

/* (inode, dentry) */
SEC("fentry")
int d_splice_alias__fentry(__u64 *ctx)
{
	return answered((void *)ctx[1], (void *)ctx[0]);
}

SEC("kprobe")
int d_splice_alias__kprobe(struct pt_regs *ctx)
{
	return answered((void *)PT_REGS_PARM2(ctx), (void *)PT_REGS_PARM1(ctx));
}

SEC("session")
int d_splice_alias__session(struct pt_regs *ctx)
{
	answered((void *)PT_REGS_PARM2(ctx), (void *)PT_REGS_PARM1(ctx));
	return 1;	/* not at the return */
}

static __always_inline int opening(void)
{
	struct thread_state *thread = missing_state();

	if (thread) {
		thread->opening = true;
		thread->open_miss = NULL;
		if (count_calls)
			account_add(entries);
	}
	return 0;
}

static __always_inline int opened(const struct file *file, bool typed)
{
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	struct task_struct *task = (void *)bpf_get_current_task();
	bool missed;

	if (!thread || !thread->opening)
		return 0;
	if (count_calls)
		account_add(returns);
	missed = thread->open_miss;
	thread->opening = false;
	thread->open_miss = NULL;
	if (!missed)
		return 0;
	if (is_dentry((void *)file) ? !(READ(typed, file, f_mode) & FMODE_CREATED) :
				      (long)file != -ENOENT)
		return 0;
	return report_missing(ALLOC, &BPF_CORE_READ(task, nameidata)->last, thread->open_dir);
}

SEC("fentry")
int open_answer__fentry(__u64 *ctx)
{
	return opening();
}

SEC("fexit")
int open_answer__fexit(__u64 *ctx)
{
	return opened((void *)probe_result(ctx), true);
}

SEC("kprobe")
int open_answer__kprobe(struct pt_regs *ctx)
{
	return opening();
}

SEC("kretprobe")
int open_answer__kretprobe(struct pt_regs *ctx)
{
	return opened((void *)PT_REGS_RC(ctx), false);
}

SEC("session")
int open_answer__session(struct pt_regs *ctx)
{
	if (is_return(ctx))
		return opened((void *)PT_REGS_RC(ctx), false);
	return opening();
}

#endif
