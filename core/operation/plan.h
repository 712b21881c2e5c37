/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From descriptions of file systems (core/filesystem/) to probes: what bpf/calls.bpf.h traces, for
 * every family of applets that is about operations of file systems.
 */
#ifndef FSTRACE_CORE_OPERATION_PLAN_H
#define FSTRACE_CORE_OPERATION_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/filesystem/filesystem.h"
#include "core/trace/probe.h"

struct tracer;

/* The operations that are traced by default. */
#define DEFAULT_OPS (1 << FS_READ | 1 << FS_WRITE | 1 << FS_OPEN | 1 << FS_FSYNC)

#define TARGET_NAME_SIZE 32
#define PROBE_NAME_SIZE 64

/* A type of file system that is traced. */
struct target {
	const struct filesystem *fs;
	char name[TARGET_NAME_SIZE];	/* as it is shown */
	uint32_t magic;
	bool mounted;
	unsigned int mounts;		/* how many there are; one: */
	char mount[256];		/* where */
};

/* One operation of one type. */
struct operation {
	const struct target *target;
	enum fs_op op;
	size_t first, last;		/* its probes; last is behind them */
	bool traced;			/* a function of it exists: see plan_check() */
};

/* A function that may carry it out. */
struct function {
	const struct fs_function *row;
	size_t operation;		/* its number */
	uint32_t constants[PROBE_CONSTANTS];	/* CALLS_DATA is for the caller to set */
};

struct operations {
	struct target *targets;
	size_t ntargets;
	struct operation *all;
	size_t count;
	struct function *functions;
	size_t nfunctions;
	struct probe *probes;
	size_t nprobes;
	char (*names)[PROBE_NAME_SIZE];		/* of the probes */
};

/*
 * Plans what is to be traced of these types: `ops` has a bit for each operation. one: for the applet
 * of a single type. Returns 0, or -ENOMEM after a message. Call operations_free() in either case.
 */
int operations_plan(struct operations *operations, const struct target *targets, size_t ntargets,
		    uint64_t ops, bool one);
/* Its programs read kernel structs, to find the files. */
void operations_read_files(struct operations *operations);
void operations_free(struct operations *operations);

/* Finds out what a tracer that has started traces. Returns whether that is anything. */
bool operations_check(struct operations *operations, const struct tracer *tracer);

/* Reports that nothing of that type can be traced, and why. */
void operations_tell_none(const struct target *target);

#endif
