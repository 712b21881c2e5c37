/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From what is known of a kernel to what is attached where and how. Pure: no file is read and
 * nothing is printed but by plan_explain().
 */
#ifndef FSTRACE_TRACE_PLAN_H
#define FSTRACE_TRACE_PLAN_H

#include "core/trace/facts.h"

/* What becomes of one probe in an attempt. */
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
 * The mechanisms to try, in order, at most MECHANISMS of them. An fentry program is not run for a
 * task that has preempted another inside it, as the kernel takes that for a recursion: on kernels
 * that preempt, sessions come first. They cost more.
 */
size_t plan_order(const struct facts *facts, enum attach_mode attach,
		  enum mechanism order[MECHANISMS]);

/*
 * Decides for each probe of facts->set: the best function there is, by `mechanism`; where that
 * function cannot be had so, and the mechanism was not forced, by kprobe. steps has room for all
 * probes. Returns 0; -EAGAIN: kallsyms must be read first (facts_read_symbols()); or another
 * -errno, and *refusal says why.
 */
int plan_attempt(const struct facts *facts, enum mechanism mechanism, enum attach_mode attach,
		 struct step *steps, struct refusal *refusal);

/* The reason of a refusal, for a message: "its BTF lacks 'lookup_fast'". Into a static buffer. */
const char *plan_reason(const struct facts *facts, enum mechanism mechanism,
			const struct refusal *refusal);

/* Says why no attempt is possible: one error, and hints. */
void plan_explain(const struct facts *facts, enum mechanism mechanism, enum attach_mode attach,
		  const struct refusal *refusal);

#endif
