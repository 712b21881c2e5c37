/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asking the kernel which process is behind a descriptor: a tiny BPF program, run on demand. */
#ifndef FSTRACE_CORE_TRACE_IDENTITY_H
#define FSTRACE_CORE_TRACE_IDENTITY_H

#include "bpf/identity.h"

struct identity_bpf;

/* `btf_path`: types of the kernel if it has none itself, or NULL. NULL after saying why. */
struct identity_bpf *identity_open(const char *btf_path);
void identity_close(struct identity_bpf *program);

/* Returns 0, or -errno after saying why. */
int identity_ask(struct identity_bpf *program, enum identity_question question, int fd,
		 struct identity *answer);

#endif
