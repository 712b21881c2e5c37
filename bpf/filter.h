/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Modes of filter.bpf.h. */
#ifndef FSTRACE_BPF_FILTER_H
#define FSTRACE_BPF_FILTER_H

enum filter_mode {
	FILTER_ONE = 1,
	FILTER_LIST = 2,
	FILTER_NUMBERS = 4,	/* the user sees other numbers than the kernel's */
};

#endif
