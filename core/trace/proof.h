/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A kprobe can be attached and never run: an administrator can switch them all off
 * (/sys/kernel/debug/kprobes/enabled). So one of our own, on a function that we then call, proves
 * that they do. (fentry and sessions need ftrace alone: environment_check().)
 */
#ifndef FSTRACE_TRACE_PROOF_H
#define FSTRACE_TRACE_PROOF_H

#include "core/trace/account.h"
#include "core/trace/probe.h"

/* A row for the end of each set of probes; attached where any other of the set is by kprobe. */
extern const struct probe proof_probe;

/*
 * With the probe attached: calls its function. Returns 0, or -ENODEV after saying that kprobes do
 * not run.
 */
int proof_check(const struct accounts *accounts);

#endif
