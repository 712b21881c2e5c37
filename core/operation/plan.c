// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Probes from the rows of core/filesystem/. */
#include "core/operation/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/calls.h"
#include "core/base/log.h"
#include "core/kernel/environment.h"
#include "core/trace/tracer.h"

/* The template for each shape of arguments, and its CALLS_WANTED. */
static const struct shape {
	const char *stem;
	uint32_t calls;
} shapes[FS_SHAPES] = {
	[FS_PLAIN] = { "call", CALLS_ALL },
	[FS_IOCB] = { "iocb", CALLS_ALL },
	[FS_OUTER] = { "call", CALLS_ALL | CALLS_OUTER },
	[FS_FILE_OPEN] = { "call", CALLS_FILE_OPEN },
	[FS_ATOMIC_OPEN] = { "call", CALLS_ATOMIC_OPEN },
	[FS_UNLINK_OR_RMDIR] = { "call", CALLS_UNLINK_OR_RMDIR },
	[FS_SETATTR_OR_TRUNCATE] = { "call", CALLS_SETATTR_OR_TRUNCATE },
	[FS_IOCB_OF_SB] = { "iocb", CALLS_KIOCB_OF_SB },
	[FS_OUTER_OF_SB] = { "call", CALLS_FILE_OF_SB | CALLS_OUTER },
	[FS_FILE_OF_SB] = { "call", CALLS_FILE_OF_SB },
	[FS_OUT_FILE_OF_SB] = { "call", CALLS_OUT_FILE_OF_SB },
	[FS_INODE_OF_SB] = { "call", CALLS_INODE_OF_SB },
	[FS_DENTRY_OF_SB] = { "call", CALLS_DENTRY_OF_SB },
	[FS_IDMAP_DENTRY_OF_SB] = { "call", CALLS_IDMAP_DENTRY_OF_SB },
	[FS_PATH_OF_SB] = { "call", CALLS_PATH_OF_SB },
	[FS_FAULT_OF_SB] = { "call", CALLS_FAULT_OF_SB },
	[FS_OPEN_OF_SB] = { "call", CALLS_OPEN_OF_SB },
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

static bool is_second(enum fs_op op)
{
	return op == FS_RMDIR || op == FS_TRUNCATE || op == FS_CREATE;
}

/* The argument of an operation's method that leads to its file. */
static const uint32_t subjects[FS_OPS] = {
	[FS_READ] = CALLS_SUBJECT_OF(SUBJECT_KIOCB, 0),
	[FS_WRITE] = CALLS_SUBJECT_OF(SUBJECT_KIOCB, 0),
	[FS_OPEN] = CALLS_SUBJECT_OF(SUBJECT_FILE, 1),
	[FS_FSYNC] = CALLS_SUBJECT_OF(SUBJECT_FILE, 0),
	[FS_GETATTR] = CALLS_SUBJECT_OF(SUBJECT_PATH, 0) | CALLS_SUBJECT_IDMAP,
	[FS_SETATTR] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 0) | CALLS_SUBJECT_IDMAP,
	[FS_LOOKUP] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1),
	[FS_CREATE] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1) | CALLS_SUBJECT_IDMAP,
	[FS_UNLINK] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1),
	[FS_RENAME] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1) | CALLS_SUBJECT_IDMAP,
	[FS_MKDIR] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1) | CALLS_SUBJECT_IDMAP,
	[FS_RMDIR] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1),
	[FS_LINK] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 2),
	[FS_SYMLINK] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1) | CALLS_SUBJECT_IDMAP,
	[FS_READLINK] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 0),
	[FS_READDIR] = CALLS_SUBJECT_OF(SUBJECT_FILE, 0),
	[FS_FALLOCATE] = CALLS_SUBJECT_OF(SUBJECT_FILE, 0),
	[FS_TRUNCATE] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 0) | CALLS_SUBJECT_IDMAP,
	[FS_FLUSH] = CALLS_SUBJECT_OF(SUBJECT_FILE, 0),
	[FS_RELEASE] = CALLS_SUBJECT_OF(SUBJECT_FILE, 1),
	[FS_MMAP_FAULT] = CALLS_SUBJECT_OF(SUBJECT_FAULT, 0),
	[FS_SPLICE] = CALLS_SUBJECT_OF(SUBJECT_FILE, 0),
	[FS_STATFS] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 0),
	[FS_XATTR] = CALLS_SUBJECT_OF(SUBJECT_DENTRY, 0) | CALLS_SUBJECT_IDMAP,
};

/*
 * An operation's method has its arguments everywhere. Where another function stands in for it, the
 * row's shape says what it has; splices are known by their name: (in, position, pipe ...) reads,
 * (pipe, out, position, ...) writes.
 */
static uint32_t subject_of(const struct fs_function *row)
{
	if (strstr(row->function, "splice_read"))
		return CALLS_SUBJECT_OF(SUBJECT_FILE, 0);
	if (strstr(row->function, "splice_write"))
		return CALLS_SUBJECT_OF(SUBJECT_FILE, 1);
	switch (row->shape) {
	case FS_ATOMIC_OPEN:
		return CALLS_SUBJECT_OF(SUBJECT_DENTRY, 1);
	case FS_OUTER_OF_SB:
	case FS_FILE_OF_SB:
		return CALLS_SUBJECT_OF(SUBJECT_FILE, 0);
	case FS_OPEN_OF_SB:
		return CALLS_SUBJECT_OF(SUBJECT_OPENED, 0);
	case FS_DENTRY_OF_SB:
		return CALLS_SUBJECT_OF(SUBJECT_DENTRY, 0);
	case FS_PATH_OF_SB:
		return CALLS_SUBJECT_OF(SUBJECT_PATH, 0);
	default:
		return subjects[row->op];
	}
}

/* Adds a row of the table to the probe's candidates. */
static void add_candidate(struct operations *operations, const struct target *target,
			  const struct fs_function *row, size_t number)
{
	struct probe *probe = &operations->probes[operations->nprobes - 1];
	const struct shape *shape = &shapes[row->shape];
	const uint8_t *args = row->args[0] ? row->args : fs_op_args[row->op];
	uint32_t calls = shape->calls & CALLS_MASK;
	struct function *function = &operations->functions[operations->nfunctions];
	size_t n = 0;

	while (probe->candidates[n].function)
		if (++n == PROBE_CANDIDATES_MAX)
			return;
	operations->nfunctions++;
	*function = (struct function){ .row = row, .operation = operations->count, .constants = {
		[CALLS_PAIR] = operations->count << CALLS_FUNCTION_BITS | number,
		[CALLS_MAGIC] = target->magic,
		[CALLS_WANTED] = shape->calls | (is_second(row->op) ? CALLS_SECOND : 0) |
				 (row->op == FS_MMAP_FAULT ? CALLS_FAULT : 0),
		[CALLS_SUBJECT] = subject_of(row),
	} };
	probe->candidates[n] = (struct candidate){
		.function = row->function,
		.stem = shape->stem,
		.args_min = args[0],
		.args_max = args[1] ? args[1] : args[0],
		.with = row->with,
		.reads_types = calls != CALLS_ALL && calls != CALLS_ATOMIC_OPEN,
		.constants = function->constants,
	};
}

/* Begins a probe; the first of an operation has the operation's name. */
static void add_probe(struct operations *operations, const struct target *target,
		      const struct fs_function *row, bool first, bool one)
{
	char *name = operations->names[operations->nprobes];

	snprintf(name, PROBE_NAME_SIZE, "%s%s%s%s%s", one ? "" : target->name, one ? "" : ":",
		 fs_op_names[row->op], first ? "" : ":", first ? "" : row->function);
	operations->probes[operations->nprobes++] = (struct probe){
		.name = name,
		.module = row->module ? row->module :
			  fs_shape_is_shared(row->shape) ? NULL : target->fs->module,
		/* Of the operations that are traced by default, every kernel has the first. */
		.optional = !one || !first || !(DEFAULT_OPS & 1 << row->op),
	};
}

/* The probes of one operation. */
static void add_operation(struct operations *operations, const struct target *target, bool one,
			  enum fs_op op)
{
	size_t first = operations->nprobes, number = 0;

	for (const struct fs_function *row = target->fs->functions; row->function; row++) {
		if (row->op != op || number + 1 == CALLS_FUNCTIONS_MAX)
			continue;
		if (!number || !row->fallback)
			add_probe(operations, target, row, !number, one);
		add_candidate(operations, target, row, ++number);
	}
	if (operations->nprobes == first)
		log_debug("%s has no %s of its own", target->name, fs_op_names[op]);
	else
		operations->all[operations->count++] = (struct operation){
			.target = target, .op = op, .first = first, .last = operations->nprobes };
}

static void add_completions(struct operations *operations)
{
	for (size_t i = 0; i < COMPLETIONS; i++)
		operations->probes[operations->nprobes++] = (struct probe){
			.name = completions[i].function,
			.module = completions[i].module,
			.candidates = { { .function = completions[i].function,
					  .stem = "complete" } },
			.optional = true,
			.in_interrupts = true,
		};
}

void operations_read_files(struct operations *operations)
{
	for (size_t i = 0; i < operations->nprobes; i++)
		for (int j = 0; j < PROBE_CANDIDATES_MAX; j++)
			operations->probes[i].candidates[j].reads_types = true;
}

void operations_free(struct operations *operations)
{
	free(operations->targets);
	free(operations->all);
	free(operations->functions);
	free(operations->probes);
	free(operations->names);
	*operations = (struct operations){ 0 };
}

int operations_plan(struct operations *operations, const struct target *targets, size_t ntargets,
		    uint64_t ops, bool one)
{
	size_t rows = COMPLETIONS + 1;

	for (size_t i = 0; i < ntargets; i++)
		for (const struct fs_function *row = targets[i].fs->functions; row->function; row++)
			rows++;
	*operations = (struct operations){
		.targets = calloc(ntargets, sizeof(*operations->targets)),
		.ntargets = ntargets,
		.all = calloc(ntargets * FS_OPS, sizeof(*operations->all)),
		.functions = calloc(rows, sizeof(*operations->functions)),
		.probes = calloc(rows, sizeof(*operations->probes)),
		.names = calloc(rows, sizeof(*operations->names)),
	};
	if (!operations->targets || !operations->all || !operations->functions ||
	    !operations->probes || !operations->names) {
		log_error("cannot prepare the probes: %s", strerror(ENOMEM));
		return -ENOMEM;
	}
	memcpy(operations->targets, targets, ntargets * sizeof(*targets));
	for (size_t i = 0; i < ntargets; i++)
		for (enum fs_op op = 0; op < FS_OPS; op++)
			if (ops & 1ULL << op && operations->count < CALLS_OPERATIONS_MAX)
				add_operation(operations, &operations->targets[i], one, op);
	if (operations->count && ops & (1 << FS_READ | 1 << FS_WRITE))
		add_completions(operations);
	return 0;
}

bool operations_check(struct operations *operations, const struct tracer *tracer)
{
	bool any = false;

	for (size_t i = 0; i < operations->count; i++) {
		struct operation *operation = &operations->all[i];

		for (size_t j = operation->first; j < operation->last; j++)
			operation->traced |= tracer_has(tracer, operations->probes[j].name);
		any |= operation->traced;
		if (!operation->traced)
			log_debug("this kernel's %s has no %s of its own", operation->target->name,
				  fs_op_names[operation->op]);
	}
	return any;
}

void operations_tell_none(const struct target *target)
{
	const char *module = target->fs->module;

	if (module && !environment_has_module(module)) {
		log_error("cannot trace %s: the module '%s' is not loaded", target->name, module);
		log_hint("load it, or mount such a file system, first: modprobe %s", module);
	} else {
		log_error("this kernel's %s has none of these operations", target->name);
		log_hint("--ops all takes what there is");
	}
}
