/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The clock of BPF programs, bpf_ktime_get_ns(), which no time namespace shifts. */
#ifndef FSTRACE_CORE_KERNEL_KERNEL_CLOCK_H
#define FSTRACE_CORE_KERNEL_KERNEL_CLOCK_H

#include <stdint.h>

/*
 * Converts `user_ns`, a time of now_ns(), to the clock of BPF programs, which a BPF program reads;
 * if that cannot be loaded, warns and returns user_ns.
 */
uint64_t kernel_clock_ns(uint64_t user_ns);

#endif
