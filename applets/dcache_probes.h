/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The probes of bpf/dcache.bpf.h, for the applets that use it. */
#ifndef FSTRACE_APPLETS_DCACHE_PROBES_H
#define FSTRACE_APPLETS_DCACHE_PROBES_H

#include "core/trace/probe.h"

#define DCACHE_CANDIDATE(name, min, max)                                                           \
	{ .function = name, .stem = name, .args_min = min, .args_max = max, .reads_types = true }

/* (parent, name[, wait queue]); (name, dir, flags); (name, base, flags) */
#define DCACHE_MISSES                                                                              \
	{ .name = "d_alloc_parallel",                                                              \
	  .candidates = { DCACHE_CANDIDATE("d_alloc_parallel", 2, 3) } },                          \
	{ .name = "lookup_dcache", .candidates = { DCACHE_CANDIDATE("lookup_dcache", 3, 3) } },    \
	/* One function under two names: __lookup_hash() is the older. */                          \
	{ .name = "create", .candidates = {                                                        \
		DCACHE_CANDIDATE("lookup_one_qstr_excl", 3, 3),                                    \
		{ .function = "__lookup_hash", .stem = "lookup_one_qstr_excl", .equal = true,      \
		  .args_min = 3, .args_max = 3, .reads_types = true } } }

/* (nd), in 5.10 (nd, inode, seq); (parent, name) */
#define DCACHE_HITS                                                                                \
	{ .name = "lookup_fast", .candidates = { DCACHE_CANDIDATE("lookup_fast", 1, 3) } },        \
	{ .name = "d_lookup", .candidates = { DCACHE_CANDIDATE("d_lookup", 2, 2) } },              \
	{ .name = "open", .optional = true,                                                        \
	  .candidates = { { .function = "path_openat", .stem = "path_openat" } } }

/*
 * What the file system says. (name, dir, flags); (dentry, inode); (inode, dentry);
 * (nd, options, flags)
 */
#define DCACHE_ANSWERS                                                                             \
	{ .name = "slow_answer", .candidates = { {                                                 \
		.function = "__lookup_slow", .stem = "slow_answer", .args_min = 3, .args_max = 3,  \
		.reads_types = true } } },                                                         \
	{ .name = "create_answer", .candidates = {                                                 \
		{ .function = "lookup_one_qstr_excl", .stem = "create_answer", .args_min = 3,      \
		  .args_max = 3, .reads_types = true },                                            \
		{ .function = "__lookup_hash", .stem = "create_answer", .equal = true,             \
		  .args_min = 3, .args_max = 3, .reads_types = true } } },                         \
	{ .name = "open_answer", .candidates = { {                                                 \
		.function = "path_openat", .stem = "open_answer", .args_min = 3, .args_max = 3,    \
		.reads_types = true } } },                                                         \
	{ .name = "d_add", .candidates = { DCACHE_CANDIDATE("d_add", 2, 2) } },                    \
	{ .name = "d_splice_alias", .candidates = { DCACHE_CANDIDATE("d_splice_alias", 2, 2) } }

/*
 * Where a create, removal or rename looks: (nd, flags, parent); since 6.18 that is a part of (directory
 * fd, name, flags, parent, last, type, root). (By fentry, seven arguments take a kernel since 6.5.)
 */
#define DCACHE_PARENTS                                                                             \
	{ .name = "parent", .optional = true, .candidates = {                                      \
		DCACHE_CANDIDATE("path_parentat", 3, 3),                                           \
		{ .function = "__filename_parentat", .stem = "filename_parentat", .args_min = 7,   \
		  .args_max = 7, .reads_types = true } } }

#endif
