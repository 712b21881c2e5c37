// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The time from entry to return of functions of file systems, counted in histograms. */
#include "hist.h"
#include <linux/types.h>

struct async {
	__u64 start_ns;
	__u64 row;		/* of the histogram */
};

#define FRAME_SECOND	/* with --by of files: by_subject() */
#include "calls.bpf.h"
#define BY_COUNTS struct hist_counts
#include "by_calls.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/*
 * A histogram is of one operation of one file system, and has a row for each CPU, by its number, one
 * after the other. CALLS_DATA is the first. With --by these have what has no row of its own.
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

#define OF_KEY (1ULL << 32)	/* a row of by_counts */

/* The current call's row, as in struct async. */
static __always_inline __u64 current_row(__u64 subject)
{
	int row = by ? by_row(probe_constant(CALLS_DATA), subject, by_is_file()) : -1;

	return row < 0 ? probe_constant(CALLS_DATA) : OF_KEY | (__u32)row;
}

/* A histogram, or this CPU's part of it. */
static __always_inline struct hist_counts *hist_of(__u64 row)
{
	__u32 number = row;

	if (by && row & OF_KEY)
		return bpf_map_lookup_elem(&by_counts, &number);
	number += bpf_get_smp_processor_id();
	return bpf_map_lookup_elem(&hists, &number);
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
	struct hist_counts *hist = hist_of(async->row);

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
	if (by & BY_PLACE)
		frame->second = by_subject(ctx, !how.by_kprobe);
}

static __always_inline void call_returned(const struct returned *call)
{
	__u64 row = current_row(call->second);
	struct hist_counts *hist = hist_of(row);

	if (!hist)
		return;
	if (has_failed(call)) {
		if ((int)call->result == -EIOCBQUEUED) {
			struct async async = {
				.start_ns = call->end_ns - call->ns,
				.row = row,
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
