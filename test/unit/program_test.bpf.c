// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A template for program_test.c to patch. It is opened, never loaded. */
#include "bpf/probe.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

long sums[64];

SEC("fexit")
int every__fexit(__u64 *ctx)
{
	sums[probe_constant(0) & 63] += probe_constant(1);
	sums[probe_constant(2) & 63] += probe_constant(3) + probe_result(ctx);
	return probe_constant(0);
}

SEC("session")
int every__session(struct pt_regs *ctx)
{
	return is_return(ctx) + probe_constant(3);
}
