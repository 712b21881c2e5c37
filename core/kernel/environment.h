/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whether this system allows tracing; if not, why, and what to do. */
#ifndef FSTRACE_CORE_KERNEL_ENVIRONMENT_H
#define FSTRACE_CORE_KERNEL_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Lifts the soft limit of open files to the hard one. Returns 0, or -errno after a message that
 * this is too few for any tracing.
 */
int environment_allow_files(void);

/*
 * Checks what can be known before trying: capabilities, lockdown, ftrace switched off. Returns 0,
 * or -errno after a message that says what is wrong.
 */
int environment_check(void);

/* Reports that `what` 'subject' failed with -errno `err`, and the likely reason. */
void environment_explain(const char *what, const char *subject, int err);

/*
 * Whether this boot's tasks can be preempted in the kernel: 1, 0, or -ENOENT if that is
 * unknown (debugfs is not mounted or not readable, or the kernel has only one model).
 */
int environment_preempts(void);

/* Whether a module of that name is loaded, or built in and listed in /sys/module. */
bool environment_has_module(const char *module);

/* Whether a module of that name is loaded: not built in. */
bool environment_is_loaded(const char *module);

/* Whether we are in the initial PID namespace, which lasts for as long as the kernel runs. */
bool environment_is_initial_pid_namespace(void);

#endif
