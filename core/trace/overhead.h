/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reports at the end what tracing cost (--overhead). */
#ifndef FSTRACE_CORE_TRACE_OVERHEAD_H
#define FSTRACE_CORE_TRACE_OVERHEAD_H

#include <stddef.h>
#include <stdint.h>

struct overhead {
	int stats_fd;		/* -1: not wanted */
	uint64_t start_ns;
};

/*
 * Switches the kernel's BPF statistics on (they cost two clock reads for each run of a program,
 * and are off otherwise). Returns 0 or -errno after a message.
 */
int overhead_begin(struct overhead *overhead);

/* A loaded program. */
struct overhead_program {
	char name[64];
	int fd;
};

/*
 * Reports on stderr, for each program: runs, ns per run; in total: CPU shares, events per second.
 * Does nothing without --overhead.
 */
void overhead_tell(const struct overhead *overhead, const struct overhead_program *programs,
		   size_t count, uint64_t events);

void overhead_end(struct overhead *overhead);

#endif
