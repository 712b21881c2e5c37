/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What tracing did not see, told on stderr: the sum of the kernel side's struct account. */
#ifndef FSTRACE_CORE_TRACE_ACCOUNT_H
#define FSTRACE_CORE_TRACE_ACCOUNT_H

#include <stdbool.h>

#include "core/kernel/percpu.h"

struct bpf_object;
struct probes;

struct accounts {
	struct percpu counters;
	unsigned long long told_events;	/* losses told so far */
};

/* The object must be loaded. Returns 0 or, after saying why, -errno. */
int accounts_open(struct accounts *accounts, const struct bpf_object *object);
void accounts_close(struct accounts *accounts);

/* Tells of events lost since the last time. To be called once a second at most. */
void accounts_tell_lost(struct accounts *accounts);

/* At the end: totals of all kinds of loss, each on a line of its own, none if there are none. */
void accounts_tell_all(struct accounts *accounts, const struct probes *probes);

#endif
