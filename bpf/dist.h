/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Histograms of the operations of file systems: what bpf/dist.bpf.c and applets/dist.c agree on. */
#ifndef FSTRACE_BPF_DIST_H
#define FSTRACE_BPF_DIST_H

#include "hist.h"

/*
 * A histogram is of one operation of one file system, and has a row of the map `hists` for each
 * CPU, by its number, one after the other.
 *
 * A pair is one of these operations and one of the functions that carry it out:
 * operation << DIST_FUNCTION_BITS | function.
 */
#define DIST_FUNCTION_BITS 6
#define DIST_FUNCTIONS_MAX (1 << DIST_FUNCTION_BITS)
#define DIST_OPERATIONS_MAX (1 << (16 - DIST_FUNCTION_BITS))

/* The constants of a template: probe_constant(). */
#define DIST_HIST 0		/* the first row of the operation's histogram */
#define DIST_PAIR 1
#define DIST_MAGIC 2		/* DIST_..._OF_SB: super_block.s_magic */
#define DIST_CALLS 3		/* which calls are traced: enum dist_calls, and the bits below */

/*
 * Names as in core/filesystem/filesystem.h, which describes the arguments. The OF_SB ones come
 * after all others.
 */
enum dist_calls {
	DIST_ALL,
	DIST_FILE_OPEN,
	DIST_ATOMIC_OPEN,
	DIST_UNLINK_OR_RMDIR,
	DIST_SETATTR_OR_TRUNCATE,
	DIST_OF_SB,
	DIST_KIOCB_OF_SB = DIST_OF_SB,
	DIST_FILE_OF_SB,
	DIST_OUT_FILE_OF_SB,
	DIST_INODE_OF_SB,
	DIST_DENTRY_OF_SB,
	DIST_IDMAP_DENTRY_OF_SB,
	DIST_PATH_OF_SB,
	DIST_FAULT_OF_SB,
	DIST_OPEN_OF_SB,
};

#define DIST_CALLS_MASK 0xff
/* Of a function that carries out two operations: FS_RMDIR, FS_TRUNCATE, FS_CREATE; not the other. */
#define DIST_SECOND 0x100
/* FS_OUTER: does not count if a call inside it has been counted for the same operation. */
#define DIST_OUTER 0x200
/* FS_MMAP_FAULT: its result is of enum vm_fault_reason. */
#define DIST_FAULT 0x400

#endif
