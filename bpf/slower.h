/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What slower.bpf.c sends, and what it has to know of an operation. */
#ifndef FSTRACE_BPF_SLOWER_H
#define FSTRACE_BPF_SLOWER_H

#include "event.h"
#include "path.h"

/* What the argument is that leads to the file. */
enum slower_subject {
	SUBJECT_KIOCB,
	SUBJECT_FILE,
	SUBJECT_PATH,
	SUBJECT_DENTRY,
	SUBJECT_FAULT,		/* vm_fault */
};

/* CALLS_DATA of its functions. */
#define SLOWER_DATA(fs, op, subject, argument)                                                     \
	((fs) | (op) << 8 | (subject) << 16 | (argument) << 20)
#define SLOWER_FS(data) ((data) & 0xff)
#define SLOWER_OP(data) ((data) >> 8 & 0xff)
#define SLOWER_SUBJECT(data) ((data) >> 16 & 0xf)
#define SLOWER_ARGUMENT(data) ((data) >> 20 & 3)	/* its number */
#define SLOWER_IDMAP 0x400000		/* ... behind an idmap, where the kernel passes one */
#define SLOWER_POSITION 0x800000	/* the argument after it points to the offset */
#define SLOWER_BYTES 0x1000000		/* returns a number of bytes, a long */
#define SLOWER_POINTER 0x2000000	/* returns a pointer, on some kernels */

#define SLOWER_NAME_MAX 255

struct slower_event {
	struct event_header header;
	__u64 latency_ns;
	__s64 offset;		/* -1: none */
	__s64 result;		/* a number of bytes, or -errno */
	__u64 bytes;		/* read or written */
	__u8 fs, op;
	__u8 name_len;		/* 0: longer than SLOWER_NAME_MAX, and cut after that */
	char name[SLOWER_NAME_MAX + 6];	/* with padding */
	struct path_text path;	/* only if that is asked for */
};

/* Of an event without a path; it is a multiple of 8. */
#define SLOWER_SMALL __builtin_offsetof(struct slower_event, path)

_Static_assert(SLOWER_SMALL % 8 == 0, "padding");

/* What has no row, per CPU. */
struct slower_counts {
	__u64 queued;		/* asynchronous and not completed: a level */
	__u64 again;		/* tries that would have blocked */
} __attribute__((aligned(64)));

#endif
