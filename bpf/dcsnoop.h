/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What dcsnoop.bpf.c sends. */
#ifndef FSTRACE_BPF_DCSNOOP_H
#define FSTRACE_BPF_DCSNOOP_H

#include "dcache.h"
#include "event.h"

/* NAME_MAX of most file systems; a few have longer names, and any path may ask for one. */
#define NAME_SIZE_MAX 255

struct dcsnoop_event {
	struct event_header header;
	__u8 type;		/* enum lookup_type */
	__u8 name_len;		/* 0: it is longer than NAME_SIZE_MAX, and cut after that */
	char name[];		/* so many bytes, not ended */
};

/*
 * A ring buffer record's size must be a constant, so there are three: most names fit the first.
 * Each is a multiple of 8, as the ring buffer rounds up to that.
 */
#define DCSNOOP_NAME_OFFSET 34
#define DCSNOOP_SMALL 56
#define DCSNOOP_MEDIUM 104
#define DCSNOOP_LARGE 296

_Static_assert(__builtin_offsetof(struct dcsnoop_event, name) == DCSNOOP_NAME_OFFSET, "padding");

#endif
