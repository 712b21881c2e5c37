/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From descriptions of file systems (core/filesystem/) to probes. A part of dist.c. */
#ifndef FSTRACE_APPLETS_DIST_PLAN_H
#define FSTRACE_APPLETS_DIST_PLAN_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/dist.h"
#include "core/base/log.h"
#include "core/filesystem/filesystem.h"
#include "core/kernel/percpu.h"
#include "core/trace/tracer.h"

/* The operations that are traced by default. */
#define DEFAULT_OPS (1 << FS_READ | 1 << FS_WRITE | 1 << FS_OPEN | 1 << FS_FSYNC)

/* The template for each shape of arguments, and its DIST_CALLS. */
static const struct shape {
	const char *stem;
	uint32_t calls;
} shapes[FS_SHAPES] = {
	[FS_PLAIN] = { "call", DIST_ALL },
	[FS_IOCB] = { "iocb", DIST_ALL },
	[FS_OUTER] = { "call", DIST_ALL | DIST_OUTER },
	[FS_FILE_OPEN] = { "call", DIST_FILE_OPEN },
	[FS_ATOMIC_OPEN] = { "call", DIST_ATOMIC_OPEN },
	[FS_UNLINK_OR_RMDIR] = { "call", DIST_UNLINK_OR_RMDIR },
	[FS_SETATTR_OR_TRUNCATE] = { "call", DIST_SETATTR_OR_TRUNCATE },
	[FS_IOCB_OF_SB] = { "iocb", DIST_KIOCB_OF_SB },
	[FS_OUTER_OF_SB] = { "call", DIST_FILE_OF_SB | DIST_OUTER },
	[FS_FILE_OF_SB] = { "call", DIST_FILE_OF_SB },
	[FS_OUT_FILE_OF_SB] = { "call", DIST_OUT_FILE_OF_SB },
	[FS_INODE_OF_SB] = { "call", DIST_INODE_OF_SB },
	[FS_DENTRY_OF_SB] = { "call", DIST_DENTRY_OF_SB },
	[FS_IDMAP_DENTRY_OF_SB] = { "call", DIST_IDMAP_DENTRY_OF_SB },
	[FS_PATH_OF_SB] = { "call", DIST_PATH_OF_SB },
	[FS_FAULT_OF_SB] = { "call", DIST_FAULT_OF_SB },
	[FS_OPEN_OF_SB] = { "call", DIST_OPEN_OF_SB },
};

/*
 * What kiocb->ki_complete points to, wherever asynchronous reads and writes come from: libaio,
 * io_uring, a loop device, a file system above.
 */
static const struct {
	const char *function, *module;
} completions[] = {
	{ "aio_complete_rw", NULL },
	{ "io_complete_rw", NULL },
	{ "io_complete_rw_iopoll", NULL },
	{ "backing_aio_rw_complete", NULL },		/* since 6.8 */
	{ "backing_aio_queue_completion", NULL },
	{ "ovl_aio_rw_complete", "overlay" },		/* until 6.7 */
	{ "ovl_aio_queue_completion", "overlay" },
	{ "lo_rw_aio_complete", "loop" },
};

#define COMPLETIONS (sizeof(completions) / sizeof(*completions))
#define NAME_SIZE 64

/* A type of file system that is traced. */
struct target {
	const struct filesystem *fs;
	char name[32];			/* of its section */
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
	bool traced;			/* a function of it exists */
	struct percpu counts;
	struct hist_counts before;
};

/* What one BPF object traces. */
struct group {
	struct target *targets;
	size_t ntargets;
	struct operation *operations;
	size_t noperations;
	struct probe *probes;
	char (*names)[NAME_SIZE];			/* of the probes */
	uint32_t (*constants)[PROBE_CONSTANTS];		/* of their candidates */
	size_t nprobes, ncandidates;
	/* The tracer, and what must live as long as it does. */
	struct tracer *tracer;
	struct tracer_config config;
	struct setting settings[3];
	struct map_size sizes[2];
	uint32_t unit;					/* enum hist_unit */
	struct percpu counts;				/* all of the map */
	struct group *next;
};

static bool is_second(enum fs_op op)
{
	return op == FS_RMDIR || op == FS_TRUNCATE || op == FS_CREATE;
}

/* Adds a row of the table to the probe's candidates. */
static void add_candidate(struct group *group, const struct target *target, size_t cpus,
			  const struct fs_function *row, size_t number)
{
	struct probe *probe = &group->probes[group->nprobes - 1];
	const struct shape *shape = &shapes[row->shape];
	const uint8_t *args = row->args[0] ? row->args : fs_op_args[row->op];
	uint32_t calls = shape->calls & DIST_CALLS_MASK;
	uint32_t *constants = group->constants[group->ncandidates++];
	size_t n = 0;

	while (probe->candidates[n].function)
		if (++n == PROBE_CANDIDATES_MAX)
			return;
	constants[DIST_HIST] = group->noperations * cpus;
	constants[DIST_PAIR] = group->noperations << DIST_FUNCTION_BITS | number;
	constants[DIST_MAGIC] = target->magic;
	constants[DIST_CALLS] = shape->calls | (is_second(row->op) ? DIST_SECOND : 0) |
				(row->op == FS_MMAP_FAULT ? DIST_FAULT : 0);
	probe->candidates[n] = (struct candidate){
		.function = row->function,
		.stem = shape->stem,
		.args_min = args[0],
		.args_max = args[1] ? args[1] : args[0],
		.reads_types = calls != DIST_ALL && calls != DIST_ATOMIC_OPEN,
		.constants = constants,
	};
}

/* Begins a probe; the first of an operation has the operation's name. */
static void add_probe(struct group *group, const struct target *target,
		      const struct fs_function *row, bool first, bool one)
{
	char *name = group->names[group->nprobes];

	snprintf(name, NAME_SIZE, "%s%s%s%s%s", one ? "" : target->name, one ? "" : ":",
		 fs_op_names[row->op], first ? "" : ":", first ? "" : row->function);
	group->probes[group->nprobes++] = (struct probe){
		.name = name,
		.module = row->module ? row->module :
			  fs_shape_is_shared(row->shape) ? NULL : target->fs->module,
		/* Of the operations that are traced by default, every kernel has the first. */
		.optional = !one || !first || !(DEFAULT_OPS & 1 << row->op),
	};
}

/* The probes of one operation. */
static void add_operation(struct group *group, const struct target *target, size_t cpus, bool one,
			  enum fs_op op)
{
	size_t first = group->nprobes, number = 0;

	for (const struct fs_function *row = target->fs->functions; row->function; row++) {
		if (row->op != op || number + 1 == DIST_FUNCTIONS_MAX)
			continue;
		if (!number || !row->fallback)
			add_probe(group, target, row, !number, one);
		add_candidate(group, target, cpus, row, ++number);
	}
	if (group->nprobes == first)
		log_debug("%s has no %s of its own", target->name, fs_op_names[op]);
	else
		group->operations[group->noperations++] = (struct operation){
			.target = target, .op = op, .first = first, .last = group->nprobes };
}

static void add_completions(struct group *group)
{
	for (size_t i = 0; i < COMPLETIONS; i++)
		group->probes[group->nprobes++] = (struct probe){
			.name = completions[i].function,
			.module = completions[i].module,
			.candidates = { { .function = completions[i].function,
					  .stem = "complete" } },
			.optional = true,
			.in_interrupts = true,
		};
}

static void group_free(struct group *group)
{
	if (!group)
		return;
	percpu_close(&group->counts);
	free(group->targets);
	free(group->operations);
	free(group->probes);
	free(group->names);
	free(group->constants);
	free(group);
}

static struct group *out_of_memory(struct group *group)
{
	log_error("cannot prepare the histograms: %s", strerror(ENOMEM));
	group_free(group);
	return NULL;
}

/*
 * What is to be traced of these types: `ops` has a bit for each operation. one: for the applet of a
 * single type. NULL after a message.
 */
static struct group *group_plan(const struct target *targets, size_t ntargets, uint64_t ops,
				size_t cpus, bool one)
{
	struct group *group = calloc(1, sizeof(*group));
	size_t rows = COMPLETIONS + 1;

	if (!group)
		return out_of_memory(group);
	for (size_t i = 0; i < ntargets; i++)
		for (const struct fs_function *row = targets[i].fs->functions; row->function; row++)
			rows++;
	group->targets = calloc(ntargets, sizeof(*targets));
	group->operations = calloc(ntargets * FS_OPS, sizeof(*group->operations));
	group->probes = calloc(rows, sizeof(*group->probes));
	group->names = calloc(rows, sizeof(*group->names));
	group->constants = calloc(rows, sizeof(*group->constants));
	if (!group->targets || !group->operations || !group->probes || !group->names ||
	    !group->constants)
		return out_of_memory(group);
	memcpy(group->targets, targets, ntargets * sizeof(*targets));
	group->ntargets = ntargets;
	for (size_t i = 0; i < ntargets; i++)
		for (enum fs_op op = 0; op < FS_OPS; op++)
			if (ops & 1ULL << op && group->noperations < DIST_OPERATIONS_MAX)
				add_operation(group, &group->targets[i], cpus, one, op);
	if (group->noperations && ops & (1 << FS_READ | 1 << FS_WRITE))
		add_completions(group);
	return group;
}

#endif
