/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Modes of filter.bpf.h, and the patterns that names of threads are compared with. */
#ifndef FSTRACE_BPF_FILTER_H
#define FSTRACE_BPF_FILTER_H

#include <linux/types.h>

enum filter_mode {
	FILTER_ONE = 1,		/* of these two one at most */
	FILTER_LIST = 2,
	FILTER_NUMBERS = 4,	/* the user sees other numbers than the kernel's */
	FILTER_THREADS = 8,	/* FILTER_ONE and FILTER_LIST are of threads */
	FILTER_FOLLOWED = 16,	/* a command and its descendants */
	FILTER_USER = 32,
	FILTER_COMM = 64,
	FILTER_CGROUP = 128,
};

#define FILTER_COMM_MAX 15	/* characters in the name of a thread */

/*
 * A pattern of N elements (characters, ? or [...]) as a machine that is in several states at once:
 * bit I is set when I elements have been matched. It has no branches, so neither has a program.
 */
struct filter_comm {
	__u16 accepts[256];	/* bit I: element I accepts that character */
	__u16 stays;		/* bit I: * stands before element I, or behind the last */
	__u16 end;		/* bit N */
};

/* Whether a name of `size` bytes, ended by a zero if it is shorter, matches. */
static inline __attribute__((always_inline)) __u32
filter_comm_matches(const volatile struct filter_comm *comm, const char *name, int size)
{
	__u32 states = 1;

#pragma GCC unroll 16
	for (int i = 0; i < size; i++) {
		__u8 character = name[i];

		if (!character)
			break;
		states = (states & comm->accepts[character]) << 1 | (states & comm->stays);
	}
	return states & comm->end;
}

#endif
