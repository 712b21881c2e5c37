/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The clock by which we wait and measure. */
#ifndef FSTRACE_CORE_BASE_CLOCK_H
#define FSTRACE_CORE_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_SECOND 1000000000ULL
#define NEVER UINT64_MAX

/*
 * CLOCK_MONOTONIC, as our time namespace shifts it. BPF programs read it unshifted:
 * core/kernel/kernel_clock.h converts.
 */
uint64_t now_ns(void);

/* The moment `duration_ns` after `ns`; NEVER if that is beyond counting. */
static inline uint64_t add_ns(uint64_t ns, uint64_t duration_ns)
{
	return duration_ns < NEVER - ns ? ns + duration_ns : NEVER;
}

#endif
