/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Asynchronous reads and writes: from the return that says "queued" to the call that completes the
 * kiocb. The includer first defines `struct async`, what it remembers of a queued one, which begins
 * with start_ns; and says what becomes of one that has completed: async_ended().
 */
#ifndef FSTRACE_BPF_ASYNC_BPF_H
#define FSTRACE_BPF_ASYNC_BPF_H

#include "probe.bpf.h"
#include "account.bpf.h"

#define EAGAIN 11		/* include/uapi/asm-generic/errno-base.h */
#define EOPNOTSUPP 95		/* include/uapi/asm-generic/errno.h */
#define EIOCBQUEUED 529		/* include/linux/errno.h */
#define IOCB_DIRECT (1 << 17)	/* include/linux/fs.h, since 5.10 */
#define IOCB_WAITQ (1 << 19)

/* By kiocb: those that have returned -EIOCBQUEUED. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u64);
	__type(value, struct async);
} async_queued SEC(".maps");

struct completion {
	__u64 time_ns;
	__s64 result;
	__u64 file;		/* async_file() of its kiocb */
};

/* By kiocb: those not in the map above. One may complete before it returns that it is queued. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct completion);
} async_completed SEC(".maps");

/* The includer's: one that was queued has completed. */
static __always_inline void async_ended(const struct async *async,
					const struct completion *completion);
/* The file, if the includer needs it. */
static __always_inline __u64 async_file(__u64 kiocb);

/* io_uring without waiting, where that is impossible: it tries again. */
static __always_inline bool async_is_tried_again(__s64 result)
{
	return result == -EAGAIN || result == -EOPNOTSUPP;
}

/* A completion of this call of `kiocb`, if there has been one; others may have had it before. */
static __always_inline struct completion *async_completion(__u64 kiocb, __u64 start_ns)
{
	struct completion *completion = bpf_map_lookup_elem(&async_completed, &kiocb);

	return completion && completion->time_ns >= start_ns ? completion : NULL;
}

/*
 * A call has returned that it will complete later. Returns its completion if that has come already.
 * Of this and a completion at the same time, the one that takes the entry away counts. Looks for a
 * completion before making the entry, too: then the kiocb may already be used for another call.
 */
static __always_inline const struct completion *async_queue(__u64 kiocb, const struct async *async)
{
	const struct completion *completion = async_completion(kiocb, async->start_ns);

	if (completion)
		return completion;
	if (bpf_map_update_elem(&async_queued, &kiocb, async, BPF_ANY)) {
		account_add(lost_threads);
		return NULL;
	}
	completion = async_completion(kiocb, async->start_ns);
	if (!completion || bpf_map_delete_elem(&async_queued, &kiocb))
		return NULL;
	return completion;
}

static __always_inline int async_complete(__u64 kiocb, int result)
{
	struct completion completion = {
		.time_ns = bpf_ktime_get_ns(),
		.result = result,
		.file = async_file(kiocb),
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
		async_ended(&copy, &completion);
	return 0;
}

/*
 * io_uring's read of a page that is not there yet also returns "queued", but nothing completes it:
 * io_uring reads again when the page is there. Until then the kiocb stays as it is; but another CPU
 * may already have cleared the flag, as the page has come (io_async_buf_func()). Then it still waits
 * with a queue of its own: the request, which begins with the kiocb.
 */
static __always_inline bool async_is_retried(__u64 address)
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

#endif
