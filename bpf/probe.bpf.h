/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One body, several mechanisms. A probe STEM has the programs STEM__fentry and STEM__fexitN (BPF
 * trampolines: the kernel's BTF types their arguments), STEM__kprobe and STEM__kretprobe, and
 * STEM__session, which is both of these in one; core/trace/probe.c loads those that the kernel can do.
 * Bare section names: the function to attach to is set before loading.
 *
 * An fexit program finds the return value behind the arguments, at ctx[N] of a function that has
 * N. Their number differs between kernels, so it is part of the program's name, and the program
 * is loaded only where it is right. (bpf_get_func_ret() would do for all, but came in 5.17.)
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
 * Which of its two runs a session program is in. The kernel's bpf_session_is_return() is called:
 * core/trace/session.c puts it in the place of this helper, as libbpf would read all of the kernel's BTF
 * to find it. It has the context for an argument since 7.0, and none before.
 */
static __always_inline bool is_return(struct pt_regs *ctx)
{
	return (__u8)bpf_get_func_ip(ctx);
}

#endif
