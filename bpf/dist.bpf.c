// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The time from entry to return of functions of file systems, counted in histograms.
 *
 * The programs here are templates: for each function that is traced a copy is loaded, with
 * constants patched in, so the verifier removes all code that the function does not need. Those
 * called iocb are for functions whose first argument is a kiocb: asynchronous reads and writes are
 * timed until they complete.
 */
#define FRAME_FUNCTION_BITS DIST_FUNCTION_BITS
#include "dist.h"
#include "frames.bpf.h"
#include "filter.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* user space knows how many */
	__type(key, __u32);
	__type(value, struct hist_counts);
} hists SEC(".maps");

const volatile __u32 hist_unit;		/* enum hist_unit */
const volatile bool failed_only;	/* count what failed */

#define EAGAIN 11		/* include/uapi/asm-generic/errno-base.h */
#define EOPNOTSUPP 95		/* include/uapi/asm-generic/errno.h */
#define EIOCBQUEUED 529		/* include/linux/errno.h */
#define IOCB_DIRECT (1 << 17)	/* include/linux/fs.h, since 5.10 */
#define IOCB_WAITQ (1 << 19)

/* Histograms. */

/* This CPU's part of a histogram. */
static __always_inline struct hist_counts *hist_of(__u64 first)
{
	__u32 row = first + bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&hists, &row);
}

static __always_inline void hist_add(struct hist_counts *hist, __u64 ns)
{
	__u64 bucket;

	/* This clock may go back a little when it is set. */
	if ((__s64)ns < 0)
		ns = 0;
	bucket = hist_bucket(hist_unit, ns);
	asm volatile("" : "+r"(bucket));	/* the register whose bounds are checked */
	if (bucket >= HIST_BUCKETS)
		return;
	/* In this order: user space reads in the opposite order. */
	__sync_fetch_and_add(&hist->buckets[bucket], 1);
	__sync_fetch_and_add(&hist->sum_ns, ns);
	if (ns > hist->max_ns)
		hist->max_ns = ns;
	if (~ns > hist->not_min_ns)
		hist->not_min_ns = ~ns;
}

/* Asynchronous reads and writes. */

struct async {
	__u64 start_ns;
	__u64 first;		/* row of the histogram */
};

/* By kiocb: those that have returned -EIOCBQUEUED. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, struct async);
} async_queued SEC(".maps");

enum outcome { SUCCEEDED, FAILED, AGAIN };	/* AGAIN: an attempt that will be repeated */

struct completion {
	__u64 time_ns;
	__u64 outcome;
};

/* By kiocb: those not in the map above. One may complete before it returns that it is queued. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct completion);
} async_completed SEC(".maps");

static __always_inline void async_count(__u64 first, __u64 start_ns, __u64 end_ns, __u64 outcome)
{
	struct hist_counts *hist = hist_of(first);

	if (!hist)
		return;
	__sync_fetch_and_add(&hist->queued, -1);
	if (outcome == AGAIN)
		__sync_fetch_and_add(&hist->again, 1);
	else if (!failed_only || outcome == FAILED)
		hist_add(hist, end_ns - start_ns);
}

/* A completion of this call of `kiocb`, if there has been one; others may have had it before. */
static __always_inline struct completion *async_completion(__u64 kiocb, __u64 start_ns)
{
	struct completion *completion = bpf_map_lookup_elem(&async_completed, &kiocb);

	return completion && completion->time_ns >= start_ns ? completion : NULL;
}

/*
 * A call has returned that it will complete later. Of this and a completion at the same time, the
 * one that takes the entry away counts. Looks for a completion before making the entry, too: then
 * the kiocb may already be used for another call.
 */
static __always_inline void async_queue(__u64 kiocb, __u64 first, __u64 start_ns)
{
	struct completion *completion = async_completion(kiocb, start_ns);

	if (!completion) {
		struct async async = { .start_ns = start_ns, .first = first };

		if (bpf_map_update_elem(&async_queued, &kiocb, &async, BPF_ANY)) {
			account_add(lost_threads);
			return;
		}
		completion = async_completion(kiocb, start_ns);
		if (!completion || bpf_map_delete_elem(&async_queued, &kiocb))
			return;
	}
	async_count(first, start_ns, completion->time_ns, completion->outcome);
}

static __always_inline int async_complete(__u64 kiocb, int result)
{
	struct completion completion = {
		.time_ns = bpf_ktime_get_ns(),
		/* io_uring without waiting, where that is impossible: it tries again */
		.outcome = result == -EAGAIN || result == -EOPNOTSUPP ? AGAIN :
			   result < 0 ? FAILED : SUCCEEDED,
	};
	struct async *async = bpf_map_lookup_elem(&async_queued, &kiocb), copy;

	if (!async) {
		bpf_map_update_elem(&async_completed, &kiocb, &completion, BPF_ANY);
		async = bpf_map_lookup_elem(&async_queued, &kiocb);
		if (!async)
			return 0;
	}
	copy = *async;
	if (!bpf_map_delete_elem(&async_queued, &kiocb))
		async_count(copy.first, copy.start_ns, completion.time_ns, completion.outcome);
	return 0;
}

/* (kiocb, result): what kiocb->ki_complete points to. */

SEC("fentry")
int complete__fentry(__u64 *ctx)
{
	return async_complete(ctx[0], ctx[1]);
}

SEC("kprobe")
int complete__kprobe(struct pt_regs *ctx)
{
	return async_complete(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx));
}

SEC("session")
int complete__session(struct pt_regs *ctx)
{
	async_complete(PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx));
	return 1;	/* not at the return */
}

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
		asm volatile("# %0" : : "i"(number) : "memory")

static __always_inline bool is_directory(__u32 mode)
{
	return (mode & S_IFMT) == S_IFDIR;
}

/* Of a function that serves several file systems: the magic number of the call's super block. */
static __always_inline __u64 magic_of(const void *ctx, bool typed, __u64 wanted)
{
	switch (wanted) {
	CASE(DIST_KIOCB_OF_SB);
		return READ(kiocb, 0, ki_filp->f_inode->i_sb->s_magic,
			    ki_filp, f_inode, i_sb, s_magic);
	CASE(DIST_FILE_OF_SB);
		return READ(file, 0, f_inode->i_sb->s_magic, f_inode, i_sb, s_magic);
	CASE(DIST_OUT_FILE_OF_SB);
		return READ(file, 1, f_inode->i_sb->s_magic, f_inode, i_sb, s_magic);
	CASE(DIST_INODE_OF_SB);
		return READ(inode, 0, i_sb->s_magic, i_sb, s_magic);
	CASE(DIST_DENTRY_OF_SB);
		return READ(dentry, 0, d_sb->s_magic, d_sb, s_magic);
	CASE(DIST_IDMAP_DENTRY_OF_SB);
		if (!has_idmap())
			return READ(dentry, 0, d_sb->s_magic, d_sb, s_magic);
		asm volatile("# idmap" : : : "memory");
		return READ(dentry, 1, d_sb->s_magic, d_sb, s_magic);
	CASE(DIST_PATH_OF_SB);
		return READ(path, 0, dentry->d_sb->s_magic, dentry, d_sb, s_magic);
	CASE(DIST_FAULT_OF_SB);
		return READ(vm_fault, 0, vma->vm_file->f_inode->i_sb->s_magic,
			    vma, vm_file, f_inode, i_sb, s_magic);
	CASE(DIST_OPEN_OF_SB);
		return READ(file, 0, f_path.dentry->d_sb->s_magic, f_path.dentry, d_sb, s_magic);
	}
	return 0;
}

/* Of a function that carries out two operations: whether this call is the second. */
static __always_inline bool is_second(const void *ctx, bool typed, __u64 wanted)
{
	switch (wanted) {
	CASE(DIST_UNLINK_OR_RMDIR);
		return is_directory(READ(dentry, 1, d_inode->i_mode, d_inode, i_mode));
	CASE(DIST_SETATTR_OR_TRUNCATE);
		if (!has_idmap())
			return READ(iattr, 1, ia_valid, ia_valid) & ATTR_SIZE;
		asm volatile("# idmap" : : : "memory");
		return READ(iattr, 2, ia_valid, ia_valid) & ATTR_SIZE;
	CASE(DIST_ATOMIC_OPEN);
		return ARGUMENT(3) & O_CREAT;
	}
	return false;
}

static __always_inline bool is_wanted(const void *ctx, bool typed)
{
	__u64 wanted = probe_constant(DIST_CALLS) & DIST_CALLS_MASK;

	/* Tested first: most functions are of this kind, and it costs nothing then. */
	if (!probe_constant(DIST_CALLS))
		return true;
	if (wanted == DIST_ALL)
		return true;
	if (wanted >= DIST_OF_SB && magic_of(ctx, typed, wanted) != (__u32)probe_constant(DIST_MAGIC))
		return false;
	switch (wanted) {
	CASE(DIST_FILE_OPEN);
		return !is_directory(READ(inode, 0, i_mode, i_mode));
	CASE(DIST_OPEN_OF_SB);
		return !(READ(file, 0, f_flags, f_flags) & O_PATH) &&
		       (READ(file, 0, f_path.dentry->d_inode->i_mode,
			     f_path.dentry, d_inode, i_mode) & S_IFMT) == S_IFREG;
	CASE(DIST_ATOMIC_OPEN);
		if (!(probe_constant(DIST_CALLS) & DIST_SECOND))
			return !(ARGUMENT(3) & (O_CREAT | O_DIRECTORY));
	}
	return wanted >= DIST_OF_SB ||
	       is_second(ctx, typed, wanted) == !!(probe_constant(DIST_CALLS) & DIST_SECOND);
}

/*
 * Whether to look for the frame of a call that returns to a trampoline; what is read must still
 * exist after such a result.
 */
static __always_inline bool may_have_frame(const void *ctx, __u64 result)
{
	__u64 wanted = probe_constant(DIST_CALLS) & DIST_CALLS_MASK;
	/* The bits of a result after which it is not. */
	__u64 gone = wanted == DIST_KIOCB_OF_SB ? 1ULL << 31 :	/* a kiocb that is queued */
		     wanted == DIST_FAULT_OF_SB ? VM_FAULT_RETRY | VM_FAULT_COMPLETED :
		     wanted == DIST_OPEN_OF_SB ? ~0ULL : 0;

	return wanted < DIST_OF_SB || (gone && result & gone) ||
	       magic_of(ctx, true, wanted) == (__u32)probe_constant(DIST_MAGIC);
}

/* Entry and return. */

/* The argument of a frame: of a kiocb template that pointer, by kprobe; else one of these. */
enum { NOT_OUTER, NOT_COUNTED, COUNTED };

/* What is known of a program when it is compiled. */
struct how {
	bool by_kprobe;		/* or by session; else by trampoline */
	bool is_iocb;		/* the template */
};

/* Where the call has its own frame on the kernel's stack. */
static __always_inline __u64 address_of(struct thread_state *thread, const void *ctx,
					struct how how, bool is_return)
{
	return how.by_kprobe ? frame_address_kprobe((void *)ctx, is_return) :
			       frame_address(thread, ctx);
}

static __always_inline __u64 outer_or_not(void)
{
	return probe_constant(DIST_CALLS) & DIST_OUTER ? NOT_COUNTED : NOT_OUTER;
}

static __always_inline bool begin(const void *ctx, struct how how)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid(), id, argument = 0;
	struct thread_state *thread;

	if (!filter_passes(pid_tgid))
		return false;
	thread = thread_get(pid_tgid);
	if (!thread)
		return false;
	id = frame_id(address_of(thread, ctx, how, false), probe_constant(DIST_PAIR));
	if (!how.is_iocb)
		argument = outer_or_not();
	else if (how.by_kprobe)
		argument = argument_kprobe(ctx, 0);
	/* A trampoline's return sees the kiocb. */
	frame_push(thread, id, how.by_kprobe || !how.is_iocb, argument);
	return true;
}

/*
 * io_uring's read of a page that is not there yet also returns "queued", but nothing completes it:
 * io_uring reads again when the page is there. Until then the kiocb stays as it is; but another CPU
 * may already have cleared the flag, as the page has come (io_async_buf_func()). Then it still waits
 * with a queue of its own: the request, which begins with the kiocb.
 */
static __always_inline bool is_retried(__u64 address)
{
	const struct kiocb *kiocb = (void *)address;
	__u64 flags;

	if (!bpf_core_field_exists(kiocb->ki_waitq))
		return false;
	flags = BPF_CORE_READ(kiocb, ki_flags);
	return flags & IOCB_WAITQ ||
	       (!(flags & IOCB_DIRECT) &&
		(__u64)BPF_CORE_READ(kiocb, ki_waitq, wait.private) == address);
}

/* Of results that are not negative: whether it is that of a page fault that failed. */
static __always_inline bool is_failed_fault(__u64 result)
{
	return probe_constant(DIST_CALLS) & DIST_FAULT && result & VM_FAULT_ERROR;
}

static __always_inline void count(__u64 ns, __u64 end_ns, __u64 result, struct how how, __u64 kiocb)
{
	struct hist_counts *hist = hist_of(probe_constant(DIST_HIST));

	if (!hist)
		return;
	if (how.is_iocb ? (__s64)result < 0 : (__s64)(result << 32) < 0) {	/* an int or a long */
		if ((int)result == -EIOCBQUEUED) {
			if (how.is_iocb && is_retried(kiocb)) {
				__sync_fetch_and_add(&hist->again, 1);
				return;
			}
			__sync_fetch_and_add(&hist->queued, 1);
			if (how.is_iocb)
				async_queue(kiocb, probe_constant(DIST_HIST), end_ns - ns);
			return;
		}
		if ((int)result == -EAGAIN) {
			__sync_fetch_and_add(&hist->again, 1);
			return;
		}
	} else if (failed_only && !is_failed_fault(result)) {
		return;
	}
	hist_add(hist, ns);
}

/* A part of another call that is probed for the same operation has been counted. */
static __always_inline void count_for_outer(struct thread_state *thread, __u64 id, bool by_jump)
{
	struct frame *outer = frame_outer(thread, id, by_jump);

	if (outer && outer->argument == NOT_COUNTED)
		outer->argument = COUNTED;
}

/* kiocb: of a trampoline. Returns whether the entry has been seen. */
static __always_inline bool end(const void *ctx, struct how how, __u64 result, __u64 kiocb)
{
	__u64 end_ns = bpf_ktime_get_ns(), ns, argument, id, left;
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	const struct frame *frame;

	if (!thread)
		return false;
	id = frame_id(address_of(thread, ctx, how, true), probe_constant(DIST_PAIR));
	if (!how.is_iocb && !how.by_kprobe)
		result = frame_number(thread, result);	/* lookup and mkdir return a pointer */
	frame = frame_pop(thread, id, &left);
	if (!frame) {
		if (!thread->used)
			thread_drop(thread);
		return false;
	}
	ns = end_ns - frame->start_ns;
	argument = frame->argument;
	if (left)
		count_for_outer(thread, id, how.by_kprobe);
	else
		thread_drop(thread);
	if (how.is_iocb)
		count(ns, end_ns, result, how, how.by_kprobe ? argument : kiocb);
	else if (argument != COUNTED)
		count(ns, end_ns, result, how, 0);
	return true;
}

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
		if (!probe_constant(DIST_CALLS) || may_have_frame(ctx, result))                    \
			end(ctx, stem##_by_trampoline, result, is_iocb_ ? ctx[0] : 0);             \
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
		if (end(ctx, stem##_by_kprobe, PT_REGS_RC(ctx), 0))                                \
			account_add(returns);                                                      \
		return 0;                                                                          \
	}                                                                                          \
	SEC("session")                                                                             \
	int stem##__session(struct pt_regs *ctx)                                                   \
	{                                                                                          \
		if (!is_return(ctx))                                                               \
			return !(is_wanted(ctx, false) && begin(ctx, stem##_by_kprobe));           \
		end(ctx, stem##_by_kprobe, PT_REGS_RC(ctx), 0);                                    \
		return 0;                                                                          \
	}

TEMPLATE(call, false)
TEMPLATE(iocb, true)
