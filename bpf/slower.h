/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What slower.bpf.c sends, and what it has to know of an operation. */
#ifndef FSTRACE_BPF_SLOWER_H
#define FSTRACE_BPF_SLOWER_H

#include "event.h"
#include "path.h"

/* CALLS_DATA of its functions. */
#define SLOWER_DATA(fs, op) ((fs) | (op) << 8)
#define SLOWER_FS(data) ((data) & 0xff)
#define SLOWER_OP(data) ((data) >> 8 & 0xff)
#define SLOWER_POSITION 0x10000	/* the argument after the subject points to the offset */
#define SLOWER_BYTES 0x20000	/* returns a number of bytes, a long */
#define SLOWER_POINTER 0x40000	/* returns a pointer, on some kernels */

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
