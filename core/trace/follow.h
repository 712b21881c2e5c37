/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A process and all its descendants, followed by bpf/follow.bpf.c: exactly, from their start on. */
#ifndef FSTRACE_TRACE_FOLLOW_H
#define FSTRACE_TRACE_FOLLOW_H

#include <stdint.h>

struct follow_bpf;

/*
 * `pid`: the first one, by the kernel's number, which has no children yet. `btf_path`: types of the
 * kernel if it has none itself, or NULL. NULL after a message.
 */
struct follow_bpf *follow_open(uint32_t pid, const char *btf_path);

/* Reports processes that could not be followed. Takes NULL. */
void follow_close(struct follow_bpf *follow);

/* The map that has them. */
int follow_fd(const struct follow_bpf *follow);

#endif
