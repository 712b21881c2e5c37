/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The operations that ext4dist times; the numbers index its histograms. */
#ifndef FSTRACE_BPF_EXT4DIST_H
#define FSTRACE_BPF_EXT4DIST_H

#include "hist.h"

enum ext4_op {
	EXT4_READ,
	EXT4_WRITE,
	EXT4_OPEN,
	EXT4_FSYNC,
	EXT4_OPS,
	/* Timed as a read. On its own, as it may call the other read function. */
	EXT4_SPLICE = EXT4_OPS,
	EXT4_PROBES,
};

/* Those of one CPU. */
struct ext4dist_hists {
	struct hist op[EXT4_OPS];
} __attribute__((aligned(64)));

#endif
