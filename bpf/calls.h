/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The functions of file systems that are traced: what bpf/calls.bpf.h and core/operation/plan.c
 * agree on.
 */
#ifndef FSTRACE_BPF_CALLS_H
#define FSTRACE_BPF_CALLS_H

/*
 * A pair is one operation of one file system, and one of the functions that carry it out:
 * operation << CALLS_FUNCTION_BITS | function.
 */
#define CALLS_FUNCTION_BITS 6
#define CALLS_FUNCTIONS_MAX (1 << CALLS_FUNCTION_BITS)
#define CALLS_OPERATIONS_MAX (1 << (16 - CALLS_FUNCTION_BITS))

/* The constants of a template: probe_constant(). */
#define CALLS_DATA 0		/* what the object itself needs of the operation */
#define CALLS_PAIR 1
#define CALLS_MAGIC 2		/* CALLS_..._OF_SB: super_block.s_magic */
#define CALLS_WANTED 3		/* which calls are traced: enum calls_wanted, and the bits below */
#define CALLS_SUBJECT 4		/* which argument leads to the file: CALLS_SUBJECT_OF() */

/*
 * Names as in core/filesystem/filesystem.h, which describes the arguments. The OF_SB ones come
 * after all others.
 */
enum calls_wanted {
	CALLS_ALL,
	CALLS_FILE_OPEN,
	CALLS_ATOMIC_OPEN,
	CALLS_UNLINK_OR_RMDIR,
	CALLS_SETATTR_OR_TRUNCATE,
	CALLS_OF_SB,
	CALLS_KIOCB_OF_SB = CALLS_OF_SB,
	CALLS_FILE_OF_SB,
	CALLS_OUT_FILE_OF_SB,
	CALLS_INODE_OF_SB,
	CALLS_DENTRY_OF_SB,
	CALLS_IDMAP_DENTRY_OF_SB,
	CALLS_PATH_OF_SB,
	CALLS_FAULT_OF_SB,
	CALLS_OPEN_OF_SB,
};

#define CALLS_MASK 0xff
/* Of a function that carries out two operations: FS_RMDIR, FS_TRUNCATE, FS_CREATE; not the other. */
#define CALLS_SECOND 0x100
/* FS_OUTER: does not count if a call inside it has been counted for the same operation. */
#define CALLS_OUTER 0x200
/* FS_MMAP_FAULT: its result is of enum vm_fault_reason. */
#define CALLS_FAULT 0x400

/* What that argument is. */
enum calls_subject {
	SUBJECT_KIOCB,
	SUBJECT_FILE,
	SUBJECT_OPENED,		/* a file whose f_inode is not set yet */
	SUBJECT_PATH,
	SUBJECT_DENTRY,
	SUBJECT_FAULT,		/* vm_fault */
};

/* Its kind and its number among the arguments. */
#define CALLS_SUBJECT_OF(kind, number) ((kind) | (number) << 4)
#define CALLS_SUBJECT_KIND(subject) ((subject) & 0xf)
#define CALLS_SUBJECT_NUMBER(subject) ((subject) >> 4 & 3)
#define CALLS_SUBJECT_IDMAP 0x40	/* behind an idmap, where the kernel passes one */

#endif
