/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What dcsnoop.bpf.c sends. */
#ifndef FSTRACE_BPF_DCSNOOP_H
#define FSTRACE_BPF_DCSNOOP_H

#include "dcache.h"
#include "event.h"
#include "path.h"

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

/* What an event is to be or to have beyond the default. */
enum dcsnoop_special {
	SPECIAL_MISSING = 1,	/* names that do not exist */
	SPECIAL_DETAILS = 2,	/* struct dcsnoop_details */
	SPECIAL_PATH = 4,	/* with a path */
};

/* An event with what further columns show. */
#define DCSNOOP_FS_SIZE 16

struct dcsnoop_details {
	struct event_header header;
	__u32 uid;
	__u32 device;			/* of the directory's superblock: major << 20 | minor */
	char fs[DCSNOOP_FS_SIZE];	/* its type; ended by 0, cut after 15 bytes */
	__u8 type;
	__u8 name_len;			/* as in struct dcsnoop_event */
	char name[NAME_SIZE_MAX + 7];	/* with padding */
	struct path_text path;		/* if that is asked for: of the directory, and the name */
};

/* Of one without a path; it is a multiple of 8. */
#define DCSNOOP_DETAILS __builtin_offsetof(struct dcsnoop_details, path)

_Static_assert(DCSNOOP_DETAILS % 8 == 0, "padding");
_Static_assert(sizeof(struct dcsnoop_details) % 8 == 0, "padding");
_Static_assert(__builtin_offsetof(struct dcsnoop_event, name) == DCSNOOP_NAME_OFFSET, "padding");

#endif
