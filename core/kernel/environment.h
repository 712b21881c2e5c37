/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether this machine lets us trace, and if not, why and what to do. */
#ifndef FSTRACE_CORE_KERNEL_ENVIRONMENT_H
#define FSTRACE_CORE_KERNEL_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

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

/*
 * Whether `pid` is a process that can be traced; says why not. (A thread's id is not: the hint
 * names its process.) 0 stands for all. Returns 0 or -ESRCH.
 */
int environment_check_pid(uint32_t pid);

/* The PID namespace we are in, as BPF programs ask for it; false, nothing set: the initial one. */
bool environment_pid_namespace(uint64_t *dev, uint64_t *ino);

#endif
