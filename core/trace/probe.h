/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Probes: places in the kernel, and how to attach to them. An applet says which as data; what
 * exists in the running kernel decides, never its version.
 */
#ifndef FSTRACE_CORE_TRACE_PROBE_H
#define FSTRACE_CORE_TRACE_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/kernel/kernel_btf.h"
#include "core/kernel/ksyms.h"

struct bpf_object;

#define PROBES_MAX 8
#define PROBE_CANDIDATES_MAX 3

/* A kernel function that can serve a probe, with the programs written for it. */
struct candidate {
	const char *function;
	/* STEM of the programs STEM__fentry, STEM__fexitN (for a function of N arguments),
	 * STEM__session, STEM__kprobe and STEM__kretprobe; those that exist are attached. */
	const char *stem;
	/* Its kprobe programs read kernel structs, so they too need BTF types. */
	bool reads_types;
};

struct probe {
	const char *name;
	struct candidate candidates[PROBE_CANDIDATES_MAX];	/* the first that exists is taken */
	bool optional;
};

enum attach_mode {
	ATTACH_AUTO,		/* fentry if it works and misses nothing, else the best kprobe */
	ATTACH_FENTRY,
	ATTACH_KPROBE,		/* by session, where the kernel has that and it loses nothing */
};

/* What probes need to know of the user and the applet. */
struct probes_config {
	const struct probe *set;	/* ends with a row without a name */
	enum attach_mode attach;
	const char *module;		/* where the functions may be, NULL: the kernel alone */
	const char *btf_path;		/* types of the kernel when it has none; NULL: its own */
	const char *forced;		/* "PROBE=FUNCTION": that candidate only, for tests; or NULL */
};

/* A candidate chosen in a kernel. */
struct choice {
	const struct candidate *candidate;	/* NULL: an optional probe that is not there */
	const char *function;			/* its name, or that of its clone */
	const struct btf_function *btf;
};

/*
 * Chooses for one probe, given what was found of its candidates (arrays in their order). By BTF
 * (fentry, sessions) a function must be in that, once; `symbols` may be NULL (not read). Else it
 * must be a symbol, once; or be there only as one clone. Returns 0, -ENOENT (no candidate exists)
 * or -EADDRNOTAVAIL (only such as exist twice). Pure: unit tests feed it.
 */
int probe_choose(const struct probe *probe, bool by_btf, const struct btf_function *functions,
		 const struct ksym *symbols, struct choice *choice);

/*
 * Leaves the probe "NAME" of "NAME=FUNCTION" that candidate alone. Returns 0, or -EINVAL after
 * telling which there are.
 */
int probe_force(struct probe *set, size_t nprobes, const char *forced);

struct probes;

/* NULL after saying why. The config is copied, what it points to is not. */
struct probes *probes_new(const struct probes_config *config);
void probes_free(struct probes *probes);

/*
 * The order of life, for each try:
 *   object = ...open with .btf_custom_path = probes_btf_path(probes)
 *   probes_select(probes, object)       which programs, attached to what
 *   ...set the object's read-only data
 *   probes_load(probes), probes_attach(probes)
 * and when one fails: destroy the object, and begin again if probes_retry() says so. All return 0
 * or -errno and have told why, unless another try is to come.
 */
const char *probes_btf_path(const struct probes *probes);
int probes_select(struct probes *probes, struct bpf_object *object);
int probes_load(struct probes *probes);
int probes_attach(struct probes *probes);
bool probes_retry(struct probes *probes);
void probes_detach(struct probes *probes);

/* Whether returns are caught by kretprobes, of which the kernel can run out. */
bool probes_can_miss(const struct probes *probes);

/* Whether the user has said how to attach, and so not left it to us to choose what misses least. */
bool probes_attach_forced(const struct probes *probes);

/*
 * Runs that the kernel refused to programs: of fentry and fexit when they were running on that CPU
 * already, of the others when any BPF program, or a system call on a BPF map, was.
 */
unsigned long long probes_recursion_misses(const struct probes *probes);

#endif
