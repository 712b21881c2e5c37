/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One body, several mechanisms. A probe STEM has the programs STEM__fentry and STEM__fexit (BPF
 * trampolines: the kernel's BTF types their arguments), STEM__kprobe and STEM__kretprobe, and
 * STEM__session, which is both of these in one. They are templates: core/trace/program.c loads a
 * copy for each function to be probed, by a mechanism that the kernel supports, and fills in the
 * values left open here. Bare section names: a copy's function is only known then.
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
 * Constant N (0 to 4, a literal) of the probe that this copy is for: struct probe,
 * core/trace/probe.h. For the verifier it is an ordinary immediate number. As 64 bits, whose upper
 * half is the sign: cast one that may be 2^31 or more to __u32, which costs two instructions.
 */
#define probe_constant(n)                                                                          \
	({                                                                                         \
		__u64 constant_;                                                                   \
                                                                                                   \
		asm volatile("%0 = %1" : "=r"(constant_) : "i"(0x5107c000 + ((n) << 4)));          \
		constant_;                                                                         \
	})

/*
 * What the function returned, in an fexit program: it is stored after the arguments, at ctx[N] for
 * a function that has N. Their number differs between kernels. (bpf_get_func_ret() is new in 5.17.)
 */
static __always_inline __u64 probe_result(const __u64 *ctx)
{
	__u64 result;

	asm volatile("%0 = *(u64 *)(%1 + 4088)" : "=r"(result) : "r"(ctx));
	return result;
}

/*
 * Which of its two runs a session program is in. A copy calls the kernel's bpf_session_is_return()
 * in the place of this helper: libbpf would read all of the kernel's BTF to find it. Since 7.0
 * it takes ctx; before, no argument.
 */
static __always_inline bool is_return(struct pt_regs *ctx)
{
	return (__u8)bpf_get_func_ip(ctx);
}

#endif
