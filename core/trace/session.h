/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Kprobe sessions: one program, in the section "session", run at a function's entry and, if it
 * returned 0 there, at its return (Linux 6.10, merge 06ebfd11678a,
 * "bpf-introduce-kprobe_multi-session-attach"). Older libbpf knows nothing of them.
 */
#ifndef FSTRACE_CORE_TRACE_SESSION_H
#define FSTRACE_CORE_TRACE_SESSION_H

#include <linux/types.h>

struct bpf_program;

#define SESSION_SECTION "session"

/* The kernel's function that tells a program which of the two it is in. */
#define SESSION_IS_RETURN "bpf_session_is_return"

/*
 * Makes a program of an object that is not yet loaded one of this kind. Its calls of
 * bpf_get_func_ip() become calls of SESSION_IS_RETURN (see is_return() in bpf/probe.bpf.h), whose
 * id in the kernel's BTF is given. Returns 0 or -errno.
 */
int session_prepare(struct bpf_program *program, __u32 is_return_id);

/*
 * Attaches a loaded program. Returns the link's file descriptor, for the caller to close, or
 * -errno.
 */
int session_attach(int program_fd, const char *function);

#endif
