// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The time from entry to return of functions of file systems, counted in histograms. */
#include "hist.h"
#include <linux/types.h>

struct async {
	__u64 start_ns;
	__u64 first;		/* row of the histogram */
};

#include "calls.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/*
 * A histogram is of one operation of one file system, and has a row for each CPU, by its number, one
 * after the other. CALLS_DATA is the first.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* user space knows how many */
	__type(key, __u32);
	__type(value, struct hist_counts);
} hists SEC(".maps");

const volatile __u32 hist_unit;		/* enum hist_unit */
const volatile bool failed_only;	/* count what failed */

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

static __always_inline void async_ended(const struct async *async,
					const struct completion *completion)
{
	struct hist_counts *hist = hist_of(async->first);

	if (!hist)
		return;
	__sync_fetch_and_add(&hist->queued, -1);
	if (async_is_tried_again(completion->result))
		__sync_fetch_and_add(&hist->again, 1);
	else if (!failed_only || completion->result < 0)
		hist_add(hist, completion->time_ns - async->start_ns);
}

static __always_inline __u64 async_file(__u64 kiocb)
{
	return 0;
}

static __always_inline void call_began(struct frame *frame, const void *ctx, struct how how)
{
}

static __always_inline void call_returned(const struct returned *call)
{
	struct hist_counts *hist = hist_of(probe_constant(CALLS_DATA));

	if (!hist)
		return;
	if (has_failed(call)) {
		if ((int)call->result == -EIOCBQUEUED) {
			struct async async = {
				.start_ns = call->end_ns - call->ns,
				.first = probe_constant(CALLS_DATA),
			};

			if (call->how.is_iocb && async_is_retried(kiocb_of(call))) {
				__sync_fetch_and_add(&hist->again, 1);
				return;
			}
			__sync_fetch_and_add(&hist->queued, 1);
			if (call->how.is_iocb) {
				const struct completion *completion =
					async_queue(kiocb_of(call), &async);

				if (completion)
					async_ended(&async, completion);
			}
			return;
		}
		if ((int)call->result == -EAGAIN) {
			__sync_fetch_and_add(&hist->again, 1);
			return;
		}
	} else if (failed_only && !is_failed_fault(call->result)) {
		return;
	}
	hist_add(hist, call->ns);
}

TEMPLATE(call, false)
TEMPLATE(iocb, true)
