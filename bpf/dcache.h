/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What dcache.bpf.h finds out, and dcstat.bpf.c counts. */
#ifndef FSTRACE_BPF_DCACHE_H
#define FSTRACE_BPF_DCACHE_H

#include <linux/types.h>

enum lookup_type {
	LOOKUP_MISS,		/* not in the cache: the file system was asked */
	LOOKUP_FOUND,
	LOOKUP_NEGATIVE,	/* in the cache, as a name that does not exist */
};

/*
 * Look-ups of one CPU by enum lookup_type: those that the fast path answered, and those that took
 * the slow one. Only counts up.
 */
struct dcache_counts {
	__u64 fast[4], slow[4];
} __attribute__((aligned(64)));

#endif
