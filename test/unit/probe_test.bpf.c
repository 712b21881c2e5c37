// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An object for probe_test.c to choose programs from. It is opened, never loaded. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define PROGRAM(section, name) SEC(section) int name(void *ctx) { return 0; }

PROGRAM("fentry", first__fentry)
PROGRAM("fexit", first__fexit2)
PROGRAM("fexit", first__fexit3)
PROGRAM("kprobe", first__kprobe)
PROGRAM("kretprobe", first__kretprobe)
PROGRAM("session", first__session)
PROGRAM("fentry", second__fentry)
PROGRAM("fexit", second__fexit2)
PROGRAM("kprobe", second__kprobe)
PROGRAM("kretprobe", second__kretprobe)
/* Not every stem has programs of all kinds. */
PROGRAM("fexit", other__fexit3)
PROGRAM("kprobe", other__kprobe)
PROGRAM("kretprobe", other__kretprobe)
PROGRAM("session", other__session)
PROGRAM("fentry", spare__fentry)
PROGRAM("kprobe", spare__kprobe)
PROGRAM("session", spare__session)
/* No probe: for every choice. */
PROGRAM("raw_tp/sched_process_exit", thread__exit)
