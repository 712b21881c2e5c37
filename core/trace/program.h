/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * BPF programs as templates: a program of an object is loaded once for each probe that it serves,
 * with that probe's values for the constants that bpf/probe.bpf.h leaves open.
 */
#ifndef FSTRACE_TRACE_PROGRAM_H
#define FSTRACE_TRACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>

#include "core/trace/plan.h"

struct bpf_object;
struct bpf_program;

/* One copy. */
struct program {
	const struct step *step;
	const struct bpf_program *source;
	bool is_return;		/* attached to the return; a session is an entry */
	bool is_copy;		/* fd is ours to close, not the object's */
	int fd;			/* -1: not loaded */
};

struct programs {
	struct program *all;
	size_t count;
	/* On failure: what was being loaded, and by which mechanism; NULL: the object itself. */
	const struct program *failed;
	/* Descriptors of the BTF objects of modules. */
	struct module_fd { const char *module; int fd; } *modules;
	size_t nmodules;
};

/* What was patched, for a test to compare with what a program should have. */
struct patched {
	unsigned int constants[PROBE_CONSTANTS];
	unsigned int results, session_calls;
};

/*
 * In `count` instructions: puts `constants` in the place of probe_constant(), the offset of the
 * value that a function of `args` arguments returns in that of probe_result(), and a call of the
 * kernel function `is_return_id` in that of is_return(). Returns how many there were of each.
 */
struct patched program_patch(struct bpf_insn *insns, size_t count,
			     const __u32 constants[PROBE_CONSTANTS], unsigned int args,
			     __u32 is_return_id);

/* Before an object is opened: registers the sections of probes with libbpf. 0 or -errno. */
int programs_register(void);

/* Whether a program of an object is one of a probe (and not, say, a tracepoint's). */
bool program_is_probe(const struct bpf_program *program);

/*
 * Chooses the programs of an opened object for nsteps steps; no other probe's program will be
 * loaded. Returns 0 or -errno.
 */
int programs_select(struct programs *programs, struct bpf_object *object,
		    const struct step *steps, size_t nsteps);

/*
 * Loads the object and with it all copies. Returns 0 or -errno; then `failed` is the program.
 * Call programs_free() in any case, before the object is closed.
 */
int programs_load(struct programs *programs, struct bpf_object *object, __u32 is_return_id);
void programs_free(struct programs *programs);

#endif
