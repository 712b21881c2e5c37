/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detaching: closing the descriptor of a link waits until no task can be inside its probe, one
 * link after the other, and on a busy machine that takes seconds. The end of a run does not wait
 * for it.
 */
#ifndef FSTRACE_CORE_TRACE_DETACH_H
#define FSTRACE_CORE_TRACE_DETACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Closes the descriptors of `count` links, and waits `max_ns` at most until the kernel has let go
 * of them. Returns false if it has not: then a process of our own waits for that in the background,
 * without a terminal and without our stdout and stderr. In a PID namespace that can end, it waits
 * for as long as that takes.
 */
bool detach(const int *links, size_t count, uint64_t max_ns);

#endif
