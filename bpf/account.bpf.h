/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What could not be seen or sent is counted here, and told by user space (core/trace/account.c). */
#ifndef FSTRACE_BPF_ACCOUNT_BPF_H
#define FSTRACE_BPF_ACCOUNT_BPF_H

#include <stdbool.h>
#include <bpf/bpf_helpers.h>
#include "event.h"
#include "percpu.bpf.h"

PERCPU_MAP(account, struct account);

/* Count calls on their way in and out, to tell what kretprobes miss. */
const volatile bool count_calls;

#define account_add(member)                                                                        \
	do {                                                                                       \
		struct account *account_ = percpu_value(&account);                                 \
                                                                                                   \
		if (account_)                                                                      \
			__sync_fetch_and_add(&account_->member, 1);                                \
	} while (0)

/* Shows that kprobes do fire (core/trace/proof.h). */
SEC("kprobe")
int proof__kprobe(struct pt_regs *ctx)
{
	account_add(proofs);
	return 0;
}

#endif
