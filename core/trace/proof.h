/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An attached kprobe may never run: an administrator can switch all of them off
 * (/sys/kernel/debug/kprobes/enabled). So one is attached to a function that we then call, which
 * proves that they run. (fentry and sessions need only ftrace: environment_check().)
 */
#ifndef FSTRACE_TRACE_PROOF_H
#define FSTRACE_TRACE_PROOF_H

#include <stdbool.h>

#include "core/trace/account.h"
#include "core/trace/probe.h"

/* A row for the end of each set of probes; attached where any other of the set is by kprobe. */
extern const struct probe proof_probe;

/* Whether kprobes are known to be switched off; false if debugfs does not say. */
bool proof_is_off(void);

/*
 * With the probe attached: calls its function. Returns 0, or -ENODEV after a message that
 * kprobes do not run.
 */
int proof_check(const struct accounts *accounts);

#endif
