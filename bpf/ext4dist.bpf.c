// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ext4dist, kernel side: the time from entry to return of ext4's read, write, open and fsync,
 * counted in histograms.
 *
 * A start is kept for each thread and operation: an O_SYNC write calls ext4_sync_file() inside,
 * and both are counted. ext4's functions never call themselves, so one start is enough.
 */
#include "probe.bpf.h"
#include "ext4dist.h"
#include "account.bpf.h"
#include "filter.bpf.h"

struct thread_state {
	__u64 start_ns[EXT4_PROBES];	/* 0: not inside */
};

#define COUNTED 1	/* as the start of a splice: by the read inside it */

#include "thread.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

PERCPU_MAP(hists, struct ext4dist_hists);

/* What a histogram's unit is: 1000 or 1000000 ns, and the power of two just below. */
const volatile __u64 unit_ns;
const volatile __u32 unit_log2;

#define EAGAIN 11		/* include/uapi/asm-generic/errno-base.h */
#define EIOCBQUEUED 529		/* include/linux/errno.h */
#define EXT4_SUPER_MAGIC 0xEF53	/* include/uapi/linux/magic.h */

static __always_inline __u32 log2_u64(__u64 value)
{
	__u32 log2 = 0;

	if (value >> 32) {
		value >>= 32;
		log2 = 32;
	}
	if (value >> 16) {
		value >>= 16;
		log2 += 16;
	}
	if (value >> 8) {
		value >>= 8;
		log2 += 8;
	}
	if (value >> 4) {
		value >>= 4;
		log2 += 4;
	}
	if (value >> 2) {
		value >>= 2;
		log2 += 2;
	}
	return log2 + (value >> 1);
}

/*
 * log2(delta_ns / unit_ns) without dividing: with 2^u the power of two below the unit, it is
 * log2(delta_ns) - u, or one less when delta_ns is not that many units.
 */
static __always_inline __u32 slot_of(__u64 delta_ns)
{
	__u32 log2 = log2_u64(delta_ns), slot;

	if (log2 <= unit_log2)
		return 0;
	slot = log2 - unit_log2;
	return delta_ns < unit_ns << slot ? slot - 1 : slot;
}

/* Whether the return is wanted. */
static __always_inline bool begin(__u32 op)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();
	struct thread_state *thread;

	if (!filter_passes(pid_tgid))
		return false;
	thread = thread_get(pid_tgid);
	if (!thread)
		return false;
	if (count_calls)
		account_add(entries);
	thread->start_ns[op] = bpf_ktime_get_ns();
	return true;
}

static __always_inline int end(__u32 op, long result)
{
	__u64 now_ns = bpf_ktime_get_ns(), start_ns;
	struct thread_state *thread = thread_find(bpf_get_current_pid_tgid());
	struct ext4dist_hists *mine;
	struct hist *hist;
	__u32 slot;

	if (!thread || !thread->start_ns[op])
		return 0;	/* filtered, or began before us */
	start_ns = thread->start_ns[op];
	thread->start_ns[op] = 0;
	if (count_calls)
		account_add(returns);
	/*
	 * A splice from a file opened with O_DIRECT reads by read_iter: one read, not two. The inner
	 * one counts: if a splice's return was missed, its stale start must not hide reads.
	 */
	if (op == EXT4_READ && thread->start_ns[EXT4_SPLICE])
		thread->start_ns[EXT4_SPLICE] = COUNTED;
	if (op == EXT4_SPLICE && start_ns == COUNTED)
		return 0;
	mine = percpu_value(&hists);
	if (!mine)
		return 0;
	hist = &mine->op[op == EXT4_SPLICE ? EXT4_READ : op];
	/* The clock is monotonic, but a stale start must not become 585 years. */
	slot = now_ns > start_ns ? slot_of(now_ns - start_ns) & (HIST_SLOTS - 1) : 0;
	if (result == -EIOCBQUEUED)
		__sync_fetch_and_add(&hist->queued, 1);
	else if (result == -EAGAIN)
		__sync_fetch_and_add(&hist->again, 1);
	else
		__sync_fetch_and_add(&hist->slots[slot], 1);
	return 0;
}

/* wanted: which calls, by the first argument. */
#define TIMED_PROBE(stem, op, wanted, wanted_typed)                                          \
	SEC("fentry")                                                                              \
	int stem##__fentry(__u64 *ctx)                                                             \
	{                                                                                          \
		if (wanted_typed(ctx[0]))                                                          \
			begin(op);                                                                 \
		return 0;                                                                          \
	}                                                                                          \
	SEC("fexit")                                                                               \
	int stem##__fexit(__u64 *ctx)                                                        \
	{                                                                                          \
		return end(op, probe_result(ctx));                                                         \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int stem##__kprobe(struct pt_regs *ctx)                                                    \
	{                                                                                          \
		if (wanted(PT_REGS_PARM1(ctx)))                                                    \
			begin(op);                                                                 \
		return 0;                                                                          \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int stem##__kretprobe(struct pt_regs *ctx)                                                 \
	{                                                                                          \
		return end(op, PT_REGS_RC(ctx));                                                   \
	}                                                                                          \
	SEC("session")                                                                             \
	int stem##__session(struct pt_regs *ctx)                                                   \
	{                                                                                          \
		if (is_return(ctx))                                                                \
			return end(op, PT_REGS_RC(ctx));                                           \
		return !(wanted(PT_REGS_PARM1(ctx)) && begin(op));                                 \
	}

#define ANY(argument) true

TIMED_PROBE(read, EXT4_READ, ANY, ANY)
TIMED_PROBE(write, EXT4_WRITE, ANY, ANY)
TIMED_PROBE(open, EXT4_OPEN, ANY, ANY)
TIMED_PROBE(fsync, EXT4_FSYNC, ANY, ANY)
TIMED_PROBE(splice, EXT4_SPLICE, ANY, ANY)

/*
 * Kernels whose ext4 has no read function of its own share one with all file systems: then the
 * file decides. The super block's magic number, not file->f_op: kptr_restrict hides the address
 * of ext4_file_operations.
 */
#define OF_EXT4(iocb)                                                                              \
	(BPF_CORE_READ((const struct kiocb *)(iocb), ki_filp, f_inode, i_sb, s_magic) ==           \
	 EXT4_SUPER_MAGIC)
#define OF_EXT4_TYPED(iocb)                                                                        \
	(((const struct kiocb *)(iocb))->ki_filp->f_inode->i_sb->s_magic == EXT4_SUPER_MAGIC)

TIMED_PROBE(generic_read, EXT4_READ, OF_EXT4, OF_EXT4_TYPED)
