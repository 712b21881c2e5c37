/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reports on stderr what tracing missed: the sum of the kernel side's struct account. */
#ifndef FSTRACE_CORE_TRACE_ACCOUNT_H
#define FSTRACE_CORE_TRACE_ACCOUNT_H

#include <stdbool.h>

#include "bpf/event.h"
#include "core/kernel/percpu.h"

struct bpf_object;

struct accounts {
	struct percpu counters;
	unsigned long long told_events;	/* losses reported so far */
	bool is_frozen;
	struct account frozen;
};

/* The object must be loaded. Returns 0 or, after a message, -errno. */
int accounts_open(struct accounts *accounts, const struct bpf_object *object);
void accounts_close(struct accounts *accounts);

/* Tells of events lost since the last time. To be called once a second at most. */
void accounts_tell_lost(struct accounts *accounts);

/*
 * Calls that were missed as the kernel refused to run a program: fentry and fexit when they were
 * running on that CPU already, the others when any BPF program, or a system call on a BPF map, was.
 * It counts runs, so of a call with two programs each may be refused, or both. And it counts those
 * of all processes, whichever are asked for.
 */
struct refused_calls {
	unsigned long long least, most;
	bool of_all;		/* more processes than those asked for: of these, `least` is 0 */
	bool forced;		/* the user forced an attach mode; another one may miss less */
};

/* Adds the runs refused to the programs of one function, at its entry and at its return. */
void refused_calls_add(struct refused_calls *calls, unsigned long long entries,
		       unsigned long long returns);

/* From here on all sums are those of now. */
void accounts_freeze(struct accounts *accounts);

/* At the end: totals of all kinds of loss, each on a line of its own, none if there are none. */
void accounts_tell_all(struct accounts *accounts, const struct refused_calls *refused);

/* How often the proof's program has run (core/trace/proof.h). */
unsigned long long accounts_proofs(const struct accounts *accounts);

#endif
