/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls of functions of file systems, from entry to return.
 *
 * The programs here are templates: for each function that is traced a copy is loaded, with
 * constants patched in (calls.h), so the verifier removes all code that the function does not need.
 * Those called iocb are for functions whose first argument is a kiocb: asynchronous reads and writes
 * last until they complete. The includer says what becomes of a call: call_began() and
 * call_returned() below, and what async.bpf.h and frames.bpf.h ask for.
 */
#ifndef FSTRACE_BPF_CALLS_BPF_H
#define FSTRACE_BPF_CALLS_BPF_H

#include "calls.h"
#define FRAME_FUNCTION_BITS CALLS_FUNCTION_BITS
#include "frames.bpf.h"
#include "async.bpf.h"
#include "filter.bpf.h"

/* Which calls are traced, by their arguments. */

#define S_IFMT 0170000		/* include/uapi/linux/stat.h */
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define ATTR_SIZE (1 << 3)	/* include/linux/fs.h */
#define VM_FAULT_RETRY 0x400	/* enum vm_fault_reason, include/linux/mm_types.h */
#define VM_FAULT_COMPLETED 0x4000
#define VM_FAULT_ERROR 0x873	/* out of memory, signals, bad hardware, no huge page */
#define O_CREAT 00000100	/* include/uapi/asm-generic/fcntl.h */
#define O_PATH 010000000
#if defined(__TARGET_ARCH_arm64)
#define O_DIRECTORY 040000	/* arch/arm64/include/uapi/asm/fcntl.h */
#else
#define O_DIRECTORY 00200000
#endif

/* Whether methods take an idmap (at first a user namespace) as first argument: since 5.12. */
static __always_inline bool has_idmap(void)
{
	return bpf_core_field_exists(struct vfsmount___by_namespace, mnt_userns) ||
	       bpf_core_field_exists(struct vfsmount___by_idmap, mnt_idmap);
}

/* A call's context: `typed` in a trampoline, whose arguments BTF types. */
#define ARGUMENT(n) (typed ? ((const __u64 *)ctx)[n] : argument_kprobe(ctx, n))

static __always_inline __u64 argument_kprobe(const void *ctx, int n)
{
	const struct pt_regs *regs = ctx;

	return n == 0 ? PT_REGS_PARM1(regs) : n == 1 ? PT_REGS_PARM2(regs) :
	       n == 2 ? PT_REGS_PARM3(regs) : PT_REGS_PARM4(regs);
}

/* A member of what argument n points to, directly or not: read in place, or copied. */
#define READ(type, n, arrow, ...)                                                                  \
	(typed ? ((const struct type *)ARGUMENT(n))->arrow :                                       \
		 BPF_CORE_READ((const struct type *)ARGUMENT(n), __VA_ARGS__))

/*
 * The copies differ by constants, and the verifier removes the code of all other cases. It would
 * reject that code otherwise: clang must not move anything out of a case.
 */
#define CASE(number)                                                                               \
	case number:                                                                               \
		asm volatile("" : : "i"(number) : "memory")

/* The number of the argument that leads to the file. */
static __always_inline __u64 subject_number(void)
{
	__u64 subject = probe_constant(CALLS_SUBJECT), number = CALLS_SUBJECT_NUMBER(subject);

	if (subject & CALLS_SUBJECT_IDMAP && has_idmap())
		number++;
	return number;
}

/* Not C, as clang would make one load of several, at an address that the verifier refuses. */
#define LOAD(ctx, offset)                                                                          \
	({                                                                                         \
		__u64 word_;                                                                       \
                                                                                                   \
		asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(word_) : "r"(ctx), "i"(offset));      \
		word_;                                                                             \
	})

/* Argument n, counted from 1, of a kprobe. */
#define KPROBE_OFFSET(n) ((long)&PT_REGS_PARM##n((struct pt_regs *)0))

/* The number is a constant for the verifier, not for clang. */
static __always_inline __u64 argument_numbered(const void *ctx, bool typed, __u64 number)
{
	if (number == 0)
		return typed ? LOAD(ctx, 0) : LOAD(ctx, KPROBE_OFFSET(1));
	if (number == 1)
		return typed ? LOAD(ctx, 8) : LOAD(ctx, KPROBE_OFFSET(2));
	if (number == 2)
		return typed ? LOAD(ctx, 16) : LOAD(ctx, KPROBE_OFFSET(3));
	return typed ? LOAD(ctx, 24) : LOAD(ctx, KPROBE_OFFSET(4));
}

/* The super block of the file, by the argument that leads to it. */
static __always_inline const struct super_block *super_block_of(const void *ctx, bool typed)
{
	const void *subject = (void *)argument_numbered(ctx, typed, subject_number());

	switch (CALLS_SUBJECT_KIND(probe_constant(CALLS_SUBJECT))) {
	CASE(SUBJECT_KIOCB);
		return BPF_CORE_READ((struct kiocb *)subject, ki_filp, f_inode, i_sb);
	CASE(SUBJECT_FILE);
		return BPF_CORE_READ((struct file *)subject, f_inode, i_sb);
	CASE(SUBJECT_OPENED);
		return BPF_CORE_READ((struct file *)subject, f_path.dentry, d_sb);
	CASE(SUBJECT_PATH);
		return BPF_CORE_READ((struct path *)subject, dentry, d_sb);
	CASE(SUBJECT_DENTRY);
		return BPF_CORE_READ((struct dentry *)subject, d_sb);
	CASE(SUBJECT_FAULT);
		return BPF_CORE_READ((struct vm_fault *)subject, vma, vm_file, f_inode, i_sb);
	}
	return NULL;
}

/* Whether the file is on the device that is asked for. */
static __always_inline bool is_on_device(const void *ctx, bool typed)
{
	return !filter_dev || BPF_CORE_READ(super_block_of(ctx, typed), s_dev) == filter_dev;
}

static __always_inline bool is_directory(__u32 mode)
{
	return (mode & S_IFMT) == S_IFDIR;
}

/* Of a function that serves several file systems: the magic number of the call's super block. */
static __always_inline __u64 magic_of(const void *ctx, bool typed, __u64 wanted)
{
	switch (wanted) {
	CASE(CALLS_KIOCB_OF_SB);
		return READ(kiocb, 0, ki_filp->f_inode->i_sb->s_magic,
			    ki_filp, f_inode, i_sb, s_magic);
	CASE(CALLS_FILE_OF_SB);
		return READ(file, 0, f_inode->i_sb->s_magic, f_inode, i_sb, s_magic);
	CASE(CALLS_OUT_FILE_OF_SB);
		return READ(file, 1, f_inode->i_sb->s_magic, f_inode, i_sb, s_magic);
	CASE(CALLS_INODE_OF_SB);
		return READ(inode, 0, i_sb->s_magic, i_sb, s_magic);
	CASE(CALLS_DENTRY_OF_SB);
		return READ(dentry, 0, d_sb->s_magic, d_sb, s_magic);
	CASE(CALLS_IDMAP_DENTRY_OF_SB);
		if (!has_idmap())
			return READ(dentry, 0, d_sb->s_magic, d_sb, s_magic);
		asm volatile("" : : "i"(-1) : "memory");
		return READ(dentry, 1, d_sb->s_magic, d_sb, s_magic);
	CASE(CALLS_PATH_OF_SB);
		return READ(path, 0, dentry->d_sb->s_magic, dentry, d_sb, s_magic);
	CASE(CALLS_FAULT_OF_SB);
		return READ(vm_fault, 0, vma->vm_file->f_inode->i_sb->s_magic,
			    vma, vm_file, f_inode, i_sb, s_magic);
	CASE(CALLS_OPEN_OF_SB);
		return READ(file, 0, f_path.dentry->d_sb->s_magic, f_path.dentry, d_sb, s_magic);
	}
	return 0;
}

/* Of a function that carries out two operations: whether this call is the second. */
static __always_inline bool is_second(const void *ctx, bool typed, __u64 wanted)
{
	switch (wanted) {
	CASE(CALLS_UNLINK_OR_RMDIR);
		return is_directory(READ(dentry, 1, d_inode->i_mode, d_inode, i_mode));
	CASE(CALLS_SETATTR_OR_TRUNCATE);
		if (!has_idmap())
			return READ(iattr, 1, ia_valid, ia_valid) & ATTR_SIZE;
		asm volatile("" : : "i"(-1) : "memory");
		return READ(iattr, 2, ia_valid, ia_valid) & ATTR_SIZE;
	CASE(CALLS_ATOMIC_OPEN);
		return ARGUMENT(3) & O_CREAT;
	}
	return false;
}

static __always_inline bool is_wanted(const void *ctx, bool typed)
{
	__u64 wanted = probe_constant(CALLS_WANTED) & CALLS_MASK;

	/* Tested first: most functions are of this kind, and it costs nothing then. */
	if (!probe_constant(CALLS_WANTED))
		return true;
	if (wanted == CALLS_ALL)
		return true;
	if (wanted >= CALLS_OF_SB && magic_of(ctx, typed, wanted) != (__u32)probe_constant(CALLS_MAGIC))
		return false;
	switch (wanted) {
	CASE(CALLS_FILE_OPEN);
		return !is_directory(READ(inode, 0, i_mode, i_mode));
	CASE(CALLS_OPEN_OF_SB);
		return !(READ(file, 0, f_flags, f_flags) & O_PATH) &&
		       (READ(file, 0, f_path.dentry->d_inode->i_mode,
			     f_path.dentry, d_inode, i_mode) & S_IFMT) == S_IFREG;
	CASE(CALLS_ATOMIC_OPEN);
		if (!(probe_constant(CALLS_WANTED) & CALLS_SECOND))
			return !(ARGUMENT(3) & (O_CREAT | O_DIRECTORY));
	}
	return wanted >= CALLS_OF_SB ||
	       is_second(ctx, typed, wanted) == !!(probe_constant(CALLS_WANTED) & CALLS_SECOND);
}

/*
 * Whether to look for the frame of a call that returns to a trampoline; what is read must still
 * exist after such a result.
 */
static __always_inline bool may_have_frame(const void *ctx, __u64 result)
{
	__u64 wanted = probe_constant(CALLS_WANTED) & CALLS_MASK;
	/* The bits of a result after which it is not. */
	__u64 gone = wanted == CALLS_KIOCB_OF_SB ? 1ULL << 31 :	/* a kiocb that is queued */
		     wanted == CALLS_FAULT_OF_SB ? VM_FAULT_RETRY | VM_FAULT_COMPLETED :
		     wanted == CALLS_OPEN_OF_SB ? ~0ULL : 0;

	if (wanted < CALLS_OF_SB)
		return true;
	if (gone) {
		/* Not moved out of here: the result may be a pointer, which the verifier lets nobody mask. */
		asm volatile("" : "+r"(gone));
		if (result & gone)
			return true;
	}
	return magic_of(ctx, true, wanted) == (__u32)probe_constant(CALLS_MAGIC);
}

/* Entry and return. */

/*
 * The argument of a frame: of a kiocb template that pointer, by kprobe; of others one of these. They
 * take two bits: by kprobe, call_began() may add a pointer.
 */
enum { NOT_OUTER, NOT_COUNTED, COUNTED, OUTER_MASK };

/* What is known of a program when it is compiled. */
struct how {
	bool by_kprobe;		/* or by session; else by trampoline */
	bool is_iocb;		/* the template */
};

/* A call that has returned. */
struct returned {
	const void *ctx;
	struct how how;
	__u64 ns, end_ns;	/* how long it took, and when it returned */
	__u64 result;		/* an int (then the upper half may be anything), a long or a pointer */
	__u64 argument, second;	/* of its frame */
	bool is_nested;		/* in another one that is traced */
};

/*
 * The includer's: a call begins, and what its return will need and not see can be kept in the frame;
 * a call has returned. Of FS_OUTER functions, those that do not count are left out.
 */
static __always_inline void call_began(struct frame *frame, const void *ctx, struct how how);
static __always_inline void call_returned(const struct returned *call);

/* Where the call has its own frame on the kernel's stack. */
static __always_inline __u64 address_of(struct thread_state *thread, const void *ctx,
					struct how how, bool is_return)
{
	return how.by_kprobe ? frame_address_kprobe((void *)ctx, is_return) :
			       frame_address(thread, ctx);
}

static __always_inline __u64 outer_or_not(void)
{
	return probe_constant(CALLS_WANTED) & CALLS_OUTER ? NOT_COUNTED : NOT_OUTER;
}

static __always_inline bool begin(const void *ctx, struct how how)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid(), id, argument = 0;
	struct thread_state *thread;
	struct frame *frame;

	if (!filter_passes(pid_tgid) || !is_on_device(ctx, !how.by_kprobe))
		return false;
	thread = thread_get(pid_tgid);
	if (!thread)
		return false;
	id = frame_id(address_of(thread, ctx, how, false), probe_constant(CALLS_PAIR));
	if (!how.is_iocb)
		argument = outer_or_not();
	else if (how.by_kprobe)
		argument = argument_kprobe(ctx, 0);
	/* A trampoline's return sees the kiocb. */
	frame = frame_push(thread, id, how.by_kprobe || !how.is_iocb, argument);
	call_began(frame, ctx, how);
	return true;
}

/* Of results that are not negative: whether it is that of a page fault that failed. */
static __always_inline bool is_failed_fault(__u64 result)
{
	return probe_constant(CALLS_WANTED) & CALLS_FAULT && result & VM_FAULT_ERROR;
}

/* Whether it returned an error. */
static __always_inline bool has_failed(const struct returned *call)
{
	return call->how.is_iocb ? (__s64)call->result < 0 : (__s64)(call->result << 32) < 0;
}

/* Of a kiocb template. */
static __always_inline __u64 kiocb_of(const struct returned *call)
{
	return call->how.by_kprobe ? call->argument : *(const __u64 *)call->ctx;
}

/* A part of another call that is probed for the same operation has been counted. */
static __always_inline void count_for_outer(struct thread_state *thread, __u64 id, bool by_jump)
{
	struct frame *outer = frame_outer(thread, id, by_jump);

	if (outer && (outer->argument & OUTER_MASK) == NOT_COUNTED)
		outer->argument ^= NOT_COUNTED ^ COUNTED;
}

/* Returns whether the entry has been seen. */
static __always_inline bool end(const void *ctx, struct how how, __u64 result)
{
	struct returned call = { .ctx = ctx, .how = how, .end_ns = bpf_ktime_get_ns() };
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	const struct frame *frame;
	__u64 id, left;

	if (!thread)
		return false;
	id = frame_id(address_of(thread, ctx, how, true), probe_constant(CALLS_PAIR));
	if (!how.is_iocb && !how.by_kprobe)
		result = frame_number(thread, result);	/* lookup and mkdir return a pointer */
	frame = frame_pop(thread, id, &left);
	if (!frame) {
		if (!thread->used)
			thread_drop(thread);
		return false;
	}
	call.result = result;
	call.ns = call.end_ns - frame->start_ns;
	call.argument = frame->argument;
#ifdef FRAME_SECOND
	call.second = frame->second;
#endif
	call.is_nested = left;
	if (left)
		count_for_outer(thread, id, how.by_kprobe);
	else
		thread_drop(thread);
	if (how.is_iocb || (how.by_kprobe ? call.argument & OUTER_MASK : call.argument) != COUNTED)
		call_returned(&call);
	return true;
}

/* To be written down by the includer: TEMPLATE(call, false) and TEMPLATE(iocb, true). */
#define TEMPLATE(stem, is_iocb_)                                                                   \
	static const struct how stem##_by_trampoline = { .is_iocb = is_iocb_ };                    \
	static const struct how stem##_by_kprobe = { .by_kprobe = true, .is_iocb = is_iocb_ };     \
                                                                                                   \
	SEC("fentry")                                                                              \
	int stem##__fentry(__u64 *ctx)                                                             \
	{                                                                                          \
		if (is_wanted(ctx, true))                                                          \
			begin(ctx, stem##_by_trampoline);                                          \
		return 0;                                                                          \
	}                                                                                          \
	SEC("fexit")                                                                               \
	int stem##__fexit(__u64 *ctx)                                                              \
	{                                                                                          \
		__u64 result = probe_result(ctx);                                                  \
                                                                                                   \
		if (!probe_constant(CALLS_WANTED) || may_have_frame(ctx, result))                  \
			end(ctx, stem##_by_trampoline, result);                                    \
		return 0;                                                                          \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int stem##__kprobe(struct pt_regs *ctx)                                                    \
	{                                                                                          \
		if (is_wanted(ctx, false) && begin(ctx, stem##_by_kprobe))                         \
			account_add(entries);                                                      \
		return 0;                                                                          \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int stem##__kretprobe(struct pt_regs *ctx)                                                 \
	{                                                                                          \
		if (end(ctx, stem##_by_kprobe, PT_REGS_RC(ctx)))                                   \
			account_add(returns);                                                      \
		return 0;                                                                          \
	}                                                                                          \
	SEC("session")                                                                             \
	int stem##__session(struct pt_regs *ctx)                                                   \
	{                                                                                          \
		if (!is_return(ctx))                                                               \
			return !(is_wanted(ctx, false) && begin(ctx, stem##_by_kprobe));           \
		end(ctx, stem##_by_kprobe, PT_REGS_RC(ctx));                                       \
		return 0;                                                                          \
	}

#endif
