/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What this kernel has of the functions of a set of probes, and of the ways to attach to them.
 * Read once; everything that is decided from it is in core/trace/plan.h.
 */
#ifndef FSTRACE_TRACE_FACTS_H
#define FSTRACE_TRACE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "core/kernel/kernel_btf.h"
#include "core/kernel/ksyms.h"
#include "core/trace/probe.h"

struct btf;

/* Functions whose presence in the kernel's BTF shows what the kernel can do. */
enum sign {
	/* Kprobe sessions; its id is needed for them. */
	SIGN_SESSION,
	/*
	 * Since 6.14 (commit 4346ba160409, "fprobe: Rewrite fprobe on function-graph tracer") the
	 * returns of a session are kept on a stack of each task, which does not run out as
	 * kretprobes do. Before that, a session costs more than a kretprobe and loses as much.
	 */
	SIGN_LOSSLESS,
	/* Built so that tasks in the kernel can be preempted. */
	SIGN_PREEMPTS,
	/*
	 * A trampoline outlives the tasks that sleep in it (5.12, commit e21aa341785c, "bpf: Fix
	 * fexit trampoline.", and stable kernels). Without, detaching fexit can crash the machine.
	 */
	SIGN_SAFE_FEXIT,
	SIGNS
};

struct facts {
	const struct probe *set;
	size_t nprobes;
	/*
	 * Of all candidates of all probes, in order; those of probe i begin at first[i]. In BTF,
	 * the signs follow them, and then what each candidate came with (or itself again).
	 */
	struct btf_function *functions;
	struct ksym *symbols;
	size_t nfunctions, *first;
	int types_err;			/* 0: CO-RE has the kernel's types; else why not */
	bool has_functions;		/* `functions` are of this kernel's own BTF */
	bool symbols_read;
	bool no_trampolines;		/* nothing can be attached by fentry: seen when it was tried */
	bool preempts;			/* tasks in the kernel can be preempted */
};

/*
 * Reads the kernel's BTF (or the file btf_path, which has types, but not this kernel's function
 * ids). `local` is the BTF of the BPF object; the types that it needs are written to types_fd as
 * a BTF file for libbpf (empty if there are none). The set must outlive the facts. Returns 0, or
 * -errno after a message. facts_free() in any case.
 */
int facts_read(struct facts *facts, const struct probe *set, const char *btf_path,
	       const struct btf *local, int types_fd);

/*
 * Reads /proc/kallsyms, once: it takes longer than all the rest. Returns 0, or -errno after
 * saying why.
 */
int facts_read_symbols(struct facts *facts);

void facts_free(struct facts *facts);

/* Whether BTF has what candidate number `i` of all came with; true if it came with nothing. */
static inline bool facts_with(const struct facts *facts, size_t i)
{
	const struct btf_function *with = &facts->functions[facts->nfunctions + SIGNS + i];

	return with->name == facts->functions[i].name || with->id;
}

static inline bool facts_sign(const struct facts *facts, enum sign sign)
{
	return facts->has_functions && facts->functions[facts->nfunctions + sign].id;
}

#endif
