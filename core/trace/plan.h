/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decides, from the facts about a kernel, what is attached where and how. Pure: reads no file, and
 * only plan_explain() prints.
 */
#ifndef FSTRACE_TRACE_PLAN_H
#define FSTRACE_TRACE_PLAN_H

#include "core/trace/facts.h"

/* How one probe is attached in an attempt. */
struct step {
	const struct probe *probe;
	const struct candidate *candidate;	/* NULL: nothing to attach */
	const char *function;			/* as the kernel calls it: the name, or a clone's */
	uint64_t address;			/* 0: not known, attach by name */
	const struct btf_function *btf;
	enum mechanism mechanism;
};

/* Why an attempt is not possible. */
struct refusal {
	int err;		/* -errno; -EPROTOTYPE: unknown arguments */
	const struct probe *probe;	/* NULL: all */
};

/*
 * The mechanisms to try, in order, at most MECHANISMS of them. An fentry program does not run for a
 * task that has preempted another one inside it, as the kernel takes that for a recursion. So on
 * kernels that preempt, sessions, which cost more, are tried first.
 */
size_t plan_order(const struct facts *facts, enum attach_mode attach,
		  enum mechanism order[MECHANISMS]);

/*
 * Decides for each probe of facts->set: the best existing function, by `mechanism`; if that
 * mechanism cannot attach to it and was not forced, by kprobe. steps has room for all probes.
 * Returns 0; -EAGAIN: kallsyms must be read first (facts_read_symbols()); or another -errno, with
 * the reason in *refusal.
 */
int plan_attempt(const struct facts *facts, enum mechanism mechanism, enum attach_mode attach,
		 struct step *steps, struct refusal *refusal);

/*
 * What the steps cannot see on this kernel, as half a sentence; NULL: nothing is known to be missed.
 * `kretprobes`: whether programs are attached to returns by them.
 */
const char *plan_limit(const struct facts *facts, const struct step *steps, bool kretprobes);

/* The reason of a refusal, for a message: "its BTF lacks 'lookup_fast'". In a static buffer. */
const char *plan_reason(const struct facts *facts, enum mechanism mechanism,
			const struct refusal *refusal);

/* Reports why no attempt is possible: one error, and hints. */
void plan_explain(const struct facts *facts, enum mechanism mechanism, enum attach_mode attach,
		  const struct refusal *refusal);

#endif
