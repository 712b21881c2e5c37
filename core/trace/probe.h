/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Probes: places in the kernel that an applet traces, as data. What exists in the running kernel
 * decides how they are attached, never its version (core/trace/plan.h).
 */
#ifndef FSTRACE_TRACE_PROBE_H
#define FSTRACE_TRACE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROBE_CANDIDATES_MAX 3
#define PROBE_CONSTANTS 5

/* A kernel function that can serve a probe, and the BPF programs for it. */
struct candidate {
	const char *function;	/* NULL: no more candidates */
	/*
	 * STEM of the programs STEM__fentry, STEM__fexit, STEM__session, STEM__kprobe and
	 * STEM__kretprobe; those that exist are attached, a copy for each probe. NULL: where this
	 * function exists, the probe has nothing to attach to.
	 */
	const char *stem;
	uint32_t args_min, args_max;	/* how many arguments the programs understand; 0, 0: any */
	/*
	 * Another function that came into the kernel with it, or NULL. Where BTF has neither, it does
	 * not exist: kallsyms need not be read to know that.
	 */
	const char *with;
	bool equal;		/* as good as the candidate before it: another name of the same */
	bool reads_types;	/* its kprobe programs read kernel structs: they need BTF types */
	const uint32_t *constants;	/* instead of the probe's; NULL: the probe's */
};

/* A set of probes is an array that ends with a row without a name. */
struct probe {
	const char *name;
	const char *module;	/* where its functions may be; NULL: in the kernel itself */
	struct candidate candidates[PROBE_CANDIDATES_MAX];	/* the first that exists is used */
	bool optional;		/* the kernel may have none of them */
	/*
	 * Called in interrupts, too. There a program for kprobes does not run if it interrupts another,
	 * so such a probe is by fentry wherever that is possible, and only there, whatever the others
	 * are by.
	 */
	bool in_interrupts;
	uint32_t constants[PROBE_CONSTANTS];	/* probe_constant(N) in its programs (bpf/probe.bpf.h) */
};

enum mechanism {
	BY_FENTRY,		/* fentry and fexit */
	BY_SESSION,		/* kprobe session: Linux 6.10, merge 06ebfd11678a */
	BY_KPROBE,		/* kprobe and kretprobe */
	MECHANISMS
};

/* Their names in messages and in --attach. */
extern const char *const mechanism_names[MECHANISMS];

enum attach_mode {
	ATTACH_AUTO,		/* fentry if it works and misses nothing, else the best kprobe */
	ATTACH_FENTRY,
	ATTACH_KPROBE,		/* by session, where the kernel has that and it loses nothing */
};

/* How many probes a set has. */
size_t probes_count(const struct probe *set);

/*
 * Leaves the probe "NAME" of "NAME=FUNCTION" only that candidate (--probe, for tests). Returns 0,
 * or -EINVAL after listing the candidates there are.
 */
int probe_force(struct probe *set, const char *forced);

#endif
