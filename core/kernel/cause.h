/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why the kernel refused something. An error number has many causes, and the remedy depends on the
 * cause. The circumstances are read from the system; the choice is a pure function of them.
 */
#ifndef FSTRACE_CORE_KERNEL_CAUSE_H
#define FSTRACE_CORE_KERNEL_CAUSE_H

#include <stdbool.h>

/*
 * include/linux/errno.h: not for user space, yet seen there. arm64 before 6.4 says so when something
 * is attached by fentry, for which it has no trampolines.
 */
#define ENOTSUPP 524

struct circumstances {
	bool user_namespace;		/* not the initial one: its root has power over nothing here */
	bool sys_admin;			/* CAP_SYS_ADMIN */
	bool no_bpf;			/* bpf() itself is refused, or not there */
	bool seccomp;			/* a filter is set */
	bool no_sys;			/* /sys is not mounted */
	bool no_kprobes;		/* the kernel has none */
	bool arm64;
	bool counts_memory;		/* BPF counts as locked memory (before 5.11) */
	bool memory_is_limited;		/* ulimit -l */
	int paranoid;			/* kernel.perf_event_paranoid; 0: not there */
	unsigned long long files_max;	/* ulimit -n */
};

void circumstances_read(struct circumstances *circumstances);

struct cause {
	const char *reason;	/* replaces the error's own text */
	char hint[200];		/* what to do */
};

/* Of -errno `err`. */
void cause_find(int err, const struct circumstances *circumstances, struct cause *cause);

#endif
