/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counts what could not be seen or sent; user space reports it (core/trace/account.c). */
#ifndef FSTRACE_BPF_ACCOUNT_BPF_H
#define FSTRACE_BPF_ACCOUNT_BPF_H

#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include "event.h"
#include "percpu.bpf.h"

PERCPU_MAP(account, struct account);

/* Count entries and returns of calls, to find out what kretprobes miss. */
const volatile bool count_calls;

#define account_add(member) account_add_many(member, 1)

#define account_add_many(member, many)                                                             \
	do {                                                                                       \
		struct account *account_ = percpu_value(&account);                                 \
                                                                                                   \
		if (account_)                                                                      \
			__sync_fetch_and_add(&account_->member, many);                                \
	} while (0)

/* Shows that kprobes fire (core/trace/proof.h). */
SEC("kprobe")
int proof__kprobe(struct pt_regs *ctx)
{
	account_add(proofs);
	return 0;
}

#endif
