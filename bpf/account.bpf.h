/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What could not be seen or sent is counted here, and told by user space (core/account.c). */
#ifndef FSTRACE_BPF_ACCOUNT_BPF_H
#define FSTRACE_BPF_ACCOUNT_BPF_H

#include <bpf/bpf_helpers.h>
#include "event.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct account);
} account SEC(".maps");

/* Atomic, although per CPU: a tracing program may be preempted by another. */
#define account_add(member)                                                                        \
	do {                                                                                       \
		__u32 zero_ = 0;                                                                   \
		struct account *account_ = bpf_map_lookup_elem(&account, &zero_);                  \
                                                                                                   \
		if (account_)                                                                      \
			__sync_fetch_and_add(&account_->member, 1);                                \
	} while (0)

#endif
