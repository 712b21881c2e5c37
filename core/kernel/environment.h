/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether this machine lets us trace, and if not, why and what to do. */
#ifndef FSTRACE_CORE_KERNEL_ENVIRONMENT_H
#define FSTRACE_CORE_KERNEL_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Lifts the soft limit of open files to the hard one. Returns 0, or -errno after saying that so
 * few files are not enough for any tracing.
 */
int environment_allow_files(void);

/*
 * What can be told before trying: capabilities, lockdown, ftrace switched off. Returns 0, or
 * -errno after saying in one line what is wrong.
 */
int environment_check(void);

/* Says that `what` 'subject' failed with -errno `err`, with the likely reason. */
void environment_explain(const char *what, const char *subject, int err);

/*
 * Whether this boot's tasks can be preempted in the kernel: 1, 0, or -ENOENT if it does not tell
 * (debugfs is not mounted or not for us, or the kernel has but one model).
 */
int environment_preempts(void);

/* Whether a module of that name is loaded, or built in with a trace of it in /sys/module. */
bool environment_has_module(const char *module);

#endif
