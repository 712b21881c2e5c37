/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One body, several mechanisms. A probe STEM has the programs STEM__fentry and STEM__fexit (BPF
 * trampolines: the kernel's BTF types their arguments) and STEM__kprobe and STEM__kretprobe;
 * core/probe.c loads those that the kernel can do. Bare section names: the function to attach to
 * is set before loading.
 */
#ifndef FSTRACE_BPF_PROBE_BPF_H
#define FSTRACE_BPF_PROBE_BPF_H

#include "kernel_types.h"
#include <stdbool.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

/*
 * The return value of a function of `args` arguments, in an fexit program: it sits behind the
 * arguments, whose number differs between kernels. `args` is read-only data set before loading,
 * so the verifier keeps one of the cases. (bpf_get_func_ret() would do, but came in 5.17.)
 */
static __always_inline __u64 fexit_return(const __u64 *ctx, __u32 args)
{
	__u64 value = 0;

	/* In assembly, as clang would merge the loads into one at a computed, so refused, offset. */
#define RETURN_BEHIND(n)                                                                           \
	case n:                                                                                    \
		asm volatile("%0 = *(u64 *)(%1 + 8 * " #n ")" : "=r"(value) : "r"(ctx));           \
		break
	switch (args) {
	RETURN_BEHIND(1);
	RETURN_BEHIND(2);
	RETURN_BEHIND(3);
	RETURN_BEHIND(4);
	RETURN_BEHIND(5);
	}
#undef RETURN_BEHIND
	return value;
}

#endif
