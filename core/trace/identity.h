/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Asks the kernel which process a descriptor refers to, by a tiny BPF program run on demand. */
#ifndef FSTRACE_CORE_TRACE_IDENTITY_H
#define FSTRACE_CORE_TRACE_IDENTITY_H

#include "bpf/identity.h"

struct identity_bpf;

/* `btf_path`: types of the kernel if it has none itself, or NULL. NULL after a message. */
struct identity_bpf *identity_open(const char *btf_path);
void identity_close(struct identity_bpf *program);

/* Returns 0, or -errno after a message. */
int identity_ask(struct identity_bpf *program, enum identity_question question, int fd,
		 struct identity *answer);

#endif
