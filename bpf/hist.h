/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The latency histogram of one operation, as the kernel side counts it (core/show/hist.h reads it).
 *
 * Buckets are of nanoseconds, 16 for each doubling, so none is wider than a fifteenth of its values
 * (and its middle no further than a thirtieth from any). What is printed by default are powers of
 * two of the unit, and those must be exact sums of buckets: so doublings begin at multiples of the
 * unit's odd part. 1000 is 125 * 2^3: from 125 ns on, borders at 125 * 2^n ns meet all 1000 * 2^n.
 * 1000000 is 15625 * 2^6: for milliseconds borders are at 15625 * 2^n from there on, and as for
 * microseconds below. For nanoseconds, powers of two.
 *
 *   a value v in [base * 2^n, base * 2^(n+1))	x = v >> n, in [base, 2 * base)
 *						bucket 16 * n + ((x - base) >> shift), 0 to 15
 *
 * Below the base, the same with n = 0: steps as in the first doubling. What is longer than some hours
 * (20 minutes, counted in nanoseconds) has one bucket for a doubling.
 */
#ifndef FSTRACE_BPF_HIST_H
#define FSTRACE_BPF_HIST_H

#include <linux/types.h>

enum hist_unit { HIST_US, HIST_MS, HIST_NS, HIST_UNITS };

/* Of a scale's base and shift: base >> shift is 15 or 16. */
#define HIST_BASE_NS 16
#define HIST_SHIFT_NS 0
#define HIST_BASE_US 125
#define HIST_SHIFT_US 3
#define HIST_BASE_MS 15625
#define HIST_SHIFT_MS 10

#define HIST_STEPS 16			/* buckets of a doubling */
#define HIST_FIRST_MS (8 * HIST_STEPS)	/* the bucket that begins at HIST_BASE_MS */
#define HIST_COARSE (37 * HIST_STEPS)	/* from here on, a bucket for each doubling */
#define HIST_BUCKETS (HIST_COARSE + 24)

/*
 * The counts of one CPU. They only go up, so what user space shows is a difference of two readings;
 * but see max_ns.
 */
struct hist_counts {
	__u64 sum_ns;
	/*
	 * The longest; and of the shortest, all bits turned. User space sets both to 0 when it
	 * reads. Where a task is preempted between comparing and setting, the other's is lost.
	 */
	__u64 max_ns, not_min_ns;
	__u64 queued;		/* returned -EIOCBQUEUED, and has not completed yet */
	__u64 again;		/* -EAGAIN: a try that must not block, and will be repeated */
	__u64 pad[3];
	__u64 buckets[HIST_BUCKETS];
};

/* Nothing; but a branch stays one, where clang would make two of it, for each assignment one. */
#if defined(__bpf__)
#define HIST_BRANCH(a, b) asm volatile("" : "+r"(a), "+r"(b))
#else
#define HIST_BRANCH(a, b) (void)0
#endif

#define HIST_HALVE(bits, steps)                                                                    \
	if (ns >= base << (bits)) {                                                                \
		HIST_BRANCH(ns, bucket);                                                           \
		ns >>= (bits);                                                                     \
		bucket += (bits) * (steps);                                                        \
	}
#define HIST_HALVE_31(steps)                                                                       \
	HIST_HALVE(16, steps)                                                                      \
	HIST_HALVE(8, steps)                                                                       \
	HIST_HALVE(4, steps)                                                                       \
	HIST_HALVE(2, steps)                                                                       \
	HIST_HALVE(1, steps)

/* The bucket of a value on one scale; `bucket` is the one that begins at `base`. */
static inline __attribute__((always_inline)) __u64 hist_bucket_on(__u64 ns, __u64 base, int shift,
								  __u64 bucket)
{
	const int doublings = (HIST_COARSE - bucket) / HIST_STEPS;

	if (ns >= base << (doublings < 32 ? doublings : 32)) {
		if (ns >= base << doublings) {
			ns >>= doublings;
			bucket = HIST_COARSE;
			HIST_HALVE_31(1)
			return bucket;
		}
		HIST_BRANCH(ns, bucket);
		ns >>= 32;
		bucket += 32 * HIST_STEPS;
	}
	HIST_HALVE_31(HIST_STEPS)
	return bucket + ((__s64)(ns - base) >> shift);
}

/* The bucket of a value. */
static inline __attribute__((always_inline)) __u64 hist_bucket(enum hist_unit unit, __u64 ns)
{
	if (unit == HIST_NS)
		return hist_bucket_on(ns, HIST_BASE_NS, HIST_SHIFT_NS, HIST_STEPS);
	if (unit == HIST_MS) {
		HIST_BRANCH(ns, ns);
		if (ns >= HIST_BASE_MS)
			return hist_bucket_on(ns, HIST_BASE_MS, HIST_SHIFT_MS, HIST_FIRST_MS);
	}
	return hist_bucket_on(ns, HIST_BASE_US, HIST_SHIFT_US, HIST_STEPS);
}

#endif
