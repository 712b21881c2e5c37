/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The clock of BPF programs, bpf_ktime_get_ns(), which no time namespace shifts. */
#ifndef FSTRACE_CORE_KERNEL_KERNEL_CLOCK_H
#define FSTRACE_CORE_KERNEL_KERNEL_CLOCK_H

#include <stdint.h>

/*
 * What `user_ns`, a time of now_ns(), is by the clock of BPF programs. Asks the kernel, with a BPF
 * program; if that cannot be loaded, warns and returns user_ns.
 */
uint64_t kernel_clock_ns(uint64_t user_ns);

#endif
